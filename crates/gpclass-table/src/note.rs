//! What a reader of a table may want to know, though nothing is wrong.

use crate::advice::{Advice, reworded};
use crate::place::Place;
use std::fmt;

/// An observation about a column, with advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableNote {
    /// A column of few different integers: numbers or categories?
    FewIntegers { column: String, levels: usize, advice: Advice },
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

impl fmt::Display for TableNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableNote::FewIntegers { column, levels, advice } => {
                write!(f, "column '{column}' holds {levels} different integers and is treated as a number; {advice}")
            }
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
