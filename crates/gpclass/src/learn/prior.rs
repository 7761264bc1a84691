//! Weak priors on hyperparameters: they keep parameters from running away where the data say nothing.

use super::initial::{Spread, feature};
use crate::data::Inputs;
use crate::kernel::Kernel;
use crate::param::{Param, Transform};
use serde::{Deserialize, Serialize};

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
    /// The log-density at an unconstrained coordinate, up to a constant, and its slope there.
    pub fn log_density(self, transform: Transform, coordinate: f64) -> (f64, f64) {
        match (self, transform) {
            (Prior::LogNormal { median, sd }, Transform::Log) => gaussian(coordinate, median.ln(), sd),
            (Prior::Normal { mean, sd }, Transform::Identity) => gaussian(coordinate, mean, sd),
            (Prior::Beta { a, b }, Transform::LogitHalf) => {
                let p = 2.0 * transform.inverse(coordinate);
                // a ln p + b ln(1 - p) with the Jacobian of the logit in it; p may round to 0 or 1.
                let (log_p, log_q) = (-soft_plus(-coordinate), -soft_plus(coordinate));
                (a * log_p + b * log_q, a * (1.0 - p) - b * p)
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
    (-0.5 * z * z, -z / sd)
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

impl Priors {
    /// The prior on a parameter of `kernel`, or of the likelihood beside it, for rows like `inputs`.
    pub fn on(&self, param: &Param, kernel: &Kernel, inputs: &Inputs) -> Option<Prior> {
        let weak = || weak(param, kernel, inputs);
        match self {
            Priors::None => None,
            Priors::Weak => weak(),
            Priors::Custom(named) => {
                named.iter().find(|(name, _)| *name == param.name).map_or_else(weak, |(_, prior)| *prior)
            }
        }
    }
}

fn weak(param: &Param, kernel: &Kernel, inputs: &Inputs) -> Option<Prior> {
    let spread = Spread::of(inputs);
    let log_normal = |median, sd| Some(Prior::LogNormal { median, sd });
    match role(&param.name) {
        "v0" if kernel.is_linear_weight(&param.name) => log_normal(spread.weight(None), 2.0),
        "v0" => log_normal(4.0, 1.5),
        "l" | "w" => log_normal(spread.weight(feature(&param.name)), 2.5),
        "v1" => log_normal(1.0, 2.0),
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
