//! Files out: whole or not at all, and never over a file that is read.

pub mod atomic;
pub mod error;
mod leftovers;
mod place;
mod plan;

pub use atomic::{Done, Output, abandon, commit_all, write_whole};
pub use error::OutputError;
pub use plan::Plan;
