//! What a search is about.

use super::{InferenceError, Observations};
use crate::interrupt::Interrupt;
use crate::posterior::{Factor, Spare};
use crate::prior::{Failure, Prior};

/// What is known besides the prior, and whether anybody still waits for the answer.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    pub observations: &'a Observations<'a>,
    pub interrupt: Interrupt<'a>,
}

impl Known<'_> {
    /// Runs `search` with as little jitter in the prior as possible.
    pub fn search<R>(
        self,
        prior: Prior,
        search: impl Fn(Problem<'_>) -> Result<R, Failure>,
    ) -> Result<R, InferenceError> {
        let Known { observations, interrupt } = self;
        Ok(prior.with_least_jitter(&JITTER, |prior| search(Problem { prior, observations, interrupt }))?)
    }
}

/// Jitter that is tried, relative to the mean prior variance, when the covariance is not positive definite in
/// floating point.
pub(super) const JITTER: [f64; 4] = [1e-12, 1e-10, 1e-8, 1e-6];

/// A prior and what was observed of its latent values.
#[derive(Clone, Copy)]
pub(super) struct Problem<'a> {
    pub prior: &'a Prior,
    pub observations: &'a Observations<'a>,
    pub interrupt: Interrupt<'a>,
}

impl Problem<'_> {
    pub fn len(&self) -> usize {
        self.observations.len()
    }

    /// The prior factorised with site precisions, which is the long part of every sweep: unless interrupted.
    pub fn factorise(&self, tau: &[f64], spare: Option<Spare>) -> Result<Factor, Failure> {
        self.interrupt.check()?;
        self.prior.factorise(tau, spare)
    }

    /// `alpha = (I + T K)⁻¹ nu` and `mu = K alpha`.
    pub fn site_means(&self, factor: &Factor, nu: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let alpha = factor.solve_site(nu);
        let mu = self.prior.times(&alpha);
        (alpha, mu)
    }
}
