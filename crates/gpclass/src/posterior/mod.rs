//! The posterior over the latent values: one state for every inference method.
//!
//! Symbols, here and in `inference` (math 3): `K` prior covariance; `T = diag(tau)` site precisions;
//! `Sigma = (K⁻¹ + T)⁻¹` posterior covariance; `mu = Sigma nu` posterior mean; `alpha = K⁻¹ mu = nu - T mu`;
//! `R = (K + T⁻¹)⁻¹ = T - T Sigma T`. `K` is never inverted, so it may be singular.

mod coupled;
mod dense;
mod factor;
mod sites;

pub(crate) use coupled::IMPROPER;
pub use coupled::{CoupledFactor, FunctionPriors, RowMarginals};
pub use dense::DenseFactor;
pub(crate) use dense::RoughFactor;
pub use factor::{Factor, Marginals, Spare};
pub use sites::Sites;

use crate::likelihood::Gaussian;
use crate::prior::{Adjoint, Prior};
use gpclass_linalg::Mat;

/// A Gaussian posterior given by its sites, ready to predict.
#[derive(Clone, Debug)]
pub struct Posterior {
    sites: Sites,
    alpha: Vec<f64>,
    mean: Vec<f64>,
    marginals: Marginals,
    factor: Factor,
}

impl Posterior {
    pub(crate) fn new(sites: Sites, alpha: Vec<f64>, mean: Vec<f64>, marginals: Marginals, factor: Factor) -> Self {
        Posterior { sites, alpha, mean, marginals, factor }
    }

    /// The prior, jitter included.
    pub fn prior(&self) -> Prior {
        self.factor.prior()
    }

    /// The sites that the posterior follows from.
    pub fn sites(&self) -> &Sites {
        &self.sites
    }

    /// `K⁻¹ mu`: the weights of the training rows in a predicted mean.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// Posterior means of the training rows' latent values.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Posterior variances of the training rows' latent values.
    pub fn var(&self) -> &[f64] {
        &self.marginals.var
    }

    pub(crate) fn marginals(&self) -> &Marginals {
        &self.marginals
    }

    pub(crate) fn factor(&self) -> &Factor {
        &self.factor
    }

    /// Latent mean and variance at test rows, from their covariances with the training rows (`n x m`) and their
    /// prior variances (math 8).
    pub fn predict(&self, cross: Mat, prior_var: &[f64]) -> Vec<Gaussian> {
        let means = cross.transpose_mul_vec(&self.alpha);
        let explained = self.factor.explained(cross);
        let left = |(prior, explained): (&f64, f64)| match prior - explained {
            // Rounding can take a fully explained variance just below zero. What is no number stays so.
            below if below < 0.0 => 0.0,
            var => var,
        };
        let vars = prior_var.iter().zip(explained).map(left);
        means.into_iter().zip(vars).map(|(mean, var)| Gaussian { mean, var }).collect()
    }

    /// The latent distribution of each training row with one of its `copies` tied sites taken out (math 3):
    /// `s = v / gap`, `m = mu - s alpha / c`.
    pub(crate) fn cavities(&self, copies: impl Fn(usize) -> f64) -> Vec<Gaussian> {
        (0..self.mean.len())
            .map(|i| {
                let c = copies(i);
                let var = self.marginals.var[i] / self.marginals.gap(i, self.sites.tau[i], c);
                Gaussian { mean: self.mean[i] - var * self.alpha[i] / c, var }
            })
            .collect()
    }

    /// `(I + T K)⁻¹ x`.
    pub(crate) fn solve_site(&self, x: &[f64]) -> Vec<f64> {
        self.factor.solve_site(x)
    }

    /// The posterior covariance `Sigma = K - K R K` in full, exactly symmetric.
    pub fn covariance(&self) -> Mat {
        self.factor.covariance()
    }

    /// `R = (K + T⁻¹)⁻¹` in full.
    pub fn information(&self) -> Mat {
        self.factor.information()
    }

    /// See [`Factor::adjoint`].
    pub(crate) fn adjoint(&self, implicit: Option<&[f64]>) -> Adjoint {
        self.factor.adjoint(&self.alpha, implicit)
    }
}
