//! Why a computation with the covariance ended without a result.

use crate::interrupt::Interrupted;
use crate::kernel::GramError;
use gpclass_linalg::OutOfMemory;

/// Why the covariance could not be made, or could not be factorised together with some sites.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Failure {
    /// Not even with this much added to its diagonal.
    #[error(
        "the prior covariance matrix cannot be factorised even with {jitter:e} added to its diagonal; check that \
         every variance is positive"
    )]
    NotPositiveDefinite {
        /// The amount, in the units of the covariance; 0 if none was added.
        jitter: f64,
    },
    /// A matrix is too large.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// Somebody set the flag.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl Failure {
    /// Whether another covariance or other sites could be tried.
    pub(crate) fn is_indefinite(self) -> bool {
        matches!(self, Failure::NotPositiveDefinite { .. })
    }
}

impl From<GramError> for Failure {
    fn from(error: GramError) -> Self {
        match error {
            GramError::Memory(error) => Failure::Memory(error),
            GramError::Interrupted(error) => Failure::Interrupted(error),
        }
    }
}
