//! Turning the cells of a column into numbers or texts.

use super::cells::Cells;
use super::numbers::{NumberFormat, Reading, canonical_text};
use crate::advice::Advice;
use crate::error::TableError;
use crate::options::TableOptions;
use crate::place::{Cell, Place, Unit};
use gpclass::data::{ColumnKind, ColumnValues, Texts, date_text};
use std::borrow::Cow;

const SECONDS_PER_DAY: f64 = 86_400.0;

/// One column on its way from cells to values: what is needed to read it and to say where something is wrong.
pub(crate) struct ColumnView<'a> {
    pub name: &'a str,
    pub cells: &'a Cells,
    pub lines: &'a [u64],
    pub file: &'a str,
    pub unit: Unit,
    pub options: &'a TableOptions,
}

impl ColumnView<'_> {
    pub fn cell(&self, row: usize, value: &str) -> Box<Cell> {
        let place = Place { file: self.file.to_owned(), unit: self.unit, number: self.lines[row] };
        Box::new(Cell::new(place, self.name, value))
    }

    pub fn read(&self, cell: &str) -> Reading {
        if self.options.missing.contains(cell) { Reading::NotANumberSymbol } else { self.options.numbers.read(cell) }
    }

    /// The column as numbers, NaN where missing. Text and infinities are errors.
    pub fn numbers(&self) -> Result<Vec<f64>, TableError> {
        match self.cells {
            Cells::Text(text) => text.iter().enumerate().map(|(i, cell)| self.number(i, cell)).collect(),
            Cells::Floats(values) => {
                self.reject_infinite(values)?;
                Ok(values.clone())
            }
            Cells::Integers(values) => Ok(values.iter().map(|v| v.map_or(f64::NAN, |v| v as f64)).collect()),
            Cells::Dates(days) => Ok(days.clone()),
            Cells::Moments(days) => Ok(days.iter().map(|day| day * SECONDS_PER_DAY).collect()),
        }
    }

    /// The column as the given kind. Dates that are written as text stay text, which the library reads.
    pub fn values(&self, kind: ColumnKind) -> Result<ColumnValues, TableError> {
        match (kind, self.cells) {
            (ColumnKind::Continuous, _) => self.numbers().map(ColumnValues::Continuous),
            (ColumnKind::Date, Cells::Dates(days) | Cells::Moments(days)) => Ok(ColumnValues::Dates(days.clone())),
            (ColumnKind::Date, Cells::Floats(_) | Cells::Integers(_)) => self.numbers().map(ColumnValues::Continuous),
            (ColumnKind::Date, Cells::Text(_)) | (ColumnKind::Discrete, _) => self.texts().map(ColumnValues::Discrete),
        }
    }

    fn number(&self, row: usize, cell: &str) -> Result<f64, TableError> {
        match self.read(cell) {
            Reading::Number(value) => Ok(value),
            Reading::NotANumberSymbol => Ok(f64::NAN),
            Reading::Infinite => Err(TableError::Infinite { cell: self.cell(row, cell) }),
            Reading::Text => Err(self.misread(self.cell(row, cell), cell)),
        }
    }

    fn reject_infinite(&self, values: &[f64]) -> Result<(), TableError> {
        match values.iter().position(|v| v.is_infinite()) {
            Some(row) => Err(TableError::Infinite { cell: self.cell(row, &values[row].to_string()) }),
            None => Ok(()),
        }
    }

    /// The column as category names, `None` where missing. Integers have one text however they are written.
    pub fn texts(&self) -> Result<Texts, TableError> {
        Ok(match self.cells {
            Cells::Text(text) => text.iter().map(|cell| self.category(cell)).collect(),
            Cells::Floats(values) => {
                self.reject_infinite(values)?;
                values.iter().map(|v| (!v.is_nan()).then(|| canonical_text(&v.to_string()).into_owned())).collect()
            }
            Cells::Integers(values) => values.iter().map(|v| v.map(|v| v.to_string())).collect(),
            Cells::Dates(days) | Cells::Moments(days) => {
                days.iter().map(|&day| (!day.is_nan()).then(|| date_text(day))).collect()
            }
        })
    }

    fn category<'c>(&self, cell: &'c str) -> Option<Cow<'c, str>> {
        (!self.options.missing.contains(cell)).then(|| canonical_text(cell))
    }

    /// The error for a single cell that should be a number.
    pub fn misread(&self, at: Box<Cell>, cell: &str) -> TableError {
        let readable = |format: NumberFormat| !matches!(format.read(cell), Reading::Text);
        notation_error(self.options.numbers, readable, at.clone())
            .unwrap_or(TableError::NotANumber { cell: at, advice: Advice::CorrectOrMarkMissing })
    }
}

/// Which notation makes numbers of what is not readable in the current one, as the error that advises it.
pub(super) fn notation_error(
    current: NumberFormat,
    readable: impl Fn(NumberFormat) -> bool,
    cell: Box<Cell>,
) -> Option<TableError> {
    let format = |decimal_comma, thousands| NumberFormat { decimal_comma, thousands };
    let other = |f: NumberFormat| f != current && readable(f);
    if other(format(false, false)) {
        return Some(TableError::NotANumber { cell, advice: Advice::ExpectDecimalPoint });
    }
    let column = cell.column.clone();
    let accept = |notation| Advice::AcceptNotation { notation, column: column.clone() };
    let (comma, groups, both) = (format(true, false), format(false, true), format(true, true));
    match (other(comma), other(groups), other(both)) {
        (true, true, _) => Some(TableError::AmbiguousComma { cell, advice: Advice::ChooseNotation { column } }),
        (true, false, _) => Some(TableError::DecimalComma { cell, advice: accept(comma) }),
        (false, true, _) => Some(TableError::Thousands { cell, advice: accept(groups) }),
        (false, false, true) => Some(TableError::DecimalCommaThousands { cell, advice: accept(both) }),
        (false, false, false) => None,
    }
}
