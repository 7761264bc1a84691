//! The reader of tables: names first, then blocks of chosen columns, or the whole table with its kinds inferred.

use crate::columns::cells::{CellBlock, Cells};
use crate::columns::census::Census;
use crate::columns::kinds::ColumnView;
use crate::delimited::DelimitedSource;
use crate::error::{TableError, WantedFor};
use crate::input::{self, Recognised};
use crate::limits::Limits;
use crate::names::Names;
use crate::options::{Reading, TableOptions};
#[cfg(feature = "parquet")]
use crate::parquet::ParquetSource;
use crate::place::{Place, Places, Unit};
use gpclass::data::{Column, ColumnKind};
use std::io::Read;
use std::path::{Path, PathBuf};

/// Most cells taken from the source at a time, and most rows.
const CELLS_PER_STEP: usize = 1 << 20;
pub(crate) const ROWS_PER_STEP: usize = 8192;

/// Some rows of the chosen columns, in the order chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct TableBlock {
    /// Their values; numbers are finite or NaN, which means missing.
    pub columns: Vec<Column>,
    /// Where the rows stand in the file.
    pub places: Places,
}

impl TableBlock {
    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.places.numbers.len()
    }
}

/// A column as the beginning of the table shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaColumn {
    /// Its name.
    pub name: String,
    /// Provisional for text files: later rows may turn numbers into categories.
    pub kind: ColumnKind,
}

/// A column to read and what it must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnRequest {
    /// Its name.
    pub name: String,
    /// As what its cells are read.
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
    Parquet(Box<ParquetSource>),
}

/// Reads a table forwards, once.
pub struct TableReader {
    source: Source,
    /// Where it can be had again.
    path: Option<PathBuf>,
    options: TableOptions,
    file: String,
    unit: Unit,
    rows: u64,
}

impl TableReader {
    /// Reads a file: delimited text, plain or gzip, or Parquet.
    pub fn open(path: &Path, options: TableOptions) -> Result<Self, TableError> {
        let (recognised, file) = input::open(path, &options)?;
        Ok(TableReader { path: Some(path.to_owned()), ..Self::new(recognised, file, options)? })
    }

    /// Reads a stream, which messages call `name`: delimited text, plain or gzip.
    pub fn from_stream(
        reader: impl Read + Send + 'static,
        name: &str,
        options: TableOptions,
    ) -> Result<Self, TableError> {
        let (recognised, file) = input::stream(Box::new(reader), name, &options)?;
        Self::new(recognised, file, options)
    }

    /// Reads bytes, which messages call `name`: delimited text, plain or gzip, or Parquet.
    pub fn from_memory(content: Vec<u8>, name: &str, options: TableOptions) -> Result<Self, TableError> {
        let (recognised, file) = input::in_memory(content, name, &options)?;
        Self::new(recognised, file, options)
    }

    fn new(recognised: Recognised, file: String, options: TableOptions) -> Result<Self, TableError> {
        let (source, unit) = match recognised {
            Recognised::Text(bytes) => {
                (Source::Delimited(Box::new(DelimitedSource::open(*bytes, &options)?)), Unit::Line)
            }
            #[cfg(feature = "parquet")]
            Recognised::Parquet(whole) => {
                (Source::Parquet(Box::new(ParquetSource::open(whole, &file, &options)?)), Unit::Row)
            }
            #[cfg(not(feature = "parquet"))]
            Recognised::Parquet(_) => return Err(TableError::ParquetDisabled { file }),
        };
        let reader = TableReader { source, path: None, options, file, unit, rows: 0 };
        let limit = reader.options.limits.columns;
        if reader.names().len() > limit {
            return Err(TableError::TooManyColumns { file: reader.file, limit });
        }
        Ok(reader)
    }

    /// The column names, in order.
    pub fn names(&self) -> &[String] {
        self.index().list()
    }

