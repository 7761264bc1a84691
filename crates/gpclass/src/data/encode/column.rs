//! One column of an encoder: numbers to one encoded column, categories to a one-hot block.

use super::levels::LevelFinder;
use crate::data::{
    Column, ColumnCounts, ColumnValues, ContinuousMissing, DataError, DiscreteMissing, EncoderOptions, FeatureKind,
    Levels, Standardiser, canonical_number,
};
use gpclass_linalg::Mat;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::f64::consts::FRAC_1_SQRT_2;

/// The largest encoded magnitude: squared distances over any number of columns stay far from overflow.
pub const MAX_ENCODED: f64 = 1e100;

/// How a column is encoded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Coding {
    /// One encoded column.
    Continuous(Standardiser),
    /// A one-hot block scaled by 1/sqrt(2).
    Discrete(Levels),
}

/// A column's name and its coding.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnEncoder {
    /// The name by which the column is found.
    pub name: String,
    /// How its values are encoded.
    pub coding: Coding,
}

impl ColumnEncoder {
    pub(super) fn fit(column: &Column, weights: Option<&[f64]>, options: &EncoderOptions) -> Result<Self, DataError> {
        let coding = match &column.values {
            ColumnValues::Continuous(values) => {
                if let Some(row) = values.iter().position(|value| value.is_infinite()) {
                    return Err(infinite(row, &column.name, values[row]));
                }
                Standardiser::fit(values, weights, options.standardise, options.missing.continuous)
                    .map(Coding::Continuous)
            }
            ColumnValues::Discrete(values) => Levels::fit(values, options.missing.discrete).map(Coding::Discrete),
        };
        let name = column.name.clone();
        let coding = coding.ok_or_else(|| DataError::AllMissing { column: name.clone() })?;
        let encoder = ColumnEncoder { name, coding };
        encoder.check_level_count(options.max_levels)?;
        encoder.check_missing(&column.values)?;
        Ok(encoder)
    }

    fn check_level_count(&self, limit: usize) -> Result<(), DataError> {
        match &self.coding {
            Coding::Discrete(levels) if levels.names.len() > limit => {
                Err(DataError::TooManyLevels { column: self.name.clone(), levels: levels.names.len(), limit })
            }
            _ => Ok(()),
        }
    }

    /// Refuses missing training values already in fitting, so that an encoder never comes from a table it refuses.
    fn check_missing(&self, values: &ColumnValues) -> Result<(), DataError> {
        let refuses = match &self.coding {
            Coding::Continuous(standardiser) => standardiser.missing == ContinuousMissing::Error,
            Coding::Discrete(levels) => levels.missing == DiscreteMissing::Error,
        };
        match values.first_missing() {
            Some(row) if refuses => Err(self.missing(row)),
            _ => Ok(()),
        }
    }

    /// Continuous or discrete.
    pub fn kind(&self) -> FeatureKind {
        match self.coding {
            Coding::Continuous(_) => FeatureKind::Continuous,
            Coding::Discrete(_) => FeatureKind::Discrete,
        }
    }

    /// The number of encoded columns.
    pub fn width(&self) -> usize {
        match &self.coding {
            Coding::Continuous(_) => 1,
            Coding::Discrete(levels) => levels.width(),
        }
    }

    /// Writes the encoded columns that start at `start`, which are zero on entry. Each row depends on itself only.
    pub(super) fn encode(&self, values: &ColumnValues, out: &mut Mat, start: usize) -> Result<ColumnCounts, DataError> {
        let mut counts = ColumnCounts { column: self.name.clone(), ..ColumnCounts::default() };
        match &self.coding {
            Coding::Continuous(standardiser) => {
                self.encode_numbers(standardiser, &self.numbers(values)?, out.col_mut(start), &mut counts)?;
            }
            Coding::Discrete(levels) => {
                let finder = levels.finder();
                for (row, category) in self.categories(levels, values)?.iter().enumerate() {
                    let slot = self.slot(levels, &finder, category.as_deref(), row, &mut counts)?;
                    out[(row, start + slot)] = FRAC_1_SQRT_2; // math 1
                }
            }
        }
        Ok(counts)
    }

