//! The `gpclass` command-line tool: tables in, model files, predictions and reports out.
//!
//! The library `gpclass` does no input or output; this crate does all of it. What is typed ([`args`]) becomes a checked
//! plan in [`commands`], which read with [`input`], write with [`gpclass_host::output`] and tell what they found with
//! [`show`].

pub mod args;
pub mod checkpoint;
pub mod commands;
mod corrections;
pub mod cost;
pub mod error;
pub mod input;
pub mod interrupt;
pub mod labelled;
pub mod progress;
pub mod rows;
pub mod session;
pub mod show;
pub mod stored;
pub mod wording;
