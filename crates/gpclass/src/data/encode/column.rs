//! One column of an encoder: numbers to one encoded column, categories to a one-hot block.

use crate::data::{
    Column, ColumnCounts, ColumnKind, ColumnValues, ContinuousMissing, DataError, DiscreteMissing, EncoderOptions,
    FeatureKind, Levels, OrderedLevels, Standardiser, Texts, parse_date,
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
    /// One encoded column of positions in an order.
    Ordered(OrderedLevels),
    /// One encoded column of day numbers.
    Date(Standardiser),
    /// Whether the value of the column of this name is missing: a one-hot block of "no" and "yes" scaled by 1/sqrt(2).
    Missing {
        /// The column of the table that is looked at.
        of: String,
    },
}

/// Position of rows in the block of a [`Coding::Missing`].
const IS_THERE: usize = 0;
const IS_MISSING: usize = 1;

/// A feature's name and the coding of the column that it comes from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnEncoder {
    /// The name of the feature, by which its column is found too unless the coding names another one.
    pub name: String,
    /// How its values are encoded.
    pub coding: Coding,
}

/// What to do about a value that no training row could have had.
fn unread_or(refuses: bool, error: DataError, counts: &mut ColumnCounts) -> Result<f64, DataError> {
    if refuses {
        return Err(error);
    }
    counts.unread += 1;
    Ok(f64::NAN)
}

impl ColumnEncoder {
    pub(super) fn fit(column: &Column, weights: Option<&[f64]>, options: &EncoderOptions) -> Result<Self, DataError> {
        let name = column.name.clone();
        let scale = |values: &[f64]| {
            if let Some(row) = values.iter().position(|value| value.is_infinite()) {
                return Err(infinite(row, &name, values[row]));
            }
            let fitted = Standardiser::fit(values, weights, options.standardise, options.missing.continuous);
            fitted.ok_or_else(|| DataError::AllMissing { column: name.clone() })
        };
        let levels = |texts: &Texts| {
            let fitted = Levels::fit(texts, options.missing.discrete);
            fitted.ok_or_else(|| DataError::AllMissing { column: name.clone() })
        };
        let coding = match (&column.values, options.ordered.get(&name)) {
            (_, Some(levels)) => {
                OrderedLevels::check(&name, levels)?;
                let unknown = |row: usize, text: &str| Err(not_a_level(row, &name, text, levels));
                let positions = OrderedLevels::positions(levels, &column.values.texts(), unknown)?;
                Coding::Ordered(OrderedLevels { names: levels.clone(), positions: scale(&positions)? })
            }
            (values, None) if options.discrete.contains(&name) => Coding::Discrete(levels(&values.texts())?),
            (ColumnValues::Continuous(values), None) => Coding::Continuous(scale(values)?),
            (ColumnValues::Dates(days), None) => Coding::Date(scale(days)?),
            (ColumnValues::Discrete(texts), None) => match dates_of(texts) {
                Some(days) => Coding::Date(scale(&days)?),
                None => Coding::Discrete(levels(texts)?),
            },
        };
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
        match values.first_missing() {
            Some(row) if self.refuses_missing() => Err(self.missing(row)),
            _ => Ok(()),
        }
    }

    fn refuses_missing(&self) -> bool {
        match &self.coding {
            Coding::Discrete(levels) => levels.missing == DiscreteMissing::Error,
            Coding::Continuous(_) | Coding::Ordered(_) | Coding::Date(_) | Coding::Missing { .. } => {
                self.standardiser().is_some_and(|standardiser| standardiser.missing == ContinuousMissing::Error)
            }
        }
    }

    /// The column of the table that is read.
    pub fn source(&self) -> &str {
        match &self.coding {
            Coding::Missing { of } => of,
            Coding::Continuous(_) | Coding::Discrete(_) | Coding::Ordered(_) | Coding::Date(_) => &self.name,
        }
    }

    /// What the column of the table holds; of one looked at for missing values only, `None`.
    pub fn column_kind(&self) -> Option<ColumnKind> {
        match self.coding {
            Coding::Continuous(_) => Some(ColumnKind::Continuous),
            Coding::Discrete(_) | Coding::Ordered(_) => Some(ColumnKind::Discrete),
            Coding::Date(_) => Some(ColumnKind::Date),
            Coding::Missing { .. } => None,
        }
    }

