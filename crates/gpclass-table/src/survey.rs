//! A whole table: looked at from its first row to its last to find out what it holds, then read.
//!
//! What is seen in the first look is kept while it is little; of more the file is read a second time, so that its cells never sit in
//! memory, only the values that they become.

use crate::columns::cells::{CellBlock, Cells, TextCells};
use crate::columns::census::Census;
use crate::columns::plan::{self, Use};
use crate::draw::{Draw, Drawing};
use crate::error::TableError;
use crate::note::{TableNote, gathered};
use crate::options::{KindOptions, Reading};
use crate::place::{Place, Places};
use crate::reader::{ROWS_PER_STEP, SchemaColumn, TableReader};
use gpclass::data::{Column, ColumnKind, ColumnValues, TextsBuilder, parse_date};
use std::collections::BTreeMap;

/// Most different labels that are counted: a column with more is hardly a label.
const COUNTED_LABELS: usize = 1 << 16;
/// What a text costs that is kept once, in bytes: the text with its counts, and twice its address.
const TEXT_BYTES: f64 = 110.0;

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

/// What a table holds, known once all of it has been seen: made by [`TableReader::survey`].
///
/// ```
/// use gpclass_table::{Draw, KindOptions, TableOptions, TableReader};
///
/// let text = b"length,class\n5.1,a\n4.9,b\n5.0,a\n4.7,b\n".to_vec();
/// let kinds = KindOptions { label: Some("class".to_owned()), ..KindOptions::default() };
/// let survey = TableReader::from_memory(text, "flowers", TableOptions::default())?.survey(&kinds)?;
/// assert_eq!((survey.rows(), survey.classes()), (4, Some(2)));
/// // Two of the four rows, one of each class.
/// let table = survey.read(Some(Draw { rows: 2, seed: 1 }))?;
/// assert_eq!(table.places.numbers.len(), 2);
/// # Ok::<(), gpclass_table::TableError>(())
/// ```
pub struct Survey {
    reader: TableReader,
    /// The cells, while they are few or cannot be had again.
    kept: Option<Vec<CellBlock>>,
    wanted: Vec<usize>,
    columns: Vec<Surveyed>,
    labels: Labels,
    notes: Vec<TableNote>,
}

/// What is known about a column that is used.
struct Surveyed {
    used: Use,
    schema: SchemaColumn,
    /// Whether its texts are dates, which are kept as numbers.
    days: bool,
    texts_per_row: f64,
    first_missing: Option<u64>,
}

/// The labels of the rows by their counts; nothing where they are too many.
struct Labels(Option<BTreeMap<String, u64>>);

impl Labels {
    fn add(&mut self, values: &ColumnValues) {
        let Some(counts) = &mut self.0 else { return };
        let texts = values.texts();
        for (name, count) in texts.names().zip(texts.counts()) {
            *counts.entry(name.to_owned()).or_default() += count as u64;
        }
        *counts.entry(String::new()).or_default() += texts.missing() as u64;
        if counts.len() > COUNTED_LABELS {
            self.0 = None;
        }
    }

    /// The rows to draw from: by their labels, or together.
    fn strata(&self, rows: u64) -> BTreeMap<String, u64> {
        self.0.clone().unwrap_or_else(|| BTreeMap::from([(String::new(), rows)]))
    }
}

impl TableReader {
    /// Looks at every row, infers kinds where they are not given, and checks every cell of the columns that are used.
    pub fn survey(mut self, kinds: &KindOptions) -> Result<Survey, TableError> {
        let uses = plan::uses(self.index(), kinds, self.file())?;
        let wanted: Vec<usize> = (0..uses.len()).filter(|&j| uses[j] != Use::Dropped).collect();
        self.check_declared(wanted.len())?;
        let mut found: Vec<Census> = wanted.iter().map(|_| Census::default()).collect();
        let (mut kept, mut bytes) = (Some(Vec::new()), 0);
        let limits = *self.limits();
        let most = if self.is_file() { limits.kept_bytes.min(limits.table_bytes) } else { limits.table_bytes };
        let label = wanted.iter().position(|&j| uses[j] == Use::Label);
        let mut labels = Labels(label.map(|_| BTreeMap::new()));
        while let Some(block) = self.next_cells(ROWS_PER_STEP, &wanted)? {
            self.check_cells(self.rows_read().saturating_mul(wanted.len() as u64), None)?;
            for ((&j, cells), census) in wanted.iter().zip(&block.columns).zip(&mut found) {
                self.heed()?;
                census.add(&self.view(&self.names()[j], cells, &block.lines));
            }
            if let Some(at) = label {
                // An infinite label is told when the column is judged.
                let view = self.view(&self.names()[wanted[at]], &block.columns[at], &block.lines);
                view.values(ColumnKind::Discrete).iter().for_each(|values| labels.add(values));
            }
            bytes += block.bytes();
            if bytes > most && !self.is_file() {
                return Err(self.too_large());
            }
            kept = kept.filter(|_| bytes <= most);
            if let Some(kept) = &mut kept {
                kept.push(block);
            }
            self.tell(Reading { again: false, rows: self.rows_read(), share: self.share() });
        }
        let (mut columns, mut notes) = (Vec::with_capacity(wanted.len()), Vec::new());
        for (&j, census) in wanted.iter().zip(&found) {
            self.heed()?;
            let (name, none) = (self.names()[j].clone(), Cells::Text(TextCells::default()));
            let (kind, said) = census.judge(uses[j], &self.view(&name, &none, &[]))?;
            notes.extend(said);
            columns.push(Surveyed {
                used: uses[j],
                schema: SchemaColumn { name, kind },
                days: census.many_dates(uses[j]),
                texts_per_row: census.texts_per_row(),
                first_missing: census.first_missing(),
            });
        }
        Ok(Survey { reader: self, kept, wanted, columns, labels, notes: gathered(notes) })
    }

