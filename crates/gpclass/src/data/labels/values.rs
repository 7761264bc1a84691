//! Labels as they come from a table: text, numbers or true and false.

use super::Labels;
use crate::data::{Column, ColumnValues, DataError, Texts, TextsBuilder, canonical_number};
use std::borrow::Cow;
use std::collections::HashSet;

/// A label per row, from which classes are to be found.
#[derive(Clone, Debug, PartialEq)]
pub enum LabelValues {
    /// Text, without the spaces at its ends; `None` and blank text mean missing.
    Text(Texts),
    /// Numbers; NaN means missing. A class is named by the shortest text of its number: `1`, not `1.0`.
    Number(Vec<f64>),
    /// Truth values, named `false` and `true`; `None` means missing.
    Bool(Vec<Option<bool>>),
    /// Classes that are known already. Their order stays, and so do those that no row has.
    Known(Labels),
}

impl From<Column> for LabelValues {
    fn from(column: Column) -> Self {
        match column.values {
            ColumnValues::Continuous(values) => LabelValues::Number(values),
            ColumnValues::Discrete(values) => LabelValues::Text(values),
            dates @ ColumnValues::Dates(_) => LabelValues::Text(dates.texts().into_owned()),
        }
    }
}

impl LabelValues {
    /// Text, none missing.
    pub fn text<T: Into<String>>(labels: impl IntoIterator<Item = T>) -> Self {
        LabelValues::Text(labels.into_iter().map(|label| Some::<String>(label.into())).collect())
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            LabelValues::Text(values) => values.len(),
            LabelValues::Number(values) => values.len(),
            LabelValues::Bool(values) => values.len(),
            LabelValues::Known(labels) => labels.as_slice().len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many different labels there are, those that are missing or infinite left out.
    pub fn distinct(&self) -> usize {
        (0..self.len()).filter_map(|row| self.text_at(row).ok()).collect::<HashSet<_>>().len()
    }

    /// The text of every label, or the first that is missing or infinite.
    pub(super) fn texts(&self) -> Result<Texts, DataError> {
        let mut texts = TextsBuilder::default();
        (0..self.len()).try_for_each(|row| self.text_at(row).map(|text| texts.push(Some(&text))))?;
        Ok(texts.finish())
    }

    fn text_at(&self, row: usize) -> Result<Cow<'_, str>, DataError> {
        let text = match self {
            LabelValues::Text(values) => {
                values.get(row).map(str::trim).filter(|text| !text.is_empty()).map(Cow::Borrowed)
            }
            LabelValues::Number(values) if values[row].is_infinite() => {
                return Err(DataError::InfiniteLabel { row, value: values[row] });
            }
            LabelValues::Number(values) => (!values[row].is_nan()).then(|| Cow::Owned(canonical_number(values[row]))),
            LabelValues::Bool(values) => values[row].map(|value| Cow::Borrowed(if value { "true" } else { "false" })),
            LabelValues::Known(labels) => Some(Cow::Borrowed(labels.classes().name(labels.as_slice()[row]))),
        };
        text.ok_or(DataError::MissingLabel { row })
    }
}
