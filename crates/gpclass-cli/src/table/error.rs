//! What can be wrong with a table: one sentence each, saying where and what to do.

use std::fmt;
use std::io;
use thiserror::Error;

/// Where in a table something was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub unit: Unit,
    /// One-based.
    pub number: u64,
}

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

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} {}", self.file, self.unit, self.number)
    }
}

/// A cell that stands in the way: its place, its column and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    pub place: Place,
    pub column: String,
    pub value: String,
}

/// Longest part of a cell that an error repeats.
const SHOWN_CHARS: usize = 40;

impl Cell {
    pub fn new(place: Place, column: &str, value: &str) -> Self {
        Cell { place, column: shortened(column), value: shortened(value) }
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, column '{}'", self.place, self.column)
    }
}

/// The text itself, or its beginning and an ellipsis; control characters are escaped so that they cannot reach a terminal.
pub fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(SHOWN_CHARS).flat_map(escape_control).collect();
    if text.chars().nth(SHOWN_CHARS).is_some() {
        shown.push('…');
    }
    shown
}

fn escape_control(c: char) -> impl Iterator<Item = char> {
    let (plain, escaped) = if c.is_control() { (None, Some(c.escape_default())) } else { (Some(c), None) };
    plain.into_iter().chain(escaped.into_iter().flatten())
}

/// Everything that can be wrong with a table.
#[derive(Debug, Error)]
pub enum TableError {
    #[error("cannot find '{file}'; check the path")]
    NotFound { file: String },
    #[error("'{file}' is a folder; give a CSV, TSV or Parquet file inside it")]
    IsDirectory { file: String },
    #[error("no permission to read '{file}'; check its access rights")]
    NoPermission { file: String },
    #[error("cannot read '{file}': {source}")]
    Io { file: String, source: io::Error },
    #[error("'{file}' is empty; expected a header and rows")]
    Empty { file: String },
    #[error("'{file}' has a header but no rows; add data below the header")]
    HeaderOnly { file: String },
    #[error("'{file}' is {format}, which is not a table this tool reads; {advice}")]
    WrongFormat { file: String, format: &'static str, advice: &'static str },
    #[error("'{file}' contains binary data, not text; give a CSV, TSV or Parquet file")]
    Binary { file: String },
    #[error("'{file}' ends in the middle of its gzip data; the file is truncated, copy or download it again")]
    TruncatedGzip { file: String },
    #[error("the gzip data of '{file}' is damaged ({detail}); copy or download it again")]
    CorruptGzip { file: String, detail: String },
    #[error(
        "the Parquet file '{file}' is damaged or uses a feature this tool lacks ({detail}); write it again or export CSV"
    )]
    CorruptParquet { file: String, detail: String },
    #[error("column '{column}' of the Parquet file '{file}' holds {found}; flatten it to plain numbers or text")]
    NestedParquet { file: String, column: String, found: String },
    #[error(
        "the Parquet file '{file}' is compressed by zstd, which this build cannot read; write it with snappy, or build with --features parquet-zstd"
    )]
    ParquetZstd { file: String },
    #[error("{place}, column '{column}' holds bytes that are not UTF-8 text; convert the column to text or numbers")]
    ParquetBytes { place: Place, column: String },
    #[error("Parquet cannot be read from {file}, because it is read from its end; give a file name")]
    ParquetStream { file: String },
    #[error(
        "'{file}' is a Parquet file, and this build has no Parquet reader; build with --features parquet or export CSV"
    )]
    ParquetDisabled { file: String },

    #[error("{place} is not UTF-8 (byte 0x{byte:02x}); convert the file, for example with: iconv -f latin1 -t utf-8")]
    NotUtf8 { place: Place, byte: u8 },
    #[error("{place} has {found} fields where {expected} are expected{hint}")]
    Ragged { place: Place, expected: usize, found: usize, hint: &'static str },
    #[error("the record that starts at {place} is longer than {limit} bytes{hint}")]
    RecordTooLong { place: Place, limit: usize, hint: &'static str },
    #[error("'{file}' needs more than {limit} bytes of memory; fit on a sample of its rows")]
    TableTooLarge { file: String, limit: usize },

    #[error("'{file}' has two columns named '{name}' (columns {first} and {second}); rename one of them")]
    DuplicateColumn { file: String, name: String, first: usize, second: usize },
    #[error("'{file}' has no column '{name}' ({wanted_for}){suggestion}")]
    UnknownColumn { file: String, name: String, wanted_for: &'static str, suggestion: String },
    #[error("column '{name}' is asked to be both {one} and {other}; remove it from one of the lists")]
    ConflictingOptions { name: String, one: &'static str, other: &'static str },
    #[error("no column of '{file}' is left to learn from; drop fewer columns, or check the delimiter")]
    NoColumns { file: String },

    #[error("{cell}: '{}' is not a number{hint}", .cell.value)]
    NotANumber { cell: Cell, hint: &'static str },
    #[error("{cell}: '{}' is infinite or too large; correct it or leave the cell empty to mark it missing", .cell.value)]
    Infinite { cell: Cell },
    #[error("column '{column}' of '{file}' has no values at all; {advice}")]
    AllMissing { file: String, column: String, advice: String },
    #[error(
        "{cell}: '{}' looks like a number with a decimal comma; accept these with --decimal-comma, \
         or use --discrete {} if the column holds categories", .cell.value, .cell.column
    )]
    DecimalComma { cell: Cell },
    #[error(
        "{cell}: '{}' looks like a number with thousands separators; accept these with --thousands, \
         or use --discrete {} if the column holds categories", .cell.value, .cell.column
    )]
    Thousands { cell: Cell },
    #[error(
        "{cell}: '{}' looks like a number with decimal comma and thousands points; accept these with --decimal-comma --thousands, \
         or use --discrete {} if the column holds categories", .cell.value, .cell.column
    )]
    DecimalCommaThousands { cell: Cell },
    #[error(
        "{cell}: the comma in '{}' may be a decimal comma or a thousands separator; say which with --decimal-comma or --thousands, \
         or use --discrete {} if the column holds categories", .cell.value, .cell.column
    )]
    AmbiguousComma { cell: Cell },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_and_hostile_cells_are_shown_short_and_escaped() {
        assert_eq!(shortened("ab\u{1b}[31m"), "ab\\u{1b}[31m");
        assert_eq!(shortened(&"x".repeat(41)), format!("{}…", "x".repeat(40)));
        assert_eq!(shortened(&"x".repeat(40)), "x".repeat(40));
    }
}
