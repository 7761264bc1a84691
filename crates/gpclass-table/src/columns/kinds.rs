//! Deciding what a column means, and turning its cells into numbers or texts.

use super::cells::{Cells, TextCells};
use super::numbers::{NumberFormat, Reading, canonical_text};
use crate::advice::Advice;
use crate::error::TableError;
use crate::note::TableNote;
use crate::options::TableOptions;
use crate::place::{Cell, Place, Unit};
use gpclass::data::{ColumnKind, ColumnValues, Shown, date_text, parse_date};
use std::collections::HashSet;

const SECONDS_PER_DAY: f64 = 86_400.0;
/// Most different integers in a column for which categories are suggested.
const FEW_INTEGERS: usize = 10;
/// A column has few integers only if each occurs this often on average.
const FEW_INTEGERS_REPEATS: usize = 5;
/// Share of texts up to which a column is said to be mostly numbers.
const MOSTLY_NUMBERS: f64 = 0.2;
/// Fewest different texts that are worth a note.
const MANY_LEVELS: usize = 20;

/// One column on its way from cells to values: what is needed to read it and to say where something is wrong.
pub(crate) struct ColumnView<'a> {
    pub name: &'a str,
    pub cells: &'a Cells,
    pub lines: &'a [u64],
    pub file: &'a str,
    pub unit: Unit,
    pub options: &'a TableOptions,
}

/// How many cells of a text column read as what, and where the first text and the first infinity stand.
#[derive(Default)]
struct Census {
    numbers: usize,
    texts: usize,
    first_text: Option<usize>,
    first_infinite: Option<usize>,
}

