//! Cutting bytes into records, in memory bounded by the longest record allowed, with exact line numbers.

use super::error::{Place, TableError, Unit};
use super::source::Bytes;
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

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
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

    /// A line of white space only.
    pub fn is_blank(&self) -> bool {
        self.len() == 1 && self.field(0).is_empty()
    }

    /// Quoted line breaks inside: legitimate, but also what an unclosed quote looks like.
    pub fn spans_lines(&self) -> bool {
        self.last_line > self.first_line
    }
}

/// What one step of the parser produced.
enum Step {
    More,
    Record,
    End,
}

impl Records {
    /// Records of `head` followed by the rest of `input`, which is read in pieces as long as `head`.
    pub fn new(head: Vec<u8>, input: Bytes, delimiter: u8, max_record_bytes: usize) -> Self {
        let end = head.len();
        Records {
            input,
            parser: csv_core::ReaderBuilder::new().delimiter(delimiter).build(),
            buffer: head,
            start: 0,
            end,
            line: 1,
            after_carriage_return: false,
            max_record_bytes,
            text: Vec::new(),
            ends: vec![0; INITIAL_FIELDS],
        }
    }

    pub fn file(&self) -> &str {
        self.input.file()
    }

    pub fn place(&self, line: u64) -> Place {
        Place { file: self.file().to_owned(), unit: Unit::Line, number: line }
    }

    /// The next record, or `None` after the last.
    pub fn read(&mut self) -> Result<Option<Record<'_>>, TableError> {
        self.skip_line_breaks()?;
        let first_line = self.line;
        let (mut taken, mut text_len, mut fields) = (0, 0, 0);
        loop {
            let step = self.step(&mut taken, &mut text_len, &mut fields)?;
            if taken > self.max_record_bytes {
                return Err(self.too_long(first_line));
            }
            match step {
                Step::More => {}
                Step::Record => return self.record(first_line, text_len, fields).map(Some),
                Step::End => return Ok(None),
            }
        }
    }

    fn step(&mut self, taken: &mut usize, text_len: &mut usize, fields: &mut usize) -> Result<Step, TableError> {
        if self.start == self.end {
            self.refill()?;
        }
        let input = &self.buffer[self.start..self.end];
        let (result, read, written, ended) =
            self.parser.read_record(input, &mut self.text[*text_len..], &mut self.ends[*fields..]);
        self.consume(read);
        *taken += read;
        *text_len += written;
        *fields += ended;
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

    fn record(&self, first_line: u64, text_len: usize, fields: usize) -> Result<Record<'_>, TableError> {
        let bytes = &self.text[..text_len];
        let ends = &self.ends[..fields];
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

    /// Lines and fields, read through a buffer of `chunk` bytes.
    fn read(text: &[u8], chunk: usize) -> Vec<(u64, Vec<String>)> {
        let head = text[..chunk.min(text.len())].to_vec();
        let rest = Bytes::from_memory(text[head.len()..].to_vec(), "f");
        let mut records = Records::new(head, rest, b',', 1000);
        let mut all = Vec::new();
        while let Some(record) = records.read().unwrap() {
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
            let mut records = Records::new(text.to_vec(), Bytes::from_memory(Vec::new(), "f"), b',', 1000);
            records.read().unwrap();
            let error = records.read().unwrap_err().to_string();
            assert!(error.starts_with("f, line 3 is not UTF-8"), "{error}");
        }
    }

    #[test]
    fn long_records_stop_early() {
        let line = [b"a,b\n".to_vec(), vec![b'x'; 5000]].concat();
        let rest = Bytes::from_memory(line[64..].to_vec(), "f");
        let mut records = Records::new(line[..64].to_vec(), rest, b',', 1000);
        records.read().unwrap();
        let error = records.read().unwrap_err().to_string();
        assert!(error.contains("starts at f, line 2 is longer than 1000 bytes; is this a table"), "{error}");
        assert!(records.text.len() <= 2048);

        let quote = b"a,b\n\"x\n".to_vec();
        let rest = Bytes::from_memory(b"1,2\n".repeat(1000), "f");
        let mut records = Records::new(quote, rest, b',', 1000);
        records.read().unwrap();
        assert!(records.read().unwrap_err().to_string().contains("quote never closed"));
    }
}
