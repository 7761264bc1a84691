//! Comparing two methods over several data sets: Wilcoxon's signed-rank test.

use super::ranks::ranks;
use crate::evaluate::EvaluateError;
use crate::evaluate::error::check_length;
use crate::special::phi_cdf;
use serde::{Deserialize, Serialize};

/// What to do with differences of exactly zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ZeroRule {
    /// Drop them before ranking (Wilcoxon 1945).
    #[default]
    Wilcoxon,
    /// Rank them with the others, then drop their ranks (Pratt 1959). Sharing their ranks between both sums, as Demsar
    /// (2006) does, adds the same number to both and gives the same p-value.
    Pratt,
}

/// Options of the signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WilcoxonOptions {
    /// Default [`ZeroRule::Wilcoxon`].
    pub zeros: ZeroRule,
    /// Up to this many non-zero differences the distribution is exact, also with ties (each sign pattern of the observed
    /// ranks is equally likely); beyond, normal with continuity correction. Default 25.
    pub exact_up_to: usize,
}

impl Default for WilcoxonOptions {
    fn default() -> Self {
        WilcoxonOptions { zeros: ZeroRule::default(), exact_up_to: 25 }
    }
}

/// Outcome of the signed-rank test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wilcoxon {
    /// Sum of ranks where the first method has the larger value.
    pub rank_sum_first: f64,
    /// Sum of ranks where the second has.
    pub rank_sum_second: f64,
    /// Differences other than zero.
    pub used: usize,
    /// Two-sided; 1 if every difference is zero.
    pub p_value: f64,
    /// Whether the p-value is exact rather than a normal approximation.
    pub exact: bool,
}

/// Two-sided signed-rank test of paired results.
pub fn wilcoxon(first: &[f64], second: &[f64], options: &WilcoxonOptions) -> Result<Wilcoxon, EvaluateError> {
    check_length("the second list of results", first.len(), second.len())?;
    let mut differences = Vec::with_capacity(first.len());
    for (row, (a, b)) in first.iter().zip(second).enumerate() {
        let value = a - b;
        if value.is_nan() {
            return Err(EvaluateError::Value { what: "a difference", row, value, wanted: "a number" });
        }
        differences.push(value);
    }
    if differences.is_empty() {
        return Err(EvaluateError::TooFew { test: "the signed-rank test", what: "pairs", needed: 1, found: 0 });
    }
    if options.zeros == ZeroRule::Wilcoxon {
        differences.retain(|d| *d != 0.0);
    }
    let sizes: Vec<f64> = differences.iter().map(|d| d.abs()).collect();
    let signed: Vec<(f64, f64)> =
        differences.iter().copied().zip(ranks(&sizes)).filter(|(difference, _)| *difference != 0.0).collect();
    Ok(test_signed_ranks(&signed, options.exact_up_to))
}

fn test_signed_ranks(signed: &[(f64, f64)], exact_up_to: usize) -> Wilcoxon {
    let sum_where = |keep: fn(f64) -> bool| signed.iter().filter(|(d, _)| keep(*d)).map(|(_, rank)| rank).sum::<f64>();
    let (rank_sum_first, rank_sum_second) = (sum_where(|d| d > 0.0), sum_where(|d| d < 0.0));
    let smaller = rank_sum_first.min(rank_sum_second);
    let exact = signed.len() <= exact_up_to;
    let lower_tail = if exact { exact_lower_tail(signed, smaller) } else { normal_lower_tail(signed, smaller) };
    let p_value = (2.0 * lower_tail).min(1.0);
    Wilcoxon { rank_sum_first, rank_sum_second, used: signed.len(), p_value, exact }
}

/// P(sum of the ranks with a plus sign <= `limit`) over all equally likely signs: the subset sums, counted one rank at a
/// time. Mid-ranks are halves, so twice the ranks are whole numbers.
fn exact_lower_tail(signed: &[(f64, f64)], limit: f64) -> f64 {
    let cells = (2.0 * limit).round() as usize + 1;
    let mut probability = vec![0.0; cells];
    probability[0] = 1.0;
    for (_, rank) in signed {
        let step = (2.0 * rank).round() as usize;
        for sum in (0..cells).rev() {
            let with = if sum >= step { probability[sum - step] } else { 0.0 };
            probability[sum] = 0.5 * (probability[sum] + with);
        }
    }
    probability.iter().sum()
}

