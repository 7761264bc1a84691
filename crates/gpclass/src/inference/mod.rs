//! From a prior covariance and labels to a posterior: EP (and its one-pass form ADF), Laplace, least squares.
//!
//! Every method ends in Gaussian sites and so in the same [`Posterior`](crate::posterior::Posterior).

pub mod ep;
mod evidence;
mod kept;
mod laplace;
mod least_squares;
mod observations;
mod outcome;
mod rounding;

pub use evidence::EvidenceGradient;
pub use kept::Kept;
pub use laplace::LaplaceOptions;
pub use least_squares::LeastSquaresOptions;
pub use observations::Observations;
pub use outcome::{Inferred, Outcome, Reason, Report};

use crate::likelihood::LikelihoodError;
use crate::sites::Sites;
use ep::EpOptions;
use gpclass_linalg::{Mat, NotPositiveDefinite};
use serde::{Deserialize, Serialize};

/// An inference method with its options.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Expectation propagation. With [`Schedule::OnePass`](ep::Schedule::OnePass) this is assumed-density filtering.
    Ep(EpOptions),
    /// Laplace's method; needs a smooth, log-concave likelihood.
    Laplace(LaplaceOptions),
    /// Gaussian-process regression on the labels (EPCV section 5).
    LeastSquares(LeastSquaresOptions),
}

impl Default for Method {
    fn default() -> Self {
        Method::Ep(EpOptions::default())
    }
}

impl Method {
    pub fn name(&self) -> &'static str {
        match self {
            Method::Ep(options) if options.schedule == ep::Schedule::OnePass => "adf",
            Method::Ep(_) => "ep",
            Method::Laplace(_) => "laplace",
            Method::LeastSquares(_) => "ls",
        }
    }

    /// Infers the posterior for the prior covariance `k` (symmetric; both triangles). `start` warms the search up; the
    /// fixed point does not depend on it where it is unique.
    pub fn infer(
        &self,
        k: &Mat,
        observations: &Observations<'_>,
        start: Option<&Sites>,
    ) -> Result<Inferred, InferenceError> {
        check(k, observations, start)?;
        match self {
            Method::Ep(options) => ep::infer(k, observations, start, options),
            Method::Laplace(options) => laplace::infer(k, observations, start, options),
            Method::LeastSquares(options) => least_squares::infer(k, observations, options),
        }
    }

    /// The posterior of given sites under the prior covariance `k`, without a search. Least squares has no sites but
    /// its own, so it infers.
    pub fn at_sites(
        &self,
        k: &Mat,
        observations: &Observations<'_>,
        sites: &Sites,
    ) -> Result<Inferred, InferenceError> {
        check(k, observations, Some(sites))?;
        let found = match self {
            Method::Ep(_) => with_jitter(k, |k, jitter| ep::at_sites(k, observations, sites, jitter)),
            Method::Laplace(_) => laplace::at_sites(k, observations, sites),
            Method::LeastSquares(options) => least_squares::infer(k, observations, options),
        };
        match found {
            Err(InferenceError::NotPositiveDefinite { .. }) if sites.negative() > 0 => {
                Err(InferenceError::Improper { negative: sites.negative() })
            }
            found => found,
        }
    }
}

/// Whether shapes agree and every number is finite.
fn check(k: &Mat, observations: &Observations<'_>, sites: Option<&Sites>) -> Result<(), InferenceError> {
    let (n, rows) = (observations.len(), (k.rows(), k.cols()));
    if rows != (n, n) {
        return Err(InferenceError::Shape { n, rows: rows.0, cols: rows.1 });
    }
    if let Some(sites) = sites
        && (sites.len() != n || !sites.is_finite())
    {
        return Err(InferenceError::Start { n, given: sites.len() });
    }
    for j in 0..n {
        if let Some(i) = k.col(j).iter().position(|v| !v.is_finite()) {
            return Err(InferenceError::Covariance { row: i.min(j), other: i.max(j), value: k[(i, j)] });
        }
    }
    Ok(())
}

/// Jitter that is tried, relative to the mean prior variance, when the covariance is not positive definite in
/// floating point.
const JITTER: [f64; 4] = [1e-12, 1e-10, 1e-8, 1e-6];

/// Runs `search` on `k`, with as little as possible added to its diagonal where it fails without.
fn with_jitter<R>(k: &Mat, search: impl Fn(&Mat, f64) -> Result<R, NotPositiveDefinite>) -> Result<R, InferenceError> {
    if let Ok(found) = search(k, 0.0) {
        return Ok(found);
    }
    let n = k.rows();
    let scale = k.diag().iter().sum::<f64>() / n as f64;
    let mut shifted = k.clone();
    for relative in JITTER {
        for i in 0..n {
            shifted[(i, i)] = k[(i, i)] + relative * scale;
        }
        if let Ok(found) = search(&shifted, relative * scale) {
            return Ok(found);
        }
    }
    Err(InferenceError::NotPositiveDefinite { jitter: JITTER[JITTER.len() - 1] * scale })
}

/// Why inference could not start.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum InferenceError {
    #[error("the covariance matrix is {rows} x {cols} but there are {n} labels; give one row per label")]
    Shape { n: usize, rows: usize, cols: usize },
    #[error("the starting sites have {given} rows or hold a value that is not finite; give {n} finite ones or none")]
    Start { n: usize, given: usize },
    #[error(
        "the prior covariance of data rows {} and {} is {value}; check those rows for infinite inputs and the \
         hyperparameters for overflow",
        .row + 1, .other + 1
    )]
    Covariance { row: usize, other: usize, value: f64 },
    #[error(
        "the prior covariance matrix cannot be factorised even with {jitter:e} added to its diagonal; check that \
         every variance is positive"
    )]
    NotPositiveDefinite { jitter: f64 },
    #[error("the noise variance of the least-squares classifier is {0}; it must be positive and finite")]
    Noise(f64),
    #[error(
        "the given sites, {negative} of them of negative precision, leave no proper posterior under this covariance; take \
         a shorter step from the covariance they were found with"
    )]
    Improper { negative: usize },
    #[error(transparent)]
    Likelihood(#[from] LikelihoodError),
}
