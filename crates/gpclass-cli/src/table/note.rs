//! What a reader of a table may want to know, though nothing is wrong.

use super::error::Unit;
use std::fmt;

/// An observation about a column, with advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TableNote {
    /// A column of few different integers: numbers or categories?
    FewIntegers { column: String, levels: usize },
    /// A column that would hold numbers but for some texts.
    MostlyNumbers { column: String, texts: usize, example: String, unit: Unit, number: u64 },
    /// A text column with almost as many different values as rows.
    ManyLevels { column: String, levels: usize, rows: usize },
}

impl fmt::Display for TableNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableNote::FewIntegers { column, levels } => write!(
                f,
                "column '{column}' holds {levels} different integers and is treated as a number; \
                 if they are categories, use --discrete {column}"
            ),
            TableNote::MostlyNumbers { column, texts, example, unit, number } => write!(
                f,
                "column '{column}' is treated as categories because {texts} of its values are not numbers, \
                 such as '{example}' in {unit} {number}; if that means missing, use --missing {example}"
            ),
            TableNote::ManyLevels { column, levels, rows } => write!(
                f,
                "column '{column}' has {levels} different texts in {rows} rows; if it only names the rows, use --drop {column}"
            ),
        }
    }
}
