//! All that can be asked for, in one structure that a file can hold.

use super::DecisionRule;
use crate::data::EncoderOptions;
use crate::learn::FitOptions;
use serde::{Deserialize, Serialize};

/// What a classifier is to be. Everything has a default; the default compares the sensible models.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spec {
    /// How columns become numbers.
    pub encoder: EncoderOptions,
    /// Which models are fitted, and how.
    pub fit: FitOptions,
    /// The positive class of two; by default the second in natural order.
    pub positive: Option<String>,
    /// How rows are to be decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decision: Option<DecisionRule>,
}
