//! From tables to encoded rows, the same way in training and prediction.

use crate::data::checks::column_notes;
use crate::data::error::check_row_count;
use crate::data::table::matrix_names;
use crate::data::{
    AbsentColumn, Coding, ColumnCounts, ColumnEncoder, DataError, DataNote, EncodeCounts, Feature, Inputs,
    MissingPolicy, RowWeights, Standardise, Standardiser, Table, nearest_name,
};
use gpclass_linalg::Mat;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// Choices made when an encoder is fitted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EncoderOptions {
    /// Whether continuous columns are standardised; yes by default.
    pub standardise: Standardise,
    /// What to do about missing values; an error by default.
    pub missing: MissingPolicy,
    /// The most categories a discrete column may have; 4096 by default. A block of one column per category is dense.
    pub max_levels: usize,
}

impl Default for EncoderOptions {
    fn default() -> Self {
        EncoderOptions { standardise: Standardise::Yes, missing: MissingPolicy::default(), max_levels: 4096 }
    }
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
}

impl Encoder {
    /// Fits on training data; the notes are about columns that say nothing, or nothing new.
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
        let columns: Vec<ColumnEncoder> = table
            .columns()
            .iter()
            .map(|column| ColumnEncoder::fit(column, weights, options))
            .collect::<Result<_, _>>()?;
        let encoder = Encoder::from_columns(columns);
        let notes = column_notes(table, &encoder.columns);
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
        Encoder { columns, features }
    }

    /// The columns, in the order of the features.
    pub fn columns(&self) -> &[ColumnEncoder] {
        &self.columns
    }

    pub(super) fn into_columns(self) -> Vec<ColumnEncoder> {
        self.columns
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
        let absent = self.absent_columns(table);
        if !absent.is_empty() {
            return Err(DataError::AbsentColumns { columns: absent });
        }
        let mut values = Mat::zeros(table.rows(), self.width());
        let mut counts = Vec::with_capacity(self.columns.len());
        for (encoder, feature) in self.columns.iter().zip(&self.features) {
            let column = table.column(&encoder.name)?;
            counts.push(encoder.encode(&column.values, &mut values, feature.columns.start)?);
        }
        Ok((Inputs::new(self.features.clone(), values), EncodeCounts { columns: counts }))
    }

    /// Encodes a matrix whose columns are the encoder's, in order and all continuous; NaN means missing.
    pub fn encode_matrix(&self, matrix: &Mat) -> Result<(Inputs, EncodeCounts), DataError> {
        if matrix.cols() != self.columns.len() {
            return Err(DataError::WrongWidth { got: matrix.cols(), expected: self.columns.len() });
        }
        if matrix.rows() == 0 {
            return Err(DataError::NoRows);
        }
        let mut values = Mat::zeros(matrix.rows(), matrix.cols());
        let mut counts = Vec::with_capacity(self.columns.len());
        for (position, encoder) in self.columns.iter().enumerate() {
            let Coding::Continuous(standardiser) = &encoder.coding else {
                return Err(DataError::MatrixForCategories { column: encoder.name.clone() });
            };
            let mut count = ColumnCounts { column: encoder.name.clone(), ..ColumnCounts::default() };
            encoder.encode_numbers(standardiser, matrix.col(position), values.col_mut(position), &mut count)?;
            counts.push(count);
        }
        Ok((Inputs::new(self.features.clone(), values), EncodeCounts { columns: counts }))
    }

    /// The encoder's columns that the table lacks, each with the spare column of the nearest name.
    fn absent_columns(&self, table: &Table) -> Vec<AbsentColumn> {
        let absent: Vec<&str> =
            self.columns.iter().map(|column| column.name.as_str()).filter(|name| table.get(name).is_none()).collect();
        if absent.is_empty() {
            return Vec::new();
        }
        let needed: HashSet<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
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
