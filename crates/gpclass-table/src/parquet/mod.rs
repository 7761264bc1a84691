//! Parquet files as a source of cells, read column by column and page by page.

mod column_type;
mod decode;
mod expand;
mod guard;
mod page_header;
mod pages;

use crate::columns::cells::{CellBlock, Cells};
use crate::error::TableError;
use crate::input::Whole;
use crate::names::Names;
use crate::options::TableOptions;
use column_type::{ColumnType, column_type};
use decode::{Cut, read_cells};
use gpclass::data::{ColumnKind, Escaped, Quoted};
use guard::without_panic;
use pages::{Budget, Pages, Stored};
use parquet::basic::Compression;
use parquet::column::reader::{ColumnReader, get_column_reader};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader};
use std::sync::Arc;

/// Most rows decoded at a time.
const ROWS_PER_READ: usize = 8192;

/// A Parquet file of flat columns, read forwards once.
pub(crate) struct ParquetSource {
    file: String,
    stored: Stored,
    metadata: ParquetMetaData,
    options: TableOptions,
    budget: Arc<Budget>,
    names: Names,
    types: Vec<ColumnType>,
    /// Row group being read.
    group: usize,
    /// Rows of that group already handed out.
    group_rows_done: usize,
    /// Readers of the chosen columns in that group.
    open_columns: Vec<(usize, ColumnReader)>,
    rows_done: u64,
}

/// What reading a damaged file may end in: an error of the decoder, or a panic of it.
fn guarded<T>(file: &str, work: impl FnOnce() -> Result<T, TableError>) -> Result<T, TableError> {
    let failed = || TableError::CorruptParquet { file: file.to_owned(), detail: "decoding failed".to_owned() };
    without_panic(work).unwrap_or_else(|| Err(failed()))
}

impl ParquetSource {
    /// Reads the file's schema. Nested columns are errors.
    pub fn open(whole: Whole, file: &str, options: &TableOptions) -> Result<Self, TableError> {
        let stored = Stored::from(whole);
        let read = || ParquetMetaDataReader::new().parse_and_finish(&stored).map_err(|e| corrupt(file, &e));
        let metadata = guarded(file, read)?;
        let mut names = Vec::new();
        let mut types = Vec::new();
        for column in metadata.file_metadata().schema_descr().columns() {
            names.push(column.path().parts().join("."));
            types.push(column_type(column, file)?);
        }
        if names.is_empty() {
            return Err(TableError::Empty { file: file.to_owned() });
        }
        Ok(ParquetSource {
            file: file.to_owned(),
            stored,
            metadata,
            options: TableOptions { expected_names: Vec::new(), ..options.clone() },
            budget: Budget::new(options.limits),
            names: Names::new(names, file)?,
            types,
            group: 0,
            group_rows_done: 0,
            open_columns: Vec::new(),
            rows_done: 0,
        })
    }

    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Rows of the whole file, as its footer has it.
    pub fn declared_rows(&self) -> u64 {
        let rows = |group: usize| u64::try_from(self.metadata.row_group(group).num_rows()).unwrap_or(u64::MAX);
        (0..self.metadata.num_row_groups()).map(rows).fold(0, u64::saturating_add)
    }

    /// The share of its rows that was read so far.
    pub fn share(&self) -> f64 {
        self.rows_done as f64 / self.declared_rows().max(1) as f64
    }

    /// What each column holds, by its declared type.
    pub fn kinds(&self) -> Vec<ColumnKind> {
        self.types.iter().map(|of| of.kind()).collect()
    }

    /// The next `rows` rows at most of the given columns; `None` after the last. A block never spans two row groups.
    pub fn next_cells(&mut self, rows: usize, columns: &[usize]) -> Result<Option<CellBlock>, TableError> {
        while self.group < self.metadata.num_row_groups() {
            let left = self.group_rows()?.saturating_sub(self.group_rows_done);
            if left > 0 {
                return self.read(rows.min(left).min(ROWS_PER_READ), columns).map(Some);
            }
            self.group += 1;
            self.group_rows_done = 0;
            self.open_columns.clear();
        }
        Ok(None)
    }

    fn group_rows(&self) -> Result<usize, TableError> {
        let declared = self.metadata.row_group(self.group).num_rows();
        usize::try_from(declared).map_err(|_| self.damaged(format!("row group {} has {declared} rows", self.group + 1)))
    }

    fn read(&mut self, rows: usize, columns: &[usize]) -> Result<CellBlock, TableError> {
        if self.group_rows_done == 0 {
            self.open_group(columns)?;
        }
        let first_row = self.rows_done;
        let mut left = self.options.limits.table_bytes;
        let mut cells: Vec<Cells> = Vec::with_capacity(columns.len());
        for (j, reader) in &mut self.open_columns {
            if self.options.interrupted() {
                return Err(TableError::Interrupted { file: self.file.clone() });
            }
            let cut =
                Cut { kind: self.types[*j], rows, file: &self.file, name: &self.names.list()[*j], first_row, left };
            let found = guarded(&self.file, || read_cells(reader, &cut));
            let found = found.map_err(|error| self.budget.exceeded(&self.file).unwrap_or(error))?;
            left = left.saturating_sub(found.bytes());
            cells.push(found);
        }
        if let Some(at) = cells.iter().position(|column| column.len() != rows) {
            let name = Quoted(&self.names.list()[columns[at]]);
            return Err(self.damaged(format!("column {name} ends before row {}", first_row + rows as u64)));
        }
        self.group_rows_done += rows;
        self.rows_done += rows as u64;
        Ok(CellBlock { columns: cells, lines: (first_row + 1..=self.rows_done).collect() })
    }

    fn open_group(&mut self, columns: &[usize]) -> Result<(), TableError> {
        let opened = guarded(&self.file, || columns.iter().map(|&j| Ok((j, self.open_column(j)?))).collect())?;
        self.open_columns = opened;
        Ok(())
    }

    fn open_column(&self, j: usize) -> Result<ColumnReader, TableError> {
        let group = self.metadata.row_group(self.group);
        let chunk = group.column(j);
        self.check_codec(chunk)?;
        self.check_offsets(j, chunk)?;
        let pages = Pages::new(&self.stored, chunk, self.group_rows()?, &self.budget);
        Ok(get_column_reader(chunk.column_descr_ptr(), Box::new(pages.map_err(|e| corrupt(&self.file, &e))?)))
    }

    fn check_codec(&self, chunk: &ColumnChunkMetaData) -> Result<(), TableError> {
        let codec = match chunk.compression() {
            Compression::ZSTD(_) if !cfg!(feature = "parquet-zstd") => "zstd",
            Compression::BROTLI(_) if !cfg!(feature = "parquet-brotli") => "brotli",
            Compression::LZO => "lzo",
            _ => return Ok(()),
        };
        Err(TableError::ParquetCodec { file: self.file.clone(), codec })
    }

    /// The decoder asserts what it should check: that a column does not begin before the file.
    fn check_offsets(&self, j: usize, chunk: &ColumnChunkMetaData) -> Result<(), TableError> {
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        if start >= 0 && chunk.compressed_size() >= 0 {
            return Ok(());
        }
        Err(self.damaged(format!("column {} has an impossible position", Quoted(&self.names.list()[j]))))
    }

    fn damaged(&self, detail: String) -> TableError {
        TableError::CorruptParquet { file: self.file.clone(), detail }
    }
}

fn corrupt(file: &str, error: &ParquetError) -> TableError {
    TableError::CorruptParquet { file: file.to_owned(), detail: Escaped(&error.to_string()).to_string() }
}
