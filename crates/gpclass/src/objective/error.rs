//! Why an objective has no value or no gradient.

use super::CriterionError;
use crate::model::ModelError;

/// Why an objective could not be computed. An optimiser that meets one on its way should take a shorter step.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ObjectiveError {
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Criterion(#[from] CriterionError),
    #[error(
        "the exact gradient of a leave-one-out criterion needs a fixed point, which {method} did not look for; use \
         expectation propagation or the gradient at fixed sites"
    )]
    NoFixedPoint { method: &'static str },
    #[error(
        "the linear system behind the exact leave-one-out gradient still had a relative residual of {residual:.1e} \
         after {products} products; the fixed point is nearly degenerate, so take a shorter step or use the gradient \
         at fixed sites"
    )]
    Adjoint { residual: f64, products: usize },
}
