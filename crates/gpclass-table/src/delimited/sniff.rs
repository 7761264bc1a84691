//! Guessing the delimiter and the header from the beginning of a table.

use super::records::{Blank, Records};
use crate::columns::numbers::{NumberFormat, Reading};
use crate::input::Bytes;
use crate::limits::Limits;
use crate::options::TableOptions;
use std::collections::HashSet;

/// Delimiters tried, the preferred first.
const CANDIDATES: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Records looked at.
const SAMPLE_RECORDS: usize = 200;

/// What the beginning of a table suggests.
#[derive(Clone, Debug, PartialEq)]
pub struct Sniffed {
    pub delimiter: u8,
    pub header: bool,
    /// The records looked at, the header included.
    pub sample: Vec<Vec<String>>,
}

/// Guesses from the first bytes; `whole` says that they are all of the table. Options that are given win.
pub fn sniff(head: &[u8], whole: bool, options: &TableOptions) -> Sniffed {
    let text = String::from_utf8_lossy(head).into_owned().into_bytes();
    let (delimiter, sample) = best_delimiter(&text, whole, options);
    let header = options.header.unwrap_or_else(|| has_header(&sample, options));
    Sniffed { delimiter, header, sample }
}

fn best_delimiter(text: &[u8], whole: bool, options: &TableOptions) -> (u8, Vec<Vec<String>>) {
    if let Some(delimiter) = options.delimiter {
        return (delimiter, sample(text, whole, delimiter, options));
    }
    let candidate = |delimiter: u8| {
        let rows = sample(text, whole, delimiter, options);
        score(&rows, delimiter, options).map(|score| (score, delimiter, rows))
    };
    let mut best: Option<Guess> = None;
    for found in CANDIDATES.into_iter().filter_map(candidate) {
        if best.as_ref().is_none_or(|(score, ..)| found.0 > *score) {
            best = Some(found);
        }
    }
    match best {
        Some((_, delimiter, rows)) => (delimiter, rows),
        None => (CANDIDATES[0], sample(text, whole, CANDIDATES[0], options)),
    }
}

/// A delimiter's score, the delimiter, and the records it makes.
type Guess = (Score, u8, Vec<Vec<String>>);

/// Greater is better, the first entry that differs decides.
type Score = (bool, f64, f64, usize);

/// How well a delimiter fits: records of equal length first, then cells that are numbers, then more cells.
/// `None` if it does not occur.
fn score(rows: &[Vec<String>], delimiter: u8, options: &TableOptions) -> Option<Score> {
    let most_common = rows.iter().map(Vec::len).max_by_key(|&n| rows.iter().filter(|r| r.len() == n).count())?;
    if most_common < 2 {
        return None;
    }
    let consistent = rows.iter().filter(|r| r.len() == most_common).count() as f64 / rows.len() as f64;
    // A comma can only be a decimal one where it does not separate fields.
    let format = NumberFormat { decimal_comma: delimiter != b',', ..options.numbers };
    let numeric = |cell: &String| {
        options.missing.contains(cell)
            || [options.numbers, format].iter().any(|f| matches!(f.read(cell), Reading::Number(_)))
    };
    let cells = rows.iter().map(Vec::len).sum::<usize>().max(1);
    let numbers = rows.iter().flatten().filter(|cell| numeric(cell)).count();
    let not_decimal = delimiter != b',' || !options.numbers.decimal_comma;
    Some((not_decimal, consistent, numbers as f64 / cells as f64, most_common))
}

fn sample(text: &[u8], whole: bool, delimiter: u8, options: &TableOptions) -> Vec<Vec<String>> {
    let empty = Bytes::from_memory(Vec::new(), "", options);
    let limits = Limits { record_bytes: text.len() + 1, ..options.limits };
    let mut records = Records::new(text.to_vec(), empty, delimiter, &limits);
    let mut rows: Vec<Vec<String>> = Vec::new();
    while let Ok(Some(record)) = records.read(Blank::Skip) {
        rows.push(record.fields().map(str::to_owned).collect());
        if rows.len() == SAMPLE_RECORDS {
            return rows;
        }
    }
    // The last record of a part may be cut.
    if !whole && rows.len() > 1 {
        rows.pop();
    }
    rows
}

