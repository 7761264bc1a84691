//! Where in a table something stands, counted in one way: by the line of a text file, by the row of any other table.

use gpclass::data::Shown;
use std::fmt;

/// How places in a table are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Lines of a text file, the header included.
    Line,
    /// Rows of a Parquet file.
    Row,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unit::Line => "line",
            Unit::Row => "row",
        })
    }
}

/// A line or row of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// How messages call the table.
    pub file: String,
    /// What `number` counts.
    pub unit: Unit,
    /// One-based.
    pub number: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} {}", self.file, self.unit, self.number)
    }
}

/// Where each row of a table, or of a block of it, stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// How messages call the table.
    pub file: String,
    /// What `numbers` count.
    pub unit: Unit,
    /// One per row, one-based.
    pub numbers: Vec<u64>,
}

impl Places {
    /// Of the row at this position, from 0; rows beyond the last stand after it.
    pub fn place(&self, row: usize) -> Place {
        let number = self.numbers.get(row).copied().unwrap_or(row as u64 + 1);
        Place { file: self.file.clone(), unit: self.unit, number }
    }

    /// Of a choice of the rows, in the order given.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Places {
        let numbers = rows.iter().map(|&row| self.place(row).number).collect();
        Places { numbers, ..self.clone() }
    }

    /// The line of every row, if the table is a text file.
    pub fn lines(&self) -> Option<&[u64]> {
        (self.unit == Unit::Line).then_some(&self.numbers)
    }
}

/// A cell that stands in the way: its place, its column and its text, both short enough to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Where it stands.
    pub place: Place,
    /// The column's name.
    pub column: String,
    /// What it holds.
    pub value: String,
}

impl Cell {
    /// Keeps of the texts what a message will show.
    pub fn new(place: Place, column: &str, value: &str) -> Self {
        Cell { place, column: Shown(column).to_string(), value: Shown(value).to_string() }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, column '{}': '{}'", self.place, self.column, self.value)
    }
}
