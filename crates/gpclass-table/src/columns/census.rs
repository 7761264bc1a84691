//! What the cells of a column show, gathered block by block: of what kind it is, what is wrong with it, what there is to say.

use super::cells::{Cells, TextCells};
use super::kinds::{ColumnView, notation_error};
use super::numbers::{NumberFormat, Reading};
use super::plan::Use;
use crate::advice::Advice;
use crate::error::TableError;
use crate::note::TableNote;
use crate::place::Cell;
use gpclass::data::{ColumnKind, Shown, parse_date};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Most different integers in a column for which categories are suggested.
const FEW_INTEGERS: usize = 10;
/// A column has few integers only if each occurs this often on average.
const FEW_INTEGERS_REPEATS: usize = 5;
/// Share of texts up to which a column is said to be mostly numbers.
const MOSTLY_NUMBERS: f64 = 0.2;
/// Fewest different texts that are worth a note.
const MANY_LEVELS: usize = 20;
/// Different cells after which those of a column that looks like numbers are counted no further, since nobody will ask.
const COUNTED_NUMBERS: usize = 1 << 16;
/// The same for a column of texts, which then has no note: 75 MB.
const COUNTED_TEXTS: usize = 1 << 22;

/// A cell that was the first of its sort.
#[derive(Clone, Debug)]
struct First {
    /// Rows before it.
    row: usize,
    cell: Box<Cell>,
    text: String,
}

/// How the cells of a column are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    Text,
    Numbers,
    Dates,
}

/// One column, as far as it has been seen.
#[derive(Debug)]
pub(crate) struct Census {
    stored: Stored,
    rows: usize,
    /// Cells that are not missing, however they are read.
    present: usize,
    /// Cells of a text column that read as numbers, and that do not.
    numbers: usize,
    texts: usize,
    first_text: Option<First>,
    first_infinite: Option<First>,
    /// The line or row of the first cell that is missing.
    first_missing: Option<u64>,
    /// Whether all cells can be read in a notation, in the order of [`NumberFormat::ALL`].
    readable: [bool; 4],
    /// The different numbers while they are few and integers.
    integers: Option<HashSet<u64>>,
    /// The different cells of a text column, by their hashes.
    levels: Option<HashSet<u64>>,
    /// Cells of a text column that are none of the texts for a missing value, and whether all of them are dates.
    named: usize,
    dates: bool,
}

impl Default for Census {
    fn default() -> Self {
        Census {
            stored: Stored::Text,
            rows: 0,
            present: 0,
            numbers: 0,
            texts: 0,
            first_text: None,
            first_infinite: None,
            first_missing: None,
            readable: [true; 4],
            integers: Some(HashSet::new()),
            levels: Some(HashSet::new()),
            named: 0,
            dates: true,
        }
    }
}

impl Census {
    /// Looks at the next rows of the column.
    pub fn add(&mut self, view: &ColumnView<'_>) {
        match view.cells {
            Cells::Text(text) => self.add_texts(view, text),
            Cells::Floats(values) => self.add_numbers(view, Stored::Numbers, values.iter().copied()),
            Cells::Integers(values) => {
                let number = |value: &Option<i128>| value.map_or(f64::NAN, |value| value as f64);
                self.add_numbers(view, Stored::Numbers, values.iter().map(number));
            }
            Cells::Dates(days) | Cells::Moments(days) => {
                self.add_numbers(view, Stored::Dates, days.iter().copied());
            }
        }
    }

    fn add_numbers(&mut self, view: &ColumnView<'_>, stored: Stored, values: impl Iterator<Item = f64>) {
        self.stored = stored;
        for (at, value) in values.enumerate() {
            if value.is_nan() {
                self.miss(view, at);
            } else {
                self.present += 1;
                self.count_integer(value);
            }
            if value.is_infinite() {
                let (row, text) = (self.rows, value.to_string());
                self.first_infinite.get_or_insert_with(|| First { row, cell: view.cell(at, &text), text });
            }
            self.rows += 1;
        }
    }

