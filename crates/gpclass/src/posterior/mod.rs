//! The posterior over the latent values: one state for every inference method.
//!
//! Symbols, here and in `inference` (math 3): `K` prior covariance; `T = diag(tau)` site precisions;
//! `Sigma = (K⁻¹ + T)⁻¹` posterior covariance; `mu = Sigma nu` posterior mean; `alpha = K⁻¹ mu = nu - T mu`;
//! `R = (K + T⁻¹)⁻¹ = T - T Sigma T`. `K` is never inverted, so it may be singular.

mod blocks;
mod coupled;
mod dense;
mod factor;
mod sites;
mod sparse;

pub use coupled::{CoupledFactor, FunctionPriors, RowMarginals};
pub(crate) use coupled::{Differences, Held, IMPROPER};
pub use dense::DenseFactor;
pub(crate) use dense::{CavityTrend, RoughFactor};
pub use factor::{Factor, Marginals, Spare};
pub use sites::Sites;
pub use sparse::SparseFactor;

use crate::likelihood::Gaussian;
use crate::prior::{Adjoint, Prior, SiteSums};
use gpclass_linalg::{Mat, vector};

/// A Gaussian posterior given by its sites, ready to predict.
#[derive(Clone, Debug)]
pub struct Posterior {
    sites: Sites,
    alpha: Vec<f64>,
    mean: Vec<f64>,
    marginals: Marginals,
    factor: Factor,
    /// What the covariances of a test row are multiplied by.
    weights: Vec<f64>,
}

impl Posterior {
    pub(crate) fn new(sites: Sites, alpha: Vec<f64>, mean: Vec<f64>, marginals: Marginals, factor: Factor) -> Self {
        let weights = factor.weights(&alpha);
        Posterior { sites, alpha, mean, marginals, factor, weights }
    }

    /// The same where latent values were counted from the means `offset`, which rows elsewhere give them.
    pub(crate) fn counted_from_zero(mut self, offset: &[f64]) -> Self {
        vector::add_scaled(&mut self.mean, 1.0, offset);
        for ((nu, tau), offset) in self.sites.nu.iter_mut().zip(&self.sites.tau).zip(offset) {
            *nu += tau * offset;
        }
        self
    }

    /// The prior, jitter included.
    pub fn prior(&self) -> Prior {
        self.factor.prior()
    }

    /// The sites that the posterior follows from.
    pub fn sites(&self) -> &Sites {
        &self.sites
    }

    /// What is left of each training row's variance by inducing rows; nothing where there are none.
    pub fn residual(&self) -> Option<&[f64]> {
        match &self.factor {
            Factor::Dense(_) => None,
            Factor::Sparse(sparse) => Some(sparse.prior().residual()),
        }
    }

    /// The sites of rows that are held elsewhere, summed, where there are any.
    pub(crate) fn others(&self) -> Option<&SiteSums> {
        match &self.factor {
            Factor::Dense(_) => None,
            Factor::Sparse(sparse) => sparse.prior().others(),
        }
    }

    /// `K⁻¹ mu`: the weights of the training rows in a predicted mean.
    pub fn alpha(&self) -> &[f64] {
        &self.alpha
    }

    /// Posterior means of the training rows' latent values; with inducing rows of their projections.
    pub fn mean(&self) -> &[f64] {
        &self.mean
    }

    /// Posterior variances of the training rows' latent values; with inducing rows of their projections.
    pub fn var(&self) -> &[f64] {
        &self.marginals.var
    }

    /// What a column of [`Prior::cross`] is multiplied by for a predicted mean.
    pub(crate) fn weights(&self) -> &[f64] {
        &self.weights
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
        let means = cross.transpose_mul_vec(&self.weights);
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
    /// `s = v / gap`, `m = mu - s alpha / c`. What inducing rows leave of its variance is added.
    pub(crate) fn cavities(&self, copies: impl Fn(usize) -> f64) -> Vec<Gaussian> {
        (0..self.mean.len())
            .map(|i| {
                let c = copies(i);
                let var = self.marginals.var[i] / self.marginals.gap(i, self.sites.tau[i], c);
                let residual = self.residual().map_or(0.0, |residual| residual[i]);
                Gaussian { mean: self.mean[i] - var * self.alpha[i] / c, var: var + residual }
            })
            .collect()
    }

    /// The latent distribution of each training row given all labels: its marginal or, with inducing rows, the projection's
    /// with what is left, `mu + D b` and `s + s² d2` of the whole variance `s` of its cavity (scale 3).
    pub(crate) fn latents(&self, copies: impl Fn(usize) -> f64) -> Vec<Gaussian> {
        let Some(residual) = self.residual() else {
            return self.mean.iter().zip(self.var()).map(|(&mean, &var)| Gaussian { mean, var }).collect();
        };
        (0..self.mean.len())
            .map(|i| {
                let c = copies(i);
                let gap = self.marginals.gap(i, self.sites.tau[i], c);
                let whole = self.marginals.var[i] / gap + residual[i];
                let d2 = -self.sites.tau[i] / c * gap;
                Gaussian { mean: self.mean[i] + residual[i] * self.alpha[i] / c, var: whole + whole * whole * d2 }
            })
            .collect()
    }

    /// `(I + T K)⁻¹ x`.
    pub(crate) fn solve_site(&self, x: &[f64]) -> Vec<f64> {
        self.factor.solve_site(x)
    }

    /// `R y` for `y` as a column of [`Prior::cross`]: with inducing rows `(I - B⁻¹) y`.
    pub(crate) fn information_times(&self, y: &[f64]) -> Vec<f64> {
        match &self.factor {
            Factor::Dense(dense) => {
                dense.solve_site(&y.iter().zip(&self.sites.tau).map(|(y, tau)| y * tau).collect::<Vec<f64>>())
            }
            Factor::Sparse(sparse) => sparse.information_times(y),
        }
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
    pub(crate) fn adjoint(&self, implicit: Option<&[f64]>, copies: impl Fn(usize) -> f64) -> Adjoint {
        // h = c (d2 + d1²) / 2 at the cavity, where c d1 = alpha and c d2 = -tau gap at the fixed point.
        let slope = |i: usize| {
            let (c, alpha, tau) = (copies(i), self.alpha[i], self.sites.tau[i]);
            0.5 * (alpha * alpha / c - tau * self.marginals.gap(i, tau, c))
        };
        self.factor.adjoint(&self.alpha, implicit, || (0..self.alpha.len()).map(slope).collect())
    }
}
