//! Deciding what a column means, and turning its cells into numbers or texts.

use super::cells::{Cells, TextCells};
use super::error::{Cell, Place, TableError, Unit, shortened};
use super::note::TableNote;
use super::numbers::{NumberFormat, Reading, canonical_text};
use super::options::TableOptions;
use super::reader::RawValues;
use std::collections::HashSet;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Numbers.
    Continuous,
    /// Categories, named by text.
    Discrete,
}

/// Most different integers in a column for which categories are suggested.
const FEW_INTEGERS: usize = 10;
/// A column has few integers only if each occurs this often on average.
const FEW_INTEGERS_REPEATS: usize = 5;
/// Share of texts up to which a column is said to be mostly numbers.
const MOSTLY_NUMBERS: f64 = 0.2;
/// Fewest different texts that are worth a note.
const MANY_LEVELS: usize = 20;

const PLAIN_NUMBER: &str = "; it is written with a decimal point: leave out --decimal-comma";
const NOT_CONTINUOUS: &str = "; correct it, leave the cell empty to mark it missing, or name the text with --missing";

/// One column on its way from cells to values: what is needed to read it and to say where something is wrong.
pub struct ColumnView<'a> {
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
    fn cell(&self, row: usize, value: &str) -> Cell {
        let place = Place { file: self.file.to_owned(), unit: self.unit, number: self.lines[row] };
        Cell::new(place, self.name, value)
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
        }
    }

    /// The column as the given kind.
    pub fn values(&self, kind: ColumnKind) -> Result<RawValues, TableError> {
        match kind {
            ColumnKind::Continuous => self.numbers().map(RawValues::Numbers),
            ColumnKind::Discrete => self.texts().map(RawValues::Text),
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
        })
    }

    fn category(&self, cell: &str) -> Option<String> {
        (!self.options.missing.contains(cell)).then(|| canonical_text(cell).into_owned())
    }

    /// Continuous if every value is a number. Numbers in a notation that was not asked for, infinities and a column
    /// without values are errors, because either guess would be silently wrong.
    pub fn infer(&self) -> Result<ColumnKind, TableError> {
        let Cells::Text(text) = self.cells else { return Ok(ColumnKind::Continuous) };
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
            _ => ColumnKind::Continuous,
        }
    }

    /// Fails if every cell is missing.
    pub fn check_not_all_missing(&self, advice: String) -> Result<(), TableError> {
        let some = match self.cells {
            Cells::Text(text) => text.iter().any(|cell| !matches!(self.read(cell), Reading::NotANumberSymbol)),
            Cells::Floats(values) => values.iter().any(|v| !v.is_nan()),
            Cells::Integers(values) => values.iter().any(Option::is_some),
        };
        if some {
            return Ok(());
        }
        Err(TableError::AllMissing { file: self.file.to_owned(), column: shortened(self.name), advice })
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
            .unwrap_or(TableError::NotANumber { cell: at, hint: NOT_CONTINUOUS })
    }

    /// What the user may want to know about a column that was inferred.
    pub fn notes(&self, kind: ColumnKind) -> Vec<TableNote> {
        match (kind, self.cells) {
            (ColumnKind::Continuous, _) => self.numbers().map(|v| self.few_integers(&v)).unwrap_or_default(),
            (ColumnKind::Discrete, Cells::Text(text)) => self.text_notes(text),
            (ColumnKind::Discrete, _) => Vec::new(),
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
        vec![TableNote::FewIntegers { column: shortened(self.name), levels: levels.len() }]
    }

    fn text_notes(&self, text: &TextCells) -> Vec<TableNote> {
        let census = self.census(text);
        let share = census.texts as f64 / (census.texts + census.numbers).max(1) as f64;
        if let Some(row) = census.first_text
            && share <= MOSTLY_NUMBERS
        {
            let Cell { column, value: example, place } = self.cell(row, text.get(row));
            let (unit, number) = (place.unit, place.number);
            return vec![TableNote::MostlyNumbers { column, texts: census.texts, example, unit, number }];
        }
        let levels = text.iter().filter(|c| !self.options.missing.contains(c)).collect::<HashSet<_>>().len();
        if levels < MANY_LEVELS || 2 * levels < text.len() {
            return Vec::new();
        }
        vec![TableNote::ManyLevels { column: shortened(self.name), levels, rows: text.len() }]
    }
}

/// Which notation makes numbers of what is not readable in the current one, as the error that advises it.
fn notation_error(current: NumberFormat, readable: impl Fn(NumberFormat) -> bool, cell: Cell) -> Option<TableError> {
    let format = |decimal_comma, thousands| NumberFormat { decimal_comma, thousands };
    let other = |f: NumberFormat| f != current && readable(f);
    if other(format(false, false)) {
        return Some(TableError::NotANumber { cell, hint: PLAIN_NUMBER });
    }
    match (other(format(true, false)), other(format(false, true)), other(format(true, true))) {
        (true, true, _) => Some(TableError::AmbiguousComma { cell }),
        (true, false, _) => Some(TableError::DecimalComma { cell }),
        (false, true, _) => Some(TableError::Thousands { cell }),
        (false, false, true) => Some(TableError::DecimalCommaThousands { cell }),
        (false, false, false) => None,
    }
}
