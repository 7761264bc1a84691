//! Why a model could not be explained.

use crate::interrupt::Interrupted;
use crate::model::ModelError;

/// Why a model could not be explained.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ExplainError {
    /// The encoder belongs to another model.
    #[error("the encoder makes {encoder} features but the model was trained on {model}; use the encoder of this model")]
    Encoder {
        /// Features that the encoder makes.
        encoder: usize,
        /// Features that the model has; they can be as many and still be others.
        model: usize,
    },
    /// A feature that does not exist.
    #[error("there is no feature number {feature}: the model has {features}, counted from 0")]
    Feature {
        /// The position asked for, from 0.
        feature: usize,
        /// Features of the model.
        features: usize,
    },
    /// An option out of its range.
    #[error("{option} is {value}; it must be {wanted}")]
    Option {
        /// Name of the option.
        option: &'static str,
        /// Its value.
        value: f64,
        /// What it must be, for the sentence.
        wanted: &'static str,
    },
    /// It was interrupted.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
    /// The model refused the rows made for it.
    #[error(transparent)]
    Model(#[from] ModelError),
}
