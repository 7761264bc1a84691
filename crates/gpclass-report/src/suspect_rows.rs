//! Suspect rows with their values, beside the rows that contradict their labels.

use crate::ReportError;
use crate::training_rows::value;
use gpclass::classifier::Classifier;
use gpclass::explain::ranking;

/// Suspects that are shown with their values.
pub(crate) const SHOWN: usize = 20;
/// Features whose values are shown, the most relevant ones.
const FEATURES: usize = 5;
/// Rows that contradict a label, shown below it.
const CONTRADICTING: usize = 2;
/// Nearest rows among which these are looked for.
const LOOKED_AT: usize = 40;

/// A training row and its values of the shown features.
#[derive(Clone, Debug)]
pub(crate) struct ShownRow {
    pub row: usize,
    pub values: Vec<String>,
}

/// A suspect and the rows most like it that have the label which it has rather.
#[derive(Clone, Debug)]
pub(crate) struct SuspectRow {
    pub own: ShownRow,
    pub against: Vec<ShownRow>,
}

/// The first suspects as rows to read, and the names of the features that are shown of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SuspectRows {
    pub features: Vec<String>,
    pub rows: Vec<SuspectRow>,
}

impl SuspectRows {
    /// Of the suspects, the most suspect first.
    pub fn of(classifier: &Classifier, suspects: &[usize]) -> Result<Self, ReportError> {
        let shown = &suspects[..suspects.len().min(SHOWN)];
        if shown.is_empty() {
            return Ok(SuspectRows::default());
        }
        let (summary, training) = (classifier.summary(), classifier.training());
        let features: Vec<usize> = ranking(&summary.relevances).into_iter().take(FEATURES).collect();
        let read = |row: usize| ShownRow {
            row,
            values: features.iter().map(|&m| value(classifier.encoder(), training.given(), row, m)).collect(),
        };
        let near = classifier.nearest_to_inputs(&training.given().select_rows(shown), LOOKED_AT)?;
        let labels = training.labels();
        let suspect = |(&row, near): (&usize, Vec<gpclass::classifier::Neighbour>)| {
            let rather = summary.suspects.rather(row, labels[row]);
            let others = near.iter().map(|n| n.row).filter(|&other| other != row && labels[other] == rather);
            SuspectRow { own: read(row), against: others.take(CONTRADICTING).map(read).collect() }
        };
        let names = features.iter().map(|&m| summary.features[m].name.clone()).collect();
        Ok(SuspectRows { features: names, rows: shown.iter().zip(near).map(suspect).collect() })
    }
}
