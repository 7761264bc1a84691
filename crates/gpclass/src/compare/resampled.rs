//! Comparing two methods on one data set over repeated splits: the corrected resampled t-test.

use crate::evaluate::EvaluateError;
use crate::evaluate::error::check_length;
use crate::evaluate::estimate::mean;
use crate::special::distributions::student_two_sided;
use serde::{Deserialize, Serialize};

/// Outcome of the corrected resampled t-test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResampledTest {
    /// Mean of first minus second.
    pub mean_difference: f64,
    /// Its corrected standard error.
    pub standard_error: f64,
    /// The mean difference over its standard error; 0 if all differences are 0.
    pub t: f64,
    /// Runs less one.
    pub degrees_of_freedom: usize,
    /// Two-sided.
    pub p_value: f64,
}

/// Nadeau & Bengio's (2003) t-test of paired results over splits whose training sets overlap.
///
/// `test_to_train` is rows tested over rows trained on in one split: 1/(k-1) for k folds.
pub fn resampled_t_test(first: &[f64], second: &[f64], test_to_train: f64) -> Result<ResampledTest, EvaluateError> {
    check_length("the second list of results", first.len(), second.len())?;
    check_test_to_train(test_to_train)?;
    let runs = first.len();
    if runs < 2 {
        return Err(EvaluateError::TooFew { test: "the resampled t-test", what: "runs", needed: 2, found: runs });
    }
    let differences: Vec<f64> = first.iter().zip(second).map(|(a, b)| a - b).collect();
    if let Some(row) = differences.iter().position(|d| !d.is_finite()) {
        let value = differences[row];
        return Err(EvaluateError::Value { what: "a difference", row, value, wanted: "finite" });
    }
    let too_few = EvaluateError::TooFew { test: "the resampled t-test", what: "runs", needed: 2, found: runs };
    let estimate = mean(differences.iter().map(|d| (1.0, *d))).ok_or(too_few)?;
    let standard_error = estimate.standard_error.unwrap_or(0.0) * resampling_factor(runs, test_to_train);
    let constant = differences.iter().all(|d| *d == differences[0]);
    if constant && differences[0] != 0.0 {
        return Err(EvaluateError::ConstantDifference { runs, value: differences[0] });
    }
    let t = if constant { 0.0 } else { estimate.value / standard_error };
    let p_value = student_two_sided(t, (runs - 1) as f64);
    Ok(ResampledTest { mean_difference: estimate.value, standard_error, t, degrees_of_freedom: runs - 1, p_value })
}

/// What the naive standard error over `runs` is to be multiplied by: sqrt((1/runs + test/train) / (1/runs)).
pub(super) fn resampling_factor(runs: usize, test_to_train: f64) -> f64 {
    (1.0 + runs as f64 * test_to_train).sqrt() // Nadeau & Bengio (2003), section 4
}

pub(super) fn check_test_to_train(value: f64) -> Result<(), EvaluateError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(EvaluateError::Option { option: "test_to_train", value, wanted: "finite and not negative" })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::distributions::assert_close;

    const DIFFERENCES: [f64; 10] = [0.02, 0.01, -0.01, 0.03, 0.015, 0.02, -0.005, 0.01, 0.025, 0.0];

    // numpy: t = g.mean() / sqrt((1/10 + 1/9) g.var(ddof=1)); 2 scipy.stats.t.sf(|t|, 9)
    #[test]
    fn matches_the_definition() {
        let test = resampled_t_test(&DIFFERENCES, &[0.0; 10], 1.0 / 9.0).unwrap();
        assert_close(test.t, 1.9056702094980704, 1e-13);
        assert_close(test.p_value, 0.08907660056594408, 1e-13);
        assert_close(test.standard_error, 0.006034622330077225, 1e-13);
        assert_eq!(test.degrees_of_freedom, 9);
    }

    #[test]
    fn edge_cases() {
        assert_eq!(resampled_t_test(&[1.0; 3], &[1.0; 3], 0.1).unwrap().p_value, 1.0);
        let constant = resampled_t_test(&[2.0; 3], &[1.0; 3], 0.1).unwrap_err();
        assert_eq!(constant.to_string(), "all 3 differences equal 1; a t-test needs differences that vary");
        assert!(resampled_t_test(&[1.0], &[0.0], 0.1).is_err());
        assert!(resampled_t_test(&[1.0, f64::INFINITY], &[0.0, 0.0], 0.1).is_err());
        assert!(resampled_t_test(&DIFFERENCES, &[0.0; 10], -0.1).is_err());
    }
}
