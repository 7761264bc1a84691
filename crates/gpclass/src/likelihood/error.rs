//! What can be wrong with a likelihood.

use thiserror::Error;

/// Why a likelihood cannot be built, changed or used as asked.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum LikelihoodError {
    #[error("the label error eps is {0}; it must be at least 0 and below 1/2")]
    LabelError(f64),
    #[error("the bias b is {0}; it must be a finite number")]
    Bias(f64),
    #[error("the noise sigma is {0}; it must be finite and at least 0")]
    Noise(f64),
    #[error("the {likelihood} likelihood has no parameter named {name:?}; it has {known}")]
    UnknownParameter { likelihood: &'static str, name: String, known: String },
    #[error(
        "the stored {likelihood} likelihood has {found} fixed flags; it must have {expected}, one for each parameter"
    )]
    Flags { likelihood: &'static str, expected: usize, found: usize },
    #[error("the stored likelihood is {0}, which is no member of the probit family; the file is damaged")]
    NotProbit(&'static str),
    #[error(
        "{name} is 0, where its transformed coordinate is infinite, so it cannot be learned; give it a positive value first"
    )]
    OnBoundary { name: &'static str },
    #[error(
        "the step likelihood has no derivatives, so Laplace's method cannot use it; use expectation propagation or a sigma above 0"
    )]
    NotSmooth,
    #[error(
        "with a label error of {0} the likelihood is not log-concave, so Laplace's method has no unique mode; \
         use expectation propagation or eps = 0"
    )]
    NotLogConcave(f64),
}
