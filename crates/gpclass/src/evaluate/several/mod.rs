//! Scores of several classes: of each against all others, and of all together.

mod confusion;
mod forecasts;

pub use confusion::Confusion;
pub use forecasts::ClassForecasts;

use super::auc::auc_statistic;
use super::calibration::calibration_of_rows;
use super::estimate::{Statistic, ratio};
use super::forecasts::Row;
use super::scores::{f_parts, mean_of, part};
use super::{Estimate, EvaluateError, ScoreOptions, Scores, score};
use crate::data::Class;
use forecasts::CheckedRows;
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_2;

/// What the scores of three or more classes are made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassDetails {
    /// Which classes were called what.
    pub confusion: Confusion,
    /// The scores of each class, in the order of the classes.
    pub each: Vec<ClassScores>,
}

impl ClassDetails {
    /// Whether these are the details of that many classes.
    pub fn are_of(&self, classes: usize) -> bool {
        self.each.len() == classes && self.confusion.classes().len() == classes
    }
}

/// Scores of one class against all others. None where a score is undefined: a class without rows has no recall, one
/// that is never called no precision.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassScores {
    /// Rows of positive weight that have the class.
    pub rows: usize,
    /// Share of rows of the class among rows called so.
    pub precision: Option<Estimate>,
    /// Share of rows called so among rows of the class.
    pub recall: Option<Estimate>,
    /// F_zeta from hard decisions.
    pub f_measure: Option<Estimate>,
    /// Area under the ROC curve of its probability.
    pub auc: Option<Estimate>,
    /// Mean of (p - y)^2, p its probability, y whether a row has it.
    pub brier: Estimate,
    /// Expected calibration error of its probability; has no simple standard error.
    pub calibration_error: Estimate,
}

/// Scores forecasts of any number of classes. Those of two are [`score`]d by the positive one.
///
/// ```
/// use gpclass::data::Class;
/// use gpclass::evaluate::{ClassForecasts, ScoreOptions, score_classes};
/// use gpclass::linalg::Mat;
/// use gpclass::model::Probabilities;
///
/// let labels = [0, 1, 2, 2].map(Class::from);
/// let each_row = [[0.8, 0.1, 0.1], [0.3, 0.6, 0.1], [0.1, 0.2, 0.7], [0.2, 0.5, 0.3]];
/// let probability = Probabilities::new(Mat::from_fn(4, 3, |row, class| each_row[row][class]));
/// let scores = score_classes(&ClassForecasts::new(&probability, &labels), &ScoreOptions::default())?;
/// assert_eq!(scores.error.value, 0.25); // the last row is called 1
/// let details = scores.classes.expect("there are three classes");
/// assert_eq!(details.confusion.of_label(Class::from(2)), [0.0, 1.0, 1.0]);
/// assert_eq!(details.each[2].recall.map(|recall| recall.value), Some(0.5));
/// # Ok::<(), gpclass::evaluate::EvaluateError>(())
/// ```
pub fn score_classes(forecasts: &ClassForecasts, options: &ScoreOptions) -> Result<Scores, EvaluateError> {
    match forecasts.as_two_classes() {
        Some(two) => score(&two, options),
        None => score_several(forecasts, options),
    }
}

fn score_several(forecasts: &ClassForecasts, options: &ScoreOptions) -> Result<Scores, EvaluateError> {
    options.check()?;
    let rows = forecasts.rows()?;
    let (own, called) = (rows.own(), rows.called());
    let floor = options.probability_floor;
    let nlp_nats = mean_of(&own, |row| -row.log_prob(floor))?;
    let each = rows.classes().map(|class| OfClass::new(&rows, class, options)).collect::<Result<Vec<_>, _>>()?;
    let average = |score: fn(&OfClass) -> Option<&Statistic>| {
        Statistic::mean(&each.iter().filter(|class| class.rows > 0).map(score).collect::<Vec<_>>())
    };
    let balanced_accuracy = average(|class| class.recall.as_ref());
    Ok(Scores {
        rows: own.len(),
        positives: None,
        clipped: own.iter().filter(|row| row.is_clipped(floor)).count(),
        error: ratio(called.iter().map(|row| part(row, 1.0 - row.outcome(), 1.0))).ok_or(EvaluateError::NoRows)?,
        nlp_nats,
        nlp_bits: nlp_nats.scaled(LN_2.recip()),
        brier: rows.brier().ok_or(EvaluateError::NoRows)?,
        precision: average(|class| class.precision.as_ref()),
        recall: balanced_accuracy,
        f_measure: average(|class| class.f_measure.as_ref()),
        f_smoothed: average(|class| class.f_smoothed.as_ref()),
        weighted_error: None,
        weighted_error_smoothed: None,
        auc: average(|class| class.auc.as_ref()),
        auc_style: balanced_accuracy,
        auc_style_smoothed: average(|class| class.recall_smoothed.as_ref()),
        calibration_error: calibration_error(&called, options)?,
        classes: Some(ClassDetails {
            confusion: rows.confusion(),
            each: each.into_iter().map(OfClass::scores).collect(),
        }),
    })
}

/// One class against all others, with what each row has to do with it.
struct OfClass {
    rows: usize,
    precision: Option<Statistic>,
    recall: Option<Statistic>,
    f_measure: Option<Statistic>,
    f_smoothed: Option<Statistic>,
    recall_smoothed: Option<Statistic>,
    auc: Option<Statistic>,
    brier: Estimate,
    calibration_error: Estimate,
}

impl OfClass {
    fn new(rows: &CheckedRows, class: Class, options: &ScoreOptions) -> Result<Self, EvaluateError> {
        let (decided, against_rest) = (rows.decided(class), rows.against_rest(class));
        let f = |rows: &[Row], zeta| Statistic::ratio(f_parts(rows, |row| row.prob, zeta));
        Ok(OfClass {
            rows: against_rest.iter().filter(|row| row.positive).count(),
            precision: f(&decided, 0.0),
            recall: f(&decided, 1.0),
            f_measure: f(&decided, options.zeta),
            f_smoothed: f(&against_rest, options.zeta),
            recall_smoothed: f(&against_rest, 1.0),
            auc: auc_statistic(&against_rest),
            brier: mean_of(&against_rest, |row| (row.prob - row.outcome()).powi(2))?,
            calibration_error: calibration_error(&against_rest, options)?,
        })
    }

    fn scores(self) -> ClassScores {
        let estimate = |statistic: Option<Statistic>| statistic.map(|statistic| statistic.estimate());
        ClassScores {
            rows: self.rows,
            precision: estimate(self.precision),
            recall: estimate(self.recall),
            f_measure: estimate(self.f_measure),
            auc: estimate(self.auc),
            brier: self.brier,
            calibration_error: self.calibration_error,
        }
    }
}

fn calibration_error(rows: &[Row], options: &ScoreOptions) -> Result<Estimate, EvaluateError> {
    let value = calibration_of_rows(rows, &options.calibration)?.expected_error;
    Ok(Estimate { value, standard_error: None })
}

#[cfg(test)]
mod tests;
