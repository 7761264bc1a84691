//! Opening bytes and recognising what they are by their first bytes, never by the file's name.

use super::error::TableError;
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

/// The path that means standard input.
pub const STANDARD_INPUT: &str = "-";

/// How messages call standard input.
const STANDARD_INPUT_NAME: &str = "standard input";

/// Longest signature in [`SIGNATURES`].
const SIGNATURE_BYTES: usize = 6;

const GZIP: &[u8] = &[0x1f, 0x8b];
const PARQUET: &[u8] = b"PAR1";
const UTF8_BOM: &[u8] = &[0xef, 0xbb, 0xbf];

const DECOMPRESS: &str = "decompress it first";
const EXPORT: &str = "export the sheet as CSV";
const TO_UTF8: &str = "convert it, for example with: iconv -f utf-16 -t utf-8";

/// Formats that are often given by mistake: first bytes, name, what to do.
const SIGNATURES: [(&[u8], &str, &str); 8] = [
    (b"PK\x03\x04", "a zip archive or an Excel workbook", "unpack it, or export the sheet as CSV"),
    (&[0xd0, 0xcf, 0x11, 0xe0], "an old Excel workbook", EXPORT),
    (&[0x28, 0xb5, 0x2f, 0xfd], "a zstd archive", DECOMPRESS),
    (&[0xfd, b'7', b'z', b'X', b'Z', 0x00], "an xz archive", DECOMPRESS),
    (b"BZh", "a bzip2 archive", DECOMPRESS),
    (&[0xff, 0xfe], "UTF-16 text", TO_UTF8),
    (&[0xfe, 0xff], "UTF-16 text", TO_UTF8),
    (b"ARROW1", "an Arrow file", "write it as Parquet or CSV"),
];

/// A table's bytes, recognised.
pub enum Opened {
    Text(Bytes),
    Parquet(File),
}

/// A stream of bytes whose errors name the file.
pub struct Bytes {
    reader: Box<dyn Read + Send>,
    gzip: bool,
    file: String,
}

/// How messages call this input.
pub fn display_name(path: &Path) -> String {
    if is_standard_input(path) { STANDARD_INPUT_NAME.to_owned() } else { path.display().to_string() }
}

fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == STANDARD_INPUT
}

/// Opens a file, or standard input for "-".
pub fn open(path: &Path) -> Result<Opened, TableError> {
    let file = display_name(path);
    if is_standard_input(path) {
        return recognise(Bytes { reader: Box::new(io::stdin()), gzip: false, file }, None);
    }
    let handle = File::open(path).map_err(|e| io_error(&file, e))?;
    // Opening a folder succeeds on Unix; only reading it fails, with a less clear error.
    if handle.metadata().map_err(|e| io_error(&file, e))?.is_dir() {
        return Err(TableError::IsDirectory { file });
    }
    let again = handle.try_clone().map_err(|e| io_error(&file, e))?;
    recognise(Bytes { reader: Box::new(handle), gzip: false, file }, Some(again))
}

fn recognise(mut bytes: Bytes, handle: Option<File>) -> Result<Opened, TableError> {
    let first = bytes.peek(SIGNATURE_BYTES)?;
    if first.starts_with(PARQUET) {
        return handle.map(Opened::Parquet).ok_or(TableError::ParquetStream { file: bytes.file });
    }
    if first.starts_with(GZIP) && !bytes.gzip {
        let reader = Box::new(MultiGzDecoder::new(bytes.reader));
        return recognise(Bytes { reader, gzip: true, file: bytes.file }, None);
    }
    if let Some((_, format, advice)) = SIGNATURES.iter().find(|(signature, ..)| first.starts_with(signature)) {
        return Err(TableError::WrongFormat { file: bytes.file, format, advice });
    }
    if first.starts_with(UTF8_BOM) {
        bytes.fill(&mut [0; UTF8_BOM.len()])?;
    }
    Ok(Opened::Text(bytes))
}

fn io_error(file: &str, source: io::Error) -> TableError {
    let file = file.to_owned();
    match source.kind() {
        io::ErrorKind::NotFound => TableError::NotFound { file },
        io::ErrorKind::PermissionDenied => TableError::NoPermission { file },
        io::ErrorKind::IsADirectory => TableError::IsDirectory { file },
        _ => TableError::Io { file, source },
    }
}

impl Bytes {
    /// Bytes in memory, as if they came from a file of this name.
    pub fn from_memory(content: Vec<u8>, file: &str) -> Self {
        Bytes { reader: Box::new(Cursor::new(content)), gzip: false, file: file.to_owned() }
    }

    /// How messages call this input.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Reads until the buffer is full or the input ends; returns how much was read.
    pub fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, TableError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.explain(e)),
            }
        }
        Ok(filled)
    }

    /// The first bytes, which stay unread.
    fn peek(&mut self, count: usize) -> Result<Vec<u8>, TableError> {
        let mut first = vec![0; count];
        let filled = self.fill(&mut first)?;
        first.truncate(filled);
        let rest = std::mem::replace(&mut self.reader, Box::new(io::empty()));
        self.reader = Box::new(Cursor::new(first.clone()).chain(rest));
        Ok(first)
    }

    fn explain(&self, error: io::Error) -> TableError {
        let file = self.file.clone();
        match error.kind() {
            io::ErrorKind::UnexpectedEof if self.gzip => TableError::TruncatedGzip { file },
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData if self.gzip => {
                TableError::CorruptGzip { file, detail: error.to_string() }
            }
            _ => io_error(&file, error),
        }
    }
}
