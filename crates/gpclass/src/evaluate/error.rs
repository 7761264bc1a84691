//! What can be wrong with the numbers handed in.

use thiserror::Error;

/// Why an evaluation could not be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EvaluateError {
    /// Two per-row slices differ in length.
    #[error("{what} has {found} entries but there are {expected} labels; pass one entry per row")]
    Length { what: &'static str, expected: usize, found: usize },
    /// Nothing to evaluate.
    #[error("there are no rows with positive weight to evaluate; pass at least one")]
    NoRows,
    /// A number outside its range.
    #[error("{what} of row {row} is {value}; it must be {wanted}")]
    Value { what: &'static str, row: usize, value: f64, wanted: &'static str },
    /// An option outside its range.
    #[error("option {option} is {value}; it must be {wanted}")]
    Option { option: &'static str, value: f64, wanted: &'static str },
    /// Too few rows of one class to put one in every fold.
    #[error("{folds} folds need {folds} rows of each class but the {class} class has {rows}; use at most {rows} folds")]
    TooManyFolds { folds: usize, class: String, rows: usize },
    /// One side of a split would miss a class.
    #[error("the {side} rows of split '{split}' hold no row of the {class} class; choose another split")]
    MissingClass { split: String, side: &'static str, class: String },
    /// A split column with an unusable entry.
    #[error("row {row} of the split column holds '{value}'; {wanted}")]
    SplitValue { row: usize, value: String, wanted: &'static str },
    /// A split column with one value only.
    #[error("the split column holds the single value '{value}'; it must name at least two folds, or train and test")]
    SingleSplit { value: String },
    /// A test that needs more cases or methods.
    #[error("{test} needs at least {needed} {what} but got {found}")]
    TooFew { test: &'static str, what: &'static str, needed: usize, found: usize },
    /// A row of the table of results with another number of methods.
    #[error("row {row} of the results has {found} values but the first row has {expected}; give every method a value")]
    Ragged { row: usize, expected: usize, found: usize },
    /// All differences are equal and not zero, so that their spread is unknown.
    #[error("all {runs} differences equal {value}; a t-test needs differences that vary")]
    ConstantDifference { runs: usize, value: f64 },
}

/// Checks that a per-row slice has as many entries as there are labels.
pub(crate) fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), EvaluateError> {
    if expected == found { Ok(()) } else { Err(EvaluateError::Length { what, expected, found }) }
}
