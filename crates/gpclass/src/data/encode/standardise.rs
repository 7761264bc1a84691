//! Centre and scale of a continuous column, and what stands in for its missing values.

use crate::data::MissingContinuous;
use crate::named::named;
use serde::{Deserialize, Serialize};

/// Whether continuous columns are brought to mean 0 and standard deviation 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standardise {
    /// By the mean and standard deviation of the training rows.
    #[default]
    Yes,
    /// Numbers enter the kernel as they are.
    No,
}

named!(Standardise, "standardise", {
    Yes = "yes": "To mean 0 and standard deviation 1 in the training rows";
    No = "no": "Numbers enter the kernel as they are";
});

/// What a missing number becomes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ContinuousMissing {
    /// An error.
    Error,
    /// This number, in the units of the column.
    Fill(f64),
}

/// The map x -> (x - centre) / scale, fitted on training data.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Standardiser {
    /// The mean of the training values, or 0.
    pub centre: f64,
    /// Their standard deviation (division by n), or 1 for a constant column or without standardisation.
    pub scale: f64,
    /// What a missing number becomes.
    pub missing: ContinuousMissing,
}

impl Standardiser {
    /// Leaves numbers as they are and refuses missing ones.
    pub const IDENTITY: Standardiser = Standardiser { centre: 0.0, scale: 1.0, missing: ContinuousMissing::Error };

    /// Fits on the values that are not missing, all of them finite; `None` when every value is missing.
    /// Rows count by weight where there are weights.
    pub(super) fn fit(
        values: &[f64],
        weights: Option<&[f64]>,
        standardise: Standardise,
        missing: MissingContinuous,
    ) -> Option<Self> {
        let (mean, deviation) = mean_and_deviation(values, weights)?;
        let (centre, scale) = match standardise {
            Standardise::Yes => (mean, if deviation > 0.0 { deviation } else { 1.0 }),
            Standardise::No => (0.0, 1.0),
        };
        let missing = match missing {
            MissingContinuous::Error => ContinuousMissing::Error,
            MissingContinuous::Impute => ContinuousMissing::Fill(mean),
            MissingContinuous::Indicate => ContinuousMissing::Fill(median(values, weights)),
        };
        Some(Standardiser { centre, scale, missing })
    }

    /// The encoded value of x.
    pub fn apply(&self, x: f64) -> f64 {
        let gap = x - self.centre;
        // The difference of two finite numbers can overflow where their quotients do not.
        if gap.is_finite() { gap / self.scale } else { x / self.scale - self.centre / self.scale }
    }

    /// The value whose encoding is z.
    pub fn invert(&self, z: f64) -> f64 {
        self.centre + self.scale * z
    }
}

/// Mean and standard deviation of the values that are not NaN. Both are exact for a constant column, and neither
/// overflows nor loses the deviation to cancellation: the values are scaled by a power of two, and the deviations are
/// taken from the mean.
fn mean_and_deviation(values: &[f64], weights: Option<&[f64]>) -> Option<(f64, f64)> {
    let weighed = |(row, &value): (usize, &f64)| (value, weights.map_or(1.0, |weights| weights[row]));
    let present = || values.iter().enumerate().map(weighed).filter(|(value, weight)| !value.is_nan() && *weight > 0.0);
    let first = present().next()?.0;
    if present().all(|(value, _)| value == first) {
        return Some((first + 0.0, 0.0));
    }
    let unit = power_of_two_below(present().fold(0.0, |largest: f64, (value, _)| largest.max(value.abs())));
    let count: f64 = present().map(|(_, weight)| weight).sum();
    let rough = present().map(|(value, weight)| weight * (value / unit)).sum::<f64>() / count;
    let (mut sum, mut squares) = (0.0, 0.0);
    for (value, weight) in present() {
        let gap = value / unit - rough;
        sum += weight * gap;
        squares += weight * (gap * gap);
    }
    let shift = sum / count;
    let variance = (squares / count - shift * shift).max(0.0);
    Some(((rough + shift) * unit, variance.sqrt() * unit))
}

/// The median of the values that are not NaN, a row of weight w counted as w copies; the mean of the middle two where
/// there are two.
fn median(values: &[f64], weights: Option<&[f64]>) -> f64 {
    let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
    let present = (0..values.len()).filter(|&row| !values[row].is_nan() && weight(row) > 0.0);
    let mut sorted: Vec<(f64, f64)> = present.map(|row| (values[row], weight(row))).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = 0.5 * sorted.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut below = 0.0;
    let mut lower = None;
    for &(value, weight) in &sorted {
        below += weight;
        if below >= half {
            lower = lower.or(Some(value));
        }
        if below > half {
            let lower = lower.unwrap_or(value);
            return lower + 0.5 * (value - lower) + 0.0;
        }
    }
    lower.unwrap_or(0.0)
}

