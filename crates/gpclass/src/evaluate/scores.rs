//! Scores of probabilistic predictions.

use super::auc::auc_of_rows;
use super::calibration::{CalibrationOptions, calibration_of_rows};
use super::estimate::{Part, mean, ratio};
use super::forecasts::Row;
use super::{ClassDetails, Estimate, EvaluateError, Forecasts};
use serde::{Deserialize, Serialize};
use std::f64::consts::LN_2;

/// What the scores depend on besides the forecasts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScoreOptions {
    /// Of two classes, rows with a probability above this are called positive. Default 0.5. Of several the most probable
    /// one is called.
    pub threshold: f64,
    /// Weight of recall in the F-measure, 0 (precision) to 1 (recall) (math 6). Default 0.5, the usual F1.
    pub zeta: f64,
    /// Cost of a false positive relative to a false negative in the weighted error rate of two classes (math 6). Default 1.
    pub tau: f64,
    /// Where only probabilities are given, one below this for the observed label counts as this much in the NLP and is
    /// reported in [`Scores::clipped`]. Given log probabilities are never clipped. Default 2^-52, the spacing of
    /// probabilities at 1, below which 1 - p is not known.
    pub probability_floor: f64,
    /// The bins of the calibration error.
    pub calibration: CalibrationOptions,
}

impl Default for ScoreOptions {
    fn default() -> Self {
        ScoreOptions {
            threshold: 0.5,
            zeta: 0.5,
            tau: 1.0,
            probability_floor: f64::EPSILON,
            calibration: CalibrationOptions::default(),
        }
    }
}

/// All scores of one set of forecasts. None where a score is undefined, as precision is when nothing is called positive.
///
/// Of three or more classes, precision, recall, F-measure and AUC are means over the classes that have rows, each against
/// all others and each counting the same, and `classes` holds what they are means of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Rows of positive weight.
    pub rows: usize,
    /// Those of them that are positive; None of several classes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub positives: Option<usize>,
    /// Rows whose probability was raised to the floor for the NLP.
    pub clipped: usize,
    /// Share of rows on the wrong side of the threshold; of several classes, of rows called another class than theirs.
    pub error: Estimate,
    /// Mean of -ln p(y).
    pub nlp_nats: Estimate,
    /// Mean of -log2 p(y).
    pub nlp_bits: Estimate,
    /// Mean of (p - y)^2, y in {0, 1}; of several classes, of half the sum of these over the classes, which for two is
    /// the same.
    pub brier: Estimate,
    /// Share of positives among rows called positive. In the mean over several classes one that is never called counts
    /// as zero.
    pub precision: Option<Estimate>,
    /// Share of rows called positive among positives.
    pub recall: Option<Estimate>,
    /// F_zeta from hard decisions.
    pub f_measure: Option<Estimate>,
    /// F_zeta with probabilities in place of decisions.
    pub f_smoothed: Option<Estimate>,
    /// Weighted error rate from hard decisions; None of several classes.
    pub weighted_error: Option<Estimate>,
    /// Weighted error rate with probabilities in place of decisions; None of several classes.
    pub weighted_error_smoothed: Option<Estimate>,
    /// Area under the ROC curve.
    pub auc: Option<Estimate>,
    /// (1 + TP - FP)/2 from hard decisions: the balanced accuracy, which of several classes is the mean recall.
    pub auc_style: Option<Estimate>,
    /// (1 + TP - FP)/2 with probabilities in place of decisions.
    pub auc_style_smoothed: Option<Estimate>,
    /// Expected calibration error; has no simple standard error. Of several classes it compares the probability of the
    /// class that is called with the share of rows for which that is right; the same for two classes would differ from
    /// what stands here for them, the error of the probabilities of the positive class.
    pub calibration_error: Estimate,
    /// Of three or more classes, each of them and which were called what.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<ClassDetails>,
}

/// Names of the scores, to loop over and to print.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is documented at the field of Scores of the same name")]
pub enum Metric {
    Error,
    NlpNats,
    NlpBits,
    Brier,
    Precision,
    Recall,
    FMeasure,
    FSmoothed,
    WeightedError,
    WeightedErrorSmoothed,
    Auc,
    AucStyle,
    AucStyleSmoothed,
    CalibrationError,
}

impl Metric {
    /// Every metric, in the order of the fields of [`Scores`].
    pub const ALL: [Metric; 14] = [
        Metric::Error,
        Metric::NlpNats,
        Metric::NlpBits,
        Metric::Brier,
        Metric::Precision,
        Metric::Recall,
        Metric::FMeasure,
        Metric::FSmoothed,
        Metric::WeightedError,
        Metric::WeightedErrorSmoothed,
        Metric::Auc,
        Metric::AucStyle,
        Metric::AucStyleSmoothed,
        Metric::CalibrationError,
    ];

