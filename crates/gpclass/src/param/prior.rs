//! Prior densities of single hyperparameters.

use super::{Param, Transform};
use libm::lgamma;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// A prior on one hyperparameter, as a density in its unconstrained coordinate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prior {
    /// Of the parameter's logarithm; `sd` in units of the natural logarithm.
    #[serde(alias = "log_normal")]
    LogNormal {
        /// Median of the parameter itself, positive.
        median: f64,
        /// Standard deviation of its logarithm, positive.
        sd: f64,
    },
    /// Of the parameter itself.
    Normal {
        /// Mean of the parameter.
        mean: f64,
        /// Its standard deviation, positive.
        sd: f64,
    },
    /// Of twice the label error, which lies in (0, 1).
    Beta {
        /// First shape, positive: the larger, the nearer the label error is drawn to 1/2.
        a: f64,
        /// Second shape, positive: the larger, the nearer the label error is drawn to 0.
        b: f64,
    },
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
        self.is_valid() && self.fits(param.transform())
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
}