impl ColumnView<'_> {
    fn cell(&self, row: usize, value: &str) -> Box<Cell> {
        let place = Place { file: self.file.to_owned(), unit: self.unit, number: self.lines[row] };
        Box::new(Cell::new(place, self.name, value))
    }

    fn read(&self, cell: &str) -> Reading {
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
            Reading::Text => Err(self.misread(row, cell)),
        }
    }

    fn reject_infinite(&self, values: &[f64]) -> Result<(), TableError> {
        match values.iter().position(|v| v.is_infinite()) {
            Some(row) => Err(TableError::Infinite { cell: self.cell(row, &values[row].to_string()) }),
            None => Ok(()),
        }
    }

    /// The column as category names, `None` where missing. Integers have one text however they are written.
    pub fn texts(&self) -> Result<Vec<Option<String>>, TableError> {
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

    fn category(&self, cell: &str) -> Option<String> {
        (!self.options.missing.contains(cell)).then(|| canonical_text(cell).into_owned())
    }

    /// Continuous if every value is a number. Numbers in a notation that was not asked for, infinities and a column
    /// without values are errors, because either guess would be silently wrong.
    pub fn infer(&self) -> Result<ColumnKind, TableError> {
        let text = match self.cells {
            Cells::Text(text) => text,
            Cells::Floats(_) | Cells::Integers(_) => return Ok(ColumnKind::Continuous),
            Cells::Dates(_) | Cells::Moments(_) => return Ok(ColumnKind::Date),
        };
        let census = self.census(text);
        match (census.first_text, census.first_infinite) {
            (None, None) => Ok(ColumnKind::Continuous),
            (None, Some(row)) => Err(TableError::Infinite { cell: self.cell(row, text.get(row)) }),
            (Some(row), _) => match self.other_notation(text, row) {
                Some(error) => Err(error),
                None => Ok(ColumnKind::Discrete),
            },
        }
    }

    /// The kind as far as these cells show it, with no judgement on them: for previews.
    pub fn provisional_kind(&self) -> ColumnKind {
        match self.cells {
            Cells::Text(text) if self.census(text).texts > 0 => ColumnKind::Discrete,
            Cells::Text(_) | Cells::Floats(_) | Cells::Integers(_) => ColumnKind::Continuous,
            Cells::Dates(_) | Cells::Moments(_) => ColumnKind::Date,
        }
    }

    /// Fails if every cell is missing.
    pub fn check_not_all_missing(&self, advice: Advice) -> Result<(), TableError> {
        let some = match self.cells {
            Cells::Text(text) => text.iter().any(|cell| !matches!(self.read(cell), Reading::NotANumberSymbol)),
            Cells::Floats(values) | Cells::Dates(values) | Cells::Moments(values) => values.iter().any(|v| !v.is_nan()),
            Cells::Integers(values) => values.iter().any(Option::is_some),
        };
        if some {
            return Ok(());
        }
        Err(TableError::AllMissing { file: self.file.to_owned(), column: self.name.to_owned(), advice })
    }

    fn census(&self, text: &TextCells) -> Census {
        let mut census = Census::default();
        for (row, cell) in text.iter().enumerate() {
            match self.read(cell) {
                Reading::Number(_) => census.numbers += 1,
                Reading::NotANumberSymbol => {}
                Reading::Infinite => census.first_infinite = census.first_infinite.or(Some(row)),
                Reading::Text => {
                    census.texts += 1;
                    census.first_text = census.first_text.or(Some(row));
                }
            }
        }
        census
    }

    /// The error for a column that would be all numbers in another notation, or `None` if there is no such notation.
    fn other_notation(&self, text: &TextCells, row: usize) -> Option<TableError> {
        let all = |format: NumberFormat| {
            text.iter().all(|cell| self.options.missing.contains(cell) || !matches!(format.read(cell), Reading::Text))
        };
        notation_error(self.options.numbers, all, self.cell(row, text.get(row)))
    }

    /// The error for a single cell that should be a number.
    fn misread(&self, row: usize, cell: &str) -> TableError {
        let at = self.cell(row, cell);
        let readable = |format: NumberFormat| !matches!(format.read(cell), Reading::Text);
        notation_error(self.options.numbers, readable, at.clone())
            .unwrap_or(TableError::NotANumber { cell: at, advice: Advice::CorrectOrMarkMissing })
    }

    /// What the user may want to know about a column that was inferred.
    pub fn notes(&self, kind: ColumnKind) -> Vec<TableNote> {
        match (kind, self.cells) {
            (ColumnKind::Continuous, _) => self.numbers().map(|v| self.few_integers(&v)).unwrap_or_default(),
            (ColumnKind::Discrete, Cells::Text(text)) => self.text_notes(text),
            (ColumnKind::Discrete | ColumnKind::Date, _) => Vec::new(),
        }
    }

    fn few_integers(&self, values: &[f64]) -> Vec<TableNote> {
        let mut levels = HashSet::new();
        for value in values.iter().filter(|v| !v.is_nan()) {
            levels.insert(value.to_bits());
            if value.fract() != 0.0 || levels.len() > FEW_INTEGERS {
                return Vec::new();
            }
        }
        // Two levels make the same model either way.
        if levels.len() < 3 || values.len() < levels.len() * FEW_INTEGERS_REPEATS {
            return Vec::new();
        }
        let advice = Advice::TakeAsCategories { columns: vec![self.name.to_owned()] };
        vec![TableNote::FewIntegers { columns: vec![(Shown(self.name).to_string(), levels.len())], advice }]
    }

    fn text_notes(&self, text: &TextCells) -> Vec<TableNote> {
        let census = self.census(text);
        let share = census.texts as f64 / (census.texts + census.numbers).max(1) as f64;
        if let Some(row) = census.first_text
            && share <= MOSTLY_NUMBERS
        {
            let Cell { column, value: example, place } = *self.cell(row, text.get(row));
            let advice = Advice::NameMissing { text: text.get(row).to_owned() };
            return vec![TableNote::MostlyNumbers { column, texts: census.texts, example, place, advice }];
        }
        let present = || text.iter().filter(|c| !self.options.missing.contains(c));
        let levels = present().collect::<HashSet<_>>().len();
        // The library says what it makes of identifiers and of dates.
        let told = levels == present().count() || present().all(|cell| parse_date(cell).is_some());
        if levels < MANY_LEVELS || 2 * levels < text.len() || told {
            return Vec::new();
        }
        let advice = Advice::LeaveOutIdentifier { column: self.name.to_owned() };
        vec![TableNote::ManyLevels { column: Shown(self.name).to_string(), levels, rows: text.len(), advice }]
    }
}

/// Which notation makes numbers of what is not readable in the current one, as the error that advises it.
fn notation_error(
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
