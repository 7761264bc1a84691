//! What an objective says about the prior covariance.

use gpclass_linalg::{Mat, vector};

/// The derivative of an objective in the covariance: `dJ = sum_ij adjoint_ij dK_ij`.
#[derive(Clone, Debug)]
pub enum Adjoint {
    /// Of every covariance. Symmetric; only the lower triangle means anything.
    Dense(Mat),
}

impl Adjoint {
    /// Adds what another objective says about the same covariance.
    pub(crate) fn add(&mut self, other: &Adjoint) {
        let (Adjoint::Dense(sum), Adjoint::Dense(part)) = (self, other);
        vector::add_scaled(sum.as_mut_slice(), 1.0, part.as_slice());
    }

    /// The same objective as a function of the covariance to which a jitter of `relative` times its mean variance is added:
    /// the jitter follows the diagonal.
    pub(crate) fn with_relative_jitter(mut self, relative: f64) -> Self {
        let Adjoint::Dense(lower) = &mut self;
        let n = lower.rows();
        let by_jitter = relative * lower.diag().iter().sum::<f64>() / n as f64;
        (0..n).for_each(|i| lower[(i, i)] += by_jitter);
        self
    }
}
