//! What an objective says about the prior covariance.

use super::SparseAdjoint;
use gpclass_linalg::{Mat, vector};

/// The derivative of an objective in the covariance: `dJ = sum_ij adjoint_ij dK_ij`.
#[derive(Clone, Debug)]
pub enum Adjoint {
    /// Of every covariance. Symmetric; only the lower triangle means anything.
    Dense(Mat),
    /// Of the covariances with inducing rows: the sum of what is said here.
    Sparse(Vec<SparseAdjoint>),
}

impl Adjoint {
    /// Adds what another objective says about the same covariance.
    pub(crate) fn add(&mut self, other: &Adjoint) {
        match (self, other) {
            (Adjoint::Dense(sum), Adjoint::Dense(part)) => {
                vector::add_scaled(sum.as_mut_slice(), 1.0, part.as_slice());
            }
            (Adjoint::Sparse(sum), Adjoint::Sparse(parts)) => sum.extend(parts.iter().cloned()),
            (Adjoint::Dense(_), Adjoint::Sparse(_)) | (Adjoint::Sparse(_), Adjoint::Dense(_)) => {
                panic!("adjoints of one prior have one form")
            }
        }
    }

    /// The same objective as a function of the covariance to which a jitter of `relative` times its mean variance is added:
    /// the jitter follows the diagonal. With inducing rows the prior has its own way to follow it.
    pub(crate) fn with_relative_jitter(mut self, relative: f64) -> Self {
        let Adjoint::Dense(lower) = &mut self else { return self };
        let n = lower.rows();
        let by_jitter = relative * lower.diag().iter().sum::<f64>() / n as f64;
        (0..n).for_each(|i| lower[(i, i)] += by_jitter);
        self
    }
}
