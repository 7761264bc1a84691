//! The reader of tables: names first, then blocks of chosen columns, or the whole table with its kinds inferred.

use super::cells::{CellBlock, Cells};
use super::delimited::DelimitedSource;
use super::error::{TableError, Unit};
use super::kinds::{ColumnKind, ColumnView};
use super::names;
use super::note::TableNote;
use super::options::{KindOptions, TableOptions};
#[cfg(feature = "parquet")]
use super::parquet::ParquetSource;
use super::plan::{self, Use};
use super::source::{self, Bytes, Opened};
use std::path::Path;

/// Rows taken from the source at a time when a table is read whole.
const ROWS_PER_STEP: usize = 8192;

/// A column's values.
#[derive(Clone, Debug, PartialEq)]
pub enum RawValues {
    /// NaN marks a missing value; all others are finite.
    Numbers(Vec<f64>),
    /// `None` marks a missing value.
    Text(Vec<Option<String>>),
}

/// A named column of values.
#[derive(Clone, Debug, PartialEq)]
pub struct RawColumn {
    pub name: String,
    pub values: RawValues,
}

/// Some rows of the chosen columns, in the order chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct RawBlock {
    pub columns: Vec<RawColumn>,
    /// Line (text) or row (Parquet) of each row in the file, one-based.
    pub lines: Vec<u64>,
}

impl RawBlock {
    pub fn rows(&self) -> usize {
        self.lines.len()
    }
}

/// A whole table, ready to fit.
#[derive(Clone, Debug, PartialEq)]
pub struct RawTable {
    /// The columns to learn from, without the label.
    pub columns: Vec<RawColumn>,
    /// The label column, if one was asked for; always text.
    pub label: Option<RawColumn>,
    /// Line (text) or row (Parquet) of each row in the file, one-based.
    pub lines: Vec<u64>,
    /// Observations with advice, in column order.
    pub notes: Vec<TableNote>,
}

/// A column as the beginning of the table shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaColumn {
    pub name: String,
    /// Provisional for text files: later rows may turn numbers into categories.
    pub kind: ColumnKind,
}

/// A column to read and what it must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnRequest {
    pub name: String,
    pub kind: ColumnKind,
}

/// Columns chosen from one table, made by [`TableReader::select`].
#[derive(Clone, Debug)]
pub struct Selection {
    requests: Vec<ColumnRequest>,
    positions: Vec<usize>,
}

enum Source {
    Delimited(Box<DelimitedSource>),
    #[cfg(feature = "parquet")]
    Parquet(ParquetSource),
}

/// Reads a table forwards, once, in memory that does not grow with its rows unless [`TableReader::read_all`] is asked for.
pub struct TableReader {
    source: Source,
    options: TableOptions,
    file: String,
    unit: Unit,
    any_rows: bool,
}

impl TableReader {
    /// Opens a file, or standard input for "-".
    pub fn open(path: &Path, options: TableOptions) -> Result<Self, TableError> {
        let file = source::display_name(path);
        match source::open(path)? {
            Opened::Text(bytes) => Self::from_bytes(bytes, options),
            #[cfg(feature = "parquet")]
            Opened::Parquet(handle) => {
                let source = Source::Parquet(ParquetSource::open(handle, &file)?);
                Ok(TableReader { source, options, file, unit: Unit::Row, any_rows: false })
            }
            #[cfg(not(feature = "parquet"))]
            Opened::Parquet(_) => Err(TableError::ParquetDisabled { file }),
        }
    }

    /// Reads delimited text that is already open.
    pub fn from_bytes(bytes: Bytes, options: TableOptions) -> Result<Self, TableError> {
        let file = bytes.file().to_owned();
        let source = Source::Delimited(Box::new(DelimitedSource::open(bytes, &options)?));
        Ok(TableReader { source, options, file, unit: Unit::Line, any_rows: false })
    }

    /// The column names, in order.
    pub fn names(&self) -> &[String] {
        match &self.source {
            Source::Delimited(source) => source.names(),
            #[cfg(feature = "parquet")]
            Source::Parquet(source) => source.names(),
        }
    }

