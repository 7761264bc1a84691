//! The `gpclass` command-line tool: tables in, model files, predictions and reports out.
//!
//! The library `gpclass` does no input or output; this crate does all of it.

pub mod output;
pub mod report;
pub mod table;