    /// The name of the field of [`Scores`].
    pub fn name(self) -> &'static str {
        match self {
            Metric::Error => "error",
            Metric::NlpNats => "nlp_nats",
            Metric::NlpBits => "nlp_bits",
            Metric::Brier => "brier",
            Metric::Precision => "precision",
            Metric::Recall => "recall",
            Metric::FMeasure => "f_measure",
            Metric::FSmoothed => "f_smoothed",
            Metric::WeightedError => "weighted_error",
            Metric::WeightedErrorSmoothed => "weighted_error_smoothed",
            Metric::Auc => "auc",
            Metric::AucStyle => "auc_style",
            Metric::AucStyleSmoothed => "auc_style_smoothed",
            Metric::CalibrationError => "calibration_error",
        }
    }

    /// Whether a smaller value is better.
    pub fn lower_is_better(self) -> bool {
        match self {
            Metric::Error | Metric::NlpNats | Metric::NlpBits | Metric::Brier => true,
            Metric::WeightedError | Metric::WeightedErrorSmoothed | Metric::CalibrationError => true,
            Metric::Precision | Metric::Recall | Metric::FMeasure | Metric::FSmoothed => false,
            Metric::Auc | Metric::AucStyle | Metric::AucStyleSmoothed => false,
        }
    }
}

impl Scores {
    /// The score of that name.
    pub fn get(&self, metric: Metric) -> Option<Estimate> {
        match metric {
            Metric::Error => Some(self.error),
            Metric::NlpNats => Some(self.nlp_nats),
            Metric::NlpBits => Some(self.nlp_bits),
            Metric::Brier => Some(self.brier),
            Metric::Precision => self.precision,
            Metric::Recall => self.recall,
            Metric::FMeasure => self.f_measure,
            Metric::FSmoothed => self.f_smoothed,
            Metric::WeightedError => self.weighted_error,
            Metric::WeightedErrorSmoothed => self.weighted_error_smoothed,
            Metric::Auc => self.auc,
            Metric::AucStyle => self.auc_style,
            Metric::AucStyleSmoothed => self.auc_style_smoothed,
            Metric::CalibrationError => Some(self.calibration_error),
        }
    }
}

/// Scores forecasts of two classes; [`score_classes`](super::score_classes) does so for any number.
///
/// ```
/// use gpclass::data::Class;
/// use gpclass::evaluate::{Forecasts, ScoreOptions, score};
///
/// let labels = [Class::POSITIVE, Class::POSITIVE, Class::NEGATIVE, Class::NEGATIVE];
/// let probability = [0.9, 0.4, 0.2, 0.1]; // of the positive class
/// let scores = score(&Forecasts::new(&probability, &labels), &ScoreOptions::default())?;
/// assert_eq!(scores.error.value, 0.25); // the second row is below one half
/// assert!((scores.brier.value - 0.105).abs() < 1e-12);
/// assert_eq!(scores.auc.map(|auc| auc.value), Some(1.0)); // yet every positive row is above every negative one
/// # Ok::<(), gpclass::evaluate::EvaluateError>(())
/// ```
pub fn score(forecasts: &Forecasts, options: &ScoreOptions) -> Result<Scores, EvaluateError> {
    options.check()?;
    let rows = forecasts.rows()?;
    let called = |row: &Row| f64::from(u8::from(row.prob > options.threshold));
    let smooth = |row: &Row| row.prob;
    let floor = options.probability_floor;
    let nlp_nats = mean_of(&rows, |row| -row.log_prob(floor))?;
    let error = ratio(rows.iter().map(|row| part(row, (called(row) - row.outcome()).abs(), 1.0)));
    Ok(Scores {
        rows: rows.len(),
        positives: Some(rows.iter().filter(|row| row.positive).count()),
        clipped: rows.iter().filter(|row| row.is_clipped(floor)).count(),
        error: error.ok_or(EvaluateError::NoRows)?,
        nlp_nats,
        nlp_bits: nlp_nats.scaled(LN_2.recip()),
        brier: mean_of(&rows, |row| (row.prob - row.outcome()).powi(2))?,
        precision: f_measure(&rows, called, 0.0),
        recall: f_measure(&rows, called, 1.0),
        f_measure: f_measure(&rows, called, options.zeta),
        f_smoothed: f_measure(&rows, smooth, options.zeta),
        weighted_error: weighted_error(&rows, called, options.tau),
        weighted_error_smoothed: weighted_error(&rows, smooth, options.tau),
        auc: auc_of_rows(&rows),
        auc_style: auc_style(&rows, called),
        auc_style_smoothed: auc_style(&rows, smooth),
        calibration_error: Estimate {
            value: calibration_of_rows(&rows, &options.calibration)?.expected_error,
            standard_error: None,
        },
        classes: None,
    })
}

