//! The free hyperparameters of a model as a vector that an optimiser can move.

use super::prior::{Departure, Priors, SharedPrior};
use super::quasi_newton::Bounds;
use super::spread::spread_of;
use crate::learn::LearnError;
use crate::model::{Gradient, Model, TrainingData};
use crate::param::{Param, Prior, Role, Transform};

#[derive(Clone, Copy, Debug)]
enum Place {
    Kernel(usize),
    Likelihood(usize),
}

/// One free hyperparameter.
#[derive(Clone, Debug)]
struct Coordinate {
    name: String,
    role: Role,
    place: Place,
    transform: Transform,
    prior: Option<Prior>,
    lower: f64,
    upper: f64,
}

/// The free hyperparameters of one model.
#[derive(Clone, Debug)]
pub struct Space {
    coordinates: Vec<Coordinate>,
    /// The joint prior on the features' own weights, and their positions.
    shared: Option<(SharedPrior, Vec<usize>)>,
}

impl Space {
    /// The free parameters of `model`, with priors and bounds. A value outside the usual bounds widens them to itself.
    pub fn new(model: &Model, data: &TrainingData, priors: &Priors, departure: Departure) -> Result<Self, LearnError> {
        let (kernel, likelihood) = (model.kernel.params(), model.likelihood.params());
        if let Priors::Custom(named) = priors {
            for (name, prior) in named {
                let param = kernel.iter().chain(&likelihood).find(|p| p.name == *name);
                let param = param.ok_or_else(|| LearnError::UnknownPrior { name: name.clone() })?;
                if let Some(prior) = prior.filter(|prior| !prior.suits(param)) {
                    return Err(LearnError::Prior { name: name.clone(), prior });
                }
            }
        }
        let spread = spread_of(data);
        let places = (0..kernel.len()).map(Place::Kernel).chain((0..likelihood.len()).map(Place::Likelihood));
        let mut sharing = Vec::new();
        let coordinates: Vec<Coordinate> = places
            .zip(kernel.into_iter().chain(likelihood))
            .filter(|(_, param)| !param.fixed)
            .enumerate()
            .map(|(position, (place, param))| {
                let (lower, upper) = param.role.bounds();
                let transform = param.transform();
                let shares = priors.shares(&param);
                sharing.extend(shares.then_some(position));
                Coordinate {
                    role: param.role,
                    place,
                    transform,
                    prior: if shares { None } else { priors.on(&param, &spread) },
                    lower: transform.forward(lower.min(param.value)),
                    upper: transform.forward(upper.max(param.value)),
                    name: param.name,
                }
            })
            .collect();
        let roles: Vec<Role> = sharing.iter().map(|&i| coordinates[i].role).collect();
        let shared = (!roles.is_empty()).then(|| (SharedPrior::new(&roles, departure, &spread), sharing));
        Ok(Space { coordinates, shared })
    }

    /// The number of free hyperparameters.
    pub fn len(&self) -> usize {
        self.coordinates.len()
    }

    /// Whether every hyperparameter is fixed.
    pub fn is_empty(&self) -> bool {
        self.coordinates.is_empty()
    }

    /// Names of the free hyperparameters, in the order of the coordinates.
    pub fn names(&self) -> Vec<String> {
        self.coordinates.iter().map(|c| c.name.clone()).collect()
    }

    /// The box that the search stays in.
    pub fn bounds(&self) -> Bounds {
        Bounds {
            lower: self.coordinates.iter().map(|c| c.lower).collect(),
            upper: self.coordinates.iter().map(|c| c.upper).collect(),
        }
    }

    /// The same space without the parameters for which `keep` is false: they stay where the model has them. The weights
    /// under the joint prior stay or go together.
    pub fn restricted(&self, keep: impl Fn(Role) -> bool) -> Space {
        let kept: Vec<usize> = (0..self.len()).filter(|&i| keep(self.coordinates[i].role)).collect();
        let moved =
            |positions: &Vec<usize>| positions.iter().map(|i| kept.binary_search(i).ok()).collect::<Option<_>>();
        let shared = self.shared.as_ref().and_then(|(prior, positions)| Some((prior.clone(), moved(positions)?)));
        Space { coordinates: kept.iter().map(|&i| self.coordinates[i].clone()).collect(), shared }
    }

