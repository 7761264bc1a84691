//! What can be wrong with a table: one sentence each, saying where and what to do.

use crate::advice::{Advice, reworded};
use crate::place::{Cell, Place};
use gpclass::data::Quoted;
use std::fmt;
use std::io;
use thiserror::Error;

/// What a column was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WantedFor {
    /// To hold the labels.
    Label,
    /// To be left out.
    Drop,
    /// To be taken as categories.
    Discrete,
    /// To be taken as numbers.
    Continuous,
    /// In the caller's words.
    Other(&'static str),
}

impl fmt::Display for WantedFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WantedFor::Label => "the label",
            WantedFor::Drop => "to be left out",
            WantedFor::Discrete => "to be discrete",
            WantedFor::Continuous => "to be continuous",
            WantedFor::Other(words) => words,
        })
    }
}

/// Everything that can be wrong with a table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableError {
    /// No such file.
    #[error("cannot find '{file}'; check the path")]
    NotFound { file: String },
    /// A folder instead of a file.
    #[error("'{file}' is a folder; give a CSV, TSV or Parquet file inside it")]
    IsDirectory { file: String },
    /// A file that may not be read.
    #[error("no permission to read '{file}'; check its access rights")]
    NoPermission { file: String },
    /// Any other failure to read.
    #[error("cannot read '{file}': {source}")]
    Io { file: String, source: io::Error },
    /// [`TableOptions::interrupt`](crate::TableOptions::interrupt) was set.
    #[error("the reading of '{file}' was interrupted")]
    Interrupted { file: String },
    /// Nothing at all.
    #[error("'{file}' is empty; expected a header and rows")]
    Empty { file: String },
    /// No rows.
    #[error("'{file}' has a header but no rows; add data below the header")]
    HeaderOnly { file: String },
    /// A known format that is no table.
    #[error("'{file}' is {format}, which is not a table this tool reads; {remedy}")]
    WrongFormat { file: String, format: &'static str, remedy: &'static str },
    /// No text.
    #[error("'{file}' contains binary data, not text; give a CSV, TSV or Parquet file")]
    Binary { file: String },
    /// A gzip file without its end.
    #[error("'{file}' ends in the middle of its gzip data; the file is truncated, copy or download it again")]
    TruncatedGzip { file: String },
    /// A gzip file with wrong bytes.
    #[error("the gzip data of '{file}' is damaged ({detail}); copy or download it again")]
    CorruptGzip { file: String, detail: String },
    /// A Parquet file that cannot be decoded.
    #[error(
        "the Parquet file '{file}' is damaged or uses a feature this tool lacks ({detail}); write it again or export CSV"
    )]
    CorruptParquet { file: String, detail: String },
    /// Lists, maps or structures.
    #[error(
        "column {} of the Parquet file '{file}' holds {found}; flatten it to plain numbers or text",
        Quoted(column)
    )]
    NestedParquet { file: String, column: String, found: &'static str },
    /// A compression that this build lacks.
    #[error("the Parquet file '{file}' is compressed by {codec}, which this build cannot read; write it with snappy")]
    ParquetCodec { file: String, codec: &'static str },
    /// Bytes that are no text.
    #[error(
        "{place}, column {} holds bytes that are not UTF-8 text; convert the column to text or numbers",
        Quoted(column)
    )]
    ParquetBytes { place: Place, column: String },
    /// Parquet from a stream.
    #[error("Parquet cannot be read from {file}, because it is read from its end; give a file name")]
    ParquetStream { file: String },
    /// Parquet in a build without it.
    #[error("'{file}' is a Parquet file, and this build has no Parquet reader; export CSV")]
    ParquetDisabled { file: String },

    /// Text in another encoding.
    #[error("{place} is not UTF-8 (byte 0x{byte:02x}); convert the file, for example with: iconv -f latin1 -t utf-8")]
    NotUtf8 { place: Place, byte: u8 },
    /// A record of another length than the first.
    #[error("{place} has {found} fields where {expected} are expected{hint}")]
    Ragged { place: Place, expected: usize, found: usize, hint: &'static str },

    /// [`Limits::record_bytes`](crate::Limits::record_bytes) in a record.
    #[error("the record that starts at {place} is longer than {limit} bytes{hint}")]
    RecordTooLong { place: Place, limit: usize, hint: &'static str },
    /// [`Limits::record_bytes`](crate::Limits::record_bytes) without a record.
    #[error("more than {limit} bytes of blank lines stand before {place}; remove them")]
    TooManyBlankLines { place: Place, limit: usize },
    /// [`Limits::file_bytes`](crate::Limits::file_bytes).
    #[error("'{file}' has {bytes} bytes, more than the limit of {limit} bytes; fit on a sample of its rows")]
    FileTooLarge { file: String, bytes: u64, limit: u64 },
    /// [`Limits::decoded_bytes`](crate::Limits::decoded_bytes).
    #[error("'{file}' holds more than {limit} bytes once decompressed; fit on a sample of its rows")]
    DecodedTooLarge { file: String, limit: u64 },
    /// [`Limits::rows`](crate::Limits::rows).
    #[error("'{file}' has {}; fit on a sample of its rows", excess("rows", *rows, *limit))]
    TooManyRows { file: String, rows: Option<u64>, limit: u64 },
    /// [`Limits::columns`](crate::Limits::columns).
    #[error("'{file}' has more than {limit} columns; is this a table with one record per line?")]
    TooManyColumns { file: String, limit: usize },
    /// [`Limits::cells`](crate::Limits::cells).
    #[error("'{file}' has {}; fit on a sample of its rows", excess("cells", *cells, *limit))]
    TooManyCells { file: String, cells: Option<u64>, limit: u64 },
    /// [`Limits::table_bytes`](crate::Limits::table_bytes).
    #[error("'{file}' needs more than {limit} bytes of memory; {hint}fit on a sample of its rows")]
    TableTooLarge { file: String, limit: usize, hint: &'static str },

    /// A file that was not the same when it was read again.
    #[error("'{file}' changed while it was read; try again when nobody writes to it")]
    Changed { file: String },

    /// Two columns of one name.
    #[error("'{file}' has two columns named {} (columns {first} and {second}); rename one of them", Quoted(name))]
    DuplicateColumn { file: String, name: String, first: usize, second: usize },
    /// A name that no column has.
    #[error("'{file}' has no column {} ({wanted_for}){suggestion}", Quoted(name))]
    UnknownColumn { file: String, name: String, wanted_for: WantedFor, suggestion: String },
    /// A column in two lists.
    #[error("column {} is asked to be both {one} and {other}; remove it from one of the lists", Quoted(name))]
    ConflictingOptions { name: String, one: &'static str, other: &'static str },
    /// Every column has another use.
    #[error("no column of '{file}' is left to learn from; drop fewer columns, or check the delimiter")]
    NoColumns { file: String },

    /// Text where a number is needed.
    #[error("{cell} is not a number; {advice}")]
    NotANumber { cell: Box<Cell>, advice: Advice },
    /// A number out of range.
    #[error("{cell} is infinite or too large; correct it or leave the cell empty to mark it missing")]
    Infinite { cell: Box<Cell> },
    /// A column of missing values.
    #[error("column {} of '{file}' has no values at all; {advice}", Quoted(column))]
    AllMissing { file: String, column: String, advice: Advice },
    /// A number with a decimal comma that was not announced.
    #[error("{cell} looks like a number with a decimal comma; {advice}")]
    DecimalComma { cell: Box<Cell>, advice: Advice },
    /// A number with thousands separators that were not announced.
    #[error("{cell} looks like a number with thousands separators; {advice}")]
    Thousands { cell: Box<Cell>, advice: Advice },
    /// A number with both.
    #[error("{cell} looks like a number with decimal comma and thousands points; {advice}")]
    DecimalCommaThousands { cell: Box<Cell>, advice: Advice },
    /// A number with one comma before three digits.
    #[error("{}, column '{}': the comma in '{}' may be a decimal comma or a thousands separator; {advice}", cell.place, cell.column, cell.value)]
    AmbiguousComma { cell: Box<Cell>, advice: Advice },
}

/// "70 rows, more than the limit of 50", or "more than 50 rows" where nobody has counted them.
fn excess(what: &str, known: Option<u64>, limit: u64) -> String {
    match known {
        Some(count) => format!("{count} {what}, more than the limit of {limit}"),
        None => format!("more than {limit} {what}"),
    }
}

impl TableError {
    /// A file that cannot be opened or read.
    pub(crate) fn io(file: &str, source: io::Error) -> Self {
        let file = file.to_owned();
        match source.kind() {
            io::ErrorKind::NotFound => TableError::NotFound { file },
            io::ErrorKind::PermissionDenied => TableError::NoPermission { file },
            io::ErrorKind::IsADirectory => TableError::IsDirectory { file },
            _ => TableError::Io { file, source },
        }
    }

    /// What could be done about it, where a program may have a way of its own.
    pub fn advice(&self) -> Option<&Advice> {
        use TableError::*;
        match self {
            NotANumber { advice, .. }
            | AllMissing { advice, .. }
            | DecimalComma { advice, .. }
            | Thousands { advice, .. }
            | DecimalCommaThousands { advice, .. }
            | AmbiguousComma { advice, .. } => Some(advice),
            _ => None,
        }
    }

    /// The sentence with the advice in a program's own words.
    pub fn worded(&self, words: impl Fn(&Advice) -> String) -> String {
        reworded(self.to_string(), self.advice(), words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Unit;

    fn cell(value: &str) -> Box<Cell> {
        Box::new(Cell::new(Place { file: "f".to_owned(), unit: Unit::Line, number: 3 }, "a", value))
    }

    #[test]
    fn long_and_hostile_cells_are_shown_short_and_escaped() {
        let error = TableError::Infinite { cell: cell(&format!("ab\u{1b}[31m{}", "9".repeat(100))) }.to_string();
        assert!(error.starts_with("f, line 3, column 'a': 'ab\\u{1b}[31m999") && error.len() < 200, "{error}");
    }

    #[test]
    fn a_program_words_the_advice_itself() {
        let error = TableError::NotANumber { cell: cell("x"), advice: Advice::CorrectOrMarkMissing };
        assert_eq!(error.worded(|_| "do so".to_owned()), "f, line 3, column 'a': 'x' is not a number; do so");
        let error = TableError::Infinite { cell: cell("x") };
        assert_eq!(error.worded(|_| "do so".to_owned()), error.to_string());
    }
}