    /// How the feature's distances are taken.
    pub fn kind(&self) -> FeatureKind {
        match self.coding {
            Coding::Continuous(_) | Coding::Ordered(_) | Coding::Date(_) => FeatureKind::Continuous,
            Coding::Discrete(_) | Coding::Missing { .. } => FeatureKind::Discrete,
        }
    }

    /// Centre and scale of a feature that is one encoded column.
    pub fn standardiser(&self) -> Option<&Standardiser> {
        match &self.coding {
            Coding::Continuous(standardiser) | Coding::Date(standardiser) => Some(standardiser),
            Coding::Ordered(levels) => Some(&levels.positions),
            Coding::Discrete(_) | Coding::Missing { .. } => None,
        }
    }

    /// The number of encoded columns.
    pub fn width(&self) -> usize {
        match &self.coding {
            Coding::Continuous(_) | Coding::Ordered(_) | Coding::Date(_) => 1,
            Coding::Discrete(levels) => levels.width(),
            Coding::Missing { .. } => 2,
        }
    }

    /// Writes the encoded columns that start at `start`, which are zero on entry, from the values of the column that
    /// `source` reads. Each row depends on itself only.
    pub(super) fn encode(
        &self,
        source: &ColumnEncoder,
        values: &ColumnValues,
        out: &mut Mat,
        start: usize,
    ) -> Result<ColumnCounts, DataError> {
        let mut counts = ColumnCounts { column: self.name.clone(), ..ColumnCounts::default() };
        let mut set = |row: usize, slot: usize| out[(row, start + slot)] = FRAC_1_SQRT_2; // math 1
        match &self.coding {
            Coding::Continuous(standardiser) | Coding::Date(standardiser) => {
                let numbers = self.as_numbers(values, &mut counts)?;
                self.encode_numbers(standardiser, &numbers, out.col_mut(start), &mut counts)?;
            }
            Coding::Ordered(levels) => {
                let positions = self.as_numbers(values, &mut counts)?;
                self.encode_numbers(&levels.positions, &positions, out.col_mut(start), &mut counts)?;
            }
            Coding::Discrete(levels) => {
                let (finder, texts) = (levels.finder(), self.categories(levels, values)?);
                let found = texts.each(|text| finder.find(text));
                for (row, code) in texts.codes().enumerate() {
                    set(row, self.slot(levels, code.map(|code| found[code]), row, &mut counts)?);
                }
            }
            Coding::Missing { .. } => {
                // The column's own feature has counted what cannot be read, which is missing too.
                let read = source.as_numbers(values, &mut ColumnCounts::default())?;
                read.iter()
                    .enumerate()
                    .for_each(|(row, value)| set(row, if value.is_nan() { IS_MISSING } else { IS_THERE }));
            }
        }
        // What could not be read has been filled in and is told as such.
        counts.imputed -= counts.unread;
        Ok(counts)
    }