/// Whether the first record names the columns.
///
/// It does if a name that the caller will ask for stands in it, or if it has text above a column of numbers. It does not
/// if it holds a number otherwise. In a table of text, names are unlike what stands below them and unlike each other.
fn has_header(rows: &[Vec<String>], options: &TableOptions) -> bool {
    let Some((first, below)) = rows.split_first() else { return false };
    let expected: HashSet<&str> = options.expected_names.iter().map(String::as_str).collect();
    if first.iter().any(|cell| expected.contains(cell.as_str())) {
        return true;
    }
    let is_number = |cell: &str| !matches!(options.numbers.read(cell), Reading::Text);
    let text = |cell: &str| !options.missing.contains(cell) && !is_number(cell);
    let column = |j: usize| below.iter().filter_map(move |row| row.get(j)).filter(|c| !options.missing.contains(c));
    let above_numbers = |j: usize| column(j).next().is_some() && column(j).all(|c| is_number(c));
    if first.iter().enumerate().any(|(j, cell)| text(cell) && above_numbers(j)) {
        return true;
    }
    if first.iter().any(|cell| !options.missing.contains(cell) && is_number(cell)) {
        return false;
    }
    let repeated = first.iter().enumerate().any(|(j, cell)| !cell.is_empty() && column(j).any(|below| below == cell));
    let distinct = first.iter().collect::<HashSet<_>>().len() == first.len();
    distinct && !repeated
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(text: &str) -> (char, bool) {
        let found = sniff(text.as_bytes(), true, &TableOptions::default());
        (found.delimiter as char, found.header)
    }

    #[test]
    fn delimiters() {
        assert_eq!(guess("a,b\n1,2\n").0, ',');
        assert_eq!(guess("a;b\n1,5;2,5\n").0, ';');
        assert_eq!(guess("1,5;2,5\n3,5;4,5\n").0, ';');
        assert_eq!(guess("1,x;y,3\n1,z;y,4\n").0, ',');
        assert_eq!(guess("a\tb\n1,2\t3\n").0, '\t');
        assert_eq!(guess("a|b|c\n1|2|3\n").0, '|');
        assert_eq!(guess("name,note\nx,\"a;b\"\ny,\"c;d\"\n").0, ',');
        assert_eq!(guess("a\n1\n2\n").0, ',');
        assert_eq!(guess("").0, ',');
    }

    #[test]
    fn headers() {
        assert!(guess("a,b\n1,2\n").1);
        assert!(!guess("1,2\n3,4\n").1);
        assert!(guess("age,2019,2020\n31,1.5,2\n").1);
        assert!(!guess("5.1,3.5,setosa\n6.1,2.8,virginica\n").1);
        assert!(guess("colour,taste\nred,sweet\nblue,sour\n").1);
        assert!(!guess("p,x,s\ne,x,s\np,b,t\n").1);
        assert!(guess(",a,b\n0,1,2\n").1);
        assert!(guess("a,b\n").1);
        assert!(!guess("1,2\n").1);
    }

    #[test]
    fn expected_names_settle_it() {
        let options = TableOptions { expected_names: vec!["2".to_owned()], ..TableOptions::default() };
        assert!(sniff(b"1,2\n3,4\n", true, &options).header);
    }

    #[test]
    fn decimal_comma_rules_the_comma_out_if_anything_else_fits() {
        let numbers = NumberFormat { decimal_comma: true, thousands: false };
        let options = TableOptions { numbers, ..TableOptions::default() };
        assert_eq!(sniff(b"a;b\n\"1,2\";3\n1,2;3\n", true, &options).delimiter, b';');
        assert_eq!(sniff(b"a,b\n\"1,2\",3\n", true, &options).delimiter, b',');
    }
}
