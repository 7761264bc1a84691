//! Weak priors on hyperparameters: they keep parameters from running away where the data say nothing.

use crate::named::{Named, Word, parsed_by_name};
use crate::param::{Param, Prior, Role, Spread};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Which priors learning uses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Priors {
    /// Weak ones by the role of each parameter and the spread of the inputs.
    #[default]
    Weak,
    /// None: maximum likelihood.
    None,
    /// The weak ones, with the named ones replaced; `None` takes a parameter's prior away.
    Custom(Vec<(String, Option<Prior>)>),
}

impl Named for Priors {
    const OPTION: &'static str = "priors";

    /// Those that need no more than their name.
    fn all() -> Vec<Self> {
        vec![Priors::Weak, Priors::None]
    }

    fn word(&self) -> Word {
        let (name, about) = match self {
            Priors::Weak => ("weak", "Weak priors that keep hyperparameters from running away"),
            Priors::None => ("none", "None: maximum likelihood"),
            Priors::Custom(_) => ("custom", "The weak ones, with those of named parameters replaced"),
        };
        Word { name, about, also: &[] }
    }
}

parsed_by_name!(Priors);

/// How far the features' own weights may lie apart where the priors are the weak ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Departure {
    /// Near their common level: what a few rows can support.
    Shrunk,
    /// Anywhere: automatic relevance determination proper.
    #[default]
    Free,
}

impl Departure {
    /// Standard deviations of the logarithm of the common level, and of a weight about it. Together they are as wide as
    /// the prior on a single weight.
    fn widths(self) -> (f64, f64) {
        match self {
            Departure::Shrunk => (2.3, 1.0),
            Departure::Free => (1.5, 2.0),
        }
    }
}

/// The joint prior on the weights of features: log-weights are normal about a common level, which is normal itself.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedPrior {
    /// Logarithms of the medians, one per weight.
    centre: Vec<f64>,
    level_sd: f64,
    own_sd: f64,
}

impl SharedPrior {
    /// The prior on parameters of these roles, centred where a search would start.
    pub fn new(roles: &[Role], departure: Departure, spread: &Spread) -> SharedPrior {
        let (level_sd, own_sd) = departure.widths();
        SharedPrior { centre: roles.iter().map(|role| role.start(spread).ln()).collect(), level_sd, own_sd }
    }

    /// The log-density of log-weights, and its slopes: their covariance is own² I + level² 11'.
    pub fn log_density(&self, x: &[f64]) -> (f64, Vec<f64>) {
        let d = x.len() as f64;
        let (own, level) = (self.own_sd * self.own_sd, self.level_sd * self.level_sd);
        let z: Vec<f64> = x.iter().zip(&self.centre).map(|(x, c)| x - c).collect();
        let sum: f64 = z.iter().sum();
        // The inverse of the covariance by Sherman and Morrison.
        let pull = level * sum / (own + d * level);
        let slopes: Vec<f64> = z.iter().map(|z| -(z - pull) / own).collect();
        let square: f64 = z.iter().zip(&slopes).map(|(z, slope)| -z * slope).sum();
        let log_determinant = d * own.ln() + (d * level / own).ln_1p();
        (-0.5 * (square + log_determinant + d * TAU.ln()), slopes)
    }
}

impl Priors {
    /// Whether a parameter is under the joint prior on the features' weights, rather than one of its own.
    pub fn shares(&self, param: &Param) -> bool {
        let named = matches!(self, Priors::Custom(named) if named.iter().any(|(name, _)| *name == param.name));
        param.role.is_under_joint_prior() && !named && *self != Priors::None
    }

    /// The prior on a parameter, for inputs of this spread; not for those under the joint prior.
    pub fn on(&self, param: &Param, spread: &Spread) -> Option<Prior> {
        let weak = || Some(param.role.weak_prior(spread));
        match self {
            Priors::None => None,
            Priors::Weak => weak(),
            Priors::Custom(named) => {
                named.iter().find(|(name, _)| *name == param.name).map_or_else(weak, |(_, prior)| *prior)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::param::Transform;

    fn gaussian(x: f64, mean: f64, sd: f64) -> f64 {
        Prior::Normal { mean, sd }.log_density(Transform::Identity, x).0
    }

    fn shared(d: usize) -> SharedPrior {
        SharedPrior { centre: (0..d).map(|m| 0.3 * m as f64 - 1.0).collect(), level_sd: 1.7, own_sd: 0.6 }
    }

    #[test]
    fn the_shared_prior_is_a_level_integrated_out() {
        let (prior, x) = (shared(3), [-0.2, 0.4, -1.5]);
        let given = |level: f64| -> f64 {
            let own: f64 = x.iter().zip(&prior.centre).map(|(x, c)| gaussian(*x, c + level, prior.own_sd)).sum();
            (own + gaussian(level, 0.0, prior.level_sd)).exp()
        };
        let h = 0.01;
        let integral: f64 = (-2000..2000).map(|i| h * given(h * i as f64)).sum();
        assert!((prior.log_density(&x).0 - integral.ln()).abs() < 1e-9);
    }

    #[test]
    fn slopes_of_the_shared_prior_are_derivatives() {
        let (prior, x) = (shared(4), [-0.2, 0.4, -1.5, 2.0]);
        let slopes = prior.log_density(&x).1;
        for m in 0..4 {
            let at = |h: f64| {
                let mut x = x;
                x[m] += h;
                prior.log_density(&x).0
            };
            let fd = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((fd - slopes[m]).abs() < 1e-8);
        }
    }
}
