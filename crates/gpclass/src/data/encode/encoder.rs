//! From tables to encoded rows, the same way in training and prediction.

use super::indicator::indicators;
use crate::data::checks::column_notes;
use crate::data::error::check_row_count;
use crate::data::table::matrix_names;
use crate::data::{
    AbsentColumn, Coding, ColumnCounts, ColumnEncoder, ColumnValues, DataError, DataNote, EncodeCounts, EncoderOptions,
    Feature, Identifier, Inputs, RowWeights, Standardiser, Table, identifiers, nearest_name,
};
use gpclass_linalg::Mat;
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::collections::{HashMap, HashSet};

/// A column of the training table that is not used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// Its position among all columns of the training table, from 0.
    pub position: usize,
}

/// Encodes tables as it was fitted on training data. Columns are found by name, and each row is encoded by itself, so
/// that rows may be encoded in blocks of any size.
///
/// ```
/// use gpclass::data::{Column, Encoder, EncoderOptions, Table};
///
/// let size = Column::continuous("size", vec![40.0, 60.0, 80.0]);
/// let place = Column::categories("place", ["old town", "harbour", "harbour"]);
/// let train = Table::new(vec![size, place])?;
/// let (encoder, _) = Encoder::fit(&train, &EncoderOptions::default())?;
/// let (inputs, _) = encoder.encode(&train)?;
/// assert!(inputs.values()[(1, 0)].abs() < 1e-12); // the mean size is 0 once standardised
///
/// // Columns are found by name, and a category that training did not have is counted.
/// let new = Table::new(vec![Column::categories("place", ["island"]), Column::continuous("size", vec![70.0])])?;
/// let (_, counts) = encoder.encode(&new)?;
/// assert_eq!(counts.unseen(), 1);
/// # Ok::<(), gpclass::data::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "super::record::EncoderRecord", into = "super::record::EncoderRecord")]
pub struct Encoder {
    columns: Vec<ColumnEncoder>,
    features: Vec<Feature>,
    left_out: Vec<LeftOut>,
}

impl Encoder {
    /// Fits on training data; the notes are about columns that say nothing, or nothing new, and about what was done to
    /// others.
    pub fn fit(table: &Table, options: &EncoderOptions) -> Result<(Encoder, Vec<DataNote>), DataError> {
        Self::fit_weighted(table, None, options)
    }

    /// As [`fit`](Self::fit), with rows counted by weight in means and standard deviations.
    pub fn fit_weighted(
        table: &Table,
        weights: Option<&RowWeights>,
        options: &EncoderOptions,
    ) -> Result<(Encoder, Vec<DataNote>), DataError> {
        let weights = weights.map(RowWeights::as_slice);
        if let Some(weights) = weights {
            check_row_count("weights", weights.len(), table.rows())?;
        }
        options.check_names(table)?;
        let identifiers = identifiers(table, options);
        let is_left_out = |name: &str| identifiers.iter().any(|found| found.left_out && found.column == name);
        let position = |name: &str| table.names().position(|known| known == name).unwrap_or_default();
        let left_out = identifiers.iter().filter(|found| found.left_out);
        let left_out = left_out.map(|found| LeftOut { name: found.column.clone(), position: position(&found.column) });
        let used = table.columns().iter().filter(|column| !is_left_out(&column.name));
        let mut columns: Vec<ColumnEncoder> =
            used.map(|column| ColumnEncoder::fit(column, weights, options)).collect::<Result<_, _>>()?;
        columns.extend(indicators(table, &columns, weights, options));
        let encoder = Encoder { left_out: left_out.collect(), ..Encoder::from_columns(columns) };
        let mut notes: Vec<DataNote> = identifiers.into_iter().map(Identifier::note).collect();
        notes.extend(column_notes(table, &encoder.columns));
        Ok((encoder, notes))
    }

    /// For plain matrices: continuous columns `x1..xd`, neither standardised nor imputed.
    pub fn numeric(columns: usize) -> Result<Encoder, DataError> {
        if columns == 0 {
            return Err(DataError::NoColumns);
        }
        let coding = Coding::Continuous(Standardiser::IDENTITY);
        let column = |name| ColumnEncoder { name, coding: coding.clone() };
        Ok(Encoder::from_columns(matrix_names(columns).map(column).collect()))
    }

    pub(super) fn from_columns(columns: Vec<ColumnEncoder>) -> Encoder {
        let mut end = 0;
        let mut feature = |column: &ColumnEncoder| {
            let start = end;
            end += column.width();
            Feature { name: column.name.clone(), kind: column.kind(), columns: start..end }
        };
        let features = columns.iter().map(&mut feature).collect();
        Encoder { columns, features, left_out: Vec::new() }
    }

    pub(super) fn leaving_out(self, left_out: Vec<LeftOut>) -> Encoder {
        Encoder { left_out, ..self }
    }

