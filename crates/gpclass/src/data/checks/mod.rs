//! What is worth knowing about the rows before learning: duplicates, columns that say nothing new, weights.

mod duplicates;
mod redundancy;
mod weights;

pub use duplicates::{DuplicateSummary, duplicates};
pub(in crate::data) use redundancy::column_notes;
pub use weights::RowWeights;
