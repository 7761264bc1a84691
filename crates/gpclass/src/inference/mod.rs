//! From a prior and labels to a posterior: EP (and its one-pass form ADF), Laplace, least squares.
//!
//! Every method ends in Gaussian sites and so in the same [`Posterior`](crate::posterior::Posterior). Each has its
//! folder: `options.rs`, `search.rs` (the posterior), `gradient.rs` (of the evidence) and `leave_one_out.rs` (how its
//! sites move a leave-one-out criterion); [`Method`] chooses between them, here and nowhere else.

pub mod ep;
mod error;
pub mod joint;
mod kept;
mod laplace;
mod least_squares;
mod leave_group_out;
mod leave_one_out;
mod names;
mod observations;
mod outcome;
mod own_label;
mod problem;
mod refine;
mod sensitivity;
mod shards;
mod some_rows;

pub use error::InferenceError;
pub use kept::{Kept, KeptSparse};
pub use laplace::LaplaceOptions;
pub use least_squares::LeastSquaresOptions;
pub(crate) use leave_one_out::CavitySlopes;
pub use leave_one_out::LeaveOneOutError;
pub use observations::Observations;
pub use outcome::{Inferred, Outcome, Reason, Report};
pub use own_label::OwnLabel;
pub use refine::Refinement;
pub(crate) use refine::{Global, Queries, Refined, locally_left_out};
pub use sensitivity::Sensitivity;
pub use shards::ShardAnswer;
pub(crate) use shards::{Ended, Rounds};

use crate::interrupt::Interrupt;
use crate::posterior::Sites;
use crate::prior::{Prior, Sparse};
use ep::EpOptions;
use leave_one_out::Linkage;
use problem::Known;

/// An inference method with its options.
#[derive(Clone, Debug, PartialEq)]
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
    /// Infers the posterior. `start` warms the search up; the fixed point does not depend on it where it is unique.
    pub fn infer(
        &self,
        prior: Prior,
        observations: &Observations<'_>,
        start: Option<&Sites>,
        interrupt: Interrupt<'_>,
    ) -> Result<Inferred, InferenceError> {
        check(&prior, observations, start)?;
        self.check_form(&prior)?;
        let sparse = prior.as_sparse().cloned();
        let known = Known { observations: &observations.under(sparse.as_ref()), interrupt };
        let found = match self {
            Method::Ep(options) => ep::infer(prior, known, start, options),
            Method::Laplace(options) => laplace::infer(prior, known, start, options),
            Method::LeastSquares(options) => least_squares::infer(prior, known, options),
        };
        found?.counted_from_zero(sparse.as_ref().and_then(Sparse::offset)).finite()
    }

    /// The posterior of given sites, without a search. Least squares has no sites but its own, so it infers.
    pub fn at_sites(
        &self,
        prior: Prior,
        observations: &Observations<'_>,
        sites: &Sites,
    ) -> Result<Inferred, InferenceError> {
        check(&prior, observations, Some(sites))?;
        self.check_form(&prior)?;
        let sparse = prior.as_sparse().cloned();
        let known = Known { observations: &observations.under(sparse.as_ref()), interrupt: Interrupt::default() };
        let found = match self {
            Method::Ep(_) => ep::at_sites(prior, known, sites),
            Method::Laplace(_) => laplace::at_sites(prior, known, sites),
            Method::LeastSquares(options) => least_squares::infer(prior, known, options),
        };
        match found {
            Err(InferenceError::NotPositiveDefinite { .. }) if sites.negative() > 0 => {
                Err(InferenceError::Improper { negative: sites.negative() })
            }
            found => found?.finite(),
        }
    }

    /// Whether the method can infer under such a prior.
    fn check_form(&self, prior: &Prior) -> Result<(), InferenceError> {
        match (self, prior) {
            (Method::Ep(_), _) | (_, Prior::Dense(_)) => Ok(()),
            (Method::Laplace(_) | Method::LeastSquares(_), Prior::Sparse(_)) => {
                Err(InferenceError::NotSparse { method: self.name() })
            }
        }
    }

    /// The derivatives of `inferred.log_z`. Exact at the fixed point (EP) or mode (Laplace).
    pub fn evidence_sensitivity(
        &self,
        observations: &Observations<'_>,
        inferred: &Inferred,
    ) -> Result<Sensitivity, InferenceError> {
        match self {
            Method::Ep(_) => Ok(ep::evidence_sensitivity(observations, inferred)),
            Method::Laplace(_) => laplace::evidence_sensitivity(observations, inferred),
            Method::LeastSquares(_) => Ok(least_squares::evidence_sensitivity(observations, inferred)),
        }
    }

    /// The derivatives of a function of the cavities, whose slopes in them are `direct`, with the sites following
    /// (math 6.1) or, if `fixed_sites`, held.
    pub(crate) fn cavity_sensitivity(
        &self,
        observations: &Observations<'_>,
        inferred: &Inferred,
        direct: CavitySlopes,
        fixed_sites: bool,
    ) -> Result<Sensitivity, LeaveOneOutError> {
        if inferred.posterior.residual().is_some() {
            return Err(LeaveOneOutError::Sparse);
        }
        let linkage = Linkage::new(observations, inferred);
        let slopes = match self {
            _ if fixed_sites => linkage.to_marginals(direct),
            Method::Ep(_) => ep::marginal_slopes(observations, inferred, &linkage, direct)?,
            Method::Laplace(_) => laplace::marginal_slopes(observations, inferred, &linkage, direct)?,
            Method::LeastSquares(_) => least_squares::marginal_slopes(&linkage, direct),
        };
        Ok(linkage.sensitivity(inferred, slopes))
    }
}

/// Whether shapes agree and every number is finite.
fn check(prior: &Prior, observations: &Observations<'_>, sites: Option<&Sites>) -> Result<(), InferenceError> {
    let (n, rows) = (observations.len(), prior.rows());
    if rows != n {
        return Err(InferenceError::Shape { n, rows, cols: rows });
    }
    if let Some(sites) = sites
        && (sites.len() != n || !sites.is_finite())
    {
        return Err(InferenceError::Start { n, given: sites.len() });
    }
    match prior.overflow() {
        Some((row, other, value)) => Err(InferenceError::Covariance { row, other, value }),
        None => Ok(()),
    }
}
