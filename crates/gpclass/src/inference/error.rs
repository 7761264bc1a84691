//! Why there is no posterior.

use crate::likelihood::LikelihoodError;
use crate::prior::Failure;

/// Why inference could not start or could not go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InferenceError {
    #[error("the covariance matrix is {rows} x {cols} but there are {n} labels; give one row per label")]
    Shape { n: usize, rows: usize, cols: usize },
    #[error("the starting sites have {given} rows or hold a value that is not finite; give {n} finite ones or none")]
    Start { n: usize, given: usize },
    #[error(
        "the prior covariance of data rows {} and {} is {value}; check those rows for infinite inputs and the \
         hyperparameters for overflow",
        .row + 1, .other + 1
    )]
    Covariance { row: usize, other: usize, value: f64 },
    #[error(
        "the prior covariance matrix cannot be factorised even with {jitter:e} added to its diagonal; check that \
         every variance is positive"
    )]
    NotPositiveDefinite { jitter: f64 },
    #[error("the noise variance of the least-squares classifier is {0}; it must be positive and finite")]
    Noise(f64),
    #[error(
        "the given sites, {negative} of them of negative precision, leave no proper posterior under this covariance; take \
         a shorter step from the covariance they were found with"
    )]
    Improper { negative: usize },
    #[error(
        "the {what} came out as {value}: prior variances, inputs or weights are too large for floating-point numbers; lower \
         the variances or rescale the inputs"
    )]
    Overflow { what: &'static str, value: f64 },
    #[error(
        "there is no memory for a matrix of {:.1} GB, the covariance of all pairs of training rows or a factor of it; use \
         fewer rows or a machine with more memory",
        *.bytes as f64 / 1e9
    )]
    Memory { bytes: usize },
    #[error("inference was interrupted before it had an answer")]
    Interrupted,
    #[error(transparent)]
    Likelihood(#[from] LikelihoodError),
}

impl From<Failure> for InferenceError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::NotPositiveDefinite { jitter } => InferenceError::NotPositiveDefinite { jitter },
            Failure::Memory(error) => InferenceError::Memory { bytes: error.bytes },
            Failure::Interrupted(_) => InferenceError::Interrupted,
        }
    }
}
