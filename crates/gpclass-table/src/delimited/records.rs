//! Cutting bytes into records, in memory bounded by the longest record allowed, with exact line numbers.

use crate::error::TableError;
use crate::input::Bytes;
use crate::limits::Limits;
use crate::place::{Place, Unit};
use csv_core::ReadRecordResult;

/// Fields that a fresh record has room for; grows as needed.
const INITIAL_FIELDS: usize = 64;

const UNCLOSED_QUOTE: &str = "; is a quote never closed?";
const NOT_A_TABLE: &str = "; is this a table with one record per line?";

/// Records of delimited text. Blank lines are skipped.
pub struct Records {
    input: Bytes,
    parser: csv_core::Reader,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Line of the next unread byte, one-based.
    line: u64,
    after_carriage_return: bool,
    max_record_bytes: usize,
    max_fields: usize,
    /// Bytes of blank lines since the last record.
    blank: usize,
    text: Vec<u8>,
    ends: Vec<usize>,
}

/// One record: its fields and the lines it spans.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    pub first_line: u64,
    pub last_line: u64,
    text: &'a str,
    ends: &'a [usize],
}

impl<'a> Record<'a> {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Memory that its fields take, in bytes.
    pub fn bytes(&self) -> usize {
        self.text.len() + std::mem::size_of_val(self.ends)
    }

    /// Field `j` without surrounding white space.
    pub fn field(&self, j: usize) -> &'a str {
        let start = if j == 0 { 0 } else { self.ends[j - 1] };
        self.text[start..self.ends[j]].trim()
    }

    pub fn fields(&self) -> impl Iterator<Item = &'a str> {
        let record = *self;
        (0..record.len()).map(move |j| record.field(j))
    }

    /// Quoted line breaks inside: legitimate, but also what an unclosed quote looks like.
    pub fn spans_lines(&self) -> bool {
        self.last_line > self.first_line
    }
}

/// What to do with lines of white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blank {
    /// They separate records.
    Skip,
    /// In a table of one column they are records with a missing value. Lines without anything are skipped even so.
    Keep,
}

/// How much of the buffers a record takes.
struct Extent {
    first_line: u64,
    /// Bytes of the input.
    bytes: usize,
    /// Bytes of all fields.
    text: usize,
    fields: usize,
}

/// What one step of the parser produced.
enum Step {
    More,
    Record,
    End,
}

impl Records {
    /// Records of `head` followed by the rest of `input`, which is read in pieces as long as `head`.
    pub fn new(head: Vec<u8>, input: Bytes, delimiter: u8, limits: &Limits) -> Self {
        let end = head.len();
        Records {
            input,
            parser: csv_core::ReaderBuilder::new().delimiter(delimiter).build(),
            buffer: head,
            start: 0,
            end,
            line: 1,
            after_carriage_return: false,
            max_record_bytes: limits.record_bytes,
            max_fields: limits.columns,
            blank: 0,
            text: Vec::new(),
            ends: vec![0; INITIAL_FIELDS],
        }
    }

    pub fn file(&self) -> &str {
        self.input.file()
    }

    /// The share of the input that was read so far, where that is known.
    pub fn share(&self) -> Option<f64> {
        self.input.share()
    }

    pub fn place(&self, line: u64) -> Place {
        Place { file: self.file().to_owned(), unit: Unit::Line, number: line }
    }

