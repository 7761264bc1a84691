//! Leave-one-out criteria and their gradients (math 6, 6.1).
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
mod fixed_point;
mod linkage;

use super::{Criterion, LooGradient, ObjectiveError, Scored};
use crate::inference::{Method, Outcome};
use crate::model::{FittedModel, Gradient, ModelError};
use cavity_slopes::CavitySlopes;
use gpclass_linalg::Mat;
use linkage::Linkage;

/// `d J = sum_i (by_var_i dv_i + by_mean_i dmu_i) + sum_p likelihood_p d rho_p` over changes of the covariance and of
/// the likelihood's parameters.
struct MarginalSlopes {
    by_var: Vec<f64>,
    by_mean: Vec<f64>,
    likelihood: Vec<f64>,
}

pub(super) fn value(fit: &FittedModel, criterion: Criterion) -> Result<f64, ObjectiveError> {
    let log_p = log_probabilities(fit);
    Ok(criterion.value(&scored(fit, &log_p))?)
}

pub(super) fn gradient(fit: &FittedModel, criterion: Criterion, mode: LooGradient) -> Result<Gradient, ObjectiveError> {
    let log_p = log_probabilities(fit);
    let direct = CavitySlopes::of_criterion(fit, &criterion.slopes(&scored(fit, &log_p))?);
    let linkage = Linkage::new(fit);
    let slopes = match (mode, &fit.model().method) {
        // The sites of least squares are constants.
        (LooGradient::FixedSites, _) | (LooGradient::Exact, Method::LeastSquares(_)) => linkage.to_marginals(direct),
        (LooGradient::Exact, Method::Ep(_)) => {
            at_fixed_point(fit)?;
            fixed_point::expectation_propagation(fit, &linkage, direct)?
        }
        (LooGradient::Exact, Method::Laplace(_)) => {
            at_fixed_point(fit)?;
            fixed_point::laplace(fit, &linkage, direct).map_err(ModelError::from)?
        }
    };
    let adjoint = adjoint(fit, linkage, &slopes);
    let kernel = fit.model().kernel.pull_back(fit.data().inputs(), &adjoint);
    Ok(Gradient { kernel, likelihood: super::without_boundary_infinities(&fit.model().likelihood, slopes.likelihood) })
}

/// Implicit differentiation needs equations that the sites solve.
fn at_fixed_point(fit: &FittedModel) -> Result<(), ObjectiveError> {
    match fit.inferred().report.outcome {
        Outcome::Converged | Outcome::NotConverged(_) => Ok(()),
        Outcome::OnePass => Err(ObjectiveError::NoFixedPoint { method: "assumed-density filtering" }),
        Outcome::GivenSites => Err(ObjectiveError::NoFixedPoint { method: "a posterior at given sites" }),
    }
}

fn log_probabilities(fit: &FittedModel) -> Vec<f64> {
    fit.leave_one_out_log_probability()
}

fn scored<'a>(fit: &'a FittedModel, log_p: &'a [f64]) -> Scored<'a> {
    Scored { log_p, labels: fit.data().signs(), weights: fit.data().weights() }
}

/// `Mᵀ diag(by_var) M + ½ (w alphaᵀ + alpha wᵀ)`, `w = Mᵀ by_mean`, `M = (I + K T)⁻¹` (math 6.1): the lower triangle.
fn adjoint(fit: &FittedModel, linkage: Linkage, slopes: &MarginalSlopes) -> Mat {
    let posterior = &fit.inferred().posterior;
    let alpha = posterior.alpha();
    let w = posterior.damp(fit.prior(), &slopes.by_mean);
    let mut adjoint = linkage.weighted_response(fit, &slopes.by_var);
    for j in 0..alpha.len() {
        let (aj, wj) = (0.5 * alpha[j], 0.5 * w[j]);
        let column = adjoint.col_mut(j)[j..].iter_mut();
        for ((value, ai), wi) in column.zip(&alpha[j..]).zip(&w[j..]) {
            *value += wi * aj + ai * wj;
        }
    }
    adjoint
}
