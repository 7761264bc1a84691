//! Errors of the library about rows of a table, told by where the rows stand in the file.

use crate::error::CliError;
use gpclass::classifier::ClassifierError;
use gpclass::data::{DataError, Quoted};
use gpclass::evaluate::EvaluateError;
use gpclass::model::ModelError;
use gpclass_table::Places;
use std::fmt;

/// An error about the rows at these places, with the option of this program that helps.
pub fn explain(places: &Places, error: impl Into<ClassifierError>) -> CliError {
    let place = |row: usize| places.place(row).to_string();
    match error.into() {
        ClassifierError::Data(error) => CliError::user(data_error(&error, place)),
        ClassifierError::Model(ModelError::Weight { row, weight }) => {
            CliError::user(data_error(&DataError::BadWeight { row, value: weight }, place))
        }
        ClassifierError::Model(ModelError::Input { row, feature, value }) => {
            CliError::user(format!("{} has {value} in column {}: inputs must be finite", place(row), Quoted(&feature)))
        }
        ClassifierError::Evaluate(EvaluateError::SplitValue { row, value, wanted }) => {
            CliError::user(format!("{} has {} in the split column; {wanted}", place(row), Quoted(&value)))
        }
        other => other.into(),
    }
}

fn data_error(error: &DataError, place: impl Fn(usize) -> String) -> String {
    match error {
        DataError::MissingValue { row, column } => no_value(place(*row), column),
        DataError::MissingLabel { row } => no_label(place(*row)),
        _ => error.placed(place),
    }
}

/// What is wrong with a row that has no label.
pub fn no_label(place: impl fmt::Display) -> String {
    format!("{place} has no label; fill it in or remove the row")
}

/// What is wrong with a row that has no value in a column, where that was to be an error.
pub fn no_value(place: impl fmt::Display, column: &str) -> String {
    let column = Quoted(column);
    format!(
        "{place}, column {column} has no value; fill it in, or say what to do with --on-missing auto, impute or category"
    )
}

/// The sentence of a note, in which two data rows are named by their lines if these are known.
pub fn note(text: &str, lines: Option<&[u64]>) -> String {
    let named = || {
        let (before, rest) = text.split_once("data rows ")?;
        let (first, rest) = rest.split_once(" and ")?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let line = |row: &str| lines?.get(row.parse::<usize>().ok()?.checked_sub(1)?).copied();
        Some(format!("{before}lines {} and {}{}", line(first)?, line(&rest[..digits])?, &rest[digits..]))
    };
    named().unwrap_or_else(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpclass::data::DataNote;

    #[test]
    fn notes_name_lines() {
        let text = DataNote::ContradictoryRows { groups: 1, rows: 2, example: (0, 2) }.to_string();
        assert!(text.contains("for example data rows 1 and 3;"), "{text}");
        assert!(note(&text, Some(&[2, 5, 9])).contains("for example lines 2 and 9;"));
        assert_eq!(note(&text, None), text);
        assert_eq!(note(&text, Some(&[2])), text);
        assert_eq!(note("nothing about rows", Some(&[2])), "nothing about rows");
    }
}
