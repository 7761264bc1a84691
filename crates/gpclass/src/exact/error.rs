//! What can be wrong with the input of an exact computation.

use crate::interrupt::Interrupted;

/// Why an exact computation was refused or has no answer.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExactError {
    /// Two inputs disagree about the number of rows.
    #[error("{what} has {found} rows where {expected} are needed; pass one per training row")]
    Size {
        /// The input, for the sentence.
        what: &'static str,
        /// Size that it should have.
        expected: usize,
        /// Size that it has.
        found: usize,
    },
    /// A covariance entry is NaN or infinite.
    #[error("the covariance of rows {row} and {col} is {value}; every covariance must be a finite number")]
    NotFinite {
        /// Row of the entry, from 0.
        row: usize,
        /// Column of the entry, from 0.
        col: usize,
        /// The entry.
        value: f64,
    },
    /// The covariance has a negative direction beyond rounding error.
    #[error(
        "the covariance is not positive semi-definite: row {row} is left with variance {variance} after conditioning on \
         the others; check the kernel"
    )]
    NotPositiveSemidefinite {
        /// The row, from 0.
        row: usize,
        /// What is left of its variance: clearly negative.
        variance: f64,
    },
    /// An option has no meaning.
    #[error("the option {name} is {value} but must be at least {least}")]
    Option {
        /// Name of the option.
        name: &'static str,
        /// Its value.
        value: usize,
        /// The least value that has a meaning.
        least: usize,
    },
    /// There are neither one nor as many as classes.
    #[error("{what} are {found}; pass one for all classes or one for each of the {classes}")]
    PerClass {
        /// The input, for the sentence.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// The number of classes.
        classes: usize,
    },
    /// A label is none of the classes.
    #[error("row {row} has class {class}, but there are {classes} classes, counted from 0")]
    UnknownClass {
        /// The row, from 0.
        row: usize,
        /// Its class.
        class: usize,
        /// The number of classes.
        classes: usize,
    },
    /// A label error that leaves no information in the labels, or is no probability.
    #[error(
        "the label error is {value}; the probability of each particular wrong label must be at least 0 and below one over \
         the number of classes, {classes}"
    )]
    LabelError {
        /// The label error.
        value: f64,
        /// The number of classes.
        classes: usize,
    },
    /// A row would have to be repeated a fraction of a time.
    #[error(
        "the weight of row {row} is {weight}; simulation knows whole weights only, each a number of copies of its row"
    )]
    Weight {
        /// The row, from 0.
        row: usize,
        /// Its weight.
        weight: f64,
    },
    /// Every latent function that was tried has probability zero.
    #[error(
        "no latent function found under which all labels are possible; contradictory labels on equal inputs need a label \
         error (eps > 0) or noise (sigma > 0)"
    )]
    NoFeasibleStart,
    /// The evidence is zero, or too rare an event for the number of simulations.
    #[error(
        "all {runs} simulations ended with weight zero: the labels have probability zero under the model, or too small a \
         one for this many simulations"
    )]
    ZeroEvidence {
        /// How many there were.
        runs: usize,
    },
    /// Somebody set the flag.
    #[error("the simulation was interrupted before it had an answer")]
    Interrupted,
}

impl From<Interrupted> for ExactError {
    fn from(_: Interrupted) -> Self {
        ExactError::Interrupted
    }
}

/// Refuses an option below the least value that has a meaning.
pub(super) fn at_least(name: &'static str, value: usize, least: usize) -> Result<(), ExactError> {
    if value < least { Err(ExactError::Option { name, value, least }) } else { Ok(()) }
}

/// Refuses an input of the wrong length.
pub(super) fn same_size(what: &'static str, found: usize, expected: usize) -> Result<(), ExactError> {
    if found == expected { Ok(()) } else { Err(ExactError::Size { what, expected, found }) }
}
