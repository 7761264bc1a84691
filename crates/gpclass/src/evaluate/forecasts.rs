//! What a model said about rows whose labels are known.

use super::EvaluateError;
use super::error::check_length;
use crate::data::Class;

/// Rounding allowed above log 1 = 0 in log probabilities computed elsewhere.
const LOG_PROB_SLACK: f64 = 1e-12;

/// Probabilities of a class beside the labels that were observed.
#[derive(Clone, Copy, Debug)]
pub struct Forecasts<'a> {
    probability: &'a [f64],
    class: Class,
    labels: &'a [Class],
    log_prob_label: Option<&'a [f64]>,
    weights: Option<&'a [f64]>,
}

/// One checked row of positive weight.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub prob: f64,
    pub positive: bool,
    pub log_prob_label: Option<f64>,
    pub weight: f64,
}

impl Row {
    /// y as 0 or 1.
    pub fn outcome(&self) -> f64 {
        f64::from(u8::from(self.positive))
    }
}

impl<'a> Forecasts<'a> {
    /// Of two classes: probabilities of the positive one and the labels, one per row.
    pub fn new(probability: &'a [f64], labels: &'a [Class]) -> Self {
        Forecasts::of_class(Class::POSITIVE, probability, labels)
    }

    /// Probabilities of a class against all others, and the labels, one per row.
    pub fn of_class(class: Class, probability: &'a [f64], labels: &'a [Class]) -> Self {
        Forecasts { probability, class, labels, log_prob_label: None, weights: None }
    }

    /// Adds log p(y_i), so that probabilities too small for 1 - p, or for f64, score exactly.
    pub fn with_log_probs(self, log_prob_label: &'a [f64]) -> Self {
        Forecasts { log_prob_label: Some(log_prob_label), ..self }
    }

    /// Adds row weights. Rows of weight zero count as absent.
    pub fn with_weights(self, weights: &'a [f64]) -> Self {
        Forecasts { weights: Some(weights), ..self }
    }

    /// The rows of positive weight, every number checked.
    pub(super) fn rows(&self) -> Result<Vec<Row>, EvaluateError> {
        check_length("probabilities", self.labels.len(), self.probability.len())?;
        let rows = self.labels.len();
        check_length("log probabilities", rows, self.log_prob_label.map_or(rows, <[f64]>::len))?;
        check_length("weights", rows, self.weights.map_or(rows, <[f64]>::len))?;
        let checked: Vec<Row> = (0..rows).map(|i| self.row(i)).collect::<Result<_, _>>()?;
        let present: Vec<Row> = checked.into_iter().filter(|row| row.weight > 0.0).collect();
        if present.is_empty() { Err(EvaluateError::NoRows) } else { Ok(present) }
    }

    fn row(&self, row: usize) -> Result<Row, EvaluateError> {
        let prob = self.probability[row];
        check_prob(row, prob)?;
        let log_prob_label = self.log_prob_label.map(|logs| logs[row]);
        check_log_prob(row, log_prob_label)?;
        let weight = self.weights.map_or(1.0, |weights| weights[row]);
        check_weight(row, weight)?;
        Ok(Row { prob, positive: self.labels[row] == self.class, log_prob_label, weight })
    }
}

/// Probabilities are between 0 and 1.
pub(super) fn check_prob(row: usize, value: f64) -> Result<(), EvaluateError> {
    if (0.0..=1.0).contains(&value) {
        return Ok(());
    }
    Err(EvaluateError::Value { what: "probability", row, value, wanted: "between 0 and 1" })
}

/// Log-probabilities, where they are given, are finite and not above zero but for rounding.
pub(super) fn check_log_prob(row: usize, given: Option<f64>) -> Result<(), EvaluateError> {
    match given.filter(|value| !value.is_finite() || *value > LOG_PROB_SLACK) {
        Some(value) => {
            Err(EvaluateError::Value { what: "log probability", row, value, wanted: "finite and at most 0" })
        }
        None => Ok(()),
    }
}

/// Weights are finite and not negative.
pub(super) fn check_weight(row: usize, value: f64) -> Result<(), EvaluateError> {
    if value.is_finite() && value >= 0.0 {
        return Ok(());
    }
    Err(EvaluateError::Value { what: "weight", row, value, wanted: "finite and not negative" })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Twelve rows with tied probabilities, one of them across classes.
    pub const PROBS: [f64; 12] = [0.95, 0.9, 0.8, 0.8, 0.7, 0.55, 0.5, 0.45, 0.3, 0.3, 0.15, 0.05];
    /// Unequal weights for them.
    pub const WEIGHTS: [f64; 12] = [1.0, 2.0, 0.5, 1.0, 1.5, 1.0, 3.0, 1.0, 0.25, 1.0, 2.0, 1.0];

    pub fn labels() -> Vec<Class> {
        from_bits(&[1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0])
    }

    pub fn from_bits(bits: &[u8]) -> Vec<Class> {
        bits.iter().map(|b| Class::from(u16::from(*b))).collect()
    }

    #[test]
    fn a_class_stands_against_all_others() {
        let labels = from_bits(&[0, 1, 2, 1]);
        let positive = |class: u16| {
            let rows = Forecasts::of_class(Class::from(class), &[0.5; 4], &labels).rows().unwrap();
            rows.iter().map(|row| row.positive).collect::<Vec<_>>()
        };
        assert_eq!(positive(2), [false, false, true, false]);
        assert_eq!(positive(1), [false, true, false, true]);
    }

    #[test]
    fn bad_numbers_are_named() {
        let labels = from_bits(&[1, 0]);
        let error = |f: Forecasts| f.rows().unwrap_err().to_string();
        assert_eq!(
            error(Forecasts::new(&[0.5], &labels)),
            "probabilities has 1 entries but there are 2 labels; pass one entry per row"
        );
        assert_eq!(
            error(Forecasts::new(&[0.5, f64::NAN], &labels)),
            "probability of row 1 is NaN; it must be between 0 and 1"
        );
        let fine = Forecasts::new(&[0.5, 0.5], &labels);
        assert!(error(fine.with_weights(&[1.0, -1.0])).starts_with("weight of row 1 is -1"));
        assert!(error(fine.with_log_probs(&[-1.0, f64::NEG_INFINITY])).starts_with("log probability of row 1 is -inf"));
        assert_eq!(fine.with_weights(&[0.0, 0.0]).rows().unwrap_err(), EvaluateError::NoRows);
        assert_eq!(fine.with_weights(&[0.0, 2.0]).rows().unwrap().len(), 1);
    }
}
