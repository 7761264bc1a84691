//! Whether acting on forecasts does more good than acting always, or never.

use super::estimate::mean;
use super::forecasts::Row;
use super::{Estimate, EvaluateError, Forecasts};
use serde::{Deserialize, Serialize};

/// What acting at a threshold is worth, in true positives per row (Vickers & Elkin 2006). Never acting is worth zero.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct NetBenefit {
    /// Rows with at least this probability are acted upon: the odds at which a false positive outweighs a true one.
    pub threshold: f64,
    /// Of acting on the forecasts.
    pub model: Estimate,
    /// Of acting on every row.
    pub all: f64,
}

/// The net benefit at thresholds between 0 and 1, which are neither.
pub fn decision_curve(forecasts: &Forecasts, thresholds: &[f64]) -> Result<Vec<NetBenefit>, EvaluateError> {
    let rows = forecasts.rows()?;
    if let Some(&value) = thresholds.iter().find(|t| !(**t > 0.0 && **t < 1.0)) {
        return Err(EvaluateError::Option { option: "threshold", value, wanted: "above 0 and below 1" });
    }
    thresholds.iter().map(|&threshold| net_benefit(&rows, threshold)).collect()
}

/// TP/n - FP/n t/(1 - t). // Vickers & Elkin 2006
fn net_benefit(rows: &[Row], threshold: f64) -> Result<NetBenefit, EvaluateError> {
    let harm = threshold / (1.0 - threshold);
    let worth = |row: &Row| if row.positive { 1.0 } else { -harm };
    let of = |acts: &dyn Fn(&Row) -> bool| {
        let pairs = rows.iter().map(|row| (row.weight, if acts(row) { worth(row) } else { 0.0 }));
        mean(pairs).ok_or(EvaluateError::NoRows)
    };
    Ok(NetBenefit { threshold, model: of(&|row| row.prob >= threshold)?, all: of(&|_| true)?.value })
}

#[cfg(test)]
mod tests {
    use super::super::forecasts::tests::{PROBS, WEIGHTS, from_bits, labels};
    use super::*;
    use crate::special::distributions::assert_close;

    // numpy: (p >= t & y).mean() - (p >= t & ~y).mean() t/(1 - t), the definition that R's dcurves states.
    #[test]
    fn matches_the_definition() {
        let labels = labels();
        let found = decision_curve(&Forecasts::new(&PROBS, &labels), &[0.1, 0.5, 0.8]).unwrap();
        let golden = [
            (0.5462962962962963, 0.5370370370370371),
            (0.25, 0.16666666666666669),
            (-0.08333333333333343, -1.083333333333334),
        ];
        for (point, (model, all)) in found.iter().zip(golden) {
            assert_close(point.model.value, model, 1e-13);
            assert_close(point.all, all, 1e-13);
        }
        // At one half: worths 1 (six times), -1 (thrice of seven called) and 0: the standard error of their mean by hand.
        let worths = [1.0, 1.0, -1.0, 1.0, 1.0, -1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        let spread: f64 = worths.iter().map(|w| (w - 0.25f64).powi(2)).sum::<f64>() / 11.0;
        assert_close(found[1].model.standard_error.unwrap(), (spread / 12.0).sqrt(), 1e-13);
    }

    // The Python package dcurves 1.1.7 (of the authors of R's): dca(data, "y", ["p"], thresholds), net_benefit of p and of all.
    #[test]
    fn matches_dcurves() {
        let probs = [0.03, 0.08, 0.1, 0.22, 0.31, 0.35, 0.47, 0.52, 0.66, 0.71, 0.83, 0.97];
        let labels = from_bits(&[0, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 1]);
        let golden = [
            (0.05, 0.478070, 0.473684),
            (0.10, 0.462963, 0.444444),
            (0.20, 0.333333, 0.375),
            (0.35, 0.326923, 0.230769),
            (0.50, 0.25, 0.0),
            (0.70, -0.027778, -0.666667),
            (0.90, 0.083333, -4.0),
        ];
        let found = decision_curve(&Forecasts::new(&probs, &labels), &golden.map(|(threshold, ..)| threshold)).unwrap();
        for (point, (_, model, all)) in found.iter().zip(golden) {
            assert!((point.model.value - model).abs() < 1e-6 && (point.all - all).abs() < 1e-6, "{point:?}");
        }
    }

    #[test]
    fn weights_count_rows_and_thresholds_are_checked() {
        let labels = labels();
        let forecasts = Forecasts::new(&PROBS, &labels);
        let weighted = decision_curve(&forecasts.with_weights(&WEIGHTS), &[0.5]).unwrap();
        assert_close(weighted[0].all, (10.5 - 4.75) / 15.25, 1e-13);
        for bad in [0.0, 1.0, f64::NAN] {
            assert!(decision_curve(&forecasts, &[0.5, bad]).is_err());
        }
    }
}
