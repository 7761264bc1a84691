//! Sentences that a summary holds.

use crate::data::DataNote;
use crate::learn::FitNote;
use serde::{Deserialize, Serialize};

/// The kind of a note from a file that holds its sentence only.
const UNKNOWN: &str = "unknown";

/// A sentence about the data or the fit, and for programs what it is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Stored")]
pub struct Note {
    /// The name of the case of [`DataNote`] or [`FitNote`] in snake case, as `at_bound`.
    pub kind: String,
    pub text: String,
}

/// What files hold: at first sentences alone.
#[derive(Deserialize)]
#[serde(untagged)]
enum Stored {
    Sentence(String),
    Note { kind: String, text: String },
}

impl From<Stored> for Note {
    fn from(stored: Stored) -> Self {
        match stored {
            Stored::Sentence(text) => Note { kind: UNKNOWN.to_owned(), text },
            Stored::Note { kind, text } => Note { kind, text },
        }
    }
}

impl From<&DataNote> for Note {
    fn from(note: &DataNote) -> Self {
        Note { kind: note.kind().to_owned(), text: note.to_string() }
    }
}

impl From<&FitNote> for Note {
    fn from(note: &FitNote) -> Self {
        Note { kind: note.kind().to_owned(), text: note.to_string() }
    }
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_alone_are_still_read() {
        let read = |json: &str| serde_json::from_str::<Note>(json).unwrap();
        let note = Note::from(&FitNote::Jitter(1e-9));
        assert_eq!(read(&serde_json::to_string(&note).unwrap()), note);
        assert_eq!(note.kind, "jitter");
        let old = read(r#""the search ended early""#);
        assert_eq!((old.kind.as_str(), old.to_string().as_str()), ("unknown", "the search ended early"));
    }
}