    /// The next record, or `None` after the last. A record of one empty field is a blank line unless it is wanted.
    pub fn read(&mut self, blank: Blank) -> Result<Option<Record<'_>>, TableError> {
        loop {
            let Some(extent) = self.next_extent()? else { return Ok(None) };
            if blank == Blank::Skip && self.is_blank(&extent) {
                self.skip(extent.bytes)?;
                continue;
            }
            self.blank = 0;
            return self.record(&extent).map(Some);
        }
    }

    fn next_extent(&mut self) -> Result<Option<Extent>, TableError> {
        self.skip_line_breaks()?;
        let mut extent = Extent { first_line: self.line, bytes: 0, text: 0, fields: 0 };
        loop {
            let step = self.step(&mut extent)?;
            if extent.bytes > self.max_record_bytes {
                return Err(self.too_long(extent.first_line));
            }
            if extent.fields > self.max_fields {
                return Err(TableError::TooManyColumns { file: self.file().to_owned(), limit: self.max_fields });
            }
            match step {
                Step::More => {}
                Step::Record => return Ok(Some(extent)),
                Step::End => return Ok(None),
            }
        }
    }

    fn is_blank(&self, extent: &Extent) -> bool {
        let text = std::str::from_utf8(&self.text[..extent.text]);
        extent.fields == 1 && text.is_ok_and(|text| text.trim().is_empty())
    }

    /// Counts bytes of blank lines, which are as long as a record at most.
    fn skip(&mut self, bytes: usize) -> Result<(), TableError> {
        self.blank += bytes;
        if self.blank > self.max_record_bytes {
            return Err(TableError::TooManyBlankLines { place: self.place(self.line), limit: self.max_record_bytes });
        }
        Ok(())
    }

    fn step(&mut self, extent: &mut Extent) -> Result<Step, TableError> {
        if self.start == self.end {
            self.refill()?;
        }
        let input = &self.buffer[self.start..self.end];
        let (result, read, written, ended) =
            self.parser.read_record(input, &mut self.text[extent.text..], &mut self.ends[extent.fields..]);
        self.consume(read);
        extent.bytes += read;
        extent.text += written;
        extent.fields += ended;
        match result {
            ReadRecordResult::InputEmpty => return Ok(Step::More),
            ReadRecordResult::OutputFull => self.text.resize((self.text.len() * 2).max(INITIAL_FIELDS), 0),
            ReadRecordResult::OutputEndsFull => self.ends.resize(self.ends.len() * 2, 0),
            ReadRecordResult::Record => return Ok(Step::Record),
            ReadRecordResult::End => return Ok(Step::End),
        }
        Ok(Step::More)
    }

    /// The parser skips blank lines too, but only here are they known to lie before the record and not inside it.
    fn skip_line_breaks(&mut self) -> Result<(), TableError> {
        loop {
            let unread = &self.buffer[self.start..self.end];
            let breaks = unread.iter().take_while(|&&b| b == b'\n' || b == b'\r').count();
            let all = breaks == unread.len();
            self.consume(breaks);
            self.skip(breaks)?;
            if !all {
                return Ok(());
            }
            if self.refill()? == 0 {
                return Ok(());
            }
        }
    }

    fn refill(&mut self) -> Result<usize, TableError> {
        self.start = 0;
        self.end = self.input.fill(&mut self.buffer)?;
        Ok(self.end)
    }

    /// Moves past `count` bytes, counting line breaks: "\n", "\r\n" and a lone "\r".
    fn consume(&mut self, count: usize) {
        for &byte in &self.buffer[self.start..self.start + count] {
            let ends_pair = byte == b'\n' && self.after_carriage_return;
            if (byte == b'\n' || byte == b'\r') && !ends_pair {
                self.line += 1;
            }
            self.after_carriage_return = byte == b'\r';
        }
        self.start += count;
    }

    fn too_long(&self, first_line: u64) -> TableError {
        let hint = if self.line > first_line { UNCLOSED_QUOTE } else { NOT_A_TABLE };
        TableError::RecordTooLong { place: self.place(first_line), limit: self.max_record_bytes, hint }
    }

    fn record(&self, extent: &Extent) -> Result<Record<'_>, TableError> {
        let first_line = extent.first_line;
        let bytes = &self.text[..extent.text];
        let ends = &self.ends[..extent.fields];
        let text = std::str::from_utf8(bytes).map_err(|e| self.not_utf8(first_line, bytes, e.valid_up_to()))?;
        // Two broken halves of a character in neighbouring fields are valid together, but not apart.
        if let Some(&end) = ends.iter().find(|&&end| !text.is_char_boundary(end)) {
            return Err(self.not_utf8(first_line, bytes, end));
        }
        // The record's own line break has been consumed, unless the file ends without one.
        let inner_breaks = bytes.iter().filter(|&&b| b == b'\n').count() as u64;
        Ok(Record { first_line, last_line: first_line + inner_breaks, text, ends })
    }

    fn not_utf8(&self, first_line: u64, bytes: &[u8], at: usize) -> TableError {
        let breaks = bytes[..at].iter().filter(|&&b| b == b'\n').count() as u64;
        TableError::NotUtf8 { place: self.place(first_line + breaks), byte: bytes[at] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::TableOptions;

    fn records(head: Vec<u8>, rest: Vec<u8>) -> Records {
        let limits = Limits { record_bytes: 1000, columns: 100, ..Limits::default() };
        Records::new(head, Bytes::from_memory(rest, "f", &TableOptions::default()), b',', &limits)
    }

    /// Lines and fields, read through a buffer of `chunk` bytes.
    fn read(text: &[u8], chunk: usize) -> Vec<(u64, Vec<String>)> {
        let head = text[..chunk.min(text.len())].to_vec();
        let rest = text[head.len()..].to_vec();
        let mut records = records(head, rest);
        let mut all = Vec::new();
        while let Some(record) = records.read(Blank::Skip).unwrap() {
            all.push((record.first_line, record.fields().map(str::to_owned).collect()));
        }
        all
    }

    #[test]
    fn lines_are_counted_with_every_line_ending_and_buffer_size() {
        let texts: [&[u8]; 4] = [
            b"a,b\n\n1,\"x\ny\"\n3, 4 ",
            b"a,b\r\n\r\n1,\"x\ny\"\r\n3,4\r\n",
            b"a,b\r\r1,\"x\ny\"\r3,4",
            b"a,b\n\n1,\"x\ny\"\n3,4\n\n\n",
        ];
        for text in texts {
            for chunk in 1..text.len() + 1 {
                let found = read(text, chunk);
                let lines: Vec<u64> = found.iter().map(|(line, _)| *line).collect();
                assert_eq!(lines, [1, 3, 5], "chunk {chunk}");
                assert_eq!(found[1].1, ["1", "x\ny"]);
                assert_eq!(found[2].1, ["3", "4"]);
            }
        }
    }

    #[test]
    fn broken_characters_name_their_line() {
        for text in [&b"a,b\n1,\"x\n\xe9\"\n"[..], b"a,b\n\n1,\xe9\n", b"a,b\n\n\xc3,\xa9\n"] {
            let mut records = records(text.to_vec(), Vec::new());
            records.read(Blank::Skip).unwrap();
            let error = records.read(Blank::Skip).unwrap_err().to_string();
            assert!(error.starts_with("f, line 3 is not UTF-8"), "{error}");
        }
    }

    #[test]
    fn long_records_stop_early() {
        let line = [b"a,b\n".to_vec(), vec![b'x'; 5000]].concat();
        let mut long = records(line[..64].to_vec(), line[64..].to_vec());
        long.read(Blank::Skip).unwrap();
        let error = long.read(Blank::Skip).unwrap_err().to_string();
        assert!(error.contains("starts at f, line 2 is longer than 1000 bytes; is this a table"), "{error}");
        assert!(long.text.len() <= 2048);

        let quote = b"a,b\n\"x\n".to_vec();
        let mut open = records(quote, b"1,2\n".repeat(1000));
        open.read(Blank::Skip).unwrap();
        assert!(open.read(Blank::Skip).unwrap_err().to_string().contains("quote never closed"));
    }

    #[test]
    fn blank_lines_and_fields_are_limited() {
        for blank in ["\n", " \n", "\r\n", "\t\n"] {
            let mut fine = records(b"a,b\n".to_vec(), [blank.repeat(300), "1,2".to_owned()].concat().into_bytes());
            assert!(fine.read(Blank::Skip).unwrap().is_some() && fine.read(Blank::Skip).unwrap().is_some());
            let mut endless = records(b"a,b\n".to_vec(), blank.repeat(1001).into_bytes());
            endless.read(Blank::Skip).unwrap();
            let error = endless.read(Blank::Skip).unwrap_err().to_string();
            assert!(error.starts_with("more than 1000 bytes of blank lines stand before f, line "), "{error}");
        }
        let mut wide = records(",".repeat(100).into_bytes(), Vec::new());
        assert!(wide.read(Blank::Skip).unwrap_err().to_string().contains("'f' has more than 100 columns"));
    }
}
