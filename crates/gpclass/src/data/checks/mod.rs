//! What is worth knowing about the rows: duplicates, columns that name them, give the classes away or say nothing new,
//! weights.

mod duplicates;
mod giveaways;
mod group_like;
mod identifiers;
mod redundancy;
mod weights;

pub use duplicates::{DuplicateSummary, duplicates};
pub(crate) use giveaways::giveaways;
pub use group_like::group_notes;
pub use identifiers::{Identifier, identifiers};
pub(in crate::data) use redundancy::column_notes;
pub use weights::RowWeights;
