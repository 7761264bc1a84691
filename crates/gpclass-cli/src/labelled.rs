//! A table of labelled rows, read and ready for the library.

use crate::args::{ColumnArgs, FormatArgs};
use crate::error::CliError;
use crate::table::{RawColumn, RawValues, TableReader};
use gpclass::data::{Column, DataError, LabelValues, Table};
use std::path::Path;

/// Features, labels and what belongs to them.
pub struct Labelled {
    pub table: Table,
    pub labels: LabelValues,
    pub weights: Option<Vec<f64>>,
    /// The split column, if one was asked for.
    pub split: Option<Vec<String>>,
    /// Line (text) or row (Parquet) of each row in the file.
    pub lines: Vec<u64>,
    /// Remarks on the columns.
    pub notes: Vec<String>,
    file: String,
}

impl Labelled {
    /// Reads the whole table. `split` names a column that is neither feature nor label.
    pub fn read(path: &Path, columns: &ColumnArgs, format: &FormatArgs, split: Option<&str>) -> Result<Self, CliError> {
        let mut named = columns.named();
        named.extend(split.map(str::to_owned));
        let reader = TableReader::open(path, format.options(named))?;
        let raw = reader.read_all(&columns.kinds(split))?;
        let mut features = raw.columns;
        let mut take = |name: &str| features.iter().position(|c| c.name == name).map(|at| features.remove(at));
        let weights = columns.weights.as_deref().and_then(&mut take).map(weights).transpose()?;
        let split = split.and_then(&mut take).map(texts);
        let labels = raw.label.ok_or_else(|| CliError::user("the table has no label column; name it with --label"))?;
        Ok(Labelled {
            table: Table::new(features.into_iter().map(column).collect())?,
            labels: LabelValues::from(column(labels)),
            weights,
            split,
            lines: raw.lines,
            notes: raw.notes.iter().map(ToString::to_string).collect(),
            file: path.display().to_string(),
        })
    }

    /// The name of the file without its folders.
    pub fn source(&self) -> String {
        self.file.rsplit(['/', '\\']).next().unwrap_or(&self.file).to_owned()
    }

    /// An error of the library about these rows, with the option of this program that helps.
    pub fn explain(&self, error: gpclass::classifier::ClassifierError) -> CliError {
        use gpclass::classifier::ClassifierError::Data;
        match &error {
            Data(DataError::MissingValue { row, column }) => CliError::user(format!(
                "{}, line {}, column '{}' has no value; fill it in, or say what to do with --on-missing impute or category",
                self.file,
                self.lines[*row],
                crate::table::error::shortened(column)
            )),
            Data(DataError::MissingLabel { row }) => CliError::user(format!(
                "{}, line {} has no label; fill it in or remove the row",
                self.file, self.lines[*row]
            )),
            _ => error.into(),
        }
    }
}

/// A column of the reader as one of the library.
pub fn column(raw: RawColumn) -> Column {
    match raw.values {
        RawValues::Numbers(values) => Column::continuous(raw.name, values),
        RawValues::Text(values) => Column::discrete(raw.name, values),
    }
}

fn weights(raw: RawColumn) -> Result<Vec<f64>, CliError> {
    match raw.values {
        RawValues::Numbers(values) => Ok(values),
        RawValues::Text(_) => Err(CliError::user(format!("the weights in column '{}' must be numbers", raw.name))),
    }
}

fn texts(raw: RawColumn) -> Vec<String> {
    match raw.values {
        RawValues::Text(values) => values.into_iter().map(Option::unwrap_or_default).collect(),
        RawValues::Numbers(values) => values.into_iter().map(|v| v.to_string()).collect(),
    }
}
