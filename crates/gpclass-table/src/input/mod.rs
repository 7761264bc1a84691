//! Where the bytes of a table come from, and what they are.

mod bytes;
mod recognise;

pub use bytes::Bytes;
#[cfg(feature = "parquet")]
pub(crate) use recognise::Whole;
pub(crate) use recognise::{Recognised, in_memory, open, stream};
