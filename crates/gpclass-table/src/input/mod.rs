//! Where the bytes of a table come from, and what they are.

mod bytes;
mod recognise;

pub use bytes::Bytes;
pub(crate) use recognise::{Recognised, Whole, in_memory, open, stream};
