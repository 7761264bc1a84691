//! Weak priors on hyperparameters: they keep parameters from running away where the data say nothing.

use super::initial::{Spread, feature};
use crate::kernel::Kernel;
use crate::model::TrainingData;
use crate::param::{Param, Transform};
use libm::lgamma;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A prior on one hyperparameter, as a density in its unconstrained coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Prior {
    /// Of the parameter's logarithm; `sd` in units of the natural logarithm.
    LogNormal { median: f64, sd: f64 },
    /// Of the parameter itself.
    Normal { mean: f64, sd: f64 },
    /// Of twice the label error, which lies in (0, 1).
    Beta { a: f64, b: f64 },
}

impl Prior {
    /// The log-density at an unconstrained coordinate, and its slope there.
    pub fn log_density(self, transform: Transform, coordinate: f64) -> (f64, f64) {
        match (self, transform) {
            (Prior::LogNormal { median, sd }, Transform::Log) => gaussian(coordinate, median.ln(), sd),
            (Prior::Normal { mean, sd }, Transform::Identity) => gaussian(coordinate, mean, sd),
            (Prior::Beta { a, b }, Transform::LogitHalf) => {
                let p = 2.0 * transform.inverse(coordinate);
                // a ln p + b ln(1 - p) with the Jacobian of the logit in it; p may round to 0 or 1.
                let (log_p, log_q) = (-soft_plus(-coordinate), -soft_plus(coordinate));
                (a * log_p + b * log_q - log_beta(a, b), a * (1.0 - p) - b * p)
            }
            // Checked when the space is built.
            _ => (0.0, 0.0),
        }
    }

    fn fits(self, transform: Transform) -> bool {
        matches!(
            (self, transform),
            (Prior::LogNormal { .. }, Transform::Log)
                | (Prior::Normal { .. }, Transform::Identity)
                | (Prior::Beta { .. }, Transform::LogitHalf)
        )
    }

    fn is_valid(self) -> bool {
        let positive = |v: f64| v > 0.0 && v.is_finite();
        match self {
            Prior::LogNormal { median, sd } => positive(median) && positive(sd),
            Prior::Normal { mean, sd } => mean.is_finite() && positive(sd),
            Prior::Beta { a, b } => positive(a) && positive(b),
        }
    }

    /// Whether this prior can be put on `param`.
    pub fn suits(self, param: &Param) -> bool {
        self.is_valid() && self.fits(param.transform)
    }
}

fn gaussian(x: f64, mean: f64, sd: f64) -> (f64, f64) {
    let z = (x - mean) / sd;
    (-0.5 * z * z - sd.ln() - 0.5 * TAU.ln(), -z / sd)
}

/// The logarithm of the beta function.
fn log_beta(a: f64, b: f64) -> f64 {
    lgamma(a) + lgamma(b) - lgamma(a + b)
}

/// ln(1 + exp(x)).
fn soft_plus(x: f64) -> f64 {
    if x > 0.0 { x + (-x).exp().ln_1p() } else { x.exp().ln_1p() }
}

/// Which priors learning uses.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priors {
    /// Weak ones by the role of each parameter and the spread of the inputs.
    #[default]
    Weak,
    /// None: maximum likelihood.
    None,
    /// The weak ones, with the named ones replaced; `None` takes a parameter's prior away.
    Custom(Vec<(String, Option<Prior>)>),
}

