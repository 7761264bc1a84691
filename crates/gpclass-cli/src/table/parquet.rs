//! Parquet files as a source of cells, read column by column and page by page.

use super::cells::{CellBlock, Cells, TextCells};
use super::error::{Place, TableError, Unit, shortened};
use super::guard::without_panic;
use super::kinds::ColumnKind;
use super::names;
use super::parquet_type::{ColumnType, column_type, decimal, half_float};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType, Int96};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;

/// Most rows decoded at a time.
const ROWS_PER_READ: usize = 8192;

/// A Parquet file of flat columns, read forwards once.
pub struct ParquetSource {
    file: String,
    reader: SerializedFileReader<File>,
    names: Vec<String>,
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
    pub fn open(handle: File, file: &str) -> Result<Self, TableError> {
        let reader = guarded(file, || SerializedFileReader::new(handle).map_err(|e| corrupt(file, &e)))?;
        let schema = reader.metadata().file_metadata().schema_descr();
        let mut names = Vec::new();
        let mut types = Vec::new();
        for column in schema.columns() {
            names.push(column.path().parts().join("."));
            types.push(column_type(column, file)?);
        }
        if names.is_empty() {
            return Err(TableError::Empty { file: file.to_owned() });
        }
        names::check_unique(&names, file)?;
        Ok(ParquetSource {
            file: file.to_owned(),
            reader,
            names,
            types,
            group: 0,
            group_rows_done: 0,
            open_columns: Vec::new(),
            rows_done: 0,
        })
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// What each column holds, by its declared type.
    pub fn kinds(&self) -> Vec<ColumnKind> {
        self.types.iter().map(|t| if t.is_text() { ColumnKind::Discrete } else { ColumnKind::Continuous }).collect()
    }

    /// The next `rows` rows at most of the given columns; `None` after the last. A block never spans two row groups.
    pub fn next_cells(&mut self, rows: usize, columns: &[usize]) -> Result<Option<CellBlock>, TableError> {
        while self.group < self.reader.num_row_groups() {
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
        let declared = self.reader.metadata().row_group(self.group).num_rows();
        usize::try_from(declared).map_err(|_| self.damaged(format!("row group {} has {declared} rows", self.group + 1)))
    }

    fn read(&mut self, rows: usize, columns: &[usize]) -> Result<CellBlock, TableError> {
        if self.group_rows_done == 0 {
            self.open_group(columns)?;
        }
        let file = self.file.clone();
        let first_row = self.rows_done;
        let mut cells = Vec::with_capacity(columns.len());
        for (j, reader) in &mut self.open_columns {
            let found = guarded(&file, || read_cells(reader, self.types[*j], rows, &file, &self.names[*j], first_row))?;
            cells.push(found);
        }
        if let Some(at) = cells.iter().position(|column| column.len() != rows) {
            let name = shortened(&self.names[columns[at]]);
            return Err(self.damaged(format!("column '{name}' ends before row {}", first_row + rows as u64)));
        }
        self.group_rows_done += rows;
        self.rows_done += rows as u64;
        Ok(CellBlock { columns: cells, lines: (first_row + 1..=self.rows_done).collect() })
    }

    fn open_group(&mut self, columns: &[usize]) -> Result<(), TableError> {
        let file = self.file.clone();
        let opened = guarded(&file, || {
            let group = self.reader.get_row_group(self.group).map_err(|e| corrupt(&file, &e))?;
            let open = |&j: &usize| {
                self.check_offsets(j)?;
                Ok((j, group.get_column_reader(j).map_err(|e| corrupt(&file, &e))?))
            };
            columns.iter().map(open).collect()
        })?;
        self.open_columns = opened;
        Ok(())
    }

    /// The decoder asserts what it should check: that a column does not begin before the file.
    fn check_offsets(&self, j: usize) -> Result<(), TableError> {
        let chunk = self.reader.metadata().row_group(self.group).column(j);
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        if start >= 0 && chunk.compressed_size() >= 0 {
            return Ok(());
        }
        Err(self.damaged(format!("column '{}' has an impossible position", shortened(&self.names[j]))))
    }

    fn damaged(&self, detail: String) -> TableError {
        TableError::CorruptParquet { file: self.file.clone(), detail }
    }
}

fn corrupt(file: &str, error: &ParquetError) -> TableError {
    let detail = error.to_string();
    if detail.contains("zstd") {
        return TableError::ParquetZstd { file: file.to_owned() };
    }
    TableError::CorruptParquet { file: file.to_owned(), detail }
}

fn read_cells(
    reader: &mut ColumnReader,
    kind: ColumnType,
    rows: usize,
    file: &str,
    name: &str,
    first_row: u64,
) -> Result<Cells, TableError> {
    let fail = |e: ParquetError| corrupt(file, &e);
    let unsigned = kind == ColumnType::Unsigned;
    let text = |values: Vec<Option<ByteArray>>| utf8_cells(values, file, name, first_row);
    match reader {
        ColumnReader::BoolColumnReader(r) => Ok(bool_cells(values(r, rows).map_err(fail)?)),
        ColumnReader::Int32ColumnReader(r) => {
            let wide = |v: i32| if unsigned { i128::from(v as u32) } else { i128::from(v) };
            Ok(integer_cells(values(r, rows).map_err(fail)?, wide, kind))
        }
        ColumnReader::Int64ColumnReader(r) => {
            let wide = |v: i64| if unsigned { i128::from(v as u64) } else { i128::from(v) };
            Ok(integer_cells(values(r, rows).map_err(fail)?, wide, kind))
        }
        ColumnReader::Int96ColumnReader(r) => Ok(float_cells(values(r, rows).map_err(fail)?, int96_seconds)),
        ColumnReader::FloatColumnReader(r) => Ok(float_cells(values(r, rows).map_err(fail)?, f64::from)),
        ColumnReader::DoubleColumnReader(r) => Ok(float_cells(values(r, rows).map_err(fail)?, |v| v)),
        ColumnReader::ByteArrayColumnReader(r) => {
            let found = values(r, rows).map_err(fail)?;
            match kind {
                ColumnType::Decimal { scale } => Ok(float_cells(found, |v: ByteArray| decimal(v.data(), scale))),
                _ => text(found),
            }
        }
        ColumnReader::FixedLenByteArrayColumnReader(r) => {
            let found = values(r, rows).map_err(fail)?.into_iter().map(|v| v.map(ByteArray::from)).collect();
            match kind {
                ColumnType::Decimal { scale } => Ok(float_cells(found, |v: ByteArray| decimal(v.data(), scale))),
                ColumnType::HalfFloat => Ok(float_cells(found, |v: ByteArray| half_float(v.data()))),
                _ => text(found),
            }
        }
    }
}

/// The next `rows` values at most, `None` where null.
fn values<T: DataType>(reader: &mut ColumnReaderImpl<T>, rows: usize) -> Result<Vec<Option<T::T>>, ParquetError> {
    let mut found = Vec::with_capacity(rows);
    while found.len() < rows {
        let (mut levels, mut present) = (Vec::new(), Vec::new());
        let (records, ..) = reader.read_records(rows - found.len(), Some(&mut levels), None, &mut present)?;
        if records == 0 {
            break;
        }
        let mut present = present.into_iter();
        match levels.is_empty() {
            // A required column has no levels.
            true => found.extend(present.map(Some)),
            false => found.extend(levels.into_iter().map(|level| if level > 0 { present.next() } else { None })),
        }
    }
    Ok(found)
}

fn bool_cells(values: Vec<Option<bool>>) -> Cells {
    let mut cells = TextCells::default();
    values.into_iter().for_each(|v| cells.push(v.map_or("", |v| if v { "true" } else { "false" })));
    Cells::Text(cells)
}

fn float_cells<T>(values: Vec<Option<T>>, convert: impl Fn(T) -> f64) -> Cells {
    Cells::Floats(values.into_iter().map(|v| v.map_or(f64::NAN, &convert)).collect())
}

fn integer_cells<T>(values: Vec<Option<T>>, wide: impl Fn(T) -> i128, kind: ColumnType) -> Cells {
    let values = values.into_iter().map(|v| v.map(&wide));
    match kind {
        ColumnType::Decimal { scale } => float_cells(values.collect(), |v| v as f64 / 10f64.powi(scale)),
        ColumnType::Time { per_unit } => float_cells(values.collect(), |v| v as f64 / per_unit),
        _ => Cells::Integers(values.collect()),
    }
}

/// Seconds since 1970 of the deprecated 96-bit time stamp.
fn int96_seconds(value: Int96) -> f64 {
    const JULIAN_DAY_OF_EPOCH: f64 = 2_440_588.0;
    let [low, high, day] = *value.data() else { return f64::NAN };
    let nanoseconds = (u64::from(high) << 32) | u64::from(low);
    (f64::from(day) - JULIAN_DAY_OF_EPOCH) * 86_400.0 + nanoseconds as f64 * 1e-9
}

fn utf8_cells(values: Vec<Option<ByteArray>>, file: &str, name: &str, first_row: u64) -> Result<Cells, TableError> {
    let mut cells = TextCells::default();
    for (i, value) in values.iter().enumerate() {
        let bytes = value.as_ref().map_or(&[][..], ByteArray::data);
        let text = std::str::from_utf8(bytes).map_err(|_| {
            let place = Place { file: file.to_owned(), unit: Unit::Row, number: first_row + i as u64 + 1 };
            TableError::ParquetBytes { place, column: shortened(name) }
        })?;
        cells.push(text.trim());
    }
    Ok(Cells::Text(cells))
}
