//! `E log p(y|f)` under a Gaussian, with its derivatives in the likelihood's parameters: the data term of the
//! variational bound.

use super::{Gaussian, Likelihood};
use crate::data::Sign;
use crate::param::Role;
use crate::special::{normal_density, normal_quantile, panel_nodes, phi_cdf};

/// The Gaussian is followed this many standard deviations out: its tail is then below rounding, times any power.
const REACH: f64 = 10.0;
/// Panel length near the boundary, in units of the likelihood's width (the zeros of Phi nearest to the real axis are
/// 2.8 away), and everywhere in standard deviations of the Gaussian.
const NEAR: f64 = 4.0;
/// Away from the boundary panels may grow in proportion to the distance.
const GROWTH: f64 = 0.5;
/// With a label error ln p has branch points at pi/|z| from the axis where Phi meets the floor; panels there are
/// this over |z| long.
const NEAR_FLOOR: f64 = 6.0;
/// Phi at this share of the floor is rounded away beside it.
const BESIDE_FLOOR: f64 = 1e-18;
/// Below this z Phi is smaller than every positive floor.
const LOWEST: f64 = -39.0;

/// The average of ln p and its derivatives in the likelihood's parameters, in natural units.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ExpectedLog {
    pub value: f64,
    pub by_param: Vec<f64>,
}

/// `E log p(y|f)`, `f ~ N(mean, var)`. For a step without label error the average is minus infinity for every
/// Gaussian, so that it ranks nothing: zero is returned, which leaves the term out.
pub(crate) fn expected_log(likelihood: &Likelihood, y: Sign, f: Gaussian) -> ExpectedLog {
    let width = match likelihood {
        Likelihood::Probit(probit) => probit.sigma(),
        Likelihood::Logistic => 1.0,
    };
    if width == 0.0 {
        step(likelihood, y, f)
    } else if f.var <= 0.0 {
        at_point(likelihood, y, f.mean)
    } else {
        averaged(likelihood, y, f, width)
    }
}

fn at_point(likelihood: &Likelihood, y: Sign, f: f64) -> ExpectedLog {
    let point = Gaussian { mean: f, var: 0.0 };
    ExpectedLog { value: likelihood.log_p(y, f), by_param: likelihood.gradient(y, point, 1.0) }
}

/// Closed form: `w log(1 - eps) + (1 - w) log eps`, `w = Phi(y (mean + b) / sd)` (ROBUST 19).
fn step(likelihood: &Likelihood, y: Sign, f: Gaussian) -> ExpectedLog {
    let eps = likelihood.eps();
    let params = likelihood.params();
    if eps == 0.0 {
        return ExpectedLog { value: 0.0, by_param: vec![0.0; params.len()] };
    }
    let shift = y.sign() * (f.mean + likelihood.b());
    let sd = f.var.max(0.0).sqrt();
    let z = if sd > 0.0 { shift / sd } else { shift * f64::INFINITY };
    let z = if z.is_nan() { 0.0 } else { z };
    let (right, wrong) = (phi_cdf(z), phi_cdf(-z));
    let drop = (-eps).ln_1p() - eps.ln();
    let slope = |role: Role| match role {
        Role::LabelError(_) => wrong / eps - right / (1.0 - eps),
        Role::Shift if sd > 0.0 => y.sign() * normal_density(z) / sd * drop, // TAN (20)
        // A step's boundary is sharp at variance zero, and sigma = 0 is where sigma cannot move.
        _ => 0.0,
    };
    ExpectedLog {
        value: right * (-eps).ln_1p() + wrong * eps.ln(),
        by_param: params.iter().map(|p| slope(p.role)).collect(),
    }
}

/// Gauss-Legendre panels in `z = y (f + b) / width`.
fn averaged(likelihood: &Likelihood, y: Sign, f: Gaussian, width: f64) -> ExpectedLog {
    let (b, sd) = (likelihood.b(), f.var.sqrt() / width);
    let centre = y.sign() * (f.mean + b) / width;
    let mut total = ExpectedLog { value: 0.0, by_param: vec![0.0; likelihood.params().len()] };
    let floor = floor_reached(match likelihood {
        Likelihood::Probit(probit) => probit.floor(y),
        Likelihood::Logistic => 0.0,
    });
    let (mut from, end) = (centre - REACH * sd, centre + REACH * sd);
    while from < end {
        let to = (from + longest_panel(from, floor).min(NEAR * sd)).min(end);
        if to == from {
            break; // the panel is below the spacing of numbers here
        }
        for (z, weight) in panel_nodes(from, to) {
            let mass = weight * normal_density((z - centre) / sd) / sd;
            let here = at_point(likelihood, y, y.sign() * z * width - b);
            total.value += mass * here.value;
            total.by_param.iter_mut().zip(&here.by_param).for_each(|(sum, g)| *sum += mass * g); // TAN (19, 20)
        }
        from = to;
    }
    total
}

