//! Named columns of equal length.

mod column;
mod texts;

pub use column::{Column, ColumnKind, ColumnValues};
pub use texts::{Texts, TextsBuilder};

use crate::data::{DataError, nearest_name};
use gpclass_linalg::Mat;
use std::borrow::Cow;
use std::collections::HashMap;

/// A checked table: at least one column, at least one row, names unique, lengths equal.
///
/// ```
/// use gpclass::data::{Column, Table};
///
/// let table = Table::new(vec![
///     Column::continuous("age", vec![30.0, f64::NAN, 50.0]), // NaN is a missing number
///     Column::categories("sex", ["f", "m", "f"]),
///     Column::categories("outcome", ["well", "ill", "ill"]),
/// ])?;
/// let (outcome, inputs) = table.split_off("outcome")?;
/// assert_eq!((outcome.name.as_str(), inputs.rows()), ("outcome", 3));
/// assert_eq!(inputs.names().collect::<Vec<_>>(), ["age", "sex"]);
/// # Ok::<(), gpclass::data::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    columns: Vec<Column>,
    position: HashMap<String, usize>,
    rows: usize,
}

impl Table {
    /// Checks and takes the columns.
    pub fn new(columns: Vec<Column>) -> Result<Self, DataError> {
        let first = columns.first().ok_or(DataError::NoColumns)?;
        let rows = first.values.len();
        let mut position = HashMap::with_capacity(columns.len());
        for (index, column) in columns.iter().enumerate() {
            if position.insert(column.name.clone(), index).is_some() {
                return Err(DataError::DuplicateColumn { name: column.name.clone() });
            }
            if column.values.len() != rows {
                return Err(DataError::UnequalLengths {
                    name: column.name.clone(),
                    rows: column.values.len(),
                    first: first.name.clone(),
                    expected: rows,
                });
            }
        }
        if rows == 0 {
            return Err(DataError::NoRows);
        }
        Ok(Table { columns, position, rows })
    }

    /// Continuous columns named `x1..xd`; NaN means missing.
    pub fn from_matrix(values: &Mat) -> Result<Self, DataError> {
        let columns = values.columns().zip(matrix_names(values.cols()));
        Table::new(columns.map(|(values, name)| Column::continuous(name, values.to_vec())).collect())
    }

    /// The number of rows, at least one.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns, in order.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The columns themselves, in order.
    pub fn into_columns(self) -> Vec<Column> {
        self.columns
    }

    /// The names, in order.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The column of that name, if there is one.
    pub fn get(&self, name: &str) -> Option<&Column> {
        self.position.get(name).map(|&index| &self.columns[index])
    }

    /// The column of that name, or an error that suggests the nearest one.
    pub fn column(&self, name: &str) -> Result<&Column, DataError> {
        self.get(name).ok_or_else(|| DataError::UnknownColumn {
            name: name.to_owned(),
            nearest: nearest_name(name, self.names()).map(str::to_owned),
            available: self.names().map(str::to_owned).collect(),
        })
    }

    /// Takes one column out, for example the labels; the rest must still be a table.
    pub fn split_off(mut self, name: &str) -> Result<(Column, Table), DataError> {
        self.column(name)?;
        let taken = self.columns.remove(self.position[name]);
        Ok((taken, Table::new(self.columns)?))
    }

    /// The table without the named columns.
    pub fn without(self, names: &[impl AsRef<str>]) -> Result<Table, DataError> {
        for name in names {
            self.column(name.as_ref())?;
        }
        let dropped = |column: &Column| names.iter().any(|name| name.as_ref() == column.name);
        Table::new(self.columns.into_iter().filter(|column| !dropped(column)).collect())
    }

    /// The table with the named columns taken as categories, numbers by their text.
    pub fn with_discrete(mut self, names: &[impl AsRef<str>]) -> Result<Table, DataError> {
        for name in names {
            let column = self.column(name.as_ref())?.clone().into_discrete();
            let index = self.position[name.as_ref()];
            self.columns[index] = column;
        }
        Ok(self)
    }