    /// The name of a parameter that has no prior, so that it cannot be integrated out.
    pub fn without_prior(&self) -> Option<&str> {
        let shares = |i: usize| self.sharing().contains(&i);
        let mut numbered = self.coordinates.iter().enumerate();
        numbered.find(|(i, c)| c.prior.is_none() && !shares(*i)).map(|(_, c)| c.name.as_str())
    }

    /// Positions of the parameters under the joint prior.
    pub fn sharing(&self) -> &[usize] {
        self.shared.as_ref().map_or(&[], |(_, positions)| positions)
    }

    /// The coordinates of a model's values.
    pub fn read(&self, model: &Model) -> Vec<f64> {
        let (kernel, likelihood) = (model.kernel.params(), model.likelihood.params());
        let value = |place| match place {
            Place::Kernel(i) => &kernel[i],
            Place::Likelihood(i) => &likelihood[i],
        };
        self.coordinates.iter().map(|c| c.transform.forward(value(c.place).value).clamp(c.lower, c.upper)).collect()
    }

    /// Writes coordinates into a model.
    pub fn write(&self, model: &mut Model, x: &[f64]) {
        let values = |params: Vec<Param>| params.into_iter().map(|p| p.value).collect::<Vec<f64>>();
        let (mut kernel, mut likelihood) = (values(model.kernel.params()), values(model.likelihood.params()));
        for (c, &x) in self.coordinates.iter().zip(x) {
            let value = c.transform.inverse(x);
            match c.place {
                Place::Kernel(i) => kernel[i] = value,
                Place::Likelihood(i) => likelihood[i] = value,
            }
        }
        model.kernel.set_values(&kernel);
        model.likelihood.set_values(&likelihood);
    }

    /// Writes natural values into a model.
    pub fn write_values(&self, model: &mut Model, values: &[f64]) {
        let x: Vec<f64> = self.coordinates.iter().zip(values).map(|(c, &v)| c.transform.forward(v)).collect();
        self.write(model, &x);
    }

    /// An objective's gradient in the coordinates.
    pub fn gradient(&self, model: &Model, gradient: &Gradient) -> Vec<f64> {
        let likelihood = model.likelihood.params();
        let component = |c: &Coordinate| match c.place {
            Place::Kernel(i) => gradient.kernel[i],
            Place::Likelihood(i) => gradient.likelihood[i] * c.transform.slope(likelihood[i].value),
        };
        self.coordinates.iter().map(component).collect()
    }

    /// Natural values at coordinates.
    pub fn values(&self, x: &[f64]) -> Vec<f64> {
        self.coordinates.iter().zip(x).map(|(c, &x)| c.transform.inverse(x)).collect()
    }

    /// The log-prior density and its gradient; parameters without a prior count nothing.
    pub fn log_prior(&self, x: &[f64]) -> (f64, Vec<f64>) {
        let parts = self
            .coordinates
            .iter()
            .zip(x)
            .map(|(c, &x)| c.prior.map_or((0.0, 0.0), |prior| prior.log_density(c.transform, x)));
        let (values, mut slopes): (Vec<f64>, Vec<f64>) = parts.unzip();
        let mut value = values.iter().sum();
        if let Some((prior, positions)) = &self.shared {
            let own: Vec<f64> = positions.iter().map(|&i| x[i]).collect();
            let (joint, own_slopes) = prior.log_density(&own);
            value += joint;
            positions.iter().zip(own_slopes).for_each(|(&i, slope)| slopes[i] = slope);
        }
        (value, slopes)
    }

    /// Parameters that ended on a bound.
    pub fn at_bounds(&self, x: &[f64]) -> Vec<AtBound> {
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + b.abs());
        let reached = |c: &Coordinate, &x: &f64| {
            let bound = if close(x, c.lower) { c.lower } else { c.upper };
            close(x, bound).then(|| AtBound { name: c.name.clone(), value: c.transform.inverse(bound) })
        };
        self.coordinates.iter().zip(x).filter_map(|(c, x)| reached(c, x)).collect()
    }
}

/// A parameter that learning pushed against its bound.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct AtBound {
    /// Name of the parameter.
    pub name: String,
    /// The bound that it reached, as a natural value.
    pub value: f64,
}