/// The z below which p is its floor, if it has one.
fn floor_reached(eps: f64) -> Option<f64> {
    (eps > 0.0).then(|| normal_quantile(eps * BESIDE_FLOOR).max(LOWEST))
}

/// How far from `z` upwards one panel may reach.
fn longest_panel(z: f64, floor: Option<f64>) -> f64 {
    let graded = NEAR.max(GROWTH * z.abs());
    match floor {
        Some(floor) if z < floor => floor - z,
        Some(_) if z < 0.0 => NEAR.min(NEAR_FLOOR / z.abs()),
        _ => graded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probit(eps: f64, b: f64, sigma: f64) -> Likelihood {
        Likelihood::full(eps, b, sigma).unwrap()
    }

    /// mpmath, 30 digits: quad of ln(eps + (1 - 2 eps) Phi(y (f + b)/sigma)) N(f; m, v), broken at the boundary and
    /// every half width or half standard deviation around it and the mean.
    #[test]
    #[allow(clippy::excessive_precision)]
    fn averages_agree_with_high_precision_integration() {
        let cases = [
            (0.05, 0.2, 0.5, 1.0, 0.3, 1.2, -0.723689752770715054),
            (0.0, 0.0, 1.0, -1.0, 0.7, 2.5, -2.31210514723356515),
            (1e-6, -0.4, 0.02, 1.0, 0.1, 0.9, -8.30673150609254562),
            (0.0, 0.1, 1e-3, 1.0, 0.5, 0.3, -9122.70802371894066),
            (1e-30, 0.0, 0.7, -1.0, 6.0, 4.0, -40.8403860931267577),
            (0.3, 1.5, 2.0, 1.0, -1.0, 1e-4, -0.617146799459231583),
        ];
        for (eps, b, sigma, y, mean, var, want) in cases {
            let y = if y > 0.0 { Sign::Positive } else { Sign::Negative };
            let got = expected_log(&probit(eps, b, sigma), y, Gaussian { mean, var }).value;
            assert!((got / want - 1.0).abs() < 1e-12, "{eps} {b} {sigma} {y:?} {mean} {var}: {got}, not {want}");
        }
    }

    #[test]
    fn a_vanishing_noise_is_the_step() {
        let f = Gaussian { mean: 0.4, var: 1.7 };
        let step = expected_log(&Likelihood::step(0.03).unwrap(), Sign::Negative, f);
        let soft = expected_log(&probit(0.03, 0.0, 1e-9), Sign::Negative, f);
        assert!((step.value - soft.value).abs() < 1e-7, "{} {}", step.value, soft.value);
        assert!((step.by_param[0] - soft.by_param[0]).abs() < 1e-6);
        let shifted = expected_log(&probit(0.03, 0.2, 0.0), Sign::Negative, f);
        let soft = expected_log(&probit(0.03, 0.2, 1e-9), Sign::Negative, f);
        assert!((shifted.by_param[1] - soft.by_param[1]).abs() < 1e-6, "{shifted:?} {soft:?}");
    }

    #[test]
    fn degenerate_corners_are_numbers() {
        for var in [0.0, 1e-30, 1e-6, 1e6] {
            for likelihood in
                [probit(0.0, 0.0, 1e-6), probit(1e-6, 0.3, 1e-8), Likelihood::logistic(), probit(0.1, 0.0, 0.0)]
            {
                for mean in [-50.0, 0.0, 50.0] {
                    let got = expected_log(&likelihood, Sign::Positive, Gaussian { mean, var });
                    assert!(got.value.is_finite() && got.value <= 0.0, "{likelihood:?} {mean} {var}: {got:?}");
                    assert!(got.by_param.iter().all(|g| g.is_finite()), "{likelihood:?} {mean} {var}: {got:?}");
                }
            }
        }
        let hard = expected_log(&Likelihood::step(0.0).unwrap(), Sign::Positive, Gaussian { mean: 0.1, var: 1.0 });
        assert_eq!(hard, ExpectedLog { value: 0.0, by_param: vec![0.0] });
    }
}
