//! What learning maximises: the evidence, or a leave-one-out criterion. Each gives a value and a gradient in every
//! covariance and likelihood parameter, through one adjoint of the covariance matrix.

use crate::model::{FittedModel, Gradient, ModelError};
use serde::{Deserialize, Serialize};

/// A number to maximise over the hyperparameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Objective {
    /// The log evidence of the inference method.
    #[default]
    Evidence,
}

impl Objective {
    /// The value at a fitted model.
    pub fn value(&self, fit: &FittedModel) -> f64 {
        match self {
            Objective::Evidence => fit.log_evidence(),
        }
    }

    /// Its gradient.
    pub fn gradient(&self, fit: &FittedModel) -> Result<Gradient, ModelError> {
        match self {
            Objective::Evidence => fit.evidence_gradient(),
        }
    }
}
