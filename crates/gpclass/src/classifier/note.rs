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
    /// The sentence, with advice where there is any.
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

impl Note {
    /// Notes about the data, those of one kind in one sentence.
    pub fn of_data(notes: &[DataNote]) -> Vec<Note> {
        grouped(notes, DataNote::kind, DataNote::together)
    }

    /// Notes about a fit, those of one kind in one sentence.
    pub fn of_fit(notes: &[FitNote]) -> Vec<Note> {
        grouped(notes, FitNote::kind, FitNote::together)
    }
}

/// One note per kind, in the order in which the kinds first appear; `together` says several of one kind in a sentence.
fn grouped<N: ToString>(
    notes: &[N],
    kind: impl Fn(&N) -> &'static str,
    together: impl Fn(&[&N]) -> Option<String>,
) -> Vec<Note> {
    let mut groups: Vec<(&'static str, Vec<&N>)> = Vec::new();
    for note in notes {
        match groups.iter_mut().find(|(known, _)| *known == kind(note)) {
            Some((_, group)) => group.push(note),
            None => groups.push((kind(note), vec![note])),
        }
    }
    let each = |notes: &[&N]| notes.iter().map(|note| note.to_string()).collect::<Vec<_>>().join(" ");
    let said = |notes: Vec<&N>| if notes.len() > 1 { together(&notes) } else { None }.unwrap_or_else(|| each(&notes));
    groups.into_iter().map(|(kind, notes)| Note { kind: kind.to_owned(), text: said(notes) }).collect()
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
    fn notes_of_one_kind_are_one_note() {
        let bound = |name: &str| FitNote::AtBound { name: name.to_owned(), value: 1e-4 };
        let notes = Note::of_fit(&[bound("l[a]"), FitNote::Jitter(1e-9), bound("l[b]"), bound("v0")]);
        assert_eq!(notes.iter().map(|note| note.kind.as_str()).collect::<Vec<_>>(), ["at_bound", "jitter"]);
        assert!(notes[0].text.starts_with("l[a] (1.000e-4), l[b] (1.000e-4) and v0 (1.000e-4) ended"), "{}", notes[0]);
        let constant = |column: &str| DataNote::Constant { column: column.to_owned(), value: "3".to_owned() };
        let notes = Note::of_data(&[constant("a"), constant("b")]);
        assert_eq!(notes.len(), 1);
        assert!(notes[0].text.starts_with("Columns 'a' and 'b' have one value in every row"), "{}", notes[0]);
        assert_eq!(Note::of_data(&[constant("a")])[0].text, constant("a").to_string());
    }

    #[test]
    fn sentences_alone_are_still_read() {
        let read = |json: &str| serde_json::from_str::<Note>(json).unwrap();
        let note = Note::of_fit(&[FitNote::Jitter(1e-9)]).remove(0);
        assert_eq!(read(&serde_json::to_string(&note).unwrap()), note);
        assert_eq!(note.kind, "jitter");
        let old = read(r#""the search ended early""#);
        assert_eq!((old.kind.as_str(), old.to_string().as_str()), ("unknown", "the search ended early"));
    }
}
