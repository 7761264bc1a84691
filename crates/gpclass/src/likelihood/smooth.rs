//! ln p(y|f) and its derivatives in f, for the likelihoods that have them everywhere.

use super::{Gaussian, Likelihood, LikelihoodError, logistic};
use crate::data::Sign;

/// A likelihood whose logarithm is smooth and concave: what Laplace's method can use.
#[derive(Clone, Copy, Debug)]
pub struct Smooth<'a> {
    likelihood: &'a Likelihood,
}

impl<'a> Smooth<'a> {
    pub(super) fn new(likelihood: &'a Likelihood) -> Result<Self, LikelihoodError> {
        match likelihood {
            Likelihood::Probit(probit) if probit.sigma() == 0.0 => Err(LikelihoodError::NotSmooth),
            Likelihood::Probit(probit) if probit.eps() > 0.0 => Err(LikelihoodError::NotLogConcave(probit.eps())),
            _ => Ok(Smooth { likelihood }),
        }
    }

    /// ln p(y|f) and its first three derivatives in f.
    pub fn derivatives(&self, y: Sign, f: f64) -> [f64; 4] {
        let [value, first, second, third, _] = pointwise(self.likelihood, y, f);
        [value, first, second, third]
    }

    /// For each parameter, its derivative of (ln p, d ln p/df, d2 ln p/df2).
    pub fn param_derivatives(&self, y: Sign, f: f64) -> Vec<[f64; 3]> {
        pointwise_by_param(self.likelihood, y, f)
    }
}

/// ln p(y|f).
pub(super) fn log_p(likelihood: &Likelihood, y: Sign, f: f64) -> f64 {
    match likelihood {
        Likelihood::Probit(probit) => probit.log_z(y, Gaussian { mean: f, var: 0.0 }, 1.0),
        Likelihood::Logistic => logistic::log_p(y, f),
    }
}

/// The first four derivatives of ln p(y|f) in f.
pub(super) fn slopes(likelihood: &Likelihood, y: Sign, f: f64) -> [f64; 4] {
    match likelihood {
        Likelihood::Probit(probit) => probit.derivatives(y, Gaussian { mean: f, var: 0.0 }, 1.0),
        Likelihood::Logistic => logistic::derivatives(y, f),
    }
}

/// ln p(y|f) and its first four derivatives in f.
pub(super) fn pointwise(likelihood: &Likelihood, y: Sign, f: f64) -> [f64; 5] {
    let [d1, d2, d3, d4] = slopes(likelihood, y, f);
    [log_p(likelihood, y, f), d1, d2, d3, d4]
}

/// For each parameter, its derivative of (ln p, d ln p/df, d2 ln p/df2).
pub(super) fn pointwise_by_param(likelihood: &Likelihood, y: Sign, f: f64) -> Vec<[f64; 3]> {
    match likelihood {
        Likelihood::Probit(probit) => probit.curvature(y, Gaussian { mean: f, var: 0.0 }, 1.0).by_param,
        Likelihood::Logistic => Vec::new(),
    }
}
