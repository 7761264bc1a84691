//! The logistic's rarer class: its probability alone, for predictions, at a fraction of the cost of the tilted distribution.

use super::panels::Integrand;
use super::shape::Shape;
use super::{Gaussian, Likelihood, Sign, log_z};
use crate::likelihood::logistic::log_p;

/// The log-probability of the less probable class under f ~ N(mean, var), var > 0: ln E 1/(1 + exp(-u)) with
/// u ~ N(-|mean|, var). It is at most ln 1/2, so that nothing is lost to 1.
pub(in crate::likelihood) fn log_minority(f: Gaussian) -> f64 {
    let (mean, var) = (-f.mean.abs(), f.var);
    let layout = Integrand { shape: Shape::Logistic, power: 1.0, mean, var }.mass_layout();
    let reference = layout.reference;
    let shift = reference - mean;
    let below = reference < 0.0;
    let at_reference = sigmoid(reference);
    let mass: f64 = layout
        .nodes()
        .map(|(u, t, weight)| {
            // p(u)/p(u0) is exp(t) times a ratio near 1 below 0: exp(t) and the Gaussian's slope are large and opposite.
            let (linear, ratio) = if below && u < 0.0 {
                (1.0, (1.0 + reference.exp()) / (1.0 + u.exp()))
            } else {
                (0.0, sigmoid(u) / at_reference)
            };
            weight * ratio * (t * (linear - shift / var) - 0.5 * t * t / var).exp()
        })
        .sum();
    if !(mass > 0.0 && mass.is_finite() && at_reference > 0.0) {
        // Beyond 1e7 deviations, or a reference that underflows.
        return log_z(&Likelihood::Logistic, Sign::Positive, Gaussian { mean, var }, 1.0);
    }
    log_p(Sign::Positive, reference) - 0.5 * shift * shift / var + (mass / (std::f64::consts::TAU * var).sqrt()).ln()
}

fn sigmoid(u: f64) -> f64 {
    let small = (-u.abs()).exp();
    if u < 0.0 { small / (1.0 + small) } else { 1.0 / (1.0 + small) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tilted distribution's rule, itself held to golden values.
    #[test]
    fn the_short_rule_agrees_with_the_long_one() {
        for var in [1e-9, 1e-4, 0.03, 0.5, 1.0, 3.0, 20.0, 400.0, 1e5, 1e9] {
            for deviations in [0.0, 1e-9, 1e-3, 0.1, 0.6, 1.5, 4.0, 9.0, 40.0, 1e3, 1e8] {
                for sign in [-1.0, 1.0] {
                    let f = Gaussian { mean: sign * deviations * f64::sqrt(var), var };
                    let rare = if f.mean > 0.0 { Sign::Negative } else { Sign::Positive };
                    let (got, want) = (log_minority(f), log_z(&Likelihood::Logistic, rare, f, 1.0));
                    // The exponent at the mode cancels to the last digit of the mean's own.
                    let rounding = 4.0 * f64::EPSILON * deviations.powi(2).min(f.mean.abs());
                    assert!((got - want).abs() <= 2e-14 * want.abs() + rounding, "{f:?}: {got}, not {want}");
                }
            }
        }
    }
}
