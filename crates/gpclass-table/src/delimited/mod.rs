//! Delimited text (CSV, TSV and their relatives) as a source of cells.

mod records;
mod sniff;

use crate::columns::cells::{CellBlock, Cells, TextCells};
use crate::error::TableError;
use crate::input::Bytes;
use crate::names::Names;
use crate::options::TableOptions;
use crate::place::{Place, Unit};
use records::{Blank, Record, Records};
use sniff::sniff;

/// Bytes of cells after which a block ends early.
const BLOCK_BYTES: usize = 64 << 20;
/// Lines that the sample holds even if they are longer than it should be: a header, rows to compare it with, a cut one.
const SAMPLE_LINES: usize = 4;

const TOO_MANY: &str = "; quote fields that contain the delimiter";
const TOO_FEW: &str = "; is a delimiter missing, or the file cut off?";
const ACROSS_LINES: &str = "; the record spans several lines: is a quote never closed?";

/// Delimited text, read forwards once.
pub(crate) struct DelimitedSource {
    records: Records,
    names: Names,
    /// The first record of a table without header: its line and cells.
    pending: Option<(u64, Vec<String>)>,
    sample: Vec<TextCells>,
}

impl DelimitedSource {
    /// Sniffs the beginning and reads the column names.
    pub fn open(mut input: Bytes, options: &TableOptions) -> Result<Self, TableError> {
        let file = input.file().to_owned();
        let (head, whole) = read_head(&mut input, options)?;
        if head.contains(&0) {
            return Err(TableError::Binary { file });
        }
        let sniffed = sniff(&head, whole, options);
        let mut records = Records::new(head, input, sniffed.delimiter, &options.limits);
        let (line, first) = first_record(&mut records)?.ok_or(TableError::Empty { file: file.clone() })?;
        let (names, pending) = if sniffed.header {
            (header_names(first), None)
        } else {
            (made_up_names(first.len()), Some((line, first)))
        };
        let names = Names::new(names, &file)?;
        let below = &sniffed.sample[usize::from(sniffed.header).min(sniffed.sample.len())..];
        let sample = (0..names.list().len()).map(|j| sample_column(below, j)).collect();
        Ok(DelimitedSource { records, names, pending, sample })
    }

    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The share of the file that was read so far, where that is known.
    pub fn share(&self) -> Option<f64> {
        self.records.share()
    }

    /// The cells of each column in the first rows, as many as were looked at to sniff.
    pub fn sample(&self) -> &[TextCells] {
        &self.sample
    }

    /// The next `rows` rows at most of the given columns, fewer if they are long; `None` after the last.
    pub fn next_cells(&mut self, rows: usize, columns: &[usize]) -> Result<Option<CellBlock>, TableError> {
        let mut cells = vec![TextCells::default(); columns.len()];
        let mut lines = Vec::new();
        if rows > 0
            && let Some((line, first)) = self.pending.take()
        {
            cells.iter_mut().zip(columns).for_each(|(column, &j)| column.push(&first[j]));
            lines.push(line);
        }
        let (expected, file) = (self.names.list().len(), self.records.file().to_owned());
        let blank = if expected == 1 { Blank::Keep } else { Blank::Skip };
        let mut bytes = 0;
        while lines.len() < rows && bytes < BLOCK_BYTES {
            let Some(record) = self.records.read(blank)? else { break };
            if record.len() != expected {
                return Err(ragged(&file, &record, expected));
            }
            cells.iter_mut().zip(columns).for_each(|(column, &j)| column.push(record.field(j)));
            lines.push(record.first_line);
            bytes += record.bytes();
        }
        let columns = cells.into_iter().map(Cells::Text).collect();
        Ok((!lines.is_empty()).then_some(CellBlock { columns, lines }))
    }
}

/// The beginning of the input, and whether that is all of it.
fn read_head(input: &mut Bytes, options: &TableOptions) -> Result<(Vec<u8>, bool), TableError> {
    let most = options.limits.record_bytes.max(options.sample_bytes);
    let (mut head, mut lines) = (Vec::new(), 0);
    let mut wanted = options.sample_bytes.max(1);
    loop {
        let start = head.len();
        head.resize(wanted, 0);
        let filled = start + input.fill(&mut head[start..])?;
        head.truncate(filled);
        lines += head[start..].iter().filter(|&&b| b == b'\n' || b == b'\r').count();
        if filled < wanted || filled >= most || lines >= SAMPLE_LINES {
            return Ok((head, filled < wanted));
        }
        wanted = (2 * wanted).min(most);
    }
}

fn first_record(records: &mut Records) -> Result<Option<(u64, Vec<String>)>, TableError> {
    let owned = |record: Record<'_>| (record.first_line, record.fields().map(str::to_owned).collect());
    Ok(records.read(Blank::Skip)?.map(owned))
}

fn ragged(file: &str, record: &Record<'_>, expected: usize) -> TableError {
    let hint = match record.len() > expected {
        _ if record.spans_lines() => ACROSS_LINES,
        true => TOO_MANY,
        false => TOO_FEW,
    };
    let place = Place { file: file.to_owned(), unit: Unit::Line, number: record.first_line };
    TableError::Ragged { place, expected, found: record.len(), hint }
}

/// A column without a name, such as a saved row index, is called by its position.
fn header_names(first: Vec<String>) -> Vec<String> {
    let named = |(j, name): (usize, String)| if name.is_empty() { format!("column{}", j + 1) } else { name };
    first.into_iter().enumerate().map(named).collect()
}

/// Names of a table without header: x1, x2, ...
fn made_up_names(count: usize) -> Vec<String> {
    (1..=count).map(|j| format!("x{j}")).collect()
}

fn sample_column(rows: &[Vec<String>], j: usize) -> TextCells {
    let mut cells = TextCells::default();
    rows.iter().filter_map(|row| row.get(j)).for_each(|cell| cells.push(cell));
    cells
}
