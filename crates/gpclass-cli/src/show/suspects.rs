//! Lists of rows whose labels look wrong.

use super::csv::{Csv, number};
use super::grid::{Align, grid};
use super::json;
use super::printable::name;
use crate::error::CliError;
use gpclass::classifier::{Classifier, SuspectSource};
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

/// A table with a heading, for people.
pub fn suspects_text(suspects: &[Suspect], rows: usize) -> String {
    if suspects.is_empty() {
        return format!("none of the {rows} labels is suspect\n");
    }
    format!("{} of {rows} labels suspect\n{}", suspects.len(), suspects_grid(suspects))
}

/// The table alone; of several classes with the probability of the suggested one.
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

/// For spreadsheets; of `several` classes with the probability of the suggested one.
pub fn suspects_csv(suspects: &[Suspect], several: bool, csv: Csv) -> String {
    let several = if several { ",probability_of_suggested" } else { "" };
    let mut text = format!("row,line,label,suggested,probability_wrong,probability_of_label{several}\n");
    for s in suspects {
        let line = s.line.map(|line| line.to_string()).unwrap_or_default();
        let (label, other) = (csv.field(&s.label), csv.field(&s.suggested));
        let (wrong, own) = (number(s.probability), number(s.label_probability));
        let rather = s.suggested_probability.map(|p| format!(",{}", number(p))).unwrap_or_default();
        text.push_str(&format!("{},{line},{label},{other},{wrong},{own}{rather}\n", s.row));
    }
    text
}

pub fn suspects_json(suspects: &[Suspect], source: &SuspectSource, rows: usize) -> Result<String, CliError> {
    json(&serde_json::json!({"rows": rows, "source": source.to_string(), "suspects": suspects}))
}
