//! From a table to what a kernel accepts.

mod inputs;
mod label;

pub use inputs::{Feature, FeatureKind, Inputs};
pub use label::Label;