fn power_of_two_below(x: f64) -> f64 {
    const EXPONENT: u64 = 0x7ff0_0000_0000_0000;
    f64::from_bits(x.to_bits() & EXPONENT).max(f64::MIN_POSITIVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(values: &[f64]) -> Standardiser {
        Standardiser::fit(values, None, Standardise::Yes, MissingContinuous::Impute).unwrap()
    }

    fn close(got: f64, want: f64) {
        assert!((got - want).abs() <= 4e-16 * want.abs(), "{got} {want}");
    }

    #[test]
    fn a_weight_counts_like_copies() {
        let weights = [2.0, 0.0, 3.0, 1.0];
        let weighted = mean_and_deviation(&[0.3, 9.0, -1.7, f64::NAN], Some(&weights)).unwrap();
        let copied = mean_and_deviation(&[0.3, 0.3, -1.7, -1.7, -1.7], None).unwrap();
        assert!((weighted.0 - copied.0).abs() < 1e-15 && (weighted.1 - copied.1).abs() < 1e-15);
        assert!(mean_and_deviation(&[1.0], Some(&[0.0])).is_none());
    }

    #[test]
    fn the_median_counts_weights_like_copies() {
        let of = |values: &[f64]| median(values, None);
        assert_eq!((of(&[3.0, 1.0, f64::NAN, 2.0]), of(&[4.0, 1.0, 2.0, 3.0]), of(&[7.0])), (2.0, 2.5, 7.0));
        let weights = [2.0, 0.0, 3.0, 1.0, 1.0];
        let copies = of(&[5.0, 5.0, 1.0, 1.0, 1.0, 8.0]);
        assert_eq!(median(&[5.0, 9.0, 1.0, f64::NAN, 8.0], Some(&weights)), copies);
        assert_eq!(median(&[5.0, 1.0], Some(&[0.5, 0.5])), 3.0);
    }

    #[test]
    fn mean_and_deviation_of_known_numbers() {
        let s = fit(&[2.0, f64::NAN, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]); // the textbook set: mean 5, deviation 2
        assert_eq!((s.centre, s.scale), (5.0, 2.0));
        assert_eq!(s.missing, ContinuousMissing::Fill(5.0));
        assert_eq!((s.apply(9.0), s.invert(2.0)), (2.0, 9.0));
    }

    #[test]
    fn a_large_offset_does_not_cost_digits() {
        // 1e9 + {0, 1, 2}: deviation sqrt(2/3).
        let s = fit(&[1e9, 1e9 + 1.0, 1e9 + 2.0]);
        close(s.centre, 1e9 + 1.0);
        close(s.scale, (2.0f64 / 3.0).sqrt());
    }

    #[test]
    fn extreme_magnitudes_neither_overflow_nor_vanish() {
        let s = fit(&[-1.5e308, 1.5e308]);
        assert_eq!((s.centre, s.scale), (0.0, 1.5e308));
        let s = fit(&[1.7e308, 1.7e308, -1.7e308, -1.7e308, -1.7e308]);
        assert!(s.apply(1.7e308).is_finite());
        let s = fit(&[1e-300, 3e-300]);
        close(s.centre, 2e-300);
        close(s.scale, 1e-300);
        let s = fit(&[5e-324, 1e-322]);
        assert!(s.scale > 0.0 && s.apply(1e-322).is_finite());
    }

    #[test]
    fn a_constant_column_becomes_exactly_zero() {
        let s = fit(&[0.1; 7]);
        assert_eq!((s.centre, s.scale, s.apply(0.1)), (0.1, 1.0, 0.0));
    }

    #[test]
    fn without_standardisation_numbers_pass_and_the_mean_still_fills_gaps() {
        let s = Standardiser::fit(&[1.0, 4.0, f64::NAN], None, Standardise::No, MissingContinuous::Impute).unwrap();
        assert_eq!(s.apply(3.25), 3.25);
        assert_eq!(s.missing, ContinuousMissing::Fill(2.5));
        let s = Standardiser::fit(&[1.0, 4.0], None, Standardise::No, MissingContinuous::Error).unwrap();
        assert_eq!(s, Standardiser::IDENTITY);
        assert!(Standardiser::fit(&[f64::NAN], None, Standardise::Yes, MissingContinuous::Error).is_none());
    }
}