    fn add_texts(&mut self, view: &ColumnView<'_>, cells: &TextCells) {
        for (at, text) in cells.iter().enumerate() {
            let reading = view.read(text);
            let row = self.rows;
            let first = || First { row, cell: view.cell(at, text), text: text.to_owned() };
            match reading {
                Reading::Number(value) => {
                    self.numbers += 1;
                    self.count_integer(value);
                }
                Reading::NotANumberSymbol => self.miss(view, at),
                Reading::Infinite => {
                    self.first_infinite.get_or_insert_with(first);
                }
                Reading::Text => {
                    self.texts += 1;
                    self.first_text.get_or_insert_with(first);
                }
            }
            self.present += usize::from(reading != Reading::NotANumberSymbol);
            if !view.options.missing.contains(text) {
                self.count_notations(view.options.numbers, text);
                self.count_level(text);
            }
            self.rows += 1;
        }
    }

    fn miss(&mut self, view: &ColumnView<'_>, at: usize) {
        self.first_missing = self.first_missing.or(view.lines.get(at).copied());
    }

    fn count_integer(&mut self, value: f64) {
        if let Some(levels) = &mut self.integers {
            levels.insert(value.to_bits());
            if value.fract() != 0.0 || levels.len() > FEW_INTEGERS {
                self.integers = None;
            }
        }
    }

    fn count_notations(&mut self, current: NumberFormat, text: &str) {
        // Digits alone are the same number in every notation.
        if text.bytes().all(|b| b.is_ascii_digit()) {
            return;
        }
        // So are a sign, an exponent and a point, but for those that expect a comma.
        let plain = !current.decimal_comma
            && self.texts == 0
            && text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-' | b'+' | b'e' | b'E'));
        for (readable, format) in self.readable.iter_mut().zip(NumberFormat::ALL) {
            if *readable && (format.decimal_comma || !plain) {
                *readable = !matches!(format.read(text), Reading::Text);
            }
        }
    }

    fn count_level(&mut self, text: &str) {
        self.named += 1;
        self.dates = self.dates && parse_date(text).is_some();
        let most = if self.text_share() > MOSTLY_NUMBERS { COUNTED_TEXTS } else { COUNTED_NUMBERS };
        if let Some(levels) = &mut self.levels {
            let mut hasher = DefaultHasher::new();
            text.hash(&mut hasher);
            levels.insert(hasher.finish());
            if levels.len() > most {
                self.levels = None;
            }
        }
    }

    fn text_share(&self) -> f64 {
        self.texts as f64 / (self.texts + self.numbers).max(1) as f64
    }

    /// The line or row of the first cell that is missing.
    pub fn first_missing(&self) -> Option<u64> {
        self.first_missing
    }

    /// Whether an inferred column holds so many different dates that it is better kept as numbers than as texts.
    pub fn many_dates(&self, used: Use) -> bool {
        let many = self.levels.as_ref().is_none_or(|levels| levels.len() > COUNTED_NUMBERS);
        used == Use::Inferred && self.stored == Stored::Text && self.dates && self.named > 0 && many
    }

    /// Different texts for every row; one where they were too many to count.
    pub fn texts_per_row(&self) -> f64 {
        self.levels.as_ref().map_or(1.0, |levels| levels.len() as f64 / self.rows.max(1) as f64)
    }

    /// The kind as far as the cells show it, with no judgement on them: for previews.
    pub fn provisional_kind(&self) -> ColumnKind {
        match self.stored {
            Stored::Text if self.texts > 0 => ColumnKind::Discrete,
            Stored::Text | Stored::Numbers => ColumnKind::Continuous,
            Stored::Dates => ColumnKind::Date,
        }
    }

