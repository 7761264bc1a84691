//! How much better forecasts are than knowing how frequent the classes are.

use super::estimate::{Part, ratio};
use super::{ClassForecasts, Estimate, EvaluateError};
use serde::{Deserialize, Serialize};

/// Shares of the loss of the base rate, which forecasts each row by the shares of the classes among these rows, that
/// forecasts take away: one is perfect, zero is no better, below zero is worse. None where all rows have one class.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Skill {
    /// Of the mean of -ln p(y).
    pub nlp: Option<Estimate>,
    /// Of the Brier score.
    pub brier: Option<Estimate>,
}

/// The skill of forecasts of any number of classes; a probability of the label below `probability_floor` counts as that.
pub fn skill(forecasts: &ClassForecasts, probability_floor: f64) -> Result<Skill, EvaluateError> {
    let losses = forecasts.losses(probability_floor)?;
    let skill = |of: fn(&Losses) -> (f64, f64)| {
        let parts = losses.iter().map(|row| {
            let (top, bottom) = of(row);
            Part { weight: row.weight, top, bottom }
        });
        ratio(parts).map(|share| Estimate { value: 1.0 - share.value, ..share })
    };
    Ok(Skill { nlp: skill(|row| row.nlp), brier: skill(|row| row.brier) })
}

/// What a row loses by its forecast, and by the base rate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Losses {
    pub nlp: (f64, f64),
    pub brier: (f64, f64),
    pub weight: f64,
}

#[cfg(test)]
mod tests {
    use super::super::forecasts::tests::{PROBS, labels};
    use super::*;
    use crate::data::Class;
    use crate::model::Probabilities;
    use crate::special::distributions::assert_close;
    use gpclass_linalg::Mat;

    // numpy: 1 - mean(-log p_y) / mean(-log share_y), and the same of half the squared distances.
    #[test]
    fn matches_the_definition() {
        let two = Probabilities::new(Mat::from_fn(12, 2, |i, c| if c == 1 { PROBS[i] } else { 1.0 - PROBS[i] }));
        let found = skill(&ClassForecasts::new(&two, &labels()), f64::EPSILON).unwrap();
        assert_close(found.nlp.unwrap().value, 0.21346236730824153, 1e-12);
        assert_close(found.brier.unwrap().value, 0.2311428571428571, 1e-12);
        let each =
            [[0.8, 0.1, 0.1], [0.3, 0.6, 0.1], [0.1, 0.2, 0.7], [0.2, 0.5, 0.3], [0.5, 0.25, 0.25], [0.1, 0.8, 0.1]];
        let three = Probabilities::new(Mat::from_fn(6, 3, |i, c| each[i][c]));
        let found = skill(&ClassForecasts::new(&three, &[0, 1, 2, 2, 1, 1].map(Class::from)), f64::EPSILON).unwrap();
        assert_close(found.nlp.unwrap().value, 0.3566610022635869, 1e-12);
        assert_close(found.brier.unwrap().value, 0.40681818181818175, 1e-12);
    }

    #[test]
    fn one_class_leaves_nothing_to_be_better_than() {
        let sure = Probabilities::new(Mat::from_fn(3, 2, |_, c| if c == 1 { 0.9 } else { 0.1 }));
        let found = skill(&ClassForecasts::new(&sure, &[Class::POSITIVE; 3]), f64::EPSILON).unwrap();
        assert_eq!(found, Skill { nlp: None, brier: None });
    }
}
