//! Comparing several methods over several data sets: Friedman's test and Nemenyi's differences (Demsar 2006).

use crate::evaluate::EvaluateError;
use crate::special::distributions::{chi_square_upper, f_upper, studentised_range_quantile, studentised_range_upper};
use serde::{Deserialize, Serialize};

/// Which end of a scale is best, and so has rank 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// Small numbers are good, as error rates.
    Lower,
    /// Large numbers are good, as accuracies.
    Higher,
}

/// A test statistic and the probability of one at least as extreme if there is no difference.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    /// The number that is compared with its distribution: the larger, the more the methods differ.
    pub statistic: f64,
    /// From 0 to 1; small if such a difference is unlikely by chance.
    pub p_value: f64,
}

/// Friedman's test of k methods over n data sets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Friedman {
    /// Data sets.
    pub cases: usize,
    /// Average rank of each method; 1 is best.
    pub average_ranks: Vec<f64>,
    /// Friedman's statistic corrected for ties (Demsar's formula is not), 0 if everything ties, against chi-square with k - 1 degrees of freedom.
    pub chi_square: TestResult,
    /// Iman & Davenport's F, less conservative, against F with k - 1 and (k - 1)(n - 1) degrees of freedom. None when
    /// all data sets agree on the order, where it is infinite.
    pub iman_davenport: Option<TestResult>,
}

/// Ranks from 1 for the smallest, ties sharing the average of theirs. NaN sorts last.
pub fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0.0; values.len()];
    let mut before = 0;
    for tied in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let shared = before as f64 + 0.5 * (tied.len() + 1) as f64;
        tied.iter().for_each(|&i| ranks[i] = shared);
        before += tied.len();
    }
    ranks
}

/// Average rank of each method; `results[case][method]`.
pub fn average_ranks(results: &[Vec<f64>], better: Better) -> Result<Vec<f64>, EvaluateError> {
    let ranked = rank_cases(results, better)?;
    let methods = ranked[0].len();
    Ok((0..methods).map(|m| ranked.iter().map(|case| case[m]).sum::<f64>() / ranked.len() as f64).collect())
}

/// Friedman's test; `results[case][method]`, at least two of each.
///
/// ```
/// use gpclass::compare::ranks::{Better, friedman};
///
/// // Error rates of three methods on four data sets.
/// let results = [[0.10, 0.12, 0.20], [0.05, 0.04, 0.09], [0.30, 0.33, 0.35], [0.21, 0.22, 0.28]];
/// let test = friedman(&results.map(|row| row.to_vec()), Better::Lower)?;
/// assert_eq!(test.average_ranks, [1.25, 1.75, 3.0]);
/// assert!(test.chi_square.p_value < 0.05);
///
/// // Only the first and the third are far enough apart.
/// let apart = test.critical_difference(0.05)?;
/// assert!(3.0 - 1.25 > apart && 3.0 - 1.75 < apart);
/// # Ok::<(), gpclass::evaluate::EvaluateError>(())
/// ```
pub fn friedman(results: &[Vec<f64>], better: Better) -> Result<Friedman, EvaluateError> {
    let average_ranks = average_ranks(results, better)?;
    let (n, k) = (results.len() as f64, average_ranks.len() as f64);
    let ranked = rank_cases(results, better)?;
    let middle = 0.5 * (k + 1.0);
    let rank_sum = |method: usize| ranked.iter().map(|case| case[method]).sum::<f64>();
    // Ranks are whole or half numbers, so both sums of squares are exact. The spread of the ranks about their mean holds
    // the tie correction: it is k (k^2 - 1)/12 per case without ties.
    let spread: f64 = ranked.iter().flatten().map(|rank| (rank - middle).powi(2)).sum();
    let between: f64 = (0..average_ranks.len()).map(|method| (rank_sum(method) - n * middle).powi(2)).sum();
    let statistic = if spread > 0.0 { (k - 1.0) * between / spread } else { 0.0 };
    let within = n * spread - between;
    let f_result = |f: f64| TestResult { statistic: f, p_value: f_upper(f, k - 1.0, (k - 1.0) * (n - 1.0)) };
    let iman_davenport = if spread == 0.0 {
        Some(f_result(0.0))
    } else {
        (within > 0.0).then(|| f_result((n - 1.0) * between / within))
    };
    let chi_square = TestResult { statistic, p_value: chi_square_upper(statistic, k - 1.0) };
    Ok(Friedman { cases: results.len(), average_ranks, chi_square, iman_davenport })
}

impl Friedman {
    /// Nemenyi: average ranks further apart than this differ at level `alpha`, 0 < `alpha` < 1.
    pub fn critical_difference(&self, alpha: f64) -> Result<f64, EvaluateError> {
        critical_difference(self.average_ranks.len(), self.cases, alpha)
    }

    /// Nemenyi's p-value for every pair of methods, a symmetric table with ones on the diagonal.
    pub fn pairwise_p_values(&self) -> Vec<Vec<f64>> {
        let ranks = &self.average_ranks;
        let unit = rank_unit(ranks.len(), self.cases) / 2f64.sqrt();
        let p = |a: f64, b: f64| studentised_range_upper((a - b).abs() / unit, ranks.len());
        ranks.iter().map(|&a| ranks.iter().map(|&b| p(a, b)).collect()).collect()
    }
}

/// Nemenyi's critical difference q sqrt(k (k+1) / (6 n)) for `methods` over `cases`.
pub fn critical_difference(methods: usize, cases: usize, alpha: f64) -> Result<f64, EvaluateError> {
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(EvaluateError::Option { option: "alpha", value: alpha, wanted: "above 0 and below 1" });
    }
    check_enough(methods, cases)?;
    Ok(studentised_range_quantile(alpha, methods) / 2f64.sqrt() * rank_unit(methods, cases))
}

