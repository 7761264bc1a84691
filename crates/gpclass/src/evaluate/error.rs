//! What can be wrong with the numbers handed in.

use thiserror::Error;

/// Why an evaluation could not be made.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum EvaluateError {
    /// Two per-row slices differ in length.
    #[error("{what} has {found} entries but there are {expected} labels; pass one entry per row")]
    Length {
        /// The list, for the sentence.
        what: &'static str,
        /// Entries that it should have: one per label, or per entry of the list it is paired with.
        expected: usize,
        /// Entries that it has.
        found: usize,
    },
    /// Nothing to evaluate.
    #[error("there are no rows with positive weight to evaluate; pass at least one")]
    NoRows,
    /// A number outside its range.
    #[error("{what} of row {row} is {value}; it must be {wanted}")]
    Value {
        /// The number, for the sentence, as `probability`.
        what: &'static str,
        /// Its position, from 0.
        row: usize,
        /// Its value.
        value: f64,
        /// What it must be, for the sentence.
        wanted: &'static str,
    },
    /// A label that is none of the classes that have probabilities.
    #[error(
        "the label of row {row} is at position {position}, but there are probabilities of {classes} classes, from position 0"
    )]
    Label {
        /// The row, from 0.
        row: usize,
        /// The position of its class, from 0.
        position: usize,
        /// How many classes have probabilities.
        classes: usize,
    },
    /// An option outside its range.
    #[error("option {option} is {value}; it must be {wanted}")]
    Option {
        /// Name of the option.
        option: &'static str,
        /// Its value.
        value: f64,
        /// What it must be, for the sentence.
        wanted: &'static str,
    },
    /// Fewer rows than folds to test them in.
    #[error(
        "{folds} folds need {folds} rows of classes with more than one row, but there are {rows}; use at most {rows} folds"
    )]
    MoreFoldsThanRows {
        /// Folds asked for; 2 stands for a division into training and test rows.
        folds: usize,
        /// Rows of classes that have more than one.
        rows: usize,
    },
    /// Fewer groups than folds to test them in.
    #[error("{folds} folds need {folds} groups but there are {groups}; use at most {groups} folds")]
    MoreFoldsThanGroups {
        /// Folds asked for.
        folds: usize,
        /// Groups that there are.
        groups: usize,
    },
    /// Too few rows of one of two classes to put one in every fold.
    #[error("{folds} folds need {folds} rows of each class but the {class} class has {rows}; use at most {rows} folds")]
    TooManyFolds {
        /// Folds asked for; 2 stands for a division into training and test rows.
        folds: usize,
        /// The class: `negative` or `positive`.
        class: String,
        /// Rows of that class.
        rows: usize,
    },
    /// One side of a split would miss a class.
    #[error("the {side} rows of split '{split}' hold no row of the {class} class; choose another split")]
    MissingClass {
        /// The value of the split column that the split tests.
        split: String,
        /// Which rows, for the sentence: `training`.
        side: &'static str,
        /// The class that is missing: `negative` or `positive`, or with more than two its number from 1, as `3.`.
        class: String,
    },
    /// A split column with an unusable entry.
    #[error("row {row} of the split column holds '{value}'; {wanted}")]
    SplitValue {
        /// The row, from 0.
        row: usize,
        /// The entry, empty if there is none.
        value: String,
        /// What to write instead, for the sentence.
        wanted: &'static str,
    },
    /// A split column with one value only.
    #[error("the split column holds the single value '{value}'; it must name at least two folds, or train and test")]
    SingleSplit {
        /// The value that every row has.
        value: String,
    },
    /// A test that needs more cases or methods.
    #[error("{test} needs at least {needed} {what} but got {found}")]
    TooFew {
        /// The test or comparison, for the sentence.
        test: &'static str,
        /// What there are too few of, as `runs` or `methods`.
        what: &'static str,
        /// The least number.
        needed: usize,
        /// The number there is.
        found: usize,
    },
    /// A row of the table of results with another number of methods.
    #[error("row {row} of the results has {found} values but the first row has {expected}; give every method a value")]
    Ragged {
        /// Position of the row, from 0. In a [`Comparison`](crate::compare::aggregate::Comparison) a row holds a
        /// method's runs, in the rank tests a data set's methods.
        row: usize,
        /// Values of the first row.
        expected: usize,
        /// Values of this row.
        found: usize,
    },
    /// All differences are equal and not zero, so that their spread is unknown.
    #[error("all {runs} differences equal {value}; a t-test needs differences that vary")]
    ConstantDifference {
        /// How many differences there are.
        runs: usize,
        /// The difference that all of them are.
        value: f64,
    },
}

/// Checks that a per-row slice has as many entries as there are labels.
pub(crate) fn check_length(what: &'static str, expected: usize, found: usize) -> Result<(), EvaluateError> {
    if expected == found { Ok(()) } else { Err(EvaluateError::Length { what, expected, found }) }
}
