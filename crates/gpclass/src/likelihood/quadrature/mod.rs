//! Averages of p(y|f)^power under a Gaussian where no closed form exists.
//!
//! Everything is written in u = y f, so that p rises with u. The integrand e^q, q = l(u) - (u - m)^2/(2 s) with
//! l = power ln p, is handled relative to its largest value by a composite Gauss-Legendre rule whose panels follow its
//! features (`panels`); the derivatives of ln Z are cumulants of the tilted distribution (`cumulants`). What EP asks for many times
//! over, ln Z and two derivatives, has a shorter rule wherever that is as good (`grid`).

mod cumulants;
mod grid;
mod minority;
mod panels;
mod shape;
mod tilted;

use super::floored::hold;
use super::probit::Slot;
use super::smooth::{pointwise, pointwise_by_param};
use super::{ContaminatedProbit, Curvature, Gaussian, Likelihood, Moments};
use crate::data::Sign;
use grid::{Average, Sigmoid};
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
    if let Some(moments) = short(likelihood, y, f, power) {
        return moments;
    }
    long(likelihood, y, f, power)
}

/// By the short rule, where that is as good as the long one.
fn short(likelihood: &Likelihood, y: Sign, f: Gaussian, power: f64) -> Option<Moments> {
    let (sigmoid, kink, scale) = match likelihood {
        Likelihood::Probit(probit) if probit.eps() > 0.0 || probit.sigma() <= 0.0 => return None,
        Likelihood::Probit(probit) => (Sigmoid::Normal, -probit.b(), probit.sigma()),
        Likelihood::Logistic => (Sigmoid::Logistic, 0.0, 1.0),
    };
    let average = Average { sigmoid, mean: y.sign() * (f.mean - kink) / scale, var: f.var / scale / scale, power };
    let moments = average.moments()?;
    Some(Moments { d1: y.sign() * moments.d1 / scale, d2: moments.d2 / scale / scale, ..moments })
}

/// By the long rule.
fn long(likelihood: &Likelihood, y: Sign, f: Gaussian, power: f64) -> Moments {
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
    let short = match likelihood {
        Likelihood::Probit(probit) => without_label_error(likelihood, probit, y, f, power),
        Likelihood::Logistic => Some(Vec::new()),
    };
    short.unwrap_or_else(|| Tilted::new(likelihood, y, f, power).gradient())
}

/// The same from the moments, for members without a label error: a bias moves the mean, and noise scales mean and deviation together,
/// Z being a function of (m + b)/sigma and s/sigma^2.
fn without_label_error(
    likelihood: &Likelihood,
    probit: &ContaminatedProbit,
    y: Sign,
    f: Gaussian,
    power: f64,
) -> Option<Vec<f64>> {
    let slots = probit.member().slots();
    if slots.iter().any(|slot| matches!(slot, Slot::Eps | Slot::EpsOf(_))) {
        return None;
    }
    let Moments { d1, d2, .. } = moments(likelihood, y, f, power);
    let by_slot = |slot: &Slot| match slot {
        Slot::Eps | Slot::EpsOf(_) => None,
        Slot::B => Some(d1),
        Slot::Sigma => Some(hold(-((f.mean + probit.b()) * d1 + f.var * (d2 + d1 * d1)) / probit.sigma())),
    };
    slots.iter().map(by_slot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The long rule is itself held to golden values and to closed forms.
    #[test]
    fn the_short_rule_is_as_good_as_the_long_one() {
        let mut short_ones = 0;
        for likelihood in [
            Likelihood::logistic(),
            Likelihood::probit(),
            Likelihood::probit_noise(0.3).unwrap(),
            Likelihood::probit_bias(-1.3).unwrap(),
        ] {
            for power in [0.02, 0.1, 0.35, 0.5, 0.8, 0.999, 1.0] {
                for var in [1e-7, 1e-5, 1e-3, 0.05, 0.4, 0.9, 1.7, 3.5, 4.5, 9.0, 25.0, 150.0, 2e3, 1e4, 3e5] {
                    for deviations in [
                        -13.0, -11.0, -8.0, -6.0, -4.5, -3.0, -2.0, -1.0, -0.3, 0.0, 0.2, 0.7, 1.5, 2.5, 4.0, 6.0, 9.0,
                        11.0,
                    ] {
                        for y in [Sign::Negative, Sign::Positive] {
                            let f = Gaussian { mean: y.sign() * deviations * f64::sqrt(1.0 + var), var };
                            let Some(got) = short(&likelihood, y, f, power) else { continue };
                            short_ones += 1;
                            let want = long(&likelihood, y, f, power);
                            let what = format!("{likelihood:?} {y:?} {f:?} power {power}");
                            let unit = (want.shrink / var).sqrt();
                            for (name, got, want, scale) in [
                                ("ln Z", got.log_z, want.log_z, want.log_z.abs().min(1.0 + 1e-2 * want.log_z.abs())),
                                ("d1", got.d1, want.d1, unit),
                                ("d2", got.d2, want.d2, unit * unit),
                                ("shrink", got.shrink, want.shrink, want.shrink),
                            ] {
                                assert!((got - want).abs() <= 1e-11 * scale, "{what}: {name} {got}, not {want}");
                            }
                        }
                    }
                }
            }
        }
        assert!(short_ones > 10_000, "{short_ones}");
    }

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