    /// What enters before it is scaled: numbers, day numbers or positions in an order, NaN where missing.
    fn as_numbers<'a>(&self, values: &'a ColumnValues, counts: &mut ColumnCounts) -> Result<Cow<'a, [f64]>, DataError> {
        match &self.coding {
            Coding::Date(_) => self.days(values, counts),
            Coding::Ordered(levels) => self.positions(levels, values, counts).map(Cow::Owned),
            Coding::Continuous(_) | Coding::Discrete(_) | Coding::Missing { .. } => self.numbers(values),
        }
    }

    fn encode_numbers(
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

    /// The position within the block of a category, if that is one of the levels, or of a missing one.
    fn slot(
        &self,
        levels: &Levels,
        category: Option<Option<usize>>,
        row: usize,
        counts: &mut ColumnCounts,
    ) -> Result<usize, DataError> {
        let seen = match (category, levels.missing) {
            (Some(level), _) => level,
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
            ColumnValues::Continuous(numbers) | ColumnValues::Dates(numbers) => return Ok(Cow::Borrowed(numbers)),
            ColumnValues::Discrete(texts) => texts,
        };
        let refused = |row: usize, text: &str| {
            Err(DataError::NotANumber { row, column: self.name.clone(), value: text.to_owned() })
        };
        numbers_of(texts, |text| text.trim().parse().ok(), refused).map(Cow::Owned)
    }

    /// The column as day numbers, which numbers are already; what is no date is missing.
    fn days<'a>(&self, values: &'a ColumnValues, counts: &mut ColumnCounts) -> Result<Cow<'a, [f64]>, DataError> {
        let texts = match values {
            ColumnValues::Continuous(days) | ColumnValues::Dates(days) => return Ok(Cow::Borrowed(days)),
            ColumnValues::Discrete(texts) => texts,
        };
        let refuses = self.refuses_missing();
        let no_date = |row: usize, text: &str| {
            let (column, value) = (self.name.clone(), text.to_owned());
            unread_or(refuses, DataError::NotADate { row, column, value }, counts)
        };
        numbers_of(texts, parse_date, no_date).map(Cow::Owned)
    }

    /// The column as positions in an order; what is no level is missing.
    fn positions(
        &self,
        levels: &OrderedLevels,
        values: &ColumnValues,
        counts: &mut ColumnCounts,
    ) -> Result<Vec<f64>, DataError> {
        let refuses = self.refuses_missing();
        let unknown =
            |row: usize, text: &str| unread_or(refuses, not_a_level(row, &self.name, text, &levels.names), counts);
        OrderedLevels::positions(&levels.names, &*self.texts(values)?, unknown)
    }

    /// The column as categories: a number is named by its text, but cannot be one of several words.
    fn categories<'a>(&self, levels: &Levels, values: &'a ColumnValues) -> Result<Cow<'a, Texts>, DataError> {
        if let (ColumnValues::Continuous(numbers), false, Some(word)) =
            (values, levels.any_number() || levels.are_truth_values(), levels.names.first())
            && let Some(row) = numbers.iter().position(|value| value.is_finite())
        {
            let (column, value, example) = (self.name.clone(), numbers[row], word.clone());
            return Err(DataError::NotACategory { row, column, value, example });
        }
        self.texts(values)
    }

    /// The column as texts; infinite numbers have none.
    fn texts<'a>(&self, values: &'a ColumnValues) -> Result<Cow<'a, Texts>, DataError> {
        match values {
            ColumnValues::Continuous(numbers) | ColumnValues::Dates(numbers) => {
                match numbers.iter().position(|value| value.is_infinite()) {
                    Some(row) => Err(infinite(row, &self.name, numbers[row])),
                    None => Ok(values.texts()),
                }
            }
            ColumnValues::Discrete(_) => Ok(values.texts()),
        }
    }

    fn missing(&self, row: usize) -> DataError {
        DataError::MissingValue { row, column: self.name.clone() }
    }
}

/// The day numbers of texts that are all dates, at least one of them.
fn dates_of(texts: &Texts) -> Option<Vec<f64>> {
    are_dates(texts).then(|| numbers_of(texts, parse_date, |_, _| Err(())).ok())?
}

/// Whether texts are all dates, at least one of them.
pub(in crate::data) fn are_dates(texts: &Texts) -> bool {
    texts.names().len() > 0 && texts.names().all(|text| parse_date(text).is_some())
}

/// The number of every row, NaN where it has no text; one whose text is not `read` is what `unread` makes of it, by its row.
pub(super) fn numbers_of<E>(
    texts: &Texts,
    read: impl FnMut(&str) -> Option<f64>,
    mut unread: impl FnMut(usize, &str) -> Result<f64, E>,
) -> Result<Vec<f64>, E> {
    let known = texts.each(read);
    let number = |(row, code): (usize, Option<usize>)| match code {
        None => Ok(f64::NAN),
        Some(code) => known[code].map_or_else(|| unread(row, texts.get(row).unwrap_or_default()), Ok),
    };
    texts.codes().enumerate().map(number).collect()
}

fn not_a_level(row: usize, column: &str, value: &str, levels: &[String]) -> DataError {
    DataError::NotALevel { row, column: column.to_owned(), value: value.to_owned(), levels: levels.to_vec() }
}

fn infinite(row: usize, column: &str, value: f64) -> DataError {
    DataError::InfiniteValue { row, column: column.to_owned(), value }
}
