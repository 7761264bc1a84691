//! What an objective says about the prior covariance.

use gpclass_linalg::Mat;

/// The derivative of an objective in the covariance: `dJ = sum_ij adjoint_ij dK_ij`.
#[derive(Clone, Debug)]
pub enum Adjoint {
    /// Of every covariance. Symmetric; only the lower triangle means anything.
    Dense(Mat),
}

impl Adjoint {
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