/// Bits a forecast adds to knowing the shares of the classes: H(shares) - NLP, H the entropy of the training labels
/// (Kuss & Rasmussen 2005).
pub fn information_bits(nlp_bits: Estimate, shares: &[f64]) -> Estimate {
    let plogp = |p: f64| if p > 0.0 { p * p.log2() } else { 0.0 };
    let entropy = -shares.iter().map(|&share| plogp(share)).sum::<f64>();
    Estimate { value: entropy - nlp_bits.value, ..nlp_bits }
}

impl ScoreOptions {
    pub(super) fn check(&self) -> Result<(), EvaluateError> {
        let unit = "between 0 and 1";
        let checks = [
            ("threshold", self.threshold, (0.0..=1.0).contains(&self.threshold), unit),
            ("zeta", self.zeta, (0.0..=1.0).contains(&self.zeta), unit),
            ("tau", self.tau, self.tau.is_finite() && self.tau >= 0.0, "finite and not negative"),
            (
                "probability_floor",
                self.probability_floor,
                self.probability_floor > 0.0 && self.probability_floor < 1.0,
                "above 0 and below 1",
            ),
        ];
        match checks.into_iter().find(|(_, _, fine, _)| !fine) {
            Some((option, value, _, wanted)) => Err(EvaluateError::Option { option, value, wanted }),
            None => Ok(()),
        }
    }
}

impl Row {
    /// log p(y) as given, else from the probability, no lower than log `floor`.
    pub(super) fn log_prob(&self, floor: f64) -> f64 {
        let from_prob = || if self.positive { self.prob.ln() } else { (-self.prob).ln_1p() };
        self.log_prob_label.unwrap_or_else(|| from_prob().max(floor.ln()))
    }

    pub(super) fn is_clipped(&self, floor: f64) -> bool {
        let prob_label = if self.positive { self.prob } else { 1.0 - self.prob };
        self.log_prob_label.is_none() && prob_label < floor
    }
}

pub(super) fn mean_of(rows: &[Row], value: impl Fn(&Row) -> f64 + Copy) -> Result<Estimate, EvaluateError> {
    mean(rows.iter().map(|row| (row.weight, value(row)))).ok_or(EvaluateError::NoRows)
}

pub(super) fn part(row: &Row, top: f64, bottom: f64) -> Part {
    Part { weight: row.weight, top, bottom }
}

/// A / (zeta n+ + (1-zeta) m+), with `called` the decision or the probability. // math 6, EPCV 10
fn f_measure(rows: &[Row], called: impl Fn(&Row) -> f64 + Copy, zeta: f64) -> Option<Estimate> {
    ratio(f_parts(rows, called, zeta))
}

pub(super) fn f_parts(
    rows: &[Row],
    called: impl Fn(&Row) -> f64 + Copy,
    zeta: f64,
) -> impl Iterator<Item = Part> + Clone {
    rows.iter().map(move |row| {
        part(row, row.outcome() * called(row), zeta * row.outcome() + (1.0 - zeta) * called(row)) // math 6
    })
}

/// (n+ (1-TP) + tau n- FP) / (n+ + tau n-), with `called` the decision or the probability.
fn weighted_error(rows: &[Row], called: impl Fn(&Row) -> f64 + Copy, tau: f64) -> Option<Estimate> {
    ratio(rows.iter().map(|row| {
        let cost = if row.positive { 1.0 - called(row) } else { tau * called(row) };
        part(row, cost, if row.positive { 1.0 } else { tau }) // math 6
    }))
}

/// (1 + TP - FP)/2, with `called` the decision or the probability.
fn auc_style(rows: &[Row], called: impl Fn(&Row) -> f64 + Copy) -> Option<Estimate> {
    let rate = |positive: bool| {
        ratio(rows.iter().filter(move |row| row.positive == positive).map(|row| part(row, called(row), 1.0)))
    };
    let (true_rate, false_rate) = (rate(true)?, rate(false)?);
    let standard_error = true_rate.standard_error.zip(false_rate.standard_error).map(|(t, f)| 0.5 * t.hypot(f));
    Some(Estimate { value: 0.5 * (1.0 + true_rate.value - false_rate.value), standard_error }) // math 6
}

#[cfg(test)]
mod tests;
