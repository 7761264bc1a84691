//! A stream of bytes that counts, that can be interrupted, and whose errors name the file.

use crate::error::TableError;
use crate::options::TableOptions;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Most bytes asked for at once: an interrupt is heard at least this often.
const STEP_BYTES: usize = 1 << 20;

/// Decoded bytes of a table.
pub struct Bytes {
    reader: Box<dyn Read + Send>,
    gzip: bool,
    file: String,
    options: TableOptions,
    read: u64,
    /// Stored bytes read so far, and how many there are, where that is known.
    stored: Option<(Arc<AtomicU64>, u64)>,
}

/// A file that tells how much of it was read.
struct Counted {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl Bytes {
    /// Bytes from anywhere; `file` is how messages call them.
    pub fn new(reader: Box<dyn Read + Send>, file: &str, options: &TableOptions) -> Self {
        // The names are of no use here, and may be many.
        let options = TableOptions { expected_names: Vec::new(), ..options.clone() };
        Bytes { reader, gzip: false, file: file.to_owned(), options, read: 0, stored: None }
    }

    /// Bytes of a file of this length.
    pub fn of_file(handle: File, length: u64, file: &str, options: &TableOptions) -> Self {
        let read = Arc::new(AtomicU64::new(0));
        let counted = Counted { file: handle, read: Arc::clone(&read) };
        Bytes { stored: Some((read, length)), ..Bytes::new(Box::new(counted), file, options) }
    }

    /// The share of them that was read so far, where that is known.
    pub fn share(&self) -> Option<f64> {
        self.stored.as_ref().map(|(read, length)| read.load(Ordering::Relaxed) as f64 / (*length).max(1) as f64)
    }

    /// Bytes in memory.
    pub fn from_memory(content: Vec<u8>, file: &str, options: &TableOptions) -> Self {
        Bytes::new(Box::new(Cursor::new(content)), file, options)
    }

    /// The same bytes decompressed.
    pub(super) fn gunzipped(self) -> Self {
        Bytes { reader: Box::new(MultiGzDecoder::new(self.reader)), gzip: true, read: 0, ..self }
    }

    /// How messages call this input.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Reads until the buffer is full or the input ends; returns how much was read.
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, TableError> {
        let mut filled = 0;
        while filled < buffer.len() {
            if self.options.interrupted() {
                return Err(TableError::Interrupted { file: self.file.clone() });
            }
            let end = buffer.len().min(filled + STEP_BYTES);
            match self.reader.read(&mut buffer[filled..end]) {
                Ok(0) => break,
                Ok(read) => {
                    filled += read;
                    self.count(read)?;
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                // A source that waits for more may fail in order to be asked no further.
                Err(_) if self.options.interrupted() => {}
                Err(e) => return Err(self.explain(e)),
            }
        }
        Ok(filled)
    }

    /// The first bytes, which stay unread.
    pub(super) fn peek(&mut self, count: usize) -> Result<Vec<u8>, TableError> {
        let mut first = vec![0; count];
        let filled = self.fill(&mut first)?;
        first.truncate(filled);
        self.read = 0;
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Cursor::new(first.clone()).chain(rest));
        Ok(first)
    }

    fn count(&mut self, read: usize) -> Result<(), TableError> {
        self.read += read as u64;
        let limit = self.options.limits.decoded_bytes;
        if self.read > limit {
            return Err(TableError::DecodedTooLarge { file: self.file.clone(), limit });
        }
        Ok(())
    }

    fn explain(&self, error: io::Error) -> TableError {
        let file = self.file.clone();
        match error.kind() {
            io::ErrorKind::UnexpectedEof if self.gzip => TableError::TruncatedGzip { file },
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData if self.gzip => {
                TableError::CorruptGzip { file, detail: error.to_string() }
            }
            _ => TableError::io(&file, error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use std::sync::atomic::AtomicBool;

    /// Fails once the flag is set, which it does itself.
    struct Stalling(Arc<AtomicBool>);

    impl Read for Stalling {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            self.0.store(true, Ordering::Relaxed);
            Err(io::Error::other("no more"))
        }
    }

    #[test]
    fn an_interrupt_ends_a_source_that_gives_nothing() {
        let flag = Arc::new(AtomicBool::new(false));
        let options = TableOptions { interrupt: Some(Arc::clone(&flag)), ..TableOptions::default() };
        let mut bytes = Bytes::new(Box::new(Stalling(flag)), "f", &options);
        let error = bytes.fill(&mut [0; 8]).unwrap_err();
        assert!(matches!(error, TableError::Interrupted { .. }), "{error}");
    }

    #[test]
    fn bytes_are_counted_from_where_they_are_read_first() {
        let limits = Limits { decoded_bytes: 10, ..Limits::default() };
        let options = TableOptions { limits, ..TableOptions::default() };
        let mut bytes = Bytes::from_memory(vec![b'a'; 11], "f", &options);
        bytes.peek(6).unwrap();
        assert_eq!(bytes.fill(&mut [0; 10]).unwrap(), 10);
        let error = bytes.fill(&mut [0; 1]).unwrap_err().to_string();
        assert_eq!(error, "'f' holds more than 10 bytes once decompressed; fit on a sample of its rows");
    }
}
