//! One named column of a table.

use crate::data::{Texts, canonical_number, date_text};
use std::borrow::Cow;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers.
    Continuous,
    /// Categories by name.
    Discrete,
    /// Moments in time.
    Date,
}

/// The values of a column.
#[derive(Clone, Debug, PartialEq)]
pub enum ColumnValues {
    /// Numbers; NaN means missing.
    Continuous(Vec<f64>),
    /// Categories by name; none means missing.
    Discrete(Texts),
    /// Days since 1970, parts of a day as fractions; NaN means missing.
    Dates(Vec<f64>),
}

impl ColumnValues {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            ColumnValues::Continuous(values) | ColumnValues::Dates(values) => values.len(),
            ColumnValues::Discrete(values) => values.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Numbers, categories or dates.
    pub fn kind(&self) -> ColumnKind {
        match self {
            ColumnValues::Continuous(_) => ColumnKind::Continuous,
            ColumnValues::Discrete(_) => ColumnKind::Discrete,
            ColumnValues::Dates(_) => ColumnKind::Date,
        }
    }

    /// Whether the value of a row is missing.
    pub fn is_missing(&self, row: usize) -> bool {
        match self {
            ColumnValues::Continuous(values) | ColumnValues::Dates(values) => values[row].is_nan(),
            ColumnValues::Discrete(values) => values.code(row).is_none(),
        }
    }

    /// The values as category names: numbers by their shortest text, dates as ISO texts.
    pub fn texts(&self) -> Cow<'_, Texts> {
        let named = |values: &[f64], name: fn(f64) -> String| {
            values.iter().map(|&value| (!value.is_nan()).then(|| name(value))).collect::<Texts>()
        };
        match self {
            ColumnValues::Discrete(texts) => Cow::Borrowed(texts),
            ColumnValues::Continuous(values) => Cow::Owned(named(values, canonical_number)),
            ColumnValues::Dates(days) => Cow::Owned(named(days, date_text)),
        }
    }

    /// The same of one row.
    pub fn text(&self, row: usize) -> Option<Cow<'_, str>> {
        let named = |value: f64, name: fn(f64) -> String| (!value.is_nan()).then(|| Cow::Owned(name(value)));
        match self {
            ColumnValues::Discrete(texts) => texts.get(row).map(Cow::Borrowed),
            ColumnValues::Continuous(values) => named(values[row], canonical_number),
            ColumnValues::Dates(days) => named(days[row], date_text),
        }
    }

    /// How many values are missing.
    pub fn missing(&self) -> usize {
        (0..self.len()).filter(|&row| self.is_missing(row)).count()
    }

    /// The first row whose value is missing.
    pub fn first_missing(&self) -> Option<usize> {
        (0..self.len()).find(|&row| self.is_missing(row))
    }
}

/// A name and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The name by which the column is found again at prediction.
    pub name: String,
    /// One value per row.
    pub values: ColumnValues,
}

impl Column {
    /// Numbers; NaN means missing.
    pub fn continuous(name: impl Into<String>, values: Vec<f64>) -> Self {
        Column { name: name.into(), values: ColumnValues::Continuous(values) }
    }

    /// Categories by name; `None` means missing.
    pub fn discrete(name: impl Into<String>, values: Vec<Option<String>>) -> Self {
        Column { name: name.into(), values: ColumnValues::Discrete(values.into_iter().collect()) }
    }

    /// Categories, none missing.
    pub fn categories<T: Into<String>>(name: impl Into<String>, values: impl IntoIterator<Item = T>) -> Self {
        let texts = values.into_iter().map(|value| Some::<String>(value.into())).collect();
        Column { name: name.into(), values: ColumnValues::Discrete(texts) }
    }

    /// Days since 1970; NaN means missing.
    pub fn dates(name: impl Into<String>, days: Vec<f64>) -> Self {
        Column { name: name.into(), values: ColumnValues::Dates(days) }
    }

    /// The same column with its numbers taken as category names: 1.0 becomes `1`, NaN stays missing.
    pub fn into_discrete(self) -> Self {
        match self.values {
            ColumnValues::Discrete(_) => self,
            values => Column { name: self.name, values: ColumnValues::Discrete(values.texts().into_owned()) },
        }
    }

    /// The given rows, in the order given. Panics on a row out of range, like indexing.
    pub fn select_rows(&self, which: &[usize]) -> Column {
        let values = match &self.values {
            ColumnValues::Continuous(values) => {
                ColumnValues::Continuous(which.iter().map(|&row| values[row]).collect())
            }
            ColumnValues::Discrete(texts) => ColumnValues::Discrete(texts.select(which)),
            ColumnValues::Dates(values) => ColumnValues::Dates(which.iter().map(|&row| values[row]).collect()),
        };
        Column { name: self.name.clone(), values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_become_category_names() {
        let column = Column::continuous("grade", vec![1.0, f64::NAN, 2.5]).into_discrete();
        assert_eq!(column, Column::discrete("grade", vec![Some("1".into()), None, Some("2.5".into())]));
        assert_eq!(column.clone().into_discrete(), column);
        assert_eq!((column.values.len(), column.values.missing()), (3, 1));
        assert_eq!(column.values.first_missing(), Some(1));
    }

    #[test]
    fn rows_are_selected_in_the_order_given() {
        let column = Column::categories("c", ["a", "b", "c"]);
        assert_eq!(column.select_rows(&[2, 0, 0]), Column::categories("c", ["c", "a", "a"]));
        let column = Column::continuous("x", vec![1.0, 2.0]);
        assert_eq!(column.select_rows(&[1]), Column::continuous("x", vec![2.0]));
    }
}
