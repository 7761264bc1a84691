//! The envelope of a model file: magic, version, lengths, checksum, and sections within.

use super::{FORMAT_VERSION, ModelFileError};
use sha2::{Digest, Sha256};

const MAGIC: &[u8; 8] = b"GPCLASS\n";
/// Magic, version and length of the body.
const PREFIX: usize = 8 + 4 + 8;
/// SHA-256.
const CHECKSUM: usize = 32;
/// Tag and length of a section.
const SECTION_PREFIX: usize = 4 + 8;

/// Puts sections together.
pub(super) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    pub fn new() -> Self {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FORMAT_VERSION.to_le_bytes());
        bytes.extend([0; 8]);
        Writer { bytes }
    }

    pub fn section(&mut self, tag: u32, content: &[u8]) {
        self.bytes.extend(tag.to_le_bytes());
        self.bytes.extend((content.len() as u64).to_le_bytes());
        self.bytes.extend(content);
    }

    pub fn finish(mut self) -> Vec<u8> {
        let body = (self.bytes.len() - PREFIX) as u64;
        self.bytes[PREFIX - 8..PREFIX].copy_from_slice(&body.to_le_bytes());
        let checksum = Sha256::digest(&self.bytes);
        self.bytes.extend(checksum);
        self.bytes
    }
}

/// Sections found in bytes, nothing copied.
pub(super) struct Sections<'a> {
    found: Vec<(u32, &'a [u8])>,
}

impl<'a> Sections<'a> {
    /// Checks the envelope. Lengths are compared with what is there before they are believed.
    pub fn open(bytes: &'a [u8]) -> Result<Self, ModelFileError> {
        if !bytes.starts_with(MAGIC) {
            // A file cut within its first bytes is a model still.
            let cut = !bytes.is_empty() && MAGIC.starts_with(bytes);
            return Err(if cut { truncated(bytes, PREFIX as u64) } else { ModelFileError::NotAModel });
        }
        let (prefix, rest) =
            bytes.split_at_checked(PREFIX).ok_or_else(|| truncated(bytes, (PREFIX + CHECKSUM) as u64))?;
        let version = u32::from_le_bytes(array(&prefix[8..12]));
        if version > FORMAT_VERSION {
            return Err(ModelFileError::Newer { version });
        }
        let body = u64::from_le_bytes(array(&prefix[12..]));
        let expected = body.saturating_add((PREFIX + CHECKSUM) as u64);
        let found = bytes.len() as u64;
        if found < expected {
            return Err(ModelFileError::Truncated { found, expected });
        }
        if found > expected {
            return Err(ModelFileError::Trailing { extra: found - expected });
        }
        let (body, checksum) = rest.split_at(rest.len() - CHECKSUM);
        if Sha256::digest(&bytes[..bytes.len() - CHECKSUM]).as_slice() != checksum {
            return Err(ModelFileError::Checksum);
        }
        Self::split(body)
    }

    fn split(mut body: &'a [u8]) -> Result<Self, ModelFileError> {
        let mut found = Vec::new();
        while !body.is_empty() {
            let cut = || ModelFileError::nonsense("sections", "one of them reaches beyond the end");
            let (prefix, rest) = body.split_at_checked(SECTION_PREFIX).ok_or_else(cut)?;
            let length = usize::try_from(u64::from_le_bytes(array(&prefix[4..]))).map_err(|_| cut())?;
            let (content, rest) = rest.split_at_checked(length).ok_or_else(cut)?;
            found.push((u32::from_le_bytes(array(&prefix[..4])), content));
            body = rest;
        }
        Ok(Sections { found })
    }

    /// The first section of that tag.
    pub fn optional(&self, tag: u32) -> Option<&'a [u8]> {
        self.found.iter().find(|(t, _)| *t == tag).map(|(_, content)| *content)
    }

    pub fn required(&self, tag: u32, name: &'static str) -> Result<&'a [u8], ModelFileError> {
        self.optional(tag).ok_or_else(|| ModelFileError::nonsense(name, "the section is absent"))
    }
}

fn truncated(bytes: &[u8], expected: u64) -> ModelFileError {
    ModelFileError::Truncated { found: bytes.len() as u64, expected }
}

/// A part of known length as an array.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|i| bytes[i])
}

pub(super) fn bytes_of(numbers: &[f64]) -> Vec<u8> {
    numbers.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Exactly `count` numbers.
pub(super) fn numbers(bytes: &[u8], count: usize, section: &'static str) -> Result<Vec<f64>, ModelFileError> {
    if Some(bytes.len()) != count.checked_mul(8) {
        let reason = format!("they are {} bytes where {count} numbers are due", bytes.len());
        return Err(ModelFileError::nonsense(section, reason));
    }
    Ok(bytes.chunks_exact(8).map(|chunk| f64::from_le_bytes(array(chunk))).collect())
}

/// Exactly `count` positions.
pub(super) fn positions(bytes: &[u8], count: usize, section: &'static str) -> Result<Vec<u32>, ModelFileError> {
    if Some(bytes.len()) != count.checked_mul(4) {
        return Err(ModelFileError::nonsense(section, format!("they are {} bytes for {count} rows", bytes.len())));
    }
    Ok(bytes.chunks_exact(4).map(|chunk| u32::from_le_bytes(array(chunk))).collect())
}