    /// Reads every row, infers kinds where they are not given, and checks that every column has values.
    pub fn read_all(self, kinds: &KindOptions) -> Result<WholeTable, TableError> {
        self.survey(kinds)?.read(None)
    }
}

impl Survey {
    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.reader.rows_read()
    }

    /// The columns to learn from, without the label.
    pub fn features(&self) -> impl Iterator<Item = &SchemaColumn> {
        self.columns.iter().filter(|column| column.used != Use::Label).map(|column| &column.schema)
    }

    /// How many classes the label has; nothing without a label, or where they are too many to be classes.
    pub fn classes(&self) -> Option<usize> {
        let counts = self.labels.0.as_ref()?;
        Some(counts.iter().filter(|(class, rows)| !class.is_empty() && **rows > 0).count())
    }

    /// Where the first row without a label stands.
    pub fn unlabelled(&self) -> Option<Place> {
        let label = self.columns.iter().find(|column| column.used == Use::Label)?;
        label.first_missing.map(|number| self.reader.place(number))
    }

    /// The first column to learn from of this kind that misses a value, and where.
    pub fn missing(&self, kind: ColumnKind) -> Option<(&str, Place)> {
        let of_kind = |column: &&Surveyed| column.used != Use::Label && column.schema.kind == kind;
        self.columns
            .iter()
            .filter(of_kind)
            .find_map(|column| Some((column.schema.name.as_str(), self.reader.place(column.first_missing?))))
    }

    /// Memory that a row takes once it is read, in bytes.
    pub fn row_bytes(&self) -> f64 {
        let cell = |column: &Surveyed| match column.schema.kind {
            ColumnKind::Discrete if !column.days => 4.0 + TEXT_BYTES * column.texts_per_row,
            _ => 8.0,
        };
        8.0 + self.columns.iter().map(cell).sum::<f64>()
    }

    /// Reads the rows, or a part of them that keeps the share of every class.
    pub fn read(self, draw: Option<Draw>) -> Result<WholeTable, TableError> {
        let all = self.rows();
        let draw = draw.filter(|draw| draw.rows < all);
        let limit = self.reader.limits().table_bytes;
        if draw.map_or(all, |draw| draw.rows) as f64 * self.row_bytes() > limit as f64 && self.kept.is_none() {
            return Err(self.reader.too_large());
        }
        let mut drawing = draw.map(|draw| Drawing::new(draw, &self.labels.strata(all)));
        let expected = draw.map_or(all, |draw| draw.rows) as usize;
        let mut made: Vec<Making> = self.columns.iter().map(Making::new).collect();
        let (mut numbers, mut rows) = (Vec::with_capacity(expected), 0);
        let (reader, mut source) = (&self.reader, Source::new(&self.reader, self.kept)?);
        while let Some(block) = source.next(&self.wanted)? {
            let lines = &block.lines;
            rows += lines.len() as u64;
            let parts = self.columns.iter().zip(block.columns.iter());
            let values: Vec<ColumnValues> = parts
                .map(|(column, cells)| {
                    reader.heed()?;
                    reader.view(&column.schema.name, cells, lines).values(column.schema.kind)
                })
                .collect::<Result<_, _>>()?;
            let chosen = drawing.as_mut().map(|drawing| {
                let label = self.columns.iter().position(|column| column.used == Use::Label).map(|at| &values[at]);
                let counted = label.filter(|_| self.labels.0.is_some());
                taken(drawing, counted, lines.len()).ok_or_else(|| reader.changed())
            });
            let chosen = chosen.transpose()?;
            let parts = made.iter_mut().zip(&values);
            parts.for_each(|(making, values)| making.add(values, chosen.as_deref(), expected));
            match &chosen {
                Some(chosen) => numbers.extend(chosen.iter().map(|&at| lines[at])),
                None => numbers.extend(lines),
            }
            reader.tell(Reading { again: true, rows, share: Some(rows as f64 / all.max(1) as f64) });
        }
        if rows != all {
            return Err(reader.changed());
        }
        let (mut columns, mut label) = (Vec::new(), None);
        for (column, made) in self.columns.into_iter().zip(made) {
            let values = Column { name: column.schema.name, values: made.finish() };
            match column.used {
                Use::Label => label = Some(values),
                _ => columns.push(values),
            }
        }
        Ok(WholeTable { columns, label, places: self.reader.places(numbers), notes: self.notes })
    }
}

