//! A first look at a table: its columns, and which of them may be the label.

use crate::choices::Choices;
use crate::problem::Problem;
use gpclass::data::{Column, ColumnKind};
use gpclass_table::{ColumnRequest, TableReader, Unit};
use serde::Serialize;
use std::collections::HashSet;

/// Values shown of each column.
const EXAMPLES: usize = 4;
/// Different values of a column that are counted; more are said to be many.
const COUNTED: usize = 1_000;
/// Most different values of a column that is guessed to hold classes.
const CLASSES: usize = 20;
/// Rows read at a time.
const BLOCK: usize = 4_096;
/// Names that label columns often have.
const LABEL_NAMES: [&str; 12] = [
    "class",
    "label",
    "target",
    "outcome",
    "diagnosis",
    "species",
    "status",
    "result",
    "group",
    "category",
    "type",
    "y",
];

/// A table as it is first seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Look {
    /// Rows of the table.
    pub rows: usize,
    /// What places in it are counted by: `line` or `row`.
    pub unit: String,
    /// Its columns in order.
    pub columns: Vec<ColumnLook>,
    /// The column that looks most like the label.
    pub label: String,
}

/// A column as it is first seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnLook {
    /// Its name.
    pub name: String,
    /// What its first values look like: `numbers`, `categories` or `dates`.
    pub kind: &'static str,
    /// How many different values it has, up to [`COUNTED`].
    pub distinct: usize,
    /// Rows without a value.
    pub missing: usize,
    /// The first different values.
    pub examples: Vec<String>,
    #[serde(skip)]
    seen: HashSet<String>,
}

impl Look {
    /// At a file; every cell is read as text, so that what is wrong with one column hides none of the others.
    pub fn at(bytes: Vec<u8>, name: &str, choices: &Choices) -> Result<Look, Problem> {
        let mut reader = TableReader::from_memory(bytes, name, choices.table_options(Vec::new()))?;
        let mut columns: Vec<ColumnLook> =
            reader.schema().into_iter().map(|column| ColumnLook::new(column.name, column.kind)).collect();
        let as_text = |column: &ColumnLook| ColumnRequest { name: column.name.clone(), kind: ColumnKind::Discrete };
        let selection = reader.select(&columns.iter().map(as_text).collect::<Vec<_>>(), "to be shown")?;
        let (mut rows, mut unit) = (0, Unit::Line);
        while let Some(block) = reader.next_block(&selection, BLOCK)? {
            (rows, unit) = (rows + block.rows(), block.places.unit);
            columns.iter_mut().zip(&block.columns).for_each(|(look, column)| look.add(column));
        }
        let label = guess(&columns);
        Ok(Look { rows, unit: unit.to_string(), columns, label })
    }
}

impl ColumnLook {
    fn new(name: String, kind: ColumnKind) -> Self {
        let kind = match kind {
            ColumnKind::Continuous => "numbers",
            ColumnKind::Discrete => "categories",
            ColumnKind::Date => "dates",
        };
        ColumnLook { name, kind, distinct: 0, missing: 0, examples: Vec::new(), seen: HashSet::new() }
    }

    fn add(&mut self, column: &Column) {
        for text in column.values.texts().iter() {
            match text {
                None => self.missing += 1,
                Some(text) if self.seen.len() < COUNTED && !self.seen.contains(text) => {
                    self.seen.insert(text.to_owned());
                    self.distinct += 1;
                    if self.examples.len() < EXAMPLES {
                        self.examples.push(text.to_owned());
                    }
                }
                Some(_) => {}
            }
        }
    }

    fn may_be_label(&self) -> bool {
        (2..=CLASSES).contains(&self.distinct)
    }
}

/// The column that is named like a label, else the last one of few different values, else the last.
fn guess(columns: &[ColumnLook]) -> String {
    let place = |column: &ColumnLook| LABEL_NAMES.iter().position(|name| column.name.trim().eq_ignore_ascii_case(name));
    let named = columns.iter().filter(|c| c.may_be_label() && place(c).is_some()).min_by_key(|c| place(c));
    let last = || columns.iter().rfind(|c| c.may_be_label()).or(columns.last());
    named.or_else(last).map(|column| column.name.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(text: &str) -> Look {
        Look::at(text.as_bytes().to_vec(), "t", &Choices::default()).unwrap()
    }

    #[test]
    fn columns_are_counted_and_the_label_is_guessed() {
        let seen = look("id,outcome,size,when\n1,no,2.5,2031-01-02\n2,yes,,2031-01-03\n3,no,1,2031-01-05\n");
        assert_eq!((seen.rows, seen.unit.as_str(), seen.label.as_str()), (3, "line", "outcome"));
        let kinds: Vec<&str> = seen.columns.iter().map(|c| c.kind).collect();
        assert_eq!(kinds, ["numbers", "categories", "numbers", "categories"]);
        assert_eq!((seen.columns[2].missing, seen.columns[1].distinct), (1, 2));
        assert_eq!(seen.columns[1].examples, ["no", "yes"]);
        // Nothing is named like a label: the last of few values, not the measurements.
        let rows: String = (0..40).map(|i| format!("{i}.5,{},{i}\n", i % 3)).collect();
        assert_eq!(look(&format!("a,b,c\n{rows}")).label, "b");
    }

    #[test]
    fn a_column_that_cannot_be_used_is_still_seen() {
        let seen = look("a;b;c\n3,25;;x\n2,7;;y\n");
        assert_eq!(seen.columns.len(), 3);
        assert_eq!((seen.columns[1].missing, seen.label.as_str()), (2, "c"));
        let problem = Look::at(b"PK\x03\x04".to_vec(), "t.xlsx", &Choices::default()).unwrap_err();
        assert!(problem.to_string().contains("Excel"), "{problem}");
    }
}
