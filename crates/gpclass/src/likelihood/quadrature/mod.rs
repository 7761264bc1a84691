//! Averages of p(y|f)^power under a Gaussian where no closed form exists.
//!
//! Everything is written in u = y f, so that p rises with u. The integrand e^q, q = l(u) - (u - m)^2/(2 s) with
//! l = power ln p, is handled relative to its largest value by a composite Gauss-Legendre rule whose panels follow its
//! features (`panels`); the derivatives of ln Z are cumulants of the tilted distribution (`cumulants`).

mod cumulants;
mod minority;
mod panels;
mod shape;
mod tilted;

use super::smooth::{pointwise, pointwise_by_param};
use super::{Curvature, Gaussian, Likelihood, Moments};
use crate::data::Sign;
use tilted::Tilted;

pub(super) use minority::log_minority;

/// ln E p(y|f)^power.
pub(super) fn log_z(likelihood: &Likelihood, y: Sign, f: Gaussian, power: f64) -> f64 {
    if f.var <= 0.0 {
        return power * pointwise(likelihood, y, f.mean)[0];
    }
    Tilted::new(likelihood, y, f, power).log_z()
}

/// ln E p(y|f)^power with two derivatives in the mean.
pub(super) fn moments(likelihood: &Likelihood, y: Sign, f: Gaussian, power: f64) -> Moments {
    if f.var <= 0.0 {
        let [log_z, d1, d2, ..] = pointwise(likelihood, y, f.mean).map(|value| power * value);
        return Moments { log_z, d1, d2, shrink: 1.0 };
    }
    let tilted = Tilted::new(likelihood, y, f, power);
    let [d1, d2] = tilted.two_derivatives();
    Moments { log_z: tilted.log_z(), d1: y.sign() * d1, d2, shrink: tilted.shrink() }
}

/// ln E p(y|f)^power with four derivatives in the mean and those in the parameters.
pub(super) fn curvature(likelihood: &Likelihood, y: Sign, f: Gaussian, power: f64) -> Curvature {
    if f.var <= 0.0 {
        let [log_z, d @ ..] = pointwise(likelihood, y, f.mean).map(|value| power * value);
        let by_param = pointwise_by_param(likelihood, y, f.mean);
        return Curvature { log_z, d, by_param: by_param.into_iter().map(|row| row.map(|v| power * v)).collect() };
    }
    let tilted = Tilted::new(likelihood, y, f, power);
    let [d1, d2, d3, d4] = tilted.four_derivatives();
    let d = [y.sign() * d1, d2, y.sign() * d3, d4];
    Curvature { log_z: tilted.log_z(), d, by_param: tilted.by_param(d) }
}

/// d ln E p(y|f)^power / d each parameter.
pub(super) fn gradient(likelihood: &Likelihood, y: Sign, f: Gaussian, power: f64) -> Vec<f64> {
    if f.var <= 0.0 {
        return pointwise_by_param(likelihood, y, f.mean).into_iter().map(|row| power * row[0]).collect();
    }
    Tilted::new(likelihood, y, f, power).gradient()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At power 1 the family has closed forms, held to golden values elsewhere: the rule must reproduce them everywhere.
    #[test]
    fn the_rule_reproduces_the_closed_forms_over_every_scale() {
        for (eps, sigma) in [(0.0, 1.0), (0.0, 1e-2), (0.1, 1.0), (1e-4, 0.3), (1e-12, 2.0)] {
            let likelihood = Likelihood::full(eps, 0.0, sigma).expect("valid example");
            for var in [1e-8, 1e-4, 1e-2, 1.0, 30.0, 1e4, 1e8] {
                for deviations in [-1e3, -40.0, -8.0, -2.0, -0.3, 0.0, 1.0, 6.0, 12.0, 30.0] {
                    let cavity = Gaussian { mean: deviations * f64::sqrt(var), var };
                    let what = format!("eps {eps} sigma {sigma} {cavity:?}");
                    let got = curvature(&likelihood, Sign::Positive, cavity, 1.0);
                    let want = likelihood.curvature(Sign::Positive, cavity, 1.0);
                    let [short, exact] = [
                        moments(&likelihood, Sign::Positive, cavity, 1.0),
                        likelihood.moments(Sign::Positive, cavity, 1.0),
                    ];
                    let close = |got: f64, want: f64, tolerance: f64, floor: f64, what: &str| {
                        assert!((got - want).abs() <= tolerance * want.abs() + floor, "{what}: {got}, not {want}");
                    };
                    // A rounding of m changes a Gaussian tail by that many squared deviations.
                    let tail = 1e-13 + f64::EPSILON * deviations.max(0.0).powi(2);
                    close(got.log_z, want.log_z, tail, 1e-300, &format!("{what} ln Z"));
                    close(short.shrink, exact.shrink, 1e-11, 0.0, &format!("{what} shrink"));
                    let unit = (exact.shrink / var).sqrt();
                    for k in 0..4 {
                        let floor = 1e-14 * unit.powi(k as i32 + 1);
                        close(got.d[k], want.d[k], 1e-11, floor, &format!("{what} d{}", k + 1));
                    }
                }
            }
        }
    }
}
