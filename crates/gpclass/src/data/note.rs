//! Things about the data worth telling that do not stop the work.

use super::{IdentifierReason, Replacement};
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
    /// A column that looks like an identifier and is not used.
    LeftOut {
        /// Name of the column.
        column: String,
        /// Why it looks like one.
        reason: IdentifierReason,
    },
    /// A column that looks like an identifier and is used.
    IdLike {
        /// Name of the column.
        column: String,
        /// Why it looks like one.
        reason: IdentifierReason,
    },
    /// A column that looks like the names of groups of rows, where none were declared.
    GroupLike {
        /// Name of the column.
        column: String,
        /// How many different values it has.
        values: usize,
    },
    /// A column of dates, which enter as day numbers.
    Dates {
        /// Name of the column.
        column: String,
    },
    /// Missing values.
    Missing {
        /// Name of the column.
        column: String,
        /// How many values were missing.
        values: usize,
        /// What became of them.
        replacement: Replacement,
    },
    /// Values of a column of dates or ordered categories that are none, treated as missing.
    Unread {
        /// Name of the column.
        column: String,
        /// How many values they are.
        values: usize,
    },
    /// Columns each of which tells the classes apart, where left-out rows are predicted without an error.
    GivesAway {
        /// Names of the features.
        columns: Vec<String>,
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
            DataNote::LeftOut { .. } => "left_out",
            DataNote::IdLike { .. } => "id_like",
            DataNote::GroupLike { .. } => "group_like",
            DataNote::Dates { .. } => "dates",
            DataNote::Missing { .. } => "missing",
            DataNote::Unread { .. } => "unread",
            DataNote::GivesAway { .. } => "gives_away",
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
            | DataNote::LeftOut { column, .. }
            | DataNote::IdLike { column, .. }
            | DataNote::GroupLike { column, .. }
            | DataNote::Dates { column }
            | DataNote::Missing { column, .. }
            | DataNote::Unread { column, .. }
            | DataNote::UnseenCategories { column, .. } => Some(column),
            DataNote::GivesAway { .. }
            | DataNote::DuplicateRows { .. }
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
            DataNote::Missing { values, .. }
            | DataNote::Unread { values, .. }
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

    /// "'a' (3, replaced by its median)" and so on.
    fn missing_in(notes: &[&DataNote]) -> String {
        let each = notes.iter().filter_map(|note| match note {
            DataNote::Missing { column, values, replacement } => {
                Some(format!("{} ({values}, {replacement})", Quoted(column)))
            }
            _ => None,
        });
        listed(each.collect::<Vec<_>>().iter())
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
            DataNote::LeftOut { .. } => format!(
                "Columns {columns} were left out: each has a different value in every row, like an identifier, from which \
                 nothing can be learned for new rows; name those that are measurements in the option keep."
            ),
            DataNote::IdLike { .. } => format!(
                "Columns {columns} have a different value in every row, like identifiers; drop those that only name the \
                 rows."
            ),
            DataNote::GroupLike { .. } => format!(
                "Columns {columns} look like the names of groups of rows, as of patients or batches: rows of one group may \
                 help to predict each other, which flatters leave-one-out; if new rows will be of other groups, declare one \
                 of them as the group, which is then no feature."
            ),
            DataNote::Dates { .. } => format!("Columns {columns} hold dates, which enter as day numbers."),
            DataNote::Missing { .. } => format!(
                "Columns {columns} had {}: {}; predictions for those rows deserve less trust.",
                counted(values, "missing value"),
                DataNote::missing_in(notes)
            ),
            DataNote::Unread { .. } => format!(
                "Columns {columns} had {} that are no dates, or none of the levels that were named, treated as missing; \
                 check their spelling.",
                counted(values, "value")
            ),
            DataNote::UnseenCategories { .. } => format!(
                "Columns {columns} had {} of categories never seen in training; check their spelling, or train on data \
                 that have them.",
                counted(values, "value")
            ),
            DataNote::GivesAway { .. }
            | DataNote::DuplicateRows { .. }
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
            DataNote::LeftOut { column, reason } => write!(
                f,
                "Column {} was left out: it {reason}, from which nothing can be learned for new rows; name it in the option \
                 keep if it is a measurement.",
                Quoted(column)
            ),
            DataNote::IdLike { column, reason } => {
                write!(f, "Column {} {reason}; drop it if it only names the rows.", Quoted(column))
            }
            DataNote::GroupLike { column, values } => write!(
                f,
                "Column {} has {values} values that repeat, like the names of patients or batches: rows of one value may help \
                 to predict each other, which flatters leave-one-out; if new rows will have other values, declare it as the \
                 group, which is then no feature.",
                Quoted(column)
            ),
            DataNote::Dates { column } => {
                write!(f, "Column {} holds dates, which enter as day numbers.", Quoted(column))
            }
            DataNote::Missing { column, values, replacement } => write!(
                f,
                "Column {} had {}, {replacement}; predictions for {} deserve less trust.",
                Quoted(column),
                counted(*values, "missing value"),
                if *values == 1 { "that row" } else { "those rows" }
            ),
            DataNote::Unread { column, values } => write!(
                f,
                "Column {} had {} that {}, or none of the levels that were named, treated as missing; check {} spelling.",
                Quoted(column),
                counted(*values, "value"),
                if *values == 1 { "is no date" } else { "are no dates" },
                if *values == 1 { "its" } else { "their" }
            ),
            DataNote::GivesAway { columns } => write!(
                f,
                "Every left-out row is predicted without an error, and {} alone {} the classes apart: check that it is known \
                 before the class is and does not follow from it, or leave it out.",
                match columns.as_slice() {
                    [one] => format!("column {}", Quoted(one)),
                    _ => format!("each of the columns {}", listed(columns.iter().map(|name| Quoted(name)))),
                },
                if columns.len() == 1 { "tells" } else { "would tell" },
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
#[path = "note_tests.rs"]
mod tests;
