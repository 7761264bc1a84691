//! What commands say: text for people, JSON for programs, with the same facts.

pub mod csv;
pub mod evaluation;
pub mod grid;
pub mod inference;
pub mod report;
pub mod summary;
pub mod suspects;

use crate::error::CliError;
use serde::Serialize;

/// Anything as indented JSON with a line end.
pub fn json(value: &impl Serialize) -> Result<String, CliError> {
    let text = serde_json::to_string_pretty(value);
    text.map(|text| text + "\n").map_err(|e| CliError::user(format!("the result cannot be written as JSON: {e}")))
}
