//! Rows that belong together: visits of one patient, samples of one batch.

use super::{DataError, Texts};
use std::collections::HashMap;

/// Which rows belong together. Groups are numbered in the order of their first rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    name: String,
    of_row: Vec<usize>,
    members: Vec<Vec<usize>>,
}

impl Groups {
    /// Rows of equal values belong together; `name` is what these are called. Refused where a row has none, or all have the
    /// same.
    pub fn new<T: AsRef<str>>(name: &str, values: &[Option<T>]) -> Result<Self, DataError> {
        Groups::of_texts(name, &values.iter().map(Option::as_ref).collect())
    }

    /// The same of texts that are kept once each.
    pub fn of_texts(name: &str, values: &Texts) -> Result<Self, DataError> {
        let group = |(row, code): (usize, Option<usize>)| code.ok_or(DataError::MissingGroup { row });
        let of_row = values.codes().enumerate().map(group).collect::<Result<_, _>>()?;
        let mut names = values.names();
        match (names.next(), names.next()) {
            (Some(only), None) => Err(DataError::OneGroup { group: only.to_owned() }),
            _ => Ok(Groups::numbered(name, of_row)),
        }
    }

    /// Groups by their numbers, whatever these are.
    fn numbered(name: &str, of_row: Vec<usize>) -> Self {
        let mut place: HashMap<usize, usize> = HashMap::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        let number = |(row, group): (usize, usize)| {
            let own = *place.entry(group).or_insert_with(|| {
                members.push(Vec::new());
                members.len() - 1
            });
            members[own].push(row);
            own
        };
        let of_row = of_row.into_iter().enumerate().map(number).collect();
        Groups { name: name.to_owned(), of_row, members }
    }

    /// What they are called: the column that names them.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.of_row.len()
    }

    /// The number of the group of every row, from 0.
    pub fn of_row(&self) -> &[usize] {
        &self.of_row
    }

    /// The rows of every group, ascending.
    pub fn members(&self) -> &[Vec<usize>] {
        &self.members
    }

    /// The groups of a choice of rows, in the order given; one of which no row is left is none.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Groups {
        Groups::numbered(&self.name, rows.iter().map(|&row| self.of_row[row]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(text: &str) -> Result<Groups, DataError> {
        Groups::new("who", &text.chars().map(|c| (c != '-').then(|| c.to_string())).collect::<Vec<_>>())
    }

    #[test]
    fn equal_values_belong_together() {
        let found = groups("baba c").unwrap();
        assert_eq!(found.of_row(), [0, 1, 0, 1, 2, 3]);
        assert_eq!(found.members(), [vec![0, 2], vec![1, 3], vec![4], vec![5]]);
        let some = found.select(&[5, 3, 1]);
        assert_eq!((some.of_row(), some.members().len()), (&[0, 1, 1][..], 2));
    }

    #[test]
    fn every_row_has_a_group_and_there_are_two() {
        assert_eq!(groups("ab-").unwrap_err().to_string(), "data row 3 has no group: fill it in or drop the row");
        assert!(groups("aaa").unwrap_err().to_string().starts_with("every row is of the group 'a'"));
    }
}
