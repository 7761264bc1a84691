//! Row weights.

use crate::data::DataError;
use crate::data::error::check_row_count;

/// One non-negative finite weight per row, not all of them zero.
#[derive(Clone, Debug, PartialEq)]
pub struct RowWeights(Vec<f64>);

impl RowWeights {
    /// Checks the weights of `rows` rows.
    pub fn new(weights: Vec<f64>, rows: usize) -> Result<Self, DataError> {
        check_row_count("weights", weights.len(), rows)?;
        if let Some(row) = weights.iter().position(|&weight| !(weight.is_finite() && weight >= 0.0)) {
            return Err(DataError::BadWeight { row, value: weights[row] });
        }
        if weights.iter().all(|&weight| weight == 0.0) {
            return Err(DataError::AllWeightsZero);
        }
        Ok(RowWeights(weights))
    }

    /// The weights, in the order of the rows.
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// Whether every weight is 1, so that they change nothing.
    pub fn all_one(&self) -> bool {
        self.0.iter().all(|&weight| weight == 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_weights_pass_unchanged() {
        let weights = RowWeights::new(vec![0.0, 2.5, 1.0], 3).unwrap();
        assert_eq!(weights.as_slice(), [0.0, 2.5, 1.0]);
        assert!(!weights.all_one() && RowWeights::new(vec![1.0; 2], 2).unwrap().all_one());
    }

    #[test]
    fn bad_weights_are_refused_with_their_row() {
        let sentence = |weights: &[f64], rows| RowWeights::new(weights.to_vec(), rows).unwrap_err().to_string();
        assert_eq!(
            sentence(&[1.0, -0.5], 2),
            "data row 2 has the weight -0.5: weights need to be finite and not negative"
        );
        assert_eq!(
            sentence(&[f64::NAN], 1),
            "data row 1 has the weight NaN: weights need to be finite and not negative"
        );
        assert_eq!(
            sentence(&[f64::INFINITY], 1),
            "data row 1 has the weight inf: weights need to be finite and not negative"
        );
        assert_eq!(sentence(&[1.0], 2), "the number of weights is 1, but there are 2 rows: give one per row");
        assert_eq!(
            sentence(&[0.0, 0.0], 2),
            "every row has weight 0, which leaves nothing to learn from: give at least one row a positive weight"
        );
    }
}