/// Mean sum(r)/2, variance sum(r^2)/4: the usual formulas with ties and dropped zeros accounted for.
fn normal_lower_tail(signed: &[(f64, f64)], smaller: f64) -> f64 {
    const CONTINUITY: f64 = 0.5;
    let mean = 0.5 * signed.iter().map(|(_, rank)| rank).sum::<f64>();
    let deviation = 0.5 * signed.iter().map(|(_, rank)| rank * rank).sum::<f64>().sqrt();
    let distance = (mean - smaller - CONTINUITY).max(0.0);
    if deviation > 0.0 { phi_cdf(-distance / deviation) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::super::ranks::tests::demsar;
    use super::*;
    use crate::special::distributions::assert_close;

    const PLAIN: [f64; 10] = [1.1, -0.4, 2.3, 0.7, -1.9, 3.2, 0.2, -0.6, 1.4, 2.8];
    const TIED: [f64; 11] = [1.0, -1.0, 2.0, 2.0, -3.0, 4.0, 4.0, 5.0, 0.0, 0.0, 3.0];

    fn test(differences: &[f64], zeros: ZeroRule, exact_up_to: usize) -> Wilcoxon {
        wilcoxon(differences, &vec![0.0; differences.len()], &WilcoxonOptions { zeros, exact_up_to }).unwrap()
    }

    // scipy.stats.wilcoxon(d, method='exact') and (method='asymptotic', correction=True)
    #[test]
    fn without_ties() {
        let exact = test(&PLAIN, ZeroRule::Wilcoxon, 25);
        assert_eq!((exact.rank_sum_first, exact.rank_sum_second, exact.exact), (43.0, 12.0, true));
        assert_close(exact.p_value, 0.130859375, 1e-14);
        assert_close(test(&PLAIN, ZeroRule::Wilcoxon, 0).p_value, 0.1262789285546978, 1e-13);
        let signs: Vec<f64> = (0..25).map(|i| (i + 1) as f64 * if i % 3 == 0 { -1.0 } else { 1.0 }).collect();
        assert_close(test(&signs, ZeroRule::Wilcoxon, 25).p_value, 0.23036134243011475, 1e-13);
    }

    // scipy.stats.wilcoxon(d, zero_method, method='asymptotic', correction=True); exact: method=PermutationMethod,
    // which enumerates all signs.
    #[test]
    fn ties_and_zeros() {
        let cases = [
            (ZeroRule::Wilcoxon, 7.0, 0.07453505811604444, 0.07421875),
            (ZeroRule::Pratt, 11.0, 0.0733501325048548, 0.078125),
        ];
        for (zeros, smaller, normal, exact) in cases {
            let approximate = test(&TIED, zeros, 0);
            assert_eq!((approximate.rank_sum_second, approximate.used, approximate.exact), (smaller, 9, false));
            assert_close(approximate.p_value, normal, 1e-13);
            assert_close(test(&TIED, zeros, 25).p_value, exact, 1e-14);
        }
    }

    // Columns 1 and 4 of Demsar's table by the same scipy calls.
    #[test]
    fn demsar_example() {
        let column = |j: usize| demsar().iter().map(|row| row[j]).collect::<Vec<_>>();
        for (zeros, smaller, p) in
            [(ZeroRule::Wilcoxon, 11.0, 0.017461758127902276), (ZeroRule::Pratt, 13.0, 0.01557683287331821)]
        {
            let result = wilcoxon(&column(0), &column(3), &WilcoxonOptions { zeros, exact_up_to: 0 }).unwrap();
            assert_eq!(result.rank_sum_first, smaller);
            assert_close(result.p_value, p, 1e-12);
        }
    }

    #[test]
    fn edge_cases() {
        for (rule, limit) in [(ZeroRule::Wilcoxon, 25), (ZeroRule::Pratt, 25), (ZeroRule::Pratt, 0)] {
            assert_eq!(test(&[0.0, 0.0], rule, limit).p_value, 1.0);
        }
        assert!(wilcoxon(&[], &[], &WilcoxonOptions::default()).is_err());
        assert!(wilcoxon(&[1.0], &[], &WilcoxonOptions::default()).is_err());
        assert!(wilcoxon(&[f64::NAN], &[0.0], &WilcoxonOptions::default()).is_err());
    }
}
