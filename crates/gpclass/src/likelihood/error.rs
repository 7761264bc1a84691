//! What can be wrong with a likelihood.

use thiserror::Error;

/// Why a likelihood cannot be built, changed or used as asked.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LikelihoodError {
    /// A label error is below 0, at least 1/2 or not a number.
    #[error("the label error {name} is {value}; it must be at least 0 and below 1/2")]
    LabelError {
        /// Name of the parameter.
        name: &'static str,
        /// What it was to be.
        value: f64,
    },
    /// The bias is infinite or not a number: this one.
    #[error("the bias b is {0}; it must be a finite number")]
    Bias(f64),
    /// The noise is negative, infinite or not a number: this one.
    #[error("the noise sigma is {0}; it must be finite and at least 0")]
    Noise(f64),
    /// A parameter was named that the likelihood does not have.
    #[error("the {likelihood} likelihood has no parameter named {name:?}; it has {known}")]
    UnknownParameter {
        /// Name of the likelihood.
        likelihood: &'static str,
        /// The name asked for.
        name: String,
        /// The names that there are, separated by commas; `none` without any.
        known: String,
    },
    /// A stored likelihood says for another number of parameters than it has whether they are fixed.
    #[error(
        "the stored {likelihood} likelihood has {found} fixed flags; it must have {expected}, one for each parameter"
    )]
    Flags {
        /// Name of the likelihood.
        likelihood: &'static str,
        /// Parameters of the likelihood.
        expected: usize,
        /// Flags that are stored.
        found: usize,
    },
    /// A stored member of the probit family goes by the name of another likelihood: this one.
    #[error("the stored likelihood is {0}, which is no member of the probit family; the file is damaged")]
    NotProbit(&'static str),
    /// A parameter was to be freed at 0, from where the search could not move it.
    #[error(
        "{name} is 0, where its transformed coordinate is infinite, so it cannot be learned; give it a positive value first"
    )]
    OnBoundary {
        /// Name of the parameter.
        name: &'static str,
    },
    /// Laplace's method was asked for with sigma = 0, where the likelihood jumps.
    #[error(
        "the step likelihood has no derivatives, so Laplace's method cannot use it; use expectation propagation or a sigma above 0"
    )]
    NotSmooth,
    /// Laplace's method was asked for with this label error above 0.
    #[error(
        "with a label error of {0} the likelihood is not log-concave, so Laplace's method has no unique mode; \
         use expectation propagation or eps = 0"
    )]
    NotLogConcave(f64),
}