/// The role of a parameter, read off the last part of its name: `se.l[age]` is an `l`.
pub(crate) fn role(name: &str) -> &str {
    let parameter = name.split('[').next().unwrap_or(name);
    parameter.rsplit_once('.').map_or(parameter, |(_, local)| local)
}

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
    /// The prior on weights of these names.
    pub fn new(names: &[String], departure: Departure, data: &TrainingData) -> SharedPrior {
        let spread = Spread::of(data);
        let (level_sd, own_sd) = departure.widths();
        SharedPrior { centre: names.iter().map(|name| spread.weight(feature(name)).ln()).collect(), level_sd, own_sd }
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
        let own_weight = matches!(role(&param.name), "l" | "w") && feature(&param.name).is_some();
        let named = matches!(self, Priors::Custom(named) if named.iter().any(|(name, _)| *name == param.name));
        own_weight && !named && *self != Priors::None
    }

    /// The prior on a parameter of `kernel`, or of the likelihood beside it, for rows like those of `data`; not for
    /// those under the joint prior.
    pub fn on(&self, param: &Param, kernel: &Kernel, data: &TrainingData) -> Option<Prior> {
        let weak = || weak(param, kernel, data);
        match self {
            Priors::None => None,
            Priors::Weak => weak(),
            Priors::Custom(named) => {
                named.iter().find(|(name, _)| *name == param.name).map_or_else(weak, |(_, prior)| *prior)
            }
        }
    }
}

fn weak(param: &Param, kernel: &Kernel, data: &TrainingData) -> Option<Prior> {
    let spread = Spread::of(data);
    let log_normal = |median, sd| Some(Prior::LogNormal { median, sd });
    match role(&param.name) {
        "v0" if kernel.is_linear_weight(&param.name) => log_normal(spread.weight(None), 2.0),
        // A hard boundary needs a large one, which a narrow prior would soften.
        "v0" => log_normal(20.0, 2.5),
        "l" | "w" => log_normal(spread.weight(None), 2.5),
        "v1" => log_normal(1.0, 3.0),
        "v2" => log_normal(0.3, 2.5),
        "alpha" | "sigma" => log_normal(1.0, 1.5),
        "b" => Some(Prior::Normal { mean: 0.0, sd: 3.0 }),
        "eps" => Some(Prior::Beta { a: 1.0, b: 10.0 }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn densities_integrate_to_one() {
        for (prior, transform) in [
            (Prior::LogNormal { median: 0.2, sd: 1.5 }, Transform::Log),
            (Prior::Normal { mean: -1.0, sd: 2.0 }, Transform::Identity),
            (Prior::Beta { a: 1.3, b: 9.0 }, Transform::LogitHalf),
        ] {
            let h = 0.01;
            let total: f64 = (-6000..6000).map(|i| h * prior.log_density(transform, h * i as f64).0.exp()).sum();
            assert!((total - 1.0).abs() < 1e-6, "{prior:?}: {total}");
        }
    }

    fn shared(d: usize) -> SharedPrior {
        SharedPrior { centre: (0..d).map(|m| 0.3 * m as f64 - 1.0).collect(), level_sd: 1.7, own_sd: 0.6 }
    }

    #[test]
    fn the_shared_prior_is_a_level_integrated_out() {
        let (prior, x) = (shared(3), [-0.2, 0.4, -1.5]);
        let given = |level: f64| -> f64 {
            let own: f64 = x.iter().zip(&prior.centre).map(|(x, c)| gaussian(*x, c + level, prior.own_sd).0).sum();
            (own + gaussian(level, 0.0, prior.level_sd).0).exp()
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

    #[test]
    fn slopes_are_derivatives() {
        for (prior, transform) in [
            (Prior::LogNormal { median: 0.2, sd: 1.5 }, Transform::Log),
            (Prior::Normal { mean: -1.0, sd: 2.0 }, Transform::Identity),
            (Prior::Beta { a: 1.3, b: 9.0 }, Transform::LogitHalf),
        ] {
            for u in [-30.0, -2.0, 0.1, 3.0, 30.0] {
                let h = 1e-5;
                let value = |u| prior.log_density(transform, u).0;
                let fd = (value(u + h) - value(u - h)) / (2.0 * h);
                let slope = prior.log_density(transform, u).1;
                assert!((fd - slope).abs() < 1e-6 * (1.0 + slope.abs()), "{prior:?} at {u}: {fd} and {slope}");
            }
        }
    }

    #[test]
    fn roles_ignore_leaf_and_feature_names() {
        for (name, want) in [("v0", "v0"), ("se.l[age.x]", "l"), ("l[b]", "l"), ("linear2.w[v0]", "w")] {
            assert_eq!(role(name), want, "{name}");
        }
    }
}
