//! The pages of a Parquet file, looked at before they are decompressed and before they are decoded.

use super::expand::{expanded, without_compression};
use super::page_header::{PageHeader, page_header};
use crate::error::TableError;
use crate::input::Whole;
use crate::limits::Limits;
use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::serialized_reader::SerializedPageReader;
use std::fs::File;
use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Largest page of strings that share beginnings: each of its values may be as long as the page.
const LARGEST_SHARED: usize = 4 << 20;

/// Where the bytes of a Parquet file are.
#[derive(Clone)]
pub(super) enum Stored {
    File(Arc<File>),
    Memory(Bytes),
}

impl From<Whole> for Stored {
    fn from(whole: Whole) -> Self {
        match whole {
            Whole::File(file) => Stored::File(Arc::new(file)),
            Whole::Memory(content) => Stored::Memory(content.into()),
        }
    }
}

impl Length for Stored {
    fn len(&self) -> u64 {
        match self {
            Stored::File(file) => file.len(),
            Stored::Memory(content) => content.len() as u64,
        }
    }
}

impl ChunkReader for Stored {
    type T = Box<dyn Read>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(match self {
            Stored::File(file) => Box::new(file.get_read(start)?),
            Stored::Memory(content) => Box::new(content.get_read(start)?),
        })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        match self {
            Stored::File(file) => file.get_bytes(start, length),
            Stored::Memory(content) => content.get_bytes(start, length),
        }
    }
}

/// How much may still be decoded, shared by all columns of a file.
pub(super) struct Budget {
    limits: Limits,
    decoded: AtomicU64,
}

impl Budget {
    pub(super) fn new(limits: Limits) -> Arc<Self> {
        Arc::new(Budget { limits, decoded: AtomicU64::new(0) })
    }

    /// The error of a file that has used it up.
    pub(super) fn exceeded(&self, file: &str) -> Option<TableError> {
        let limit = self.limits.decoded_bytes;
        let over = self.decoded.load(Ordering::Relaxed) > limit;
        over.then(|| TableError::DecodedTooLarge { file: file.to_owned(), limit })
    }
}

/// Column chunks whose pages are refused before they are decompressed if they would be too large, and expanded if not.
struct Checked {
    stored: Stored,
    compression: Compression,
    largest: usize,
    /// The header that was read last, whose page follows.
    header: Mutex<Option<PageHeader>>,
}

impl Length for Checked {
    fn len(&self) -> u64 {
        self.stored.len()
    }
}

impl ChunkReader for Checked {
    type T = Box<dyn Read>;

    /// The page reader asks for a stream only to read a page's header.
    fn get_read(&self, start: u64) -> Result<Self::T> {
        let header = page_header(&mut self.stored.get_read(start)?).ok_or_else(|| damaged("a page has no header"))?;
        if header.uncompressed > self.largest as u64 {
            return Err(damaged(&format!("a page of {} bytes is larger than {}", header.uncompressed, self.largest)));
        }
        *self.header.lock().unwrap_or_else(|e| e.into_inner()) = Some(header);
        self.stored.get_read(start)
    }

    /// The page reader asks for bytes only to decompress a page.
    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let content = self.stored.get_bytes(start, length)?;
        match self.header.lock().unwrap_or_else(|e| e.into_inner()).take() {
            Some(header) => expanded(content, self.compression, header),
            None => Ok(content),
        }
    }
}

/// The pages of one column, counted as they are decoded.
pub(super) struct Pages {
    inner: SerializedPageReader<Checked>,
    budget: Arc<Budget>,
}

impl Pages {
    pub(super) fn new(stored: &Stored, chunk: &ColumnChunkMetaData, rows: usize, budget: &Arc<Budget>) -> Result<Self> {
        let checked = Checked {
            stored: stored.clone(),
            compression: chunk.compression(),
            largest: budget.limits.page_bytes,
            header: Mutex::new(None),
        };
        let inner = SerializedPageReader::new(Arc::new(checked), &without_compression(chunk)?, rows, None)?;
        Ok(Pages { inner, budget: Arc::clone(budget) })
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let Some(page) = self.inner.get_next_page()? else { return Ok(None) };
        let bytes = page.buffer().len();
        let before = self.budget.decoded.fetch_add(bytes as u64, Ordering::Relaxed);
        if before + bytes as u64 > self.budget.limits.decoded_bytes {
            return Err(damaged("too much data"));
        }
        match page.encoding() {
            Encoding::DELTA_BYTE_ARRAY if bytes > LARGEST_SHARED => {
                Err(damaged(&format!("a page of strings that share beginnings has {bytes} bytes")))
            }
            // Every value of a dictionary takes a byte at least, and room is made for as many as are declared.
            _ if page.is_dictionary_page() && page.num_values() as usize > bytes => {
                Err(damaged("a dictionary declares more values than it has bytes"))
            }
            _ => Ok(Some(page)),
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.inner.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.inner.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.inner.at_record_boundary()
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

pub(super) fn damaged(detail: &str) -> ParquetError {
    ParquetError::General(detail.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression as Level, write::GzEncoder};
    use parquet::basic::GzipLevel;
    use std::io::Write;

    /// A page header of version 1 that declares 100 bytes, by hand after the Thrift compact protocol.
    const HEADER: [u8; 18] = [0x15, 0, 0x15, 0xc8, 0x01, 0x15, 0x64, 0x2c, 0x15, 0x0a, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0];

    fn checked(body: &[u8], compression: Compression, largest: usize) -> Checked {
        let stored = Stored::Memory([&HEADER, body].concat().into());
        Checked { stored, compression, largest, header: Mutex::new(None) }
    }

    fn page(checked: &Checked) -> Result<Bytes> {
        checked.get_read(0)?;
        checked.get_bytes(HEADER.len() as u64, (checked.len() as usize) - HEADER.len())
    }

    fn gzip(bytes: usize) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Level::default());
        encoder.write_all(&vec![0; bytes]).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn pages_are_held_to_what_they_declare() {
        let compression = Compression::GZIP(GzipLevel::default());
        assert!(page(&checked(&gzip(100), compression, 1000)).is_ok());
        let error = page(&checked(&gzip(50_000_000), compression, 1000)).unwrap_err().to_string();
        assert!(error.contains("larger than it declares"), "{error}");
        let error = page(&checked(&gzip(100), compression, 99)).unwrap_err().to_string();
        assert!(error.contains("a page of 100 bytes is larger than 99"), "{error}");
        assert!(checked(&[], compression, 1000).get_read(HEADER.len() as u64).is_err());
    }
}
