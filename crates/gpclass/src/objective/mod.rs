//! What learning maximises: the evidence, or a leave-one-out criterion. Each gives a value and a gradient in every
//! covariance and likelihood parameter, through one adjoint of the covariance matrix.

mod bound;
mod class_criterion;
#[cfg(test)]
mod conformance;
mod criterion;
mod error;
mod label_error;
mod leave_one_out;
mod names;

pub use bound::Bound;
pub use class_criterion::ScoredClasses;
pub use criterion::{Criterion, CriterionError, Scored};
pub use error::ObjectiveError;
pub use label_error::{eps_by_count, eps_by_posterior};
pub(crate) use names::DEFAULT_ZETA;

use crate::model::{FittedModel, Gradient};
use serde::{Deserialize, Serialize};

/// A number to maximise over the hyperparameters.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Objective {
    /// The log evidence of the inference method.
    #[default]
    Evidence,
    /// A score of leave-one-out predictions (EPCV section 3).
    LeaveOneOut {
        /// The score.
        criterion: Criterion,
        /// Which derivative of it is used.
        gradient: LooGradient,
    },
}

/// Which derivative of a leave-one-out criterion is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LooGradient {
    /// The true one: sites move with the hyperparameters (math 6.1).
    #[default]
    Exact,
    /// At fixed sites, as EPCV's appendix has it: the derivative of the criterion at [`Model::at_sites`], for the
    /// M-step of EP-CV.
    ///
    /// [`Model::at_sites`]: crate::model::Model::at_sites
    #[serde(alias = "fixed_sites")]
    FixedSites,
}

impl Objective {
    /// A leave-one-out criterion with its exact gradient.
    pub fn leave_one_out(criterion: Criterion) -> Self {
        Objective::LeaveOneOut { criterion, gradient: LooGradient::Exact }
    }

    /// The value at a fitted model.
    pub fn value(&self, fit: &FittedModel) -> Result<f64, ObjectiveError> {
        match self {
            Objective::Evidence => Ok(fit.log_evidence()),
            Objective::LeaveOneOut { criterion, .. } => leave_one_out::value(fit, *criterion),
        }
    }

    /// Its gradient.
    pub fn gradient(&self, fit: &FittedModel) -> Result<Gradient, ObjectiveError> {
        match self {
            Objective::Evidence => Ok(fit.evidence_gradient()?),
            Objective::LeaveOneOut { criterion, gradient } => leave_one_out::gradient(fit, *criterion, *gradient),
        }
    }
}
