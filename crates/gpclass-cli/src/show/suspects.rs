//! Lists of rows whose labels look wrong.

use super::grid::{Align, grid};
use super::printable::name;
use gpclass::classifier::Classifier;
use serde::Serialize;

/// A row whose label is doubted.
#[derive(Clone, Debug, Serialize)]
pub struct Suspect {
    /// Of the data, from 1.
    pub row: usize,
    /// Line (or row, for Parquet) in the file, if it is at hand.
    pub line: Option<u64>,
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

    fn place(&self) -> String {
        self.line.map_or_else(|| self.row.to_string(), |line| line.to_string())
    }
}

/// As a table; of several classes with the probability of the suggested one.
pub fn suspects_grid(suspects: &[Suspect]) -> String {
    let place = if suspects.iter().all(|s| s.line.is_some()) { "line" } else { "row" };
    let cells = |s: &Suspect| {
        let probability = |p: f64| format!("{p:.3}");
        let mut cells = vec![s.place(), name(&s.label), name(&s.suggested), probability(s.probability)];
        cells.extend(s.suggested_probability.map(probability));
        cells.push(probability(s.label_probability));
        cells
    };
    let mut header = vec![place, "label", "rather", "P(wrong)", "P(label | other rows)"];
    if suspects.iter().any(|suspect| suspect.suggested_probability.is_some()) {
        header.insert(4, "P(rather)");
    }
    let align = [Align::Right, Align::Left, Align::Left, Align::Right, Align::Right, Align::Right];
    grid(&header, &align, &suspects.iter().map(cells).collect::<Vec<_>>())
}
