//! The values of a Parquet column as cells.

use super::column_type::{ColumnType, decimal, half_float};
use super::corrupt;
use crate::columns::cells::{Cells, TextCells};
use crate::error::TableError;
use crate::place::{Place, Unit};
use gpclass::data::day_number;
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType, Int96};
use parquet::errors::ParquetError;

const NANOSECONDS_PER_DAY: i128 = 86_400_000_000_000;
/// Strings decoded at a time: each may be as long as a page.
const STRINGS_PER_READ: usize = 64;

/// Which cells are read, and what an error about them says.
pub(super) struct Cut<'a> {
    pub kind: ColumnType,
    pub rows: usize,
    pub file: &'a str,
    pub name: &'a str,
    /// Rows before these in the file.
    pub first_row: u64,
    /// Bytes of memory that the cells may take.
    pub left: usize,
}

/// The next cells of a column, at most as many as asked for.
pub(super) fn read_cells(reader: &mut ColumnReader, cut: &Cut<'_>) -> Result<Cells, TableError> {
    let (kind, rows) = (cut.kind, cut.rows);
    let fail = |e: ParquetError| corrupt(cut.file, &e);
    let unsigned = kind == ColumnType::Unsigned;
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
        ColumnReader::Int96ColumnReader(r) => Ok(Cells::Moments(numbers(values(r, rows).map_err(fail)?, int96_day))),
        ColumnReader::FloatColumnReader(r) => Ok(float_cells(values(r, rows).map_err(fail)?, f64::from)),
        ColumnReader::DoubleColumnReader(r) => Ok(float_cells(values(r, rows).map_err(fail)?, |v| v)),
        ColumnReader::ByteArrayColumnReader(r) => byte_cells(r, cut),
        ColumnReader::FixedLenByteArrayColumnReader(r) => byte_cells(r, cut),
    }
}

/// Text, or numbers stored as bytes.
fn byte_cells<T: DataType>(reader: &mut ColumnReaderImpl<T>, cut: &Cut<'_>) -> Result<Cells, TableError>
where
    T::T: Into<ByteArray>,
{
    let (mut text, mut numbers) = (TextCells::default(), Vec::new());
    while text.len() + numbers.len() < cut.rows {
        let wanted = STRINGS_PER_READ.min(cut.rows - text.len() - numbers.len());
        let found = values(reader, wanted).map_err(|e| corrupt(cut.file, &e))?;
        if found.is_empty() {
            break;
        }
        for value in found.into_iter().map(|value| value.map(Into::<ByteArray>::into)) {
            let bytes = value.as_ref().map(ByteArray::data);
            match cut.kind {
                ColumnType::Decimal { scale } => numbers.push(bytes.map_or(f64::NAN, |bytes| decimal(bytes, scale))),
                ColumnType::HalfFloat => numbers.push(bytes.map_or(f64::NAN, half_float)),
                _ => push_text(&mut text, bytes.unwrap_or_default(), cut)?,
            }
        }
    }
    Ok(match cut.kind {
        ColumnType::Decimal { .. } | ColumnType::HalfFloat => Cells::Floats(numbers),
        _ => Cells::Text(text),
    })
}

fn push_text(cells: &mut TextCells, bytes: &[u8], cut: &Cut<'_>) -> Result<(), TableError> {
    let text = std::str::from_utf8(bytes).map_err(|_| {
        let number = cut.first_row + cells.len() as u64 + 1;
        let place = Place { file: cut.file.to_owned(), unit: Unit::Row, number };
        TableError::ParquetBytes { place, column: cut.name.to_owned() }
    })?;
    cells.push(text.trim());
    // One stored string may be repeated in every row.
    if cells.bytes() > cut.left {
        return Err(TableError::TableTooLarge { file: cut.file.to_owned(), limit: cut.left, hint: "" });
    }
    Ok(())
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
    Cells::Floats(numbers(values, convert))
}

/// Numbers, NaN where null.
fn numbers<T>(values: Vec<Option<T>>, convert: impl Fn(T) -> f64) -> Vec<f64> {
    values.into_iter().map(|v| v.map_or(f64::NAN, &convert)).collect()
}

fn integer_cells<T>(values: Vec<Option<T>>, wide: impl Fn(T) -> i128, kind: ColumnType) -> Cells {
    let values = values.into_iter().map(|v| v.map(&wide));
    let moment = |nanoseconds: i128| {
        let (days, rest) = (nanoseconds.div_euclid(NANOSECONDS_PER_DAY), nanoseconds.rem_euclid(NANOSECONDS_PER_DAY));
        day_number(days as i64, rest as i64)
    };
    match kind {
        ColumnType::Date => Cells::Dates(numbers(values.collect(), |v| v as f64)),
        ColumnType::Moment { nanoseconds } => {
            Cells::Moments(numbers(values.collect(), |v| moment(v * i128::from(nanoseconds))))
        }
        ColumnType::Decimal { scale } => float_cells(values.collect(), |v| v as f64 / 10f64.powi(scale)),
        ColumnType::Time { per_unit } => float_cells(values.collect(), |v| v as f64 / per_unit),
        _ => Cells::Integers(values.collect()),
    }
}

/// The day number of the deprecated 96-bit time stamp.
fn int96_day(value: Int96) -> f64 {
    const JULIAN_DAY_OF_EPOCH: i64 = 2_440_588;
    let [low, high, day] = *value.data() else { return f64::NAN };
    let nanoseconds = (u64::from(high) << 32) | u64::from(low);
    day_number(i64::from(day) - JULIAN_DAY_OF_EPOCH, nanoseconds as i64)
}
