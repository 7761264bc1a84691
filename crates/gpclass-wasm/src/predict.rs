//! Predictions for the rows of a file.

use crate::choices::Choices;
use crate::problem::Problem;
use gpclass::classifier::{Classifier, Note};
use gpclass::data::{ColumnKind, EncodeCounts, Table};
use gpclass::explain::UNLIKE_TRAINING;
use gpclass_report::{Csv, PredictedLine};
use gpclass_table::{ColumnRequest, TableReader};
use serde::Serialize;

/// Rows predicted at a time, as the tool does.
const BLOCK: usize = 1_000;

/// Predictions, as the tool's `predict` writes them, and what there is to say about them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Predicted {
    /// The lines of a CSV file.
    #[serde(skip)]
    pub csv: String,
    /// Rows predicted.
    pub rows: usize,
    /// Rows predicted to be of each class.
    pub classes: Vec<(String, usize)>,
    /// Rows that are unlike the training rows.
    pub unlike: usize,
    /// What had to be replaced.
    pub notes: Vec<String>,
}

/// The rows of a file by a classifier; `keep` repeats the columns that are not used as well.
pub(crate) fn predict(
    classifier: &Classifier,
    bytes: Vec<u8>,
    name: &str,
    choices: &Choices,
    keep: bool,
) -> Result<Predicted, Problem> {
    let read = classifier.encoder().read_columns();
    let mut requests: Vec<ColumnRequest> = read
        .filter_map(|column| Some(ColumnRequest { name: column.name.clone(), kind: column.column_kind()? }))
        .collect();
    let features = requests.len();
    let named = requests.iter().map(|request| request.name.clone()).collect();
    let mut reader = TableReader::from_memory(bytes, name, choices.table_options(named))?;
    let kept: Vec<String> = if keep { reader.names().to_vec() } else { Vec::new() };
    requests.extend(kept.iter().map(|name| ColumnRequest { name: name.clone(), kind: ColumnKind::Discrete }));
    let selection = reader.select(&requests, "used in training")?;
    let line = PredictedLine { classifier, csv: Csv::default() };
    let header: Vec<String> = kept.iter().map(|name| line.csv.field(name)).chain(line.names()).collect();
    let names = classifier.classes().names();
    let mut found = Predicted {
        csv: header.join(",") + "\n",
        rows: 0,
        classes: names.iter().map(|name| (name.clone(), 0)).collect(),
        unlike: 0,
        notes: Vec::new(),
    };
    let mut counts = EncodeCounts::default();
    while let Some(block) = reader.next_block(&selection, BLOCK)? {
        let mut columns = block.columns;
        let repeated = columns.split_off(features);
        let at = |error| Problem::at(&block.places, error);
        let (inputs, replaced) = classifier.encoder().encode(&Table::new(columns)?).map_err(|e| at(e.into()))?;
        let rows = classifier.predict_inputs(&inputs).map_err(at)?;
        let novelty = classifier.novelty_of_inputs(&inputs).map_err(at)?;
        for (row, &novelty) in novelty.iter().enumerate() {
            let class = rows.class(row);
            let cells = repeated.iter().map(|column| line.csv.cell(column, row));
            let label = classifier.classes().name(class);
            let fields: Vec<String> = cells.chain(line.fields(&rows, row, Some(label), novelty)).collect();
            found.csv += &fields.join(",");
            found.csv.push('\n');
            found.classes[class.position()].1 += 1;
            found.unlike += usize::from(novelty > UNLIKE_TRAINING);
        }
        found.rows += rows.rows();
        counts.merge(&replaced);
    }
    found.notes = Note::of_data(&counts.notes()).iter().map(ToString::to_string).collect();
    Ok(found)
}