    /// Once all cells have been seen: the kind of the column with this use, and what there is to say about it. Cells that cannot
    /// be of the kind are errors.
    pub fn judge(&self, used: Use, view: &ColumnView<'_>) -> Result<(ColumnKind, Vec<TableNote>), TableError> {
        let advice = match used {
            Use::Label => Advice::GiveLabels,
            _ => Advice::LeaveOutEmpty { column: view.name.to_owned() },
        };
        if self.present == 0 {
            let (file, column) = (view.file.to_owned(), view.name.to_owned());
            return Err(TableError::AllMissing { file, column, advice });
        }
        let (kind, notes) = match used {
            Use::Label | Use::Dropped => (ColumnKind::Discrete, Vec::new()),
            Use::Given(kind) => (kind, Vec::new()),
            Use::Inferred => {
                let kind = self.infer(view)?;
                (kind, self.notes(kind, view))
            }
        };
        match self.first_refused(kind) {
            Some(first) => Err(self.refusal(first, view)),
            None => Ok((kind, notes)),
        }
    }

    /// Continuous if every value is a number. Numbers in a notation that was not asked for, infinities and a column
    /// without values are errors, because either guess would be silently wrong.
    fn infer(&self, view: &ColumnView<'_>) -> Result<ColumnKind, TableError> {
        let Some(first) = &self.first_text else { return Ok(self.provisional_kind()) };
        let readable = |format: NumberFormat| {
            NumberFormat::ALL.iter().zip(self.readable).any(|(known, readable)| *known == format && readable)
        };
        match notation_error(view.options.numbers, readable, first.cell.clone()) {
            Some(error) => Err(error),
            None => Ok(ColumnKind::Discrete),
        }
    }

    /// The first cell that cannot be of this kind.
    fn first_refused(&self, kind: ColumnKind) -> Option<&First> {
        match (kind, self.stored) {
            (ColumnKind::Continuous, Stored::Text) => {
                [&self.first_text, &self.first_infinite].into_iter().flatten().min_by_key(|first| first.row)
            }
            (_, Stored::Text) | (_, Stored::Dates) => None,
            (_, Stored::Numbers) => self.first_infinite.as_ref(),
        }
    }

    fn refusal(&self, first: &First, view: &ColumnView<'_>) -> TableError {
        let infinite = self.first_infinite.as_ref().is_some_and(|infinite| infinite.row == first.row);
        let cell = first.cell.clone();
        if infinite { TableError::Infinite { cell } } else { view.misread(cell, &first.text) }
    }

    /// What the user may want to know about a column that was inferred.
    fn notes(&self, kind: ColumnKind, view: &ColumnView<'_>) -> Vec<TableNote> {
        match (kind, self.stored) {
            (ColumnKind::Continuous, _) => self.few_integers(view).into_iter().collect(),
            (ColumnKind::Discrete, Stored::Text) => self.text_note(view).into_iter().collect(),
            (ColumnKind::Discrete | ColumnKind::Date, _) => Vec::new(),
        }
    }

    fn few_integers(&self, view: &ColumnView<'_>) -> Option<TableNote> {
        let levels = self.integers.as_ref()?.len();
        // Two levels make the same model either way.
        if levels < 3 || self.rows < levels * FEW_INTEGERS_REPEATS {
            return None;
        }
        let advice = Advice::TakeAsCategories { columns: vec![view.name.to_owned()] };
        Some(TableNote::FewIntegers { columns: vec![(Shown(view.name).to_string(), levels)], advice })
    }

    fn text_note(&self, view: &ColumnView<'_>) -> Option<TableNote> {
        if let Some(first) = &self.first_text
            && self.text_share() <= MOSTLY_NUMBERS
        {
            let Cell { column, value: example, place } = *first.cell.clone();
            let advice = Advice::NameMissing { text: first.text.clone() };
            return Some(TableNote::MostlyNumbers { column, texts: self.texts, example, place, advice });
        }
        let (levels, rows) = (self.levels.as_ref()?.len(), self.rows);
        // The library says what it makes of identifiers and of dates.
        let told = levels == self.named || self.dates;
        if levels < MANY_LEVELS || 2 * levels < rows || told {
            return None;
        }
        let advice = Advice::LeaveOutIdentifier { column: view.name.to_owned() };
        Some(TableNote::ManyLevels { column: Shown(view.name).to_string(), levels, rows, advice })
    }
}
