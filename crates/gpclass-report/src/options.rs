//! Choices of a report, and what can be wrong with them.

use crate::By;
use gpclass::classifier::ClassifierError;
use gpclass::evaluate::EvaluateError;
use gpclass::explain::{EffectOptions, ExplainError, SurfaceOptions};

/// Choices of a report.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportOptions {
    /// Heading of the page; by default the name of the data.
    pub title: Option<String>,
    /// Most relevant features whose effects are shown. Default 6.
    pub effects: usize,
    /// Labels at least this probably wrong are listed. Default 0.5.
    pub suspect_threshold: f64,
    /// The line of every training row in its file; unless there is one for each, rows are counted from 1.
    pub lines: Option<Vec<u64>>,
    /// The groups of training rows by which scores are broken down too.
    pub by: Option<By>,
    /// Points of the ROC and precision-recall curves at most. Default 200.
    pub curve_points: usize,
    /// How effect curves are computed.
    pub effect: EffectOptions,
    /// How the decision surface of two features is computed.
    pub surface: SurfaceOptions,
}

impl Default for ReportOptions {
    fn default() -> Self {
        ReportOptions {
            title: None,
            effects: 6,
            suspect_threshold: 0.5,
            lines: None,
            by: None,
            curve_points: 200,
            effect: EffectOptions::default(),
            surface: SurfaceOptions::default(),
        }
    }
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ReportError {
    /// A curve of the left-out predictions.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    /// An effect curve or the decision surface.
    #[error(transparent)]
    Explain(#[from] ExplainError),
    /// How unlike each other the training rows are.
    #[error(transparent)]
    Classifier(#[from] ClassifierError),
}
