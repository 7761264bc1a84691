//! Things about the data worth telling that do not stop the work.

use crate::text::quote::{Quoted, counted, listed};
use std::fmt;

/// One observation; its text is a sentence with advice. Rows count from 0 in fields and from 1 in sentences.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DataNote {
    /// A column with one value only.
    Constant {
        /// Name of the column.
        column: String,
        /// The value, a number by its shortest text.
        value: String,
    },
    /// A column equal to an earlier one in every row.
    Copy {
        /// Name of the later column.
        column: String,
        /// Name of the earlier one.
        of: String,
    },
    /// A discrete column in which every row has a category of its own.
    IdLike {
        /// Name of the column.
        column: String,
        /// Rows of the table, which are as many as the categories.
        rows: usize,
    },
    /// Missing values that were replaced.
    Imputed {
        /// Name of the column.
        column: String,
        /// How many values were missing.
        values: usize,
    },
    /// Missing values that are a category of their own.
    MissingCategory {
        /// Name of the column.
        column: String,
        /// How many values were missing.
        values: usize,
    },
    /// Categories that training did not have.
    UnseenCategories {
        /// Name of the column.
        column: String,
        /// How many values are of such categories.
        values: usize,
    },
    /// Rows that repeat an earlier row's inputs.
    DuplicateRows {
        /// How many rows they are, the first of each kind not counted.
        repeated: usize,
    },
    /// Rows with equal inputs and different labels.
    ContradictoryRows {
        /// Different inputs for which this happens.
        groups: usize,
        /// Rows that have these inputs.
        rows: usize,
        /// Two rows of the first group that differ in label.
        example: (usize, usize),
    },
    /// A class with one row, or none.
    RareClass {
        /// Name of the class.
        class: String,
        /// Rows that have it.
        rows: usize,
    },
    /// Classes whose names differ only in case, or in how a number is written.
    SimilarClasses {
        /// The earlier name.
        first: String,
        /// The later one.
        second: String,
    },
}

impl DataNote {
    /// The case in snake case, for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            DataNote::Constant { .. } => "constant",
            DataNote::Copy { .. } => "copy",
            DataNote::IdLike { .. } => "id_like",
            DataNote::Imputed { .. } => "imputed",
            DataNote::MissingCategory { .. } => "missing_category",
            DataNote::UnseenCategories { .. } => "unseen_categories",
            DataNote::DuplicateRows { .. } => "duplicate_rows",
            DataNote::ContradictoryRows { .. } => "contradictory_rows",
            DataNote::RareClass { .. } => "rare_class",
            DataNote::SimilarClasses { .. } => "similar_classes",
        }
    }
}

impl DataNote {
    /// The column that it is about.
    fn column(&self) -> Option<&str> {
        match self {
            DataNote::Constant { column, .. }
            | DataNote::Copy { column, .. }
            | DataNote::IdLike { column, .. }
            | DataNote::Imputed { column, .. }
            | DataNote::MissingCategory { column, .. }
            | DataNote::UnseenCategories { column, .. } => Some(column),
            DataNote::DuplicateRows { .. }
            | DataNote::ContradictoryRows { .. }
            | DataNote::RareClass { .. }
            | DataNote::SimilarClasses { .. } => None,
        }
    }

    /// The classes that it is about, as in a sentence.
    fn classes(&self) -> Option<String> {
        match self {
            DataNote::RareClass { class, .. } => Some(Quoted(class).to_string()),
            DataNote::SimilarClasses { first, second } => Some(format!("{} and {}", Quoted(first), Quoted(second))),
            _ => None,
        }
    }

    /// The values that it counts.
    fn values(&self) -> usize {
        match self {
            DataNote::Imputed { values, .. }
            | DataNote::MissingCategory { values, .. }
            | DataNote::UnseenCategories { values, .. } => *values,
            _ => 0,
        }
    }