/// Standard deviation of the difference of two average ranks if all methods are alike.
fn rank_unit(methods: usize, cases: usize) -> f64 {
    let k = methods as f64;
    (k * (k + 1.0) / (6.0 * cases as f64)).sqrt()
}

fn check_enough(methods: usize, cases: usize) -> Result<(), EvaluateError> {
    for (what, found) in [("data sets", cases), ("methods", methods)] {
        if found < 2 {
            return Err(EvaluateError::TooFew { test: "a comparison by ranks", what, needed: 2, found });
        }
    }
    Ok(())
}

fn rank_cases(results: &[Vec<f64>], better: Better) -> Result<Vec<Vec<f64>>, EvaluateError> {
    let methods = results.first().map_or(0, Vec::len);
    check_enough(methods, results.len())?;
    let sign = if better == Better::Lower { 1.0 } else { -1.0 };
    let rank_case = |(row, case): (usize, &Vec<f64>)| {
        if case.len() != methods {
            return Err(EvaluateError::Ragged { row, expected: methods, found: case.len() });
        }
        if let Some(&value) = case.iter().find(|value| value.is_nan()) {
            return Err(EvaluateError::Value { what: "a result", row, value, wanted: "a number" });
        }
        Ok(ranks(&case.iter().map(|value| sign * value).collect::<Vec<_>>()))
    };
    results.iter().enumerate().map(rank_case).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::special::distributions::assert_close;

    /// Demsar 2006, table 6: AUC of four variants of C4.5 on 14 data sets (one cell raised by 1e-4 to break a tie).
    pub fn demsar() -> Vec<Vec<f64>> {
        [
            [0.763, 0.768, 0.771, 0.798],
            [0.599, 0.591, 0.590, 0.569],
            [0.954, 0.971, 0.968, 0.967],
            [0.628, 0.661, 0.654, 0.657],
            [0.882, 0.888, 0.886, 0.898],
            [0.936, 0.931, 0.916, 0.931],
            [0.661, 0.668, 0.609, 0.685],
            [0.583, 0.583, 0.563, 0.625],
            [0.775, 0.838, 0.866, 0.875],
            [1.0, 1.0, 1.0, 1.0],
            [0.94, 0.962, 0.965, 0.962],
            [0.619, 0.666, 0.614, 0.669],
            [0.972, 0.981, 0.9751, 0.975],
            [0.957, 0.978, 0.946, 0.970],
        ]
        .map(|row| row.to_vec())
        .to_vec()
    }

    // scipy.stats.rankdata, friedmanchisquare, f.sf((N-1)x/(N(k-1)-x), k-1, (k-1)(N-1)).
    #[test]
    fn friedman_matches_scipy() {
        let test = friedman(&demsar(), Better::Higher).unwrap();
        for (rank, expected) in test.average_ranks.iter().zip([3.14285714, 2.0, 2.89285714, 1.96428571]) {
            assert!((rank - expected).abs() < 1e-8);
        }
        assert_close(test.chi_square.statistic, 10.228346456692925, 1e-12);
        assert_close(test.chi_square.p_value, 0.016721580328441323, 1e-12);
        let f = test.iman_davenport.unwrap();
        assert_close(f.statistic, 4.1851301115241695, 1e-12);
        assert_close(f.p_value, 0.011620659515310975, 1e-12);
    }

    // scipy.stats.studentized_range.sf(|difference| / sqrt(k(k+1)/(6N)) * sqrt(2), k, inf) and .ppf(.95, k, inf).
    #[test]
    fn nemenyi_matches_scipy() {
        let test = friedman(&demsar(), Better::Higher).unwrap();
        assert_close(test.critical_difference(0.05).unwrap(), 1.2535591471176057, 1e-9);
        let p = test.pairwise_p_values();
        for (j, expected) in [(1, 0.08867270928888271), (2, 0.9561771752218107), (3, 0.0741847950687442)] {
            assert_close(p[0][j], expected, 1e-8);
            assert_eq!(p[0][j], p[j][0]);
        }
        assert_eq!(p[2][2], 1.0);
    }

    #[test]
    fn direction_reverses_ranks() {
        let results = vec![vec![1.0, 2.0, 2.0], vec![1.0, 3.0, 2.0]];
        assert_eq!(average_ranks(&results, Better::Lower).unwrap(), [1.0, 2.75, 2.25]);
        assert_eq!(average_ranks(&results, Better::Higher).unwrap(), [3.0, 1.25, 1.75]);
    }

    #[test]
    fn extremes_give_numbers_not_nan() {
        let ties = friedman(&vec![vec![1.0; 3]; 4], Better::Lower).unwrap();
        assert_eq!((ties.chi_square.statistic, ties.chi_square.p_value), (0.0, 1.0));
        assert_eq!(ties.iman_davenport.unwrap().p_value, 1.0);
        let agreed = friedman(&vec![vec![1.0, 2.0, 3.0]; 7], Better::Lower).unwrap();
        assert_close(agreed.chi_square.statistic, 14.0, 1e-14);
        assert_eq!(agreed.iman_davenport, None);
    }

    #[test]
    fn bad_tables_are_named() {
        let error = |results: &[Vec<f64>]| friedman(results, Better::Lower).unwrap_err().to_string();
        assert_eq!(error(&[]), "a comparison by ranks needs at least 2 data sets but got 0");
        assert!(error(&[vec![1.0, 2.0], vec![1.0]]).starts_with("row 1 of the results has 1 values"));
        assert!(error(&[vec![1.0, 2.0], vec![1.0, f64::NAN]]).starts_with("a result of row 1 is NaN"));
        assert!(critical_difference(3, 5, 0.0).is_err());
    }
}
