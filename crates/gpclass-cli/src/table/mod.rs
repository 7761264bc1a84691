//! Tables: CSV, TSV (plain or gzip) and Parquet, from a file or standard input, as columns of numbers and text.
//!
//! The flow: [`source`] opens bytes and recognises their format, [`sniff`] guesses the delimiter and the header,
//! [`records`] cuts bytes into records within fixed memory, [`kinds`] decides which columns are numbers, and
//! [`TableReader`] hands out blocks.

pub mod cells;
pub mod delimited;
pub mod error;
#[cfg(feature = "parquet")]
mod guard;
pub mod kinds;
pub mod missing;
pub mod names;
pub mod note;
pub mod numbers;
pub mod options;
#[cfg(feature = "parquet")]
pub mod parquet;
#[cfg(feature = "parquet")]
mod parquet_type;
pub mod plan;
pub mod reader;
pub mod records;
pub mod sniff;
pub mod source;

pub use error::TableError;
pub use kinds::ColumnKind;
pub use note::TableNote;
pub use options::{KindOptions, TableOptions};
pub use reader::{ColumnRequest, RawBlock, RawColumn, RawTable, RawValues, SchemaColumn, Selection, TableReader};