    /// Several notes of one kind, on columns or classes, in a sentence; `None` where the data have one at most.
    pub(crate) fn together(notes: &[&DataNote]) -> Option<String> {
        match notes.first()? {
            DataNote::RareClass { .. } | DataNote::SimilarClasses { .. } => DataNote::of_classes(notes),
            _ => DataNote::of_columns(notes),
        }
    }

    fn of_classes(notes: &[&DataNote]) -> Option<String> {
        let classes: Vec<String> = notes.iter().map(|note| note.classes()).collect::<Option<_>>()?;
        Some(match notes.first()? {
            DataNote::RareClass { .. } => format!(
                "Classes {} have one row each, or none, so that what is said of them rests on next to nothing; consider \
                 adding rows of them or joining them with other classes.",
                listed(classes.iter())
            ),
            _ => format!(
                "Classes {} differ only in case or in how a number is written; if they are meant to be the same, write \
                 them alike.",
                classes.join("; ")
            ),
        })
    }

    fn of_columns(notes: &[&DataNote]) -> Option<String> {
        let columns: Vec<&str> = notes.iter().map(|note| note.column()).collect::<Option<_>>()?;
        let columns = listed(columns.iter().map(|column| Quoted(column)));
        let values: usize = notes.iter().map(|note| note.values()).sum();
        Some(match notes.first()? {
            DataNote::Constant { .. } => format!(
                "Columns {columns} have one value in every row and cannot tell the classes apart; consider dropping them."
            ),
            DataNote::Copy { .. } => format!(
                "Columns {columns} repeat other columns in every row, so their relevances cannot be told apart; consider \
                 dropping them."
            ),
            DataNote::IdLike { rows, .. } => format!(
                "Columns {columns} have a different category in each of the {rows} rows, like identifiers; consider \
                 dropping them, or treat them as numbers if they hold numbers."
            ),
            DataNote::Imputed { .. } => format!(
                "Columns {columns} had {}, replaced by the column's mean or most frequent category; predictions for those \
                 rows deserve less trust.",
                counted(values, "missing value")
            ),
            DataNote::MissingCategory { .. } => format!(
                "Columns {columns} had {}, treated as a separate category of each column; check that being missing means \
                 something there.",
                counted(values, "missing value")
            ),
            DataNote::UnseenCategories { .. } => format!(
                "Columns {columns} had {} of categories never seen in training; check their spelling, or train on data \
                 that have them.",
                counted(values, "value")
            ),
            DataNote::DuplicateRows { .. }
            | DataNote::ContradictoryRows { .. }
            | DataNote::RareClass { .. }
            | DataNote::SimilarClasses { .. } => return None,
        })
    }
}

