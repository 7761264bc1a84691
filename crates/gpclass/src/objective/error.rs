//! Why an objective has no value or no gradient.

use super::CriterionError;
use crate::inference::LeaveOneOutError;
use crate::model::ModelError;

/// Why an objective could not be computed. An optimiser that meets one on its way should take a shorter step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObjectiveError {
    /// The gradient in the hyperparameters could not be had.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The leave-one-out criterion is not defined for these rows.
    #[error(transparent)]
    Criterion(#[from] CriterionError),
    /// The gradient of a leave-one-out criterion is not known for several classes that are inferred together.
    #[error(
        "a leave-one-out objective cannot be climbed for several classes inferred together; use one class against the rest \
         (one-vs-rest), or the evidence"
    )]
    Jointly,
    /// The leave-one-out criterion has no exact gradient here.
    #[error(transparent)]
    LeaveOneOut(#[from] LeaveOneOutError),
}
