//! Tables: CSV, TSV (plain or gzip) and Parquet, from a file, a stream or memory, as columns of numbers and categories.
//!
//! The flow: `input` recognises what the bytes are, `delimited` cuts text into records after guessing the delimiter and
//! the header, `parquet` decodes Parquet, `columns` decides which columns are numbers, and [`TableReader`] hands out blocks
//! of rows, or a [`Survey`] of them all, by which the whole table or a part of its rows is read.
//!
//! Nothing here knows how a program is used: what a user could do about an error or a note is an [`Advice`], which every
//! program puts into its own words. Memory and time are bounded by [`Limits`], whatever the bytes are.
//!
//! ```
//! use gpclass_table::{KindOptions, TableOptions, TableReader};
//!
//! let text = b"length,colour,class\n5.1,red,a\n4.9,blue,b\n".to_vec();
//! let kinds = KindOptions { label: Some("class".to_owned()), ..KindOptions::default() };
//! let table = TableReader::from_memory(text, "flowers", TableOptions::default())?.read_all(&kinds)?;
//! assert_eq!(table.columns.len(), 2);
//! assert_eq!(table.places.place(1).to_string(), "flowers, line 3");
//! # Ok::<(), gpclass_table::TableError>(())
//! ```

mod advice;
mod columns;
mod delimited;
mod draw;
mod error;
mod input;
mod limits;
mod names;
mod note;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod place;
mod reader;
mod survey;

pub use advice::Advice;
pub use columns::missing::{DEFAULT_MISSING, MissingTokens};
pub use columns::numbers::NumberFormat;
pub use draw::Draw;
pub use error::{TableError, WantedFor};
pub use limits::Limits;
pub use note::TableNote;
pub use options::{KindOptions, Listener, Reading, TableOptions};
pub use place::{Cell, Place, Places, Unit};
pub use reader::{ColumnRequest, SchemaColumn, Selection, TableBlock, TableReader};
pub use survey::{Survey, WholeTable};
