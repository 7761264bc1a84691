//! How the probabilities of rows of a class are spread, and of rows of the others.

use super::forecasts::Row;
use super::{EvaluateError, Forecasts};
use serde::{Deserialize, Serialize};

/// The probabilities of the rows of one outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Rows of positive weight.
    pub rows: usize,
    /// The weight of rows in each of as many bins of equal width as were asked for, from 0 to 1.
    pub bins: Vec<f64>,
    /// Mean probability; None without rows.
    pub mean: Option<f64>,
}

/// The probabilities of a class for rows that have it and for rows that have not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutcomeSpread {
    /// Of rows that have the class.
    pub with: Spread,
    /// Of rows that have not.
    pub without: Spread,
    /// By how much the mean probability of the former is larger; None if one of them has no rows.
    pub discrimination_slope: Option<f64>,
}

/// The spread of the forecasts over `bins` (at least 1) bins of equal width.
pub fn outcome_spread(forecasts: &Forecasts, bins: usize) -> Result<OutcomeSpread, EvaluateError> {
    if bins == 0 {
        return Err(EvaluateError::Option { option: "bins", value: 0.0, wanted: "at least 1" });
    }
    let (with, without): (Vec<Row>, Vec<Row>) = forecasts.rows()?.into_iter().partition(|row| row.positive);
    let (with, without) = (spread(&with, bins), spread(&without, bins));
    let discrimination_slope = with.mean.zip(without.mean).map(|(with, without)| with - without);
    Ok(OutcomeSpread { with, without, discrimination_slope })
}

fn spread(rows: &[Row], bins: usize) -> Spread {
    let mut counts = vec![0.0; bins];
    for row in rows {
        counts[((row.prob * bins as f64) as usize).min(bins - 1)] += row.weight;
    }
    let total: f64 = rows.iter().map(|row| row.weight).sum();
    let sum: f64 = rows.iter().map(|row| row.weight * row.prob).sum();
    Spread { rows: rows.len(), bins: counts, mean: (total > 0.0).then(|| sum / total) }
}

#[cfg(test)]
mod tests {
    use super::super::forecasts::tests::{PROBS, WEIGHTS, from_bits, labels};
    use super::*;
    use crate::special::distributions::assert_close;

    // Counted by hand: positives 0.95 0.9 0.8 0.7 0.5 0.45 0.3, negatives 0.8 0.55 0.3 0.15 0.05.
    #[test]
    fn rows_are_counted_by_outcome() {
        let labels = labels();
        let found = outcome_spread(&Forecasts::new(&PROBS, &labels), 4).unwrap();
        assert_eq!((found.with.bins, found.without.bins), (vec![0.0, 2.0, 2.0, 3.0], vec![2.0, 1.0, 1.0, 1.0]));
        assert_close(found.discrimination_slope.unwrap(), 4.6 / 7.0 - 1.85 / 5.0, 1e-14);
        let weighted = outcome_spread(&Forecasts::new(&PROBS, &labels).with_weights(&WEIGHTS), 1).unwrap();
        assert_close(weighted.with.bins[0] + weighted.without.bins[0], 15.25, 1e-14);
    }

    #[test]
    fn certainty_is_in_the_last_bin_and_one_outcome_has_no_slope() {
        let found = outcome_spread(&Forecasts::new(&[0.0, 1.0], &from_bits(&[1, 1])), 2).unwrap();
        assert_eq!((found.with.bins, found.without.mean, found.discrimination_slope), (vec![1.0, 1.0], None, None));
        assert!(outcome_spread(&Forecasts::new(&[0.0], &from_bits(&[1])), 0).is_err());
    }
}
