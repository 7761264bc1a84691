//! Files out: whole or not at all.

pub mod atomic;
pub mod error;

pub use atomic::{Output, remove_unfinished};
pub use error::OutputError;
