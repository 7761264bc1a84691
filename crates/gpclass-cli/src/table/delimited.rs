//! Delimited text (CSV, TSV and their relatives) as a source of cells.

use super::cells::{CellBlock, Cells, TextCells};
use super::error::{Place, TableError, Unit};
use super::names;
use super::options::TableOptions;
use super::records::{Record, Records};
use super::sniff::sniff;
use super::source::Bytes;

const TOO_MANY: &str = "; quote fields that contain the delimiter";
const TOO_FEW: &str = "; is a delimiter missing, or the file cut off?";
const ACROSS_LINES: &str = "; the record spans several lines: is a quote never closed?";

/// Delimited text, read forwards once.
pub struct DelimitedSource {
    records: Records,
    names: Vec<String>,
    /// The first record of a table without header: its line and cells.
    pending: Option<(u64, Vec<String>)>,
    sample: Vec<TextCells>,
}

impl DelimitedSource {
    /// Sniffs the beginning and reads the column names.
    pub fn open(mut input: Bytes, options: &TableOptions) -> Result<Self, TableError> {
        let file = input.file().to_owned();
        let (head, whole) = read_head(&mut input, options.sample_bytes)?;
        if head.contains(&0) {
            return Err(TableError::Binary { file });
        }
        let sniffed = sniff(&head, whole, options);
        let mut records = Records::new(head, input, sniffed.delimiter, options.max_record_bytes);
        let (line, first) = first_record(&mut records)?.ok_or(TableError::Empty { file: file.clone() })?;
        let (names, pending) = if sniffed.header {
            (header_names(first), None)
        } else {
            (made_up_names(first.len()), Some((line, first)))
        };
        names::check_unique(&names, &file)?;
        let below = &sniffed.sample[usize::from(sniffed.header).min(sniffed.sample.len())..];
        let sample = (0..names.len()).map(|j| sample_column(below, j)).collect();
        Ok(DelimitedSource { records, names, pending, sample })
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The cells of each column in the first rows, as many as were looked at to sniff.
    pub fn sample(&self) -> &[TextCells] {
        &self.sample
    }

    /// The next `rows` rows at most of the given columns; `None` after the last.
    pub fn next_cells(&mut self, rows: usize, columns: &[usize]) -> Result<Option<CellBlock>, TableError> {
        let mut cells = vec![TextCells::default(); columns.len()];
        let mut lines = Vec::new();
        if rows > 0
            && let Some((line, first)) = self.pending.take()
        {
            cells.iter_mut().zip(columns).for_each(|(column, &j)| column.push(&first[j]));
            lines.push(line);
        }
        let (expected, file) = (self.names.len(), self.records.file().to_owned());
        while lines.len() < rows {
            let Some(record) = self.records.read()? else { break };
            // In a table of one column a blank cell is a missing value, but the parser has already skipped empty lines.
            if record.is_blank() && expected > 1 {
                continue;
            }
            if record.len() != expected {
                return Err(ragged(&file, &record, expected));
            }
            cells.iter_mut().zip(columns).for_each(|(column, &j)| column.push(record.field(j)));
            lines.push(record.first_line);
        }
        let columns = cells.into_iter().map(Cells::Text).collect();
        Ok((!lines.is_empty()).then_some(CellBlock { columns, lines }))
    }
}

fn read_head(input: &mut Bytes, length: usize) -> Result<(Vec<u8>, bool), TableError> {
    let mut head = vec![0; length.max(1)];
    let filled = input.fill(&mut head)?;
    let whole = filled < head.len();
    head.truncate(filled);
    Ok((head, whole))
}

fn first_record(records: &mut Records) -> Result<Option<(u64, Vec<String>)>, TableError> {
    while let Some(record) = records.read()? {
        if !record.is_blank() {
            return Ok(Some((record.first_line, record.fields().map(str::to_owned).collect())));
        }
    }
    Ok(None)
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