    /// Names and kinds of the columns: provisional for text, known for Parquet.
    pub fn schema(&self) -> Vec<SchemaColumn> {
        let kinds: Vec<ColumnKind> = match &self.source {
            Source::Delimited(source) => source
                .sample()
                .iter()
                .map(|text| self.view("", &Cells::Text(text.clone()), &[]).provisional_kind())
                .collect(),
            #[cfg(feature = "parquet")]
            Source::Parquet(source) => source.kinds(),
        };
        self.names().iter().zip(kinds).map(|(name, kind)| SchemaColumn { name: name.clone(), kind }).collect()
    }

    /// Chooses columns by name, in the order given; others in the table are ignored.
    pub fn select(&self, requests: &[ColumnRequest], wanted_for: &'static str) -> Result<Selection, TableError> {
        let find = |r: &ColumnRequest| names::position(self.names(), &r.name, wanted_for, &self.file);
        let positions = requests.iter().map(find).collect::<Result<_, _>>()?;
        Ok(Selection { requests: requests.to_vec(), positions })
    }

    /// The next `rows` rows at most, or `None` after the last. A table without any row is an error.
    pub fn next_block(&mut self, selection: &Selection, rows: usize) -> Result<Option<RawBlock>, TableError> {
        let Some(block) = self.next_cells(rows, &selection.positions)? else { return Ok(None) };
        let converted = |(request, cells): (&ColumnRequest, &Cells)| {
            let values = self.view(&request.name, cells, &block.lines).values(request.kind)?;
            Ok(RawColumn { name: request.name.clone(), values })
        };
        let columns =
            selection.requests.iter().zip(&block.columns).map(converted).collect::<Result<_, TableError>>()?;
        Ok(Some(RawBlock { columns, lines: block.lines }))
    }

    /// Reads every row, infers kinds where they are not given, and checks that every column has values.
    pub fn read_all(mut self, kinds: &KindOptions) -> Result<RawTable, TableError> {
        let uses = plan::uses(self.names(), kinds, &self.file)?;
        let wanted: Vec<usize> = (0..uses.len()).filter(|&j| uses[j] != Use::Dropped).collect();
        let block = self.all_cells(&wanted)?;
        let mut table = RawTable { columns: Vec::new(), label: None, lines: Vec::new(), notes: Vec::new() };
        for (&j, cells) in wanted.iter().zip(&block.columns) {
            let view = self.view(&self.names()[j], cells, &block.lines);
            let (values, notes) = uses[j].values(&view)?;
            let column = RawColumn { name: view.name.to_owned(), values };
            table.notes.extend(notes);
            match uses[j] {
                Use::Label => table.label = Some(column),
                _ => table.columns.push(column),
            }
        }
        table.lines = block.lines;
        Ok(table)
    }

    fn view<'a>(&'a self, name: &'a str, cells: &'a Cells, lines: &'a [u64]) -> ColumnView<'a> {
        ColumnView { name, cells, lines, file: &self.file, unit: self.unit, options: &self.options }
    }

    fn next_cells(&mut self, rows: usize, columns: &[usize]) -> Result<Option<CellBlock>, TableError> {
        let block = match &mut self.source {
            Source::Delimited(source) => source.next_cells(rows, columns)?,
            #[cfg(feature = "parquet")]
            Source::Parquet(source) => source.next_cells(rows, columns)?,
        };
        self.any_rows |= block.is_some();
        if !self.any_rows {
            return Err(TableError::HeaderOnly { file: self.file.clone() });
        }
        Ok(block)
    }

    fn all_cells(&mut self, columns: &[usize]) -> Result<CellBlock, TableError> {
        let mut all: Option<CellBlock> = None;
        while let Some(block) = self.next_cells(ROWS_PER_STEP, columns)? {
            let whole = match &mut all {
                Some(whole) => {
                    whole.append(block);
                    whole
                }
                None => all.insert(block),
            };
            if whole.bytes() > self.options.max_table_bytes {
                return Err(TableError::TableTooLarge { file: self.file.clone(), limit: self.options.max_table_bytes });
            }
        }
        all.ok_or_else(|| TableError::HeaderOnly { file: self.file.clone() })
    }
}
