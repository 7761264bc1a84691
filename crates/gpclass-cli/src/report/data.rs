//! Everything a report shows, as plain values.

use gpclass::evaluate::Scores;
use gpclass::evaluate::calibration::CalibrationCurve;
use gpclass::evaluate::curves::{PrecisionRecallCurve, RocPoint};
use gpclass::explain::{DecisionSurface, EffectCurve};
use gpclass::learn::{Relevance, TraceEntry};
use serde::{Deserialize, Serialize};

/// The names of the two classes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassPair {
    /// The class y = -1.
    pub negative: String,
    /// The class y = +1, whose probability is shown everywhere.
    pub positive: String,
}

impl ClassPair {
    /// The name of a class.
    pub fn name(&self, positive: bool) -> &str {
        if positive { &self.positive } else { &self.negative }
    }
}

/// What went in.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataSummary {
    /// Name of the data, if known.
    pub source: Option<String>,
    /// Training rows of the negative class.
    pub negative_rows: usize,
    /// Training rows of the positive class.
    pub positive_rows: usize,
    /// Continuous features.
    pub continuous: usize,
    /// Discrete features.
    pub discrete: usize,
}

impl DataSummary {
    /// All training rows.
    pub fn rows(&self) -> usize {
        self.negative_rows + self.positive_rows
    }
}

/// The model that was chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelSummary {
    /// Formula of the covariance.
    pub kernel: String,
    /// Name of the likelihood.
    pub likelihood: String,
    /// Name of the inference method.
    pub method: String,
    /// Log marginal likelihood in nats.
    pub log_evidence: f64,
    /// How inference and the search ended, in words.
    pub outcome: String,
}

/// A model that was considered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CandidateRow {
    /// Its name.
    pub name: String,
    /// Log marginal likelihood in nats.
    pub log_evidence: f64,
    /// What the choice was made by: larger is better.
    pub score: f64,
    /// Share of rows predicted wrongly when left out.
    pub loo_error: f64,
    /// Mean negative log-probability of the labels left out, in nats.
    pub loo_nlp: f64,
    /// Whether it was chosen.
    pub chosen: bool,
}

/// A hyperparameter with what it means.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HyperparameterRow {
    /// Its name.
    pub name: String,
    /// Its natural value.
    pub value: f64,
    /// What it says, in words.
    pub meaning: String,
    /// Whether it was given rather than learned.
    pub fixed: bool,
}

/// A training row as the others predict it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LeftOutRow {
    /// Its label.
    pub positive: bool,
    /// The probability of the positive class.
    pub probability: f64,
}

/// A row whose label may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SuspectRow {
    /// Position among the training rows, from 0; shown from 1.
    pub row: usize,
    /// Its label.
    pub positive: bool,
    /// The probability that the label is wrong.
    pub wrong: f64,
    /// The probability of its label as the other rows predict it.
    pub loo_probability: f64,
}

/// All that a report shows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ReportData {
    /// Heading of the page.
    pub title: String,
    /// The two classes.
    pub classes: ClassPair,
    /// What went in.
    pub data: DataSummary,
    /// What was chosen.
    pub model: ModelSummary,
    /// What was considered.
    pub candidates: Vec<CandidateRow>,
    /// The chosen model's hyperparameters.
    pub hyperparameters: Vec<HyperparameterRow>,
    /// Leave-one-out scores.
    pub scores: Option<Scores>,
    /// Every feature's relevance, in the order of the data.
    pub relevances: Vec<Relevance>,
    /// Every training row as the others predict it.
    pub left_out: Vec<LeftOutRow>,
    /// ROC curve of the leave-one-out predictions; empty with one class only.
    pub roc: Vec<RocPoint>,
    /// Precision-recall curve of the leave-one-out predictions.
    pub precision_recall: Option<PrecisionRecallCurve>,
    /// Calibration of the leave-one-out predictions.
    pub calibration: Option<CalibrationCurve>,
    /// Rows whose labels look wrong, most suspect first.
    pub suspects: Vec<SuspectRow>,
    /// Where the probabilities of wrong labels come from, in words.
    pub suspect_source: String,
    /// The search for the hyperparameters.
    pub trace: Vec<TraceEntry>,
    /// Effects of the most relevant features.
    pub effects: Vec<EffectCurve>,
    /// For two continuous features the probability over their plane.
    pub surface: Option<DecisionSurface>,
    /// What a reader should know, as sentences with advice.
    pub notes: Vec<String>,
    /// Where the model comes from: names and values.
    pub provenance: Vec<(String, String)>,
}