    pub(super) fn encode_numbers(
        &self,
        standardiser: &Standardiser,
        values: &[f64],
        out: &mut [f64],
        counts: &mut ColumnCounts,
    ) -> Result<(), DataError> {
        for (row, (&value, encoded)) in values.iter().zip(out).enumerate() {
            let value = match standardiser.missing {
                _ if !value.is_nan() => value,
                ContinuousMissing::Fill(fill) => {
                    counts.imputed += 1;
                    fill
                }
                ContinuousMissing::Error => return Err(self.missing(row)),
            };
            if value.is_infinite() {
                return Err(infinite(row, &self.name, value));
            }
            *encoded = standardiser.apply(value);
            if encoded.abs() > MAX_ENCODED {
                return Err(DataError::TooLarge { row, column: self.name.clone(), value });
            }
        }
        Ok(())
    }

    /// The position within the block of a category, or of a missing one.
    fn slot(
        &self,
        levels: &Levels,
        finder: &LevelFinder<'_>,
        text: Option<&str>,
        row: usize,
        counts: &mut ColumnCounts,
    ) -> Result<usize, DataError> {
        let seen = match (text, levels.missing) {
            (Some(text), _) => finder.find(text),
            (None, DiscreteMissing::Error) => return Err(self.missing(row)),
            (None, DiscreteMissing::Fill(level)) => {
                counts.imputed += 1;
                Some(level)
            }
            (None, DiscreteMissing::OwnCategory) => Some(levels.missing_slot()),
            (None, DiscreteMissing::Unseen) => None,
        };
        counts.unseen += usize::from(seen.is_none());
        Ok(seen.unwrap_or(levels.unseen_slot()))
    }

    /// The column as numbers: text is read as such, and NaN is missing.
    fn numbers<'a>(&self, values: &'a ColumnValues) -> Result<Cow<'a, [f64]>, DataError> {
        let texts = match values {
            ColumnValues::Continuous(numbers) => return Ok(Cow::Borrowed(numbers)),
            ColumnValues::Discrete(texts) => texts,
        };
        let read = |(row, text): (usize, &Option<String>)| match text {
            None => Ok(f64::NAN),
            Some(text) => text.trim().parse().map_err(|_| DataError::NotANumber {
                row,
                column: self.name.clone(),
                value: text.clone(),
            }),
        };
        texts.iter().enumerate().map(read).collect()
    }

    /// The column as categories: a number is named by its text, but cannot be one of several words.
    fn categories<'a>(
        &self,
        levels: &Levels,
        values: &'a ColumnValues,
    ) -> Result<Cow<'a, [Option<String>]>, DataError> {
        let numbers = match values {
            ColumnValues::Discrete(texts) => return Ok(Cow::Borrowed(texts)),
            ColumnValues::Continuous(numbers) => numbers,
        };
        let word = if levels.any_number() { None } else { levels.names.first() };
        let name = |(row, &value): (usize, &f64)| match word {
            _ if value.is_nan() => Ok(None),
            _ if value.is_infinite() => Err(infinite(row, &self.name, value)),
            Some(word) => {
                let (column, example) = (self.name.clone(), word.clone());
                Err(DataError::NotACategory { row, column, value, example })
            }
            None => Ok(Some(canonical_number(value))),
        };
        numbers.iter().enumerate().map(name).collect()
    }

    fn missing(&self, row: usize) -> DataError {
        DataError::MissingValue { row, column: self.name.clone() }
    }
}

fn infinite(row: usize, column: &str, value: f64) -> DataError {
    DataError::InfiniteValue { row, column: column.to_owned(), value }
}
