//! What commands say: text for people, JSON for programs, with the same facts.

pub mod audit;
pub mod classes;
pub mod evaluation;
pub mod grid;
pub mod predictions;
pub mod printable;
pub mod reasons;
pub mod report;
pub mod summary;
pub mod suspects;

use crate::error::CliError;
use serde::Serialize;
use std::fmt::Write;

/// Anything as indented JSON with a line end.
pub fn json(value: &impl Serialize) -> Result<String, CliError> {
    written(serde_json::to_string_pretty(value))
}

/// Anything as JSON on one line, with its end.
pub fn json_line(value: &impl Serialize) -> Result<String, CliError> {
    written(serde_json::to_string(value))
}

fn written(text: Result<String, serde_json::Error>) -> Result<String, CliError> {
    let text = text.map_err(|e| CliError::user(format!("the result cannot be written as JSON: {e}")))?;
    Ok(escaped(text) + "\n")
}

/// The same JSON with hidden characters by their numbers, which programs read alike and terminals do not obey.
fn escaped(json: String) -> String {
    let hidden = |c: char| c != '\n' && printable::is_hidden(c);
    if !json.contains(hidden) {
        return json;
    }
    let mut shown = String::with_capacity(json.len());
    for c in json.chars() {
        match hidden(c) {
            // Writing to a string cannot fail.
            true => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| _ = write!(shown, "\\u{unit:04x}")),
            false => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_holds_hidden_characters_by_number_and_reads_back() {
        let text = "\u{1b}[31m \u{9b} \u{202e} \u{e0041} é\n";
        let json = json_line(&text).unwrap();
        assert!(json.trim_end_matches('\n').chars().all(|c| !printable::is_hidden(c)), "{json:?}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
