//! Recognising what bytes are by the first of them, never by the file's name.

use super::Bytes;
use crate::error::TableError;
use crate::options::TableOptions;
use gpclass::data::Escaped;
use std::fs::File;
use std::io::Read;
use std::path::Path;

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

/// Bytes that can be read from any place, as Parquet has to be.
#[cfg_attr(not(feature = "parquet"), allow(dead_code))]
pub(crate) enum Whole {
    File(File),
    Memory(Vec<u8>),
}

/// A table's bytes, recognised.
#[cfg_attr(not(feature = "parquet"), allow(dead_code))]
pub(crate) enum Recognised {
    Text(Box<Bytes>),
    Parquet(Whole),
}

/// A file, and how messages call it.
pub(crate) fn open(path: &Path, options: &TableOptions) -> Result<(Recognised, String), TableError> {
    let file = Escaped(&path.to_string_lossy()).to_string();
    let fail = |e| TableError::io(&file, e);
    let handle = File::open(path).map_err(fail)?;
    let metadata = handle.metadata().map_err(fail)?;
    // Opening a folder succeeds on Unix; only reading it fails, with a less clear error.
    if metadata.is_dir() {
        return Err(TableError::IsDirectory { file });
    }
    check_size(metadata.len(), &file, options)?;
    let again = handle.try_clone().map_err(fail)?;
    let bytes = Bytes::of_file(handle, metadata.len(), &file, options);
    let recognised = recognise(bytes, || Some(Whole::File(again)))?;
    Ok((recognised, file))
}

/// A stream, and how messages call it.
pub(crate) fn stream(
    reader: Box<dyn Read + Send>,
    name: &str,
    options: &TableOptions,
) -> Result<(Recognised, String), TableError> {
    let file = Escaped(name).to_string();
    Ok((recognise(Bytes::new(reader, &file, options), || None)?, file))
}

/// Bytes in memory, and how messages call them.
pub(crate) fn in_memory(
    content: Vec<u8>,
    name: &str,
    options: &TableOptions,
) -> Result<(Recognised, String), TableError> {
    let file = Escaped(name).to_string();
    check_size(content.len() as u64, &file, options)?;
    if content.starts_with(PARQUET) {
        return Ok((Recognised::Parquet(Whole::Memory(content)), file));
    }
    Ok((recognise(Bytes::from_memory(content, &file, options), || None)?, file))
}

fn check_size(bytes: u64, file: &str, options: &TableOptions) -> Result<(), TableError> {
    let limit = options.limits.file_bytes;
    if bytes > limit { Err(TableError::FileTooLarge { file: file.to_owned(), bytes, limit }) } else { Ok(()) }
}

fn recognise(mut bytes: Bytes, whole: impl FnOnce() -> Option<Whole>) -> Result<Recognised, TableError> {
    let mut first = bytes.peek(SIGNATURE_BYTES)?;
    if first.starts_with(PARQUET) {
        let stream = || TableError::ParquetStream { file: bytes.file().to_owned() };
        return whole().map(Recognised::Parquet).ok_or_else(stream);
    }
    if first.starts_with(GZIP) {
        bytes = bytes.gunzipped();
        first = bytes.peek(SIGNATURE_BYTES)?;
    }
    if first.starts_with(PARQUET) {
        return Err(TableError::ParquetStream { file: bytes.file().to_owned() });
    }
    if let Some((_, format, remedy)) = SIGNATURES.iter().find(|(signature, ..)| first.starts_with(signature)) {
        return Err(TableError::WrongFormat { file: bytes.file().to_owned(), format, remedy });
    }
    if first.starts_with(UTF8_BOM) {
        bytes.fill(&mut [0; UTF8_BOM.len()])?;
    }
    Ok(Recognised::Text(Box::new(bytes)))
}
