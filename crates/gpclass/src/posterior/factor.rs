//! Prior covariance and site precisions, factorised together.

use super::dense::{CavityTrend, DenseFactor, RoughFactor};
use super::sparse::SparseFactor;
use crate::prior::{Adjoint, Failure, Inducing, Prior};
use gpclass_linalg::{Mat, PackedSymmetric};

/// A prior and the precisions `T = diag(tau)` of its sites, factorised.
#[derive(Clone, Debug)]
pub enum Factor {
    /// For a prior that is one matrix.
    Dense(DenseFactor),
    /// For one by inducing rows.
    Sparse(SparseFactor),
}

/// Posterior variances `v_i = Sigma_ii` with what a cavity needs of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Marginals {
    /// `v_i` of each training row.
    pub var: Vec<f64>,
    /// `1 - tau_i v_i`, free of cancellation: the cavity variance of a whole site is `v_i / slack_i`.
    pub slack: Vec<f64>,
}

impl Marginals {
    /// `1 - tau_i v_i / c`: one of `c` tied copies of site `i` taken out of its marginal.
    pub fn gap(&self, i: usize, tau: f64, copies: f64) -> f64 {
        if copies == 1.0 { self.slack[i] } else { 1.0 - tau * self.var[i] / copies }
    }
}

/// The memory of a factor that is no longer needed, for the next one.
#[derive(Debug)]
pub struct Spare {
    pub(super) chol: Mat,
    pub(super) inverse: Option<Mat>,
}

impl Spare {
    /// The matrices whose memory it is.
    pub(super) fn into_matrices(self) -> impl Iterator<Item = Mat> {
        std::iter::once(self.chol).chain(self.inverse)
    }
}

impl Prior {
    /// Factorises this prior with the site precisions `tau`. Fails when the sites leave no proper posterior (negative ones
    /// too strong), or when `K` is so far from positive semi-definite that rounding shows. `spare` lends its memory.
    pub fn factorise(&self, tau: &[f64], spare: Option<Spare>) -> Result<Factor, Failure> {
        match self {
            Prior::Dense(dense) => DenseFactor::new(dense, tau, spare).map(Factor::Dense),
            Prior::Sparse(sparse) => SparseFactor::new(sparse, tau).map(Factor::Sparse),
        }
    }

    /// The same in single precision, with posterior variances; `None` where that would not do, or would not pay.
    pub(crate) fn factorise_roughly(&self, tau: &[f64]) -> Option<(RoughFactor, Marginals)> {
        match self {
            Prior::Dense(dense) => RoughFactor::new(dense, tau),
            Prior::Sparse(_) => None,
        }
    }
}

impl Factor {
    /// The prior that was factorised.
    pub fn prior(&self) -> Prior {
        match self {
            Factor::Dense(dense) => Prior::Dense(dense.prior().clone()),
            Factor::Sparse(sparse) => Prior::Sparse(sparse.prior().clone()),
        }
    }

    /// The rows that stand for all, where there are any.
    pub fn inducing(&self) -> Option<&Inducing> {
        match self {
            Factor::Dense(_) => None,
            Factor::Sparse(sparse) => Some(sparse.prior().inducing()),
        }
    }

    /// `log |I + K T|`.
    pub fn log_det(&self) -> f64 {
        match self {
            Factor::Dense(dense) => dense.log_det(),
            Factor::Sparse(sparse) => sparse.log_det(),
        }
    }

    /// Posterior variances, and the factor ready for quick repeated solves.
    pub fn with_marginals(self) -> Result<(Factor, Marginals), Failure> {
        match self {
            Factor::Dense(dense) => dense.with_marginals().map(|(dense, marginals)| (Factor::Dense(dense), marginals)),
            Factor::Sparse(sparse) => {
                let marginals = sparse.marginals();
                Ok((Factor::Sparse(sparse), marginals))
            }
        }
    }

    /// How the cavity variances follow the precisions; `None` where a site is not positive, and with inducing rows.
    pub(crate) fn trend(&self, marginals: &Marginals) -> Option<CavityTrend> {
        match self {
            Factor::Dense(dense) => dense.trend(marginals),
            Factor::Sparse(_) => None,
        }
    }

    /// `(I + T K)⁻¹ x = x - R K x`.
    pub fn solve_site(&self, x: &[f64]) -> Vec<f64> {
        match self {
            Factor::Dense(dense) => dense.solve_site(x),
            Factor::Sparse(sparse) => sparse.solve_site(x),
        }
    }

    /// What a column of [`Prior::cross`] is multiplied by for a predicted mean.
    pub(super) fn weights(&self, alpha: &[f64]) -> Vec<f64> {
        match self {
            Factor::Dense(_) => alpha.to_vec(),
            Factor::Sparse(sparse) => sparse.weights(alpha),
        }
    }

    /// `k*ᵀ R k*`, what the sites explain of the prior variance, for each column of [`Prior::cross`].
    pub fn explained(&self, cross: Mat) -> Vec<f64> {
        match self {
            Factor::Dense(dense) => dense.explained(cross),
            Factor::Sparse(sparse) => sparse.explained(cross),
        }
    }

    /// The posterior covariance `Sigma = K - K R K` in full, exactly symmetric.
    pub fn covariance(&self) -> Mat {
        match self {
            Factor::Dense(dense) => dense.covariance(),
            Factor::Sparse(sparse) => sparse.covariance(),
        }
    }

    /// `R = (K + T⁻¹)⁻¹` in full.
    pub fn information(&self) -> Mat {
        match self {
            Factor::Dense(dense) => dense.information(),
            Factor::Sparse(sparse) => sparse.information(),
        }
    }

    /// `R` in half the memory, made in the factor's own, which is given away with it.
    pub(crate) fn into_information(self, spare: Option<PackedSymmetric>) -> Result<(PackedSymmetric, Spare), Failure> {
        match self {
            Factor::Dense(dense) => Ok(dense.into_information(spare)?),
            Factor::Sparse(mut sparse) => {
                let packed = PackedSymmetric::from_lower(&sparse.information(), spare)?;
                Ok((packed, sparse.take_spare()))
            }
        }
    }

    /// `½ (alpha alphaᵀ - R)`, the derivative of a log evidence in the covariance at fixed sites (math 4), and
    /// `½ (t alphaᵀ + alpha tᵀ)` for a method whose sites move it too, `t` being `implicit`. With inducing rows, where no such
    /// method is used, `residual` is the derivative in the variance that each row has for itself.
    pub(super) fn adjoint(
        &self,
        alpha: &[f64],
        implicit: Option<&[f64]>,
        residual: impl FnOnce() -> Vec<f64>,
    ) -> Adjoint {
        match self {
            Factor::Dense(dense) => dense.adjoint(alpha, implicit),
            Factor::Sparse(sparse) => Adjoint::Sparse(vec![sparse.adjoint(alpha, residual())]),
        }
    }

    /// Gives its memory away.
    pub fn into_spare(mut self) -> Spare {
        self.take_spare()
    }

    /// Gives its memory away; what is left is of no use.
    pub(crate) fn take_spare(&mut self) -> Spare {
        match self {
            Factor::Dense(dense) => dense.take_spare(),
            Factor::Sparse(sparse) => sparse.take_spare(),
        }
    }
}
