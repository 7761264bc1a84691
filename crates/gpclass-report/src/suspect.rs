//! A row whose label is doubted, as every face tells it.

use gpclass::classifier::Classifier;
use serde::Serialize;

/// A row whose label is doubted.
#[derive(Clone, Debug, Serialize)]
pub struct Suspect {
    /// Of the data, from 1.
    pub row: usize,
    /// Line (or row, for Parquet) in the file, if it is at hand.
    pub line: Option<u64>,
    /// The label it has.
    pub label: String,
    /// The label it would have instead.
    pub suggested: String,
    /// Of several classes, how probable that one is to be the true one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggested_probability: Option<f64>,
    /// How probable it is that the label is wrong.
    pub probability: f64,
    /// Probability of the label it has, as the other rows predict it.
    pub label_probability: f64,
}

impl Suspect {
    /// Row `row`, from 0, of the training data.
    pub fn of(classifier: &Classifier, row: usize, lines: Option<&[u64]>) -> Self {
        let summary = classifier.summary();
        let label = classifier.training().labels()[row];
        let rather = summary.suspects.rather(row, label);
        Suspect {
            row: row + 1,
            line: lines.and_then(|lines| lines.get(row)).copied(),
            label: classifier.classes().name(label).to_owned(),
            suggested: classifier.classes().name(rather).to_owned(),
            suggested_probability: summary.suspects.true_class.as_ref().map(|classes| classes.at(row, rather)),
            probability: summary.suspects.probability[row],
            label_probability: summary.loo_probability.at(row, label),
        }
    }
}
