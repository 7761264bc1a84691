//! The reader of tables: names first, then blocks of chosen columns, or the whole table with its kinds inferred.

use crate::columns::cells::{CellBlock, Cells};
use crate::columns::kinds::ColumnView;
use crate::columns::plan::{self, Use};
use crate::delimited::DelimitedSource;
use crate::error::{TableError, WantedFor};
use crate::input::{self, Recognised};
use crate::names::Names;
use crate::note::{TableNote, gathered};
use crate::options::{KindOptions, TableOptions};
#[cfg(feature = "parquet")]
use crate::parquet::ParquetSource;
use crate::place::{Places, Unit};
use gpclass::data::{Column, ColumnKind};
use std::io::Read;
use std::path::Path;

/// Most cells taken from the source at a time, and most rows.
const CELLS_PER_STEP: usize = 1 << 20;
const ROWS_PER_STEP: usize = 8192;

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

/// A whole table, ready to fit.
#[derive(Clone, Debug, PartialEq)]
pub struct WholeTable {
    /// The columns to learn from, without the label.
    pub columns: Vec<Column>,
    /// The label column, if one was asked for; always discrete.
    pub label: Option<Column>,
    /// Where the rows stand in the file.
    pub places: Places,
    /// Observations with advice, in column order.
    pub notes: Vec<TableNote>,
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
    options: TableOptions,
    file: String,
    unit: Unit,
    rows: u64,
}

impl TableReader {
    /// Reads a file: delimited text, plain or gzip, or Parquet.
    pub fn open(path: &Path, options: TableOptions) -> Result<Self, TableError> {
        let (recognised, file) = input::open(path, &options)?;
        Self::new(recognised, file, options)
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
                (Source::Delimited(Box::new(DelimitedSource::open(bytes, &options)?)), Unit::Line)
            }
            #[cfg(feature = "parquet")]
            Recognised::Parquet(whole) => {
                (Source::Parquet(Box::new(ParquetSource::open(whole, &file, &options)?)), Unit::Row)
            }
            #[cfg(not(feature = "parquet"))]
            Recognised::Parquet(_) => return Err(TableError::ParquetDisabled { file }),
        };
        let reader = TableReader { source, options, file, unit, rows: 0 };
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

    fn index(&self) -> &Names {
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

    /// Reads every row, infers kinds where they are not given, and checks that every column has values.
    pub fn read_all(mut self, kinds: &KindOptions) -> Result<WholeTable, TableError> {
        let uses = plan::uses(self.index(), kinds, &self.file)?;
        let wanted: Vec<usize> = (0..uses.len()).filter(|&j| uses[j] != Use::Dropped).collect();
        self.check_declared(wanted.len())?;
        let block = self.all_cells(&wanted)?;
        let (mut columns, mut label, mut notes) = (Vec::new(), None, Vec::new());
        for (&j, cells) in wanted.iter().zip(block.columns) {
            self.heed()?;
            let view = self.view(&self.names()[j], &cells, &block.lines);
            let (values, found) = uses[j].values(&view)?;
            let column = Column { name: view.name.to_owned(), values };
            notes.extend(found);
            match uses[j] {
                Use::Label => label = Some(column),
                _ => columns.push(column),
            }
        }
        Ok(WholeTable { columns, label, places: self.places(block.lines), notes: gathered(notes) })
    }

    fn places(&self, numbers: Vec<u64>) -> Places {
        Places { file: self.file.clone(), unit: self.unit, numbers }
    }

    fn view<'a>(&'a self, name: &'a str, cells: &'a Cells, lines: &'a [u64]) -> ColumnView<'a> {
        ColumnView { name, cells, lines, file: &self.file, unit: self.unit, options: &self.options }
    }

    fn heed(&self) -> Result<(), TableError> {
        if self.options.interrupted() { Err(TableError::Interrupted { file: self.file.clone() }) } else { Ok(()) }
    }

    /// Believes what the table says about its size, before any of it is decoded.
    fn check_declared(&self, columns: usize) -> Result<(), TableError> {
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

    fn check_cells(&self, cells: u64, known: Option<u64>) -> Result<(), TableError> {
        let limit = self.options.limits.cells;
        if cells <= limit {
            return Ok(());
        }
        Err(TableError::TooManyCells { file: self.file.clone(), cells: known, limit })
    }

    fn next_cells(&mut self, rows: usize, columns: &[usize]) -> Result<Option<CellBlock>, TableError> {
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

    fn all_cells(&mut self, columns: &[usize]) -> Result<CellBlock, TableError> {
        let limits = self.options.limits;
        let mut all: Option<CellBlock> = None;
        let mut bytes = 0;
        while let Some(block) = self.next_cells(ROWS_PER_STEP, columns)? {
            bytes += block.bytes();
            if bytes > limits.table_bytes {
                return Err(TableError::TableTooLarge { file: self.file.clone(), limit: limits.table_bytes });
            }
            self.check_cells(self.rows.saturating_mul(columns.len() as u64), None)?;
            match &mut all {
                Some(whole) => whole.append(block),
                None => all = Some(block),
            }
        }
        all.ok_or_else(|| TableError::HeaderOnly { file: self.file.clone() })
    }
}