impl fmt::Display for DataNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataNote::Constant { column, value } => write!(
                f,
                "Column {} is {} in every row and cannot tell the classes apart; consider dropping it.",
                Quoted(column),
                Quoted(value)
            ),
            DataNote::Copy { column, of } => write!(
                f,
                "Column {} repeats column {} in every row, so their relevances cannot be told apart; consider \
                 dropping one.",
                Quoted(column),
                Quoted(of)
            ),
            DataNote::IdLike { column, rows } => write!(
                f,
                "Column {} has a different category in each of the {rows} rows, like an identifier; consider \
                 dropping it, or treat it as numbers if it holds numbers.",
                Quoted(column)
            ),
            DataNote::Imputed { column, values } => write!(
                f,
                "Column {} had {}, replaced by its mean or most frequent category; predictions for those rows \
                 deserve less trust.",
                Quoted(column),
                counted(*values, "missing value")
            ),
            DataNote::MissingCategory { column, values } => write!(
                f,
                "Column {} had {}, treated as a separate category; check that being missing means something \
                 there.",
                Quoted(column),
                counted(*values, "missing value")
            ),
            DataNote::UnseenCategories { column, values } => write!(
                f,
                "Column {} had {} of categories never seen in training; check their spelling, or train on data \
                 that have them.",
                Quoted(column),
                counted(*values, "value")
            ),
            DataNote::DuplicateRows { repeated } => write!(
                f,
                "{} the inputs of an earlier row; if that is an accident of data collection, drop them, since \
                 they count as independent evidence.",
                if *repeated == 1 { "1 row repeats".to_owned() } else { format!("{repeated} rows repeat") }
            ),
            DataNote::ContradictoryRows { groups, rows, example: (first, second) } => write!(
                f,
                "{rows} rows in {} have equal inputs but different labels, for example data rows {} and {}; \
                 check those labels, or use a likelihood with label error.",
                counted(*groups, "group"),
                first + 1,
                second + 1
            ),
            DataNote::RareClass { class, rows } => write!(
                f,
                "Class {} has {}, so that what is said of it rests on next to nothing; consider adding rows of it or \
                 joining it with another class.",
                Quoted(class),
                if *rows == 0 { "no rows".to_owned() } else { counted(*rows, "row") }
            ),
            DataNote::SimilarClasses { first, second } => write!(
                f,
                "Classes {} and {} differ only in case or in how a number is written; if they are meant to be the same, \
                 write them alike.",
                Quoted(first),
                Quoted(second)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_note_is_a_sentence_with_advice() {
        let column = || "a".to_owned();
        let notes = [
            (
                DataNote::Constant { column: column(), value: "3".into() },
                "Column 'a' is '3' in every row and cannot tell the classes apart; consider dropping it.",
            ),
            (
                DataNote::Copy { column: column(), of: "b".into() },
                "Column 'a' repeats column 'b' in every row, so their relevances cannot be told apart; consider \
                 dropping one.",
            ),
            (
                DataNote::IdLike { column: column(), rows: 9 },
                "Column 'a' has a different category in each of the 9 rows, like an identifier; consider \
                 dropping it, or treat it as numbers if it holds numbers.",
            ),
            (
                DataNote::Imputed { column: column(), values: 1 },
                "Column 'a' had 1 missing value, replaced by its mean or most frequent category; predictions \
                 for those rows deserve less trust.",
            ),
            (
                DataNote::MissingCategory { column: column(), values: 2 },
                "Column 'a' had 2 missing values, treated as a separate category; check that being missing \
                 means something there.",
            ),
            (
                DataNote::UnseenCategories { column: column(), values: 2 },
                "Column 'a' had 2 values of categories never seen in training; check their spelling, or train \
                 on data that have them.",
            ),
            (
                DataNote::DuplicateRows { repeated: 1 },
                "1 row repeats the inputs of an earlier row; if that is an accident of data collection, drop \
                 them, since they count as independent evidence.",
            ),
            (
                DataNote::ContradictoryRows { groups: 1, rows: 2, example: (0, 4) },
                "2 rows in 1 group have equal inputs but different labels, for example data rows 1 and 5; check \
                 those labels, or use a likelihood with label error.",
            ),
        ];
        for (note, sentence) in notes {
            assert_eq!(note.to_string(), sentence);
        }
    }

    #[test]
    fn notes_on_classes_are_sentences_alone_and_together() {
        let rare = |class: &str, rows| DataNote::RareClass { class: class.to_owned(), rows };
        let similar =
            |first: &str, second: &str| DataNote::SimilarClasses { first: first.into(), second: second.into() };
        assert_eq!(
            rare("x", 1).to_string(),
            "Class 'x' has 1 row, so that what is said of it rests on next to nothing; consider adding rows of it or \
             joining it with another class."
        );
        assert!(rare("x", 0).to_string().starts_with("Class 'x' has no rows, so"));
        assert_eq!(
            similar("no", "No").to_string(),
            "Classes 'no' and 'No' differ only in case or in how a number is written; if they are meant to be the same, \
             write them alike."
        );
        let together = DataNote::together(&[&rare("x", 1), &rare("y", 0)]).unwrap();
        assert!(together.starts_with("Classes 'x' and 'y' have one row each, or none, so"), "{together}");
        let together = DataNote::together(&[&similar("a", "A"), &similar("b", "B")]).unwrap();
        assert!(together.starts_with("Classes 'a' and 'A'; 'b' and 'B' differ only"), "{together}");
    }
}
