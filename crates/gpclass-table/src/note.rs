//! What a reader of a table may want to know, though nothing is wrong.

use crate::advice::{Advice, reworded};
use crate::place::Place;
use std::fmt;

/// Most columns that a note lists.
const LISTED: usize = 10;

/// An observation about a column, with advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableNote {
    /// Columns of few different integers, with how many: numbers or categories?
    FewIntegers { columns: Vec<(String, usize)>, advice: Advice },
    /// A column that would hold numbers but for some texts.
    MostlyNumbers { column: String, texts: usize, example: String, place: Place, advice: Advice },
    /// A text column with almost as many different values as rows.
    ManyLevels { column: String, levels: usize, rows: usize, advice: Advice },
}

impl TableNote {
    /// What could be done about it.
    pub fn advice(&self) -> &Advice {
        match self {
            TableNote::FewIntegers { advice, .. }
            | TableNote::MostlyNumbers { advice, .. }
            | TableNote::ManyLevels { advice, .. } => advice,
        }
    }

    /// The sentence with the advice in a program's own words.
    pub fn worded(&self, words: impl Fn(&Advice) -> String) -> String {
        reworded(self.to_string(), Some(self.advice()), words)
    }
}

/// The notes with those on columns of few integers in one, at the place of the first.
pub(crate) fn gathered(notes: Vec<TableNote>) -> Vec<TableNote> {
    let mut gathered: Vec<TableNote> = Vec::with_capacity(notes.len());
    for note in notes {
        let earlier = gathered.iter_mut().find_map(|earlier| match earlier {
            TableNote::FewIntegers { columns, advice: Advice::TakeAsCategories { columns: named } } => {
                Some((columns, named))
            }
            _ => None,
        });
        match (earlier, note) {
            (
                Some((columns, named)),
                TableNote::FewIntegers { columns: more, advice: Advice::TakeAsCategories { columns: more_named } },
            ) => {
                columns.extend(more);
                named.extend(more_named);
            }
            (_, note) => gathered.push(note),
        }
    }
    gathered
}

impl fmt::Display for TableNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableNote::FewIntegers { columns, advice } => match columns.as_slice() {
                [(column, levels)] => write!(
                    f,
                    "column '{column}' holds {levels} different integers and is treated as a number; {advice}"
                ),
                _ => {
                    let shown: Vec<String> =
                        columns.iter().take(LISTED).map(|(column, levels)| format!("'{column}' ({levels})")).collect();
                    let more = columns.len() - shown.len();
                    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                    write!(
                        f,
                        "{} columns hold few different integers and are treated as numbers, {}{more}; {advice}",
                        columns.len(),
                        shown.join(", ")
                    )
                }
            },
            TableNote::MostlyNumbers { column, texts, example, place, advice } => write!(
                f,
                "column '{column}' is treated as categories because {texts} of its values are not numbers, \
                 such as '{example}' in {} {}; {advice}",
                place.unit, place.number
            ),
            TableNote::ManyLevels { column, levels, rows, advice } => {
                write!(f, "column '{column}' has {levels} different texts in {rows} rows; {advice}")
            }
        }
    }
}