    pub(crate) fn index(&self) -> &Names {
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
                .map(|text| {
                    let lines = vec![0; text.len()];
                    let mut census = Census::default();
                    census.add(&self.view("", &Cells::Text(text.clone()), &lines));
                    census.provisional_kind()
                })
                .collect(),
            #[cfg(feature = "parquet")]
            Source::Parquet(source) => source.kinds(),
        };
        self.names().iter().zip(kinds).map(|(name, kind)| SchemaColumn { name: name.clone(), kind }).collect()
    }

    /// Chooses columns by name, in the order given; others in the table are ignored. `wanted_for` tells in an error who
    /// asks for them.
    pub fn select(&self, requests: &[ColumnRequest], wanted_for: &'static str) -> Result<Selection, TableError> {
        let find = |r: &ColumnRequest| self.index().position(&r.name, WantedFor::Other(wanted_for));
        let positions = requests.iter().map(find).collect::<Result<_, _>>()?;
        Ok(Selection { requests: requests.to_vec(), positions })
    }

    /// The next `rows` rows at most, fewer if they are wide or long, or `None` after the last. A table without any row is an
    /// error.
    pub fn next_block(&mut self, selection: &Selection, rows: usize) -> Result<Option<TableBlock>, TableError> {
        let Some(block) = self.next_cells(rows, &selection.positions)? else { return Ok(None) };
        let converted = |(request, cells): (&ColumnRequest, &Cells)| {
            self.heed()?;
            let values = self.view(&request.name, cells, &block.lines).values(request.kind)?;
            Ok(Column { name: request.name.clone(), values })
        };
        let columns =
            selection.requests.iter().zip(&block.columns).map(converted).collect::<Result<_, TableError>>()?;
        Ok(Some(TableBlock { columns, places: self.places(block.lines) }))
    }

    /// How messages call the table.
    pub(crate) fn file(&self) -> &str {
        &self.file
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.options.limits
    }

    /// Rows read so far.
    pub(crate) fn rows_read(&self) -> u64 {
        self.rows
    }

    /// The share of the table that was read so far, where that is known.
    pub fn share(&self) -> Option<f64> {
        match &self.source {
            Source::Delimited(source) => source.share(),
            #[cfg(feature = "parquet")]
            Source::Parquet(source) => Some(source.share()),
        }
    }

    /// Whether it can be read again.
    pub(crate) fn is_file(&self) -> bool {
        self.path.is_some()
    }

    /// The same table from its beginning.
    pub(crate) fn again(&self) -> Result<TableReader, TableError> {
        match &self.path {
            Some(path) => TableReader::open(path, self.options.clone()),
            None => Err(self.too_large()),
        }
    }

    pub(crate) fn tell(&self, reading: Reading) {
        self.options.listener.iter().for_each(|listener| listener.hear(reading));
    }

    pub(crate) fn too_large(&self) -> TableError {
        let hint = if self.is_file() { "" } else { "give it as a file, whose cells need not be kept, or " };
        TableError::TableTooLarge { file: self.file.clone(), limit: self.limits().table_bytes, hint }
    }

    pub(crate) fn changed(&self) -> TableError {
        TableError::Changed { file: self.file.clone() }
    }

    pub(crate) fn place(&self, number: u64) -> Place {
        Place { file: self.file.clone(), unit: self.unit, number }
    }

    pub(crate) fn places(&self, numbers: Vec<u64>) -> Places {
        Places { file: self.file.clone(), unit: self.unit, numbers }
    }

    pub(crate) fn view<'a>(&'a self, name: &'a str, cells: &'a Cells, lines: &'a [u64]) -> ColumnView<'a> {
        ColumnView { name, cells, lines, file: &self.file, unit: self.unit, options: &self.options }
    }

    pub(crate) fn heed(&self) -> Result<(), TableError> {
        if self.options.interrupted() { Err(TableError::Interrupted { file: self.file.clone() }) } else { Ok(()) }
    }

    /// Believes what the table says about its size, before any of it is decoded.
    pub(crate) fn check_declared(&self, columns: usize) -> Result<(), TableError> {
        let declared: Option<u64> = match &self.source {
            Source::Delimited(_) => None,
            #[cfg(feature = "parquet")]
            Source::Parquet(source) => Some(source.declared_rows()),
        };
        let Some(rows) = declared else { return Ok(()) };
        self.check_rows(rows, declared)?;
        self.check_cells(rows.saturating_mul(columns as u64), declared.map(|rows| rows.saturating_mul(columns as u64)))
    }

    fn check_rows(&self, rows: u64, known: Option<u64>) -> Result<(), TableError> {
        let limit = self.options.limits.rows;
        if rows <= limit {
            return Ok(());
        }
        Err(TableError::TooManyRows { file: self.file.clone(), rows: known, limit })
    }

    pub(crate) fn check_cells(&self, cells: u64, known: Option<u64>) -> Result<(), TableError> {
        let limit = self.options.limits.cells;
        if cells <= limit {
            return Ok(());
        }
        Err(TableError::TooManyCells { file: self.file.clone(), cells: known, limit })
    }

    pub(crate) fn next_cells(&mut self, rows: usize, columns: &[usize]) -> Result<Option<CellBlock>, TableError> {
        self.heed()?;
        let rows = rows.min((CELLS_PER_STEP / columns.len().max(1)).max(1));
        let block = match &mut self.source {
            Source::Delimited(source) => source.next_cells(rows, columns)?,
            #[cfg(feature = "parquet")]
            Source::Parquet(source) => source.next_cells(rows, columns)?,
        };
        self.rows += block.as_ref().map_or(0, |block| block.lines.len() as u64);
        if self.rows == 0 {
            return Err(TableError::HeaderOnly { file: self.file.clone() });
        }
        self.check_rows(self.rows, None)?;
        Ok(block)
    }
}
