//! The features of a likelihood that decide where an integral needs its nodes.

use crate::data::Sign;
use crate::likelihood::{Likelihood, logistic};
use crate::special::{hazard, log_phi, log_phi_increment, normal_quantile};

/// Distances from a logistic transition, in its own scale, at which panels end: its poles lie at +-i pi, and at 37 it has
/// reached its limits to the last digit.
const LOGISTIC_BREAKS: [f64; 4] = [2.5, 8.0, 20.0, 37.0];
/// The same for the normal distribution function, on its lower side only: zeros of Phi lie near -1.9 +- 2.8 i and beyond.
const NORMAL_BREAKS: [f64; 3] = [-10.0, 0.0, 9.0];
/// A panel spans at most this many standard deviations of a Gaussian factor: 20 nodes then give all digits.
const PANEL_DEVIATIONS: f64 = 5.0;
/// ... and at most this many e-folds of an exponential factor.
const PANEL_FOLDS: f64 = 20.0;
/// ... and far below the transition at most this many of its scales.
const PANEL_SCALES: f64 = 8.0;

/// ln p(u) up to the power: a rising sigmoid in u = y f.
#[derive(Clone, Copy, Debug)]
pub(super) enum Shape {
    /// floor + span Phi((u - kink)/scale), span = 1 - floor - the label error of the class itself.
    Normal { kink: f64, scale: f64, floor: f64, span: f64 },
    /// 1/(1 + e^-u).
    Logistic,
}

/// A concave function that bounds ln of an integrand.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bound {
    /// `cdf` times the logarithm of the clean sigmoid minus `tail` times what its slope adds (z^2/2 for the normal, u for
    /// the logistic), plus a constant.
    Rising { cdf: f64, tail: f64, offset: f64 },
    /// The logarithm of 1 minus the clean sigmoid, which bounds what Z lacks to 1.
    Lack,
}

impl Shape {
    pub fn new(likelihood: &Likelihood, y: Sign) -> Self {
        match likelihood {
            Likelihood::Probit(probit) => {
                let (floor, span) = (probit.floor(y), 1.0 - (probit.floor(y) + probit.floor(y.flipped())));
                Shape::Normal { kink: -y.sign() * probit.b(), scale: probit.sigma(), floor, span }
            }
            Likelihood::Logistic => Shape::Logistic,
        }
    }

    /// Label errors keep p away from 0 and from 1.
    pub fn has_floor(&self) -> bool {
        matches!(*self, Shape::Normal { floor, span, .. } if floor > 0.0 || span < 1.0)
    }

    /// Bounds of p^power: the clean part and, with label errors, the floor.
    pub fn bounds(&self, power: f64) -> Vec<Bound> {
        match *self {
            Shape::Normal { floor, span, .. } => {
                let clean = Bound::Rising { cdf: power, tail: 0.0, offset: power * span.ln() };
                let flat = Bound::Rising { cdf: 0.0, tail: 0.0, offset: power * floor.ln() };
                if floor > 0.0 { vec![clean, flat] } else { vec![clean] }
            }
            Shape::Logistic => vec![Bound::Rising { cdf: power, tail: 0.0, offset: 0.0 }],
        }
    }

    /// Bounds of the slope of p^power, which vanishes where p is flat.
    pub fn slope_bounds(&self, power: f64) -> Vec<Bound> {
        match *self {
            Shape::Normal { floor, span, .. } => {
                // p^(power-1) N(z), with p replaced by each of its two parts.
                let clean = Bound::Rising { cdf: power - 1.0, tail: 1.0, offset: (power - 1.0) * span.ln() };
                let flat = Bound::Rising { cdf: 0.0, tail: 1.0, offset: (power - 1.0) * floor.ln() };
                if floor > 0.0 { vec![clean, flat] } else { vec![clean] }
            }
            Shape::Logistic => vec![Bound::Rising { cdf: power + 1.0, tail: 1.0, offset: 0.0 }],
        }
    }

