//! Derivatives of functions of the cavities (math 6, 6.1), as far as they are the same for every method.
//!
//! A criterion `J` is a function of the cavities `(s_i, m_i)`, which are functions of the posterior marginals
//! `(v_i, mu_i)` and of the sites. With `c` tied copies of a row, `gap = 1 - tau v / c` and `alpha = nu - tau mu`,
//!
//! ```text
//! s = v / gap,   m = mu - s alpha / c,
//! ds/dv = 1/gap²,   dm/dv = -alpha/(c gap²),   dm/dmu = 1/gap,   ds/dtau = s²/c,   dm/dtau = s m / c,   dm/dnu = -s/c
//! ```
//!
//! which are the partial derivatives of math 6.1 without their differences of large numbers.

mod cavity_slopes;
mod linkage;

pub(crate) use cavity_slopes::CavitySlopes;
pub(super) use linkage::{Linkage, SiteSlopes};

use super::{Inferred, Outcome};
use crate::likelihood::LikelihoodError;

/// `d J = sum_i (by_var_i dv_i + by_mean_i dmu_i) + sum_p likelihood_p d rho_p` over changes of the covariance and of
/// the likelihood's parameters.
pub(super) struct MarginalSlopes {
    pub by_var: Vec<f64>,
    pub by_mean: Vec<f64>,
    pub likelihood: Vec<f64>,
}

/// Why a leave-one-out criterion has no exact gradient.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LeaveOneOutError {
    /// The sites are no fixed point that could be differentiated.
    #[error(
        "the exact gradient of a leave-one-out criterion needs a fixed point, which {method} did not look for; use \
         expectation propagation or the gradient at fixed sites"
    )]
    NoFixedPoint {
        /// What made the sites instead, for the sentence.
        method: &'static str,
    },
    /// The derivatives of the fixed point could not be solved for.
    #[error(
        "the linear system behind the exact leave-one-out gradient still had a relative residual of {residual:.1e} \
         after {products} products; the fixed point is nearly degenerate, so take a shorter step or use the gradient \
         at fixed sites"
    )]
    Adjoint {
        /// Norm of what is left of the equations over that of their right side.
        residual: f64,
        /// Products with the matrix of the equations until then.
        products: usize,
    },
    /// The posterior is by inducing rows.
    #[error(
        "leave-one-out criteria have no gradient by way of inducing rows; learn from the evidence, or from fewer rows exactly"
    )]
    Sparse,
    /// The likelihood lacks the derivatives that are needed.
    #[error(transparent)]
    Likelihood(#[from] LikelihoodError),
}

/// Implicit differentiation needs equations that the sites solve.
pub(super) fn at_fixed_point(inferred: &Inferred) -> Result<(), LeaveOneOutError> {
    match inferred.report.outcome {
        Outcome::Converged | Outcome::ConvergedToRounding | Outcome::NotConverged(_) => Ok(()),
        Outcome::OnePass => Err(LeaveOneOutError::NoFixedPoint { method: "assumed-density filtering" }),
        Outcome::GivenSites => Err(LeaveOneOutError::NoFixedPoint { method: "a posterior at given sites" }),
    }
}