/// The positions of the rows of a block that are drawn, by their labels; `None` if there should be no such rows.
fn taken(drawing: &mut Drawing, labels: Option<&ColumnValues>, rows: usize) -> Option<Vec<usize>> {
    let mut chosen = Vec::new();
    for row in 0..rows {
        let class = labels.and_then(|labels| labels.text(row)).unwrap_or_default();
        if drawing.takes(&class)? {
            chosen.push(row);
        }
    }
    Some(chosen)
}

/// Where the cells come from the second time.
enum Source {
    Kept(std::vec::IntoIter<CellBlock>),
    Again(Box<TableReader>),
}

impl Source {
    fn new(reader: &TableReader, kept: Option<Vec<CellBlock>>) -> Result<Self, TableError> {
        match kept {
            Some(blocks) => Ok(Source::Kept(blocks.into_iter())),
            None => {
                let again = reader.again()?;
                if again.names() != reader.names() { Err(reader.changed()) } else { Ok(Source::Again(Box::new(again))) }
            }
        }
    }

    fn next(&mut self, wanted: &[usize]) -> Result<Option<CellBlock>, TableError> {
        match self {
            Source::Kept(blocks) => Ok(blocks.next()),
            Source::Again(reader) => reader.next_cells(ROWS_PER_STEP, wanted),
        }
    }
}

/// A column in the making.
enum Making {
    Continuous(Vec<f64>),
    Dates(Vec<f64>),
    Texts(TextsBuilder),
    /// Texts that are dates, kept as such.
    Days(Vec<f64>),
    /// As the first block has it: dates where the file says so, numbers or texts where it does not; whether texts are dates.
    Open {
        days: bool,
    },
}

impl Making {
    fn new(column: &Surveyed) -> Making {
        Making::Open { days: column.days }
    }

    /// Adds those of the values that are chosen to a column of `expected` rows.
    fn add(&mut self, values: &ColumnValues, chosen: Option<&[usize]>, expected: usize) {
        if let Making::Open { days } = *self {
            *self = match values {
                ColumnValues::Continuous(_) => Making::Continuous(Vec::with_capacity(expected)),
                ColumnValues::Dates(_) => Making::Dates(Vec::with_capacity(expected)),
                ColumnValues::Discrete(_) if days => Making::Days(Vec::with_capacity(expected)),
                ColumnValues::Discrete(_) => Making::Texts(TextsBuilder::with_capacity(expected)),
            };
        }
        match (self, values) {
            (Making::Continuous(all), ColumnValues::Continuous(more))
            | (Making::Dates(all), ColumnValues::Dates(more)) => match chosen {
                Some(chosen) => all.extend(chosen.iter().map(|&at| more[at])),
                None => all.extend(more),
            },
            (Making::Texts(all), ColumnValues::Discrete(more)) => match chosen {
                Some(chosen) => all.append(&more.select(chosen)),
                None => all.append(more),
            },
            (Making::Days(all), ColumnValues::Discrete(more)) => {
                let days = more.each(parse_date);
                let day = |at: usize| more.code(at).and_then(|code| days[code]).unwrap_or(f64::NAN);
                match chosen {
                    Some(chosen) => all.extend(chosen.iter().map(|&at| day(at))),
                    None => all.extend((0..more.len()).map(day)),
                }
            }
            _ => unreachable!("a column keeps its storage type from block to block"),
        }
    }

    fn finish(self) -> ColumnValues {
        match self {
            Making::Continuous(all) => ColumnValues::Continuous(all),
            Making::Dates(all) | Making::Days(all) => ColumnValues::Dates(all),
            Making::Texts(all) => ColumnValues::Discrete(all.finish()),
            Making::Open { .. } => ColumnValues::Continuous(Vec::new()),
        }
    }
}