    /// How each feature is made, in the order of the features.
    pub fn columns(&self) -> &[ColumnEncoder] {
        &self.columns
    }

    /// The columns of a table that are read, each with its own coding. What follows them is made of them.
    pub fn read_columns(&self) -> impl Iterator<Item = &ColumnEncoder> {
        self.columns.iter().filter(|column| column.column_kind().is_some())
    }

    /// Columns of the training table that are not used.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    pub(super) fn into_parts(self) -> (Vec<ColumnEncoder>, Vec<LeftOut>) {
        (self.columns, self.left_out)
    }

    /// The features of every [`Inputs`] this encoder makes.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The number of encoded columns.
    pub fn width(&self) -> usize {
        self.features.last().map_or(0, |feature| feature.columns.end)
    }

    /// Encodes the columns the encoder knows, found by name, and ignores others.
    pub fn encode(&self, table: &Table) -> Result<(Inputs, EncodeCounts), DataError> {
        self.check_columns(table)?;
        let column = |name: &str| table.column(name).map(|column| &column.values);
        self.encode_by(table.rows(), column)
    }

    /// As [`encode`](Self::encode), with every column gone as soon as it is encoded, so that a large table is not in memory twice.
    pub fn encode_away(&self, table: Table) -> Result<(Inputs, EncodeCounts), DataError> {
        self.check_columns(&table)?;
        let rows = table.rows();
        let mut columns: HashMap<String, ColumnValues> =
            table.into_columns().into_iter().map(|column| (column.name, column.values)).collect();
        self.encode_by(rows, |name| columns.remove(name).ok_or(DataError::NoColumns))
    }

    /// Encodes a matrix whose columns are those that the encoder reads, in order and all of numbers; NaN means missing.
    pub fn encode_matrix(&self, matrix: &Mat) -> Result<(Inputs, EncodeCounts), DataError> {
        let read: Vec<&ColumnEncoder> = self.read_columns().collect();
        if matrix.cols() != read.len() {
            return Err(DataError::WrongWidth { got: matrix.cols(), expected: read.len() });
        }
        if matrix.rows() == 0 {
            return Err(DataError::NoRows);
        }
        let of_words = |encoder: &&&ColumnEncoder| match &encoder.coding {
            Coding::Discrete(_) | Coding::Ordered(_) => true,
            Coding::Continuous(_) | Coding::Date(_) | Coding::Missing { .. } => false,
        };
        if let Some(encoder) = read.iter().find(of_words) {
            return Err(DataError::MatrixForCategories { column: encoder.name.clone() });
        }
        let columns: Vec<ColumnValues> =
            matrix.columns().map(|values| ColumnValues::Continuous(values.to_vec())).collect();
        let position = |name: &str| read.iter().position(|encoder| encoder.name == name).unwrap_or_default();
        self.encode_by(matrix.rows(), |name| Ok(&columns[position(name)]))
    }

    /// Encodes rows whose columns `column` finds by name, each asked for once.
    fn encode_by<C: Borrow<ColumnValues>>(
        &self,
        rows: usize,
        mut column: impl FnMut(&str) -> Result<C, DataError>,
    ) -> Result<(Inputs, EncodeCounts), DataError> {
        let mut values = Mat::zeros(rows, self.width());
        let mut counts = vec![ColumnCounts::default(); self.columns.len()];
        let mut made_of: HashMap<&str, Vec<usize>> = HashMap::new();
        for (position, encoder) in self.columns.iter().enumerate() {
            made_of.entry(encoder.source()).or_default().push(position);
        }
        for source in self.read_columns() {
            let given = column(&source.name)?;
            for &position in made_of.get(source.name.as_str()).into_iter().flatten() {
                let start = self.features[position].columns.start;
                counts[position] = self.columns[position].encode(source, given.borrow(), &mut values, start)?;
            }
        }
        Ok((Inputs::new(self.features.clone(), values), EncodeCounts { columns: counts }))
    }

    fn check_columns(&self, table: &Table) -> Result<(), DataError> {
        let columns = self.absent_columns(table);
        if columns.is_empty() { Ok(()) } else { Err(DataError::AbsentColumns { columns }) }
    }

    /// The encoder's columns that the table lacks, each with the spare column of the nearest name.
    fn absent_columns(&self, table: &Table) -> Vec<AbsentColumn> {
        let read = || self.read_columns().map(|column| column.name.as_str());
        let absent: Vec<&str> = read().filter(|name| table.get(name).is_none()).collect();
        if absent.is_empty() {
            return Vec::new();
        }
        let needed: HashSet<&str> = read().collect();
        let spare: Vec<&str> = table.names().filter(|name| !needed.contains(name)).collect();
        let describe = |name: &str| AbsentColumn {
            name: name.to_owned(),
            nearest: nearest_name(name, spare.iter().copied()).map(str::to_owned),
        };
        absent.into_iter().map(describe).collect()
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
