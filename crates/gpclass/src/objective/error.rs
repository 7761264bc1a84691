//! Why an objective has no value or no gradient.

use super::CriterionError;
use crate::inference::LeaveOneOutError;
use crate::model::ModelError;

/// Why an objective could not be computed. An optimiser that meets one on its way should take a shorter step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObjectiveError {
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Criterion(#[from] CriterionError),
    #[error(transparent)]
    LeaveOneOut(#[from] LeaveOneOutError),
}
