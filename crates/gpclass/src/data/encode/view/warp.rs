//! A column bent towards a normal distribution.

use super::Tail;
use super::mid_ranks::MidRanks;
use serde::{Deserialize, Serialize};

/// Powers that are tried. Estimates are far less certain than their distance, and a choice from a list is the same whatever
/// the units of the column.
const POWERS: std::ops::RangeInclusive<i32> = -16..=24;
const POWER_STEP: f64 = 0.125;
/// Standard deviation of a power about 1, no bending, before anything is seen: a dozen rows move it little.
const POWER_SPREAD: f64 = 1.0;
/// The interquartile range of a normal distribution, in standard deviations.
const NORMAL_QUARTILES: f64 = 1.348_979_500_392_163_5;
/// Over how many robust standard deviations a tail is nearly straight.
const DEVIATIONS: f64 = 10.0;

/// A Yeo-Johnson transform about the median with a power of its own on either side (Yeo and Johnson 2000 tie the two to sum
/// to two, which mends skewness but not long tails on both sides): with `z = (x - centre) / scale`,
/// `T(z) = ±((1 + |z|)^p - 1) / p` with the power of its side, or `±ln(1 + |z|)` if that is zero; then
/// `(T - mean) / deviation`. Slope one at the median on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Warp {
    /// The median.
    pub centre: f64,
    /// A standard deviation that outliers do not move: from the quartiles.
    pub scale: f64,
    /// The power below the median.
    pub below: f64,
    /// The power above it.
    pub above: f64,
    /// The mean of the training values after the powers.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
}

impl Warp {
    /// The powers of greatest likelihood under a normal distribution, of all pairs; none where no pair is finite.
    pub(super) fn fit(found: &MidRanks) -> Option<(Warp, Tail, Tail)> {
        let centre = found.quantile(0.5);
        let scale = (found.quantile(0.75) - found.quantile(0.25)) / NORMAL_QUARTILES;
        let scores: Vec<f64> = found.values.iter().map(|x| (x - centre) / scale).collect();
        let below = Side::of(found, &scores, |z| z < 0.0);
        let above = Side::of(found, &scores, |z| z >= 0.0);
        let mut best: Option<(f64, f64, f64)> = None;
        for low in &below.powers {
            for high in &above.powers {
                let (sum, squares) = ((high.sum - low.sum) / found.total, (low.squares + high.squares) / found.total);
                let variance = squares - sum * sum;
                let score = low.score + high.score - 0.5 * found.total * libm::log(variance);
                if score.is_finite() && best.is_none_or(|(most, _, _)| score > most) {
                    best = Some((score, low.power, high.power));
                }
            }
        }
        let (_, below, above) = best?;
        let raw = Warp { centre, scale, below, above, mean: 0.0, deviation: 1.0 };
        let bent: Vec<f64> = scores.iter().map(|&z| raw.bend(z)).collect();
        let mean = found.mean(|i| bent[i]);
        let deviation = found.mean(|i| (bent[i] - mean) * (bent[i] - mean)).sqrt();
        let warp = Warp { mean, deviation, ..raw };
        let tail = |end: usize| Tail {
            end: found.values[end],
            height: DEVIATIONS * warp.slope(scores[end]) / deviation,
            reach: DEVIATIONS * scale,
        };
        let tails = (tail(0), tail(scores.len() - 1));
        Some((warp, tails.0, tails.1))
    }

    /// The image of a number.
    pub(super) fn at(&self, x: f64) -> f64 {
        (self.bend((x - self.centre) / self.scale) - self.mean) / self.deviation
    }

    fn power(&self, z: f64) -> f64 {
        if z < 0.0 { self.below } else { self.above }
    }

    fn bend(&self, z: f64) -> f64 {
        raised(libm::log1p(z.abs()), self.power(z)).copysign(z)
    }

    /// The derivative of the bent score.
    fn slope(&self, z: f64) -> f64 {
        libm::exp((self.power(z) - 1.0) * libm::log1p(z.abs()))
    }

    pub(super) fn is_sound(&self) -> bool {
        let (least, most) = (f64::from(*POWERS.start()) * POWER_STEP, f64::from(*POWERS.end()) * POWER_STEP);
        let powers = [self.below, self.above].iter().all(|power| (least..=most).contains(power));
        let positive = |value: f64| value.is_finite() && value > 0.0;
        powers && self.centre.is_finite() && self.mean.is_finite() && positive(self.scale) && positive(self.deviation)
    }
}

/// `((1 + z)^p - 1) / p` from `ln(1 + z)`.
fn raised(log: f64, power: f64) -> f64 {
    if power == 0.0 { log } else { libm::expm1(power * log) / power }
}

/// What a power contributes to the likelihood from one side of the median.
struct Powered {
    power: f64,
    /// Weighted sums of the distances after the power, and of their squares.
    sum: f64,
    squares: f64,
    /// The logarithm of the Jacobian, and of the prior.
    score: f64,
}

/// All powers on one side of the median.
struct Side {
    powers: Vec<Powered>,
}

impl Side {
    fn of(found: &MidRanks, scores: &[f64], own: impl Fn(f64) -> bool) -> Side {
        let logs: Vec<(f64, f64)> = scores
            .iter()
            .zip(&found.masses)
            .filter(|(z, _)| own(**z))
            .map(|(z, mass)| (libm::log1p(z.abs()), *mass))
            .collect();
        let jacobian: f64 = logs.iter().map(|(log, mass)| mass * log).sum();
        let powered = |power: f64| {
            let (mut sum, mut squares) = (0.0, 0.0);
            for (log, mass) in &logs {
                let raised = raised(*log, power);
                sum += mass * raised;
                squares += mass * (raised * raised);
            }
            let off = (power - 1.0) / POWER_SPREAD;
            Powered { power, sum, squares, score: (power - 1.0) * jacobian - 0.5 * off * off }
        };
        Side { powers: POWERS.map(|step| powered(f64::from(step) * POWER_STEP)).collect() }
    }
}
