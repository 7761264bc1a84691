//! The latent values of the training rows before any label is seen: `f ~ N(0, K)` (math 1).
//!
//! `K` lives here and nowhere else: a factor of the posterior holds its prior, and whoever needs a product with `K` asks
//! for it. What an objective says about `K` comes back as an [`Adjoint`], which the prior pulls back to the kernel.
//!
//! The prior has two forms: a matrix over all training rows, and inducing rows that stand for all (scale 3). In the second the
//! latent values of which this module and the posterior speak are the projections on those rows; what is left of each row's
//! variance widens its likelihood.

mod adjoint;
mod dense;
mod divergence;
mod failure;
mod jitter;
mod sparse;

pub use adjoint::Adjoint;
pub use dense::Dense;
pub use divergence::Divergence;
pub use failure::Failure;
pub(crate) use sparse::READY_BYTES;
pub use sparse::{Inducing, SiteSums, Sparse, SparseAdjoint, Storage, choose_inducing};

use crate::data::Inputs;
use crate::interrupt::Interrupt;
use crate::kernel::Kernel;
use gpclass_linalg::Mat;
use std::borrow::Cow;

/// The covariance of the latent values of the training rows. Clones share it.
#[derive(Clone, Debug)]
pub enum Prior {
    /// All covariances, as one matrix.
    Dense(Dense),
    /// Those with a few rows that stand for all.
    Sparse(Sparse),
}

impl Prior {
    /// The covariance that a kernel gives the rows, which it must have [accepted](Kernel::check).
    pub fn new(kernel: &Kernel, inputs: &Inputs, interrupt: Interrupt<'_>) -> Result<Self, Failure> {
        Ok(Prior::from_covariance(kernel.try_gram(inputs, interrupt)?))
    }

    /// The covariance by way of inducing rows, which the kernel must have accepted too.
    pub fn sparse(
        kernel: &Kernel,
        inputs: &Inputs,
        inducing: &Inducing,
        storage: Storage,
        interrupt: Interrupt<'_>,
    ) -> Result<Self, Failure> {
        Sparse::new(kernel, inputs, inducing, storage, interrupt).map(Prior::Sparse)
    }

    /// The same prior once the sites of rows elsewhere are known; there are inducing rows.
    pub(crate) fn beside(&self, others: &SiteSums) -> Result<Self, Failure> {
        match self {
            Prior::Dense(_) => Err(Failure::NotPositiveDefinite { jitter: self.jitter() }),
            Prior::Sparse(sparse) => sparse.beside(others).map(Prior::Sparse),
        }
    }

    /// The same where it is known what the inducing rows leave of each row's variance.
    pub(crate) fn sparse_with_residual(
        kernel: &Kernel,
        inputs: &Inputs,
        inducing: &Inducing,
        residual: Vec<f64>,
        storage: Storage,
        interrupt: Interrupt<'_>,
    ) -> Result<Self, Failure> {
        Sparse::known(kernel, inputs, inducing, residual, storage, interrupt).map(Prior::Sparse)
    }

    /// The form by inducing rows, where it is that.
    pub fn as_sparse(&self) -> Option<&Sparse> {
        match self {
            Prior::Dense(_) => None,
            Prior::Sparse(sparse) => Some(sparse),
        }
    }

    /// A covariance given as a matrix: symmetric, both triangles. Panics unless it is square.
    pub fn from_covariance(k: Mat) -> Self {
        Prior::Dense(Dense::new(k))
    }

    /// The number of training rows.
    pub fn rows(&self) -> usize {
        match self {
            Prior::Dense(dense) => dense.k().rows(),
            Prior::Sparse(sparse) => sparse.rows(),
        }
    }

    /// The variance of each row, jitter included.
    pub fn diag(&self) -> Vec<f64> {
        match self {
            Prior::Dense(dense) => dense.k().diag(),
            Prior::Sparse(sparse) => sparse.diag(),
        }
    }

    /// `K x`.
    pub fn times(&self, x: &[f64]) -> Vec<f64> {
        match self {
            Prior::Dense(dense) => dense.times(x),
            Prior::Sparse(sparse) => sparse.times(x),
        }
    }

    /// `K X`, for several vectors at once: a column each.
    pub fn times_columns(&self, x: &Mat) -> Mat {
        match self {
            Prior::Dense(dense) => dense.times_columns(x),
            Prior::Sparse(sparse) => sparse.times_columns(x),
        }
    }

    /// The rounding error of each entry of `K x`: the spacing of floating-point numbers at the sum of its absolute terms.
    ///
    /// Where the prior variance is many orders of magnitude above the posterior's, `mu = K alpha` is a small difference
    /// of large terms, and `K` as stored does not determine the posterior any better than this.
    pub fn product_errors(&self, x: &[f64]) -> Vec<f64> {
        match self {
            Prior::Dense(dense) => dense.product_errors(x),
            Prior::Sparse(sparse) => sparse.product_errors(x),
        }
    }

    /// All of `K`, jitter included.
    pub fn covariance(&self) -> Cow<'_, Mat> {
        match self {
            Prior::Dense(dense) => Cow::Borrowed(dense.k()),
            Prior::Sparse(sparse) => Cow::Owned(sparse.covariance()),
        }
    }

    /// A covariance that is not finite, with its two rows, the earlier first.
    pub fn overflow(&self) -> Option<(usize, usize, f64)> {
        match self {
            Prior::Dense(dense) => dense.overflow(),
            Prior::Sparse(sparse) => sparse.overflow(),
        }
    }

    /// What predictions need of test rows: their covariances with the training rows, or their coordinates among the inducing
    /// ones; a column for each.
    pub fn cross(&self, kernel: &Kernel, inputs: &Inputs, test: &Inputs) -> Mat {
        match self {
            Prior::Dense(_) => kernel.cross(inputs, test),
            Prior::Sparse(sparse) => sparse.project(kernel, test),
        }
    }

    /// The gradient of an objective in the logarithm of every parameter of the kernel, from what it says about `K`.
    pub fn pull_back(&self, kernel: &Kernel, inputs: &Inputs, adjoint: &Adjoint) -> Vec<f64> {
        match (self, adjoint) {
            (Prior::Dense(_), Adjoint::Dense(lower)) => kernel.pull_back(inputs, lower),
            (Prior::Sparse(sparse), Adjoint::Sparse(parts)) => {
                let all = parts.iter().map(|part| sparse.pull_back(kernel, inputs, part));
                let add = |total: Vec<f64>, part: Vec<f64>| total.iter().zip(part).map(|(a, b)| a + b).collect();
                all.reduce(add).unwrap_or_default()
            }
            (Prior::Dense(_), Adjoint::Sparse(_)) | (Prior::Sparse(_), Adjoint::Dense(_)) => {
                panic!("an adjoint is of the form of the prior that it is about")
            }
        }
    }
}