    /// The value and slope of a bound.
    pub fn bound(&self, bound: Bound, u: f64) -> (f64, f64) {
        let Bound::Rising { cdf, tail, offset } = bound else { return self.lack(u) };
        match *self {
            Shape::Normal { kink, scale, .. } => {
                let z = (u - kink) / scale;
                let log_cdf = if cdf == 0.0 { 0.0 } else { cdf * log_phi(z) };
                let slope = if cdf == 0.0 { 0.0 } else { cdf * hazard(z) };
                (log_cdf - tail * 0.5 * z * z + offset, (slope - tail * z) / scale)
            }
            Shape::Logistic => {
                let [slope, ..] = logistic::derivatives(Sign::Positive, u);
                (cdf * logistic::log_p(Sign::Positive, u) - tail * u + offset, cdf * slope - tail)
            }
        }
    }

    /// The narrowest Gaussian that the slope part of an integrand can resemble, under a Gaussian of this deviation.
    pub fn finest(&self, deviation: f64) -> f64 {
        match *self {
            Shape::Normal { scale, .. } => 1.0 / (1.0 / deviation).hypot(1.0 / scale),
            Shape::Logistic => 1.0 / (1.0 / deviation).hypot(1.0),
        }
    }

    /// Where p has reached its upper limit to the last digit.
    pub fn flat_from(&self) -> f64 {
        match *self {
            Shape::Normal { kink, scale, .. } => kink + scale * NORMAL_BREAKS[2],
            Shape::Logistic => LOGISTIC_BREAKS[3],
        }
    }

    /// Where panels must end.
    pub fn breaks(&self) -> Vec<f64> {
        match *self {
            Shape::Normal { kink, scale, floor, span } => {
                let mut breaks: Vec<f64> = NORMAL_BREAKS.iter().map(|z| kink + scale * z).collect();
                if floor > 0.0 {
                    // Near Phi(z) = floor/span the mixture is a logistic of rate h(z).
                    let z = normal_quantile((floor / span).min(0.5));
                    breaks.extend(around(kink + scale * z, scale / hazard(z)));
                }
                breaks
            }
            Shape::Logistic => around(0.0, 1.0).collect(),
        }
    }

    /// The longest panel at u, this far from the Gaussian's mean, where the integrand's slope counts or where it does not.
    pub fn longest_panel(&self, u: f64, distance: f64, deviation: f64, power: f64, sloped: bool) -> f64 {
        let gaussian = deviation * PANEL_DEVIATIONS.min(PANEL_FOLDS * deviation / distance);
        match *self {
            _ if !sloped => gaussian,
            Shape::Normal { kink, scale, .. } if u > kink + NORMAL_BREAKS[0] * scale => {
                PANEL_DEVIATIONS * self.finest(deviation)
            }
            Shape::Normal { scale, .. } => {
                let tail = PANEL_DEVIATIONS / (1.0 / deviation).hypot(power.sqrt() / scale);
                tail.min(PANEL_SCALES * scale)
            }
            Shape::Logistic if u < -LOGISTIC_BREAKS[3] => gaussian.min(PANEL_FOLDS / power),
            Shape::Logistic => gaussian.min(PANEL_FOLDS),
        }
    }

    /// ln p(v) - ln p(u), v = u + t, = linear t - quadratic t^2/2 + rest, the large parts apart; None where the floor matters.
    pub fn log_increment(&self, u: f64, v: f64) -> Option<[f64; 3]> {
        match *self {
            Shape::Normal { .. } if self.has_floor() => None,
            Shape::Normal { kink, scale, .. } => {
                let [linear, quadratic, rest] = log_phi_increment((u - kink) / scale, (v - kink) / scale);
                Some([linear / scale, quadratic / scale / scale, rest])
            }
            Shape::Logistic => Some(logistic::log_increment(u, v)),
        }
    }

    fn lack(&self, u: f64) -> (f64, f64) {
        match *self {
            Shape::Normal { kink, scale, .. } => {
                let z = (kink - u) / scale;
                (log_phi(z), -hazard(z) / scale)
            }
            Shape::Logistic => {
                let [slope, ..] = logistic::derivatives(Sign::Negative, u);
                (logistic::log_p(Sign::Negative, u), slope)
            }
        }
    }
}

fn around(centre: f64, scale: f64) -> impl Iterator<Item = f64> {
    LOGISTIC_BREAKS.into_iter().flat_map(move |distance| [centre - scale * distance, centre + scale * distance])
}
