//! Coordinates in which parameters can be moved freely.

use serde::{Deserialize, Serialize};

/// The map from a parameter's natural value to the unconstrained coordinate that an optimiser moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Transform {
    /// The value itself, for parameters of either sign (the bias b).
    Identity,
    /// The logarithm, for positive parameters.
    Log,
    /// The logit of twice the value, for a label error in (0, 1/2).
    LogitHalf,
}

impl Transform {
    /// The unconstrained coordinate of `value`.
    pub fn forward(self, value: f64) -> f64 {
        match self {
            Transform::Identity => value,
            Transform::Log => value.ln(),
            Transform::LogitHalf => (2.0 * value).ln() - (-2.0 * value).ln_1p(),
        }
    }

    /// The value at an unconstrained coordinate.
    pub fn inverse(self, coordinate: f64) -> f64 {
        match self {
            Transform::Identity => coordinate,
            Transform::Log => coordinate.exp(),
            Transform::LogitHalf if coordinate < 0.0 => 0.5 * coordinate.exp() / (1.0 + coordinate.exp()),
            Transform::LogitHalf => 0.5 / (1.0 + (-coordinate).exp()),
        }
    }

    /// d value / d coordinate, as a function of the value: what turns a natural gradient into an optimiser's.
    pub fn slope(self, value: f64) -> f64 {
        match self {
            Transform::Identity => 1.0,
            Transform::Log => value,
            Transform::LogitHalf => value * (1.0 - 2.0 * value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transforms_invert_and_their_slopes_are_derivatives() {
        for (transform, values) in [
            (Transform::Identity, [-3.0, 0.0, 2.5]),
            (Transform::Log, [1e-8, 0.3, 1e8]),
            (Transform::LogitHalf, [1e-6, 0.05, 0.499]),
        ] {
            for value in values {
                let u = transform.forward(value);
                assert!((transform.inverse(u) - value).abs() <= 1e-13 * value.abs());
                let h = 1e-5;
                let fd = (transform.inverse(u + h) - transform.inverse(u - h)) / (2.0 * h);
                assert!((fd - transform.slope(value)).abs() <= 1e-8 * value.abs().max(1e-8), "{transform:?} {value}");
            }
        }
    }
}
