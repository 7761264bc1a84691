//! Why there is no posterior.

use crate::likelihood::LikelihoodError;
use crate::prior::Failure;

/// Why inference could not start or could not go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InferenceError {
    /// The covariance is not of as many rows as there are labels.
    #[error("the covariance matrix is {rows} x {cols} but there are {n} labels; give one row per label")]
    Shape {
        /// Labels.
        n: usize,
        /// Rows of the covariance.
        rows: usize,
        /// Columns of the covariance.
        cols: usize,
    },
    /// Sites to start from, or numbers kept of a posterior, are not one finite number per row.
    #[error("the starting sites have {given} rows or hold a value that is not finite; give {n} finite ones or none")]
    Start {
        /// Labels.
        n: usize,
        /// Entries of the sites or numbers.
        given: usize,
    },
    /// A covariance is infinite or not a number.
    #[error(
        "the prior covariance of data rows {} and {} is {value}; check those rows for infinite inputs and the \
         hyperparameters for overflow",
        .row + 1, .other + 1
    )]
    Covariance {
        /// The first of the two rows, from 0.
        row: usize,
        /// The second, from 0; the same for a variance.
        other: usize,
        /// The covariance.
        value: f64,
    },
    /// The covariance stays indefinite in floating point whatever may be added to its diagonal.
    #[error(
        "the prior covariance matrix cannot be factorised even with {jitter:e} added to its diagonal; check that \
         every variance is positive"
    )]
    NotPositiveDefinite {
        /// The most that was added to the diagonal, in the units of the covariance.
        jitter: f64,
    },
    /// The least-squares classifier was given this noise variance, which is no positive number.
    #[error("the noise variance of the least-squares classifier is {0}; it must be positive and finite")]
    Noise(f64),
    /// The posterior at given sites would have a variance that is not positive.
    #[error(
        "the given sites, {negative} of them of negative precision, leave no proper posterior under this covariance; take \
         a shorter step from the covariance they were found with"
    )]
    Improper {
        /// Sites of negative precision among them.
        negative: usize,
    },
    /// The method does not infer several classes at once under that likelihood.
    #[error(
        "{method} does not infer several classes at once under the {likelihood}; use ep with a probit, laplace with the \
         softmax, or one class against the rest (one-vs-rest)"
    )]
    NotJoint {
        /// Name of the method.
        method: &'static str,
        /// The likelihood.
        likelihood: &'static str,
    },
    /// The method is not known for inducing rows.
    #[error("{method} does not infer by way of inducing rows; use ep, or infer exactly")]
    NotSparse {
        /// Name of the method.
        method: &'static str,
    },
    /// Inference ended with an infinity or with what is not a number.
    #[error(
        "the {what} came out as {value}: prior variances, inputs or weights are too large for floating-point numbers; lower \
         the variances or rescale the inputs"
    )]
    Overflow {
        /// The quantity, for the sentence.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// The memory for a matrix could not be had.
    #[error(
        "there is no memory for a matrix of {:.1} GB, the covariance of all pairs of training rows or a factor of it; use \
         fewer rows or a machine with more memory",
        *.bytes as f64 / 1e9
    )]
    Memory {
        /// Bytes that were asked for.
        bytes: usize,
    },
    /// The flag of the interrupt was set.
    #[error("inference was interrupted before it had an answer")]
    Interrupted,
    /// The likelihood does not suit the method, as a step does not suit Laplace's.
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