    /// The given rows, in the order given: at least one. Panics on a row out of range, like indexing.
    pub fn select_rows(&self, which: &[usize]) -> Result<Table, DataError> {
        Table::new(self.columns.iter().map(|column| column.select_rows(which)).collect())
    }
}

impl<'a> From<&'a Table> for Cow<'a, Table> {
    fn from(table: &'a Table) -> Self {
        Cow::Borrowed(table)
    }
}

impl From<Table> for Cow<'_, Table> {
    fn from(table: Table) -> Self {
        Cow::Owned(table)
    }
}

/// `x1..xd`, the names of columns that came without.
pub(super) fn matrix_names(columns: usize) -> impl ExactSizeIterator<Item = String> {
    (1..columns + 1).map(|number| format!("x{number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Table {
        Table::new(vec![
            Column::continuous("age", vec![30.0, 40.0, 50.0]),
            Column::categories("sex", ["f", "m", "f"]),
            Column::continuous("outcome", vec![0.0, 1.0, 1.0]),
        ])
        .unwrap()
    }

    fn sentence<T: std::fmt::Debug>(result: Result<T, DataError>) -> String {
        result.unwrap_err().to_string()
    }

    #[test]
    fn unusable_tables_are_refused_with_a_reason() {
        let column = |name: &str, rows| Column::continuous(name, vec![0.0; rows]);
        assert_eq!(sentence(Table::new(vec![])), "the table has no columns to learn from: give it at least one");
        assert_eq!(
            sentence(Table::new(vec![column("a", 0)])),
            "the table has no rows: give it at least one row of data below the header"
        );
        assert_eq!(
            sentence(Table::new(vec![column("a", 1), column("b", 1), column("a", 1)])),
            "two columns are named 'a': rename one of them"
        );
        assert_eq!(
            sentence(Table::new(vec![column("a", 2), column("b", 1)])),
            "column 'b' has 1 row, but column 'a' has 2: all columns need the same number of rows"
        );
    }

    #[test]
    fn an_unknown_column_brings_a_suggestion() {
        assert_eq!(
            sentence(small().column("outcom")),
            "there is no column 'outcom' (did you mean 'outcome'?): the columns are 'age', 'sex' and 'outcome'"
        );
        assert_eq!(
            sentence(small().split_off("weight")),
            "there is no column 'weight': the columns are 'age', 'sex' and 'outcome'"
        );
        assert!(matches!(small().without(&["Sex"]), Err(DataError::UnknownColumn { nearest: Some(_), .. })));
        assert!(matches!(small().with_discrete(&["none"]), Err(DataError::UnknownColumn { nearest: None, .. })));
    }

    #[test]
    fn columns_are_taken_out_dropped_and_reinterpreted() {
        let (label, rest) = small().split_off("outcome").unwrap();
        assert_eq!(label.name, "outcome");
        assert_eq!(rest.names().collect::<Vec<_>>(), ["age", "sex"]);
        assert_eq!(rest.get("sex").unwrap().name, "sex");
        assert!(rest.get("outcome").is_none());
        assert_eq!(rest.clone().without(&["age", "sex"]), Err(DataError::NoColumns));
        let discrete = rest.with_discrete(&["age"]).unwrap();
        assert_eq!(discrete.columns()[0], Column::categories("age", ["30", "40", "50"]));
    }

    #[test]
    fn rows_are_selected() {
        let table = small().select_rows(&[2, 0]).unwrap();
        assert_eq!(table.rows(), 2);
        assert_eq!(table.columns()[0], Column::continuous("age", vec![50.0, 30.0]));
        assert_eq!(small().select_rows(&[]), Err(DataError::NoRows));
    }

    #[test]
    fn a_matrix_gets_default_names() {
        let table = Table::from_matrix(&Mat::from_columns(2, 2, vec![1.0, 2.0, 3.0, 4.0])).unwrap();
        assert_eq!(table.names().collect::<Vec<_>>(), ["x1", "x2"]);
        assert_eq!(table.columns()[1], Column::continuous("x2", vec![3.0, 4.0]));
    }
}
