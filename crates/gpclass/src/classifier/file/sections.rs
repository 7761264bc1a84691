//! The envelope of a model file: magic, version, lengths, checksum, and sections within.

use super::columns::array;
use super::{FORMAT_VERSION, MAX_FILE_BYTES, ModelFileError, old};
use sha2::{Digest, Sha256};
use std::borrow::Cow;

const MAGIC: &[u8; 8] = b"GPCLASS\n";
/// Magic, version and length of the body.
const PREFIX: usize = 8 + 4 + 8;
/// SHA-256.
const CHECKSUM: usize = 32;
/// Length of the name, flag and length of a section.
const SECTION_PREFIX: usize = 2 + 1 + 8;
/// Tag and length of a section up to version 2.
const OLD_SECTION_PREFIX: usize = 4 + 8;
/// The first version whose sections have names.
const NAMED: u32 = 3;

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

    /// A section that no reader may skip.
    pub fn required(&mut self, name: &str, content: &[u8]) {
        self.section(name, true, content);
    }

    pub fn section(&mut self, name: &str, required: bool, content: &[u8]) {
        let length = u16::try_from(name.len()).expect("names of sections are short");
        self.bytes.extend(length.to_le_bytes());
        self.bytes.push(u8::from(required));
        self.bytes.extend((content.len() as u64).to_le_bytes());
        self.bytes.extend(name.as_bytes());
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

/// A section found.
pub(super) struct Section<'a> {
    pub name: String,
    pub required: bool,
    pub content: Cow<'a, [u8]>,
}

/// Sections found in bytes, nothing copied but what has an old form.
pub(super) struct Sections<'a> {
    version: u32,
    pub found: Vec<Section<'a>>,
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
        if found > MAX_FILE_BYTES {
            return Err(ModelFileError::TooLarge { bytes: found });
        }
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
        let found = if version < NAMED { split_old(body)? } else { split(body)? };
        Ok(Sections { version, found })
    }

    /// The sections as the present version has them.
    pub fn modern(mut self, rows: usize, members: usize) -> Result<Self, ModelFileError> {
        if self.version >= NAMED {
            return Ok(self);
        }
        let Some(at) = self.found.iter().position(|section| section.name == "posteriors") else {
            return Err(absent("posteriors"));
        };
        let Cow::Borrowed(posteriors) = self.found.remove(at).content else { return Ok(self) };
        let columns = old::columns(posteriors, rows, members)?;
        self.found.extend(columns.into_iter().map(|(name, content)| Section { name, required: true, content }));
        for section in self.found.iter_mut().filter(|section| section.name == "labels") {
            section.content = Cow::Owned(old::labels(&section.content));
        }
        Ok(self)
    }

    pub fn optional(&self, name: &str) -> Option<&[u8]> {
        self.found.iter().find(|section| section.name == name).map(|section| &*section.content)
    }

    pub fn required(&self, name: &str) -> Result<&[u8], ModelFileError> {
        self.optional(name).ok_or_else(|| absent(name))
    }

    /// Refuses sections that must not be skipped and are not known.
    pub fn refuse_unknown(&self, known: impl Fn(&str) -> bool) -> Result<(), ModelFileError> {
        match self.found.iter().find(|section| section.required && !known(&section.name)) {
            Some(section) => Err(ModelFileError::UnknownSection { name: section.name.clone() }),
            None => Ok(()),
        }
    }
}

fn split(mut body: &[u8]) -> Result<Vec<Section<'_>>, ModelFileError> {
    let mut found: Vec<Section<'_>> = Vec::new();
    while !body.is_empty() {
        let (prefix, rest) = body.split_at_checked(SECTION_PREFIX).ok_or_else(cut)?;
        let named = usize::from(u16::from_le_bytes(array(&prefix[..2])));
        let (name, rest) = rest.split_at_checked(named).ok_or_else(cut)?;
        let (content, rest) = rest.split_at_checked(length(&prefix[3..])?).ok_or_else(cut)?;
        let name = std::str::from_utf8(name).map_err(|e| ModelFileError::nonsense("sections", e))?.to_owned();
        if found.iter().any(|section| section.name == name) {
            return Err(ModelFileError::nonsense("sections", format!("'{}' is there twice", name.escape_default())));
        }
        found.push(Section { name, required: prefix[2] != 0, content: Cow::Borrowed(content) });
        body = rest;
    }
    Ok(found)
}

/// Sections of other numbers than the known ones could always be skipped.
fn split_old(mut body: &[u8]) -> Result<Vec<Section<'_>>, ModelFileError> {
    let mut found: Vec<Section<'_>> = Vec::new();
    while !body.is_empty() {
        let (prefix, rest) = body.split_at_checked(OLD_SECTION_PREFIX).ok_or_else(cut)?;
        let (content, rest) = rest.split_at_checked(length(&prefix[4..])?).ok_or_else(cut)?;
        if let Some(name) = old::name(u32::from_le_bytes(array(&prefix[..4]))) {
            found.push(Section { name: name.to_owned(), required: true, content: Cow::Borrowed(content) });
        }
        body = rest;
    }
    Ok(found)
}

fn length(bytes: &[u8]) -> Result<usize, ModelFileError> {
    usize::try_from(u64::from_le_bytes(array(bytes))).map_err(|_| cut())
}

fn cut() -> ModelFileError {
    ModelFileError::nonsense("sections", "one of them reaches beyond the end")
}

fn absent(name: &str) -> ModelFileError {
    ModelFileError::nonsense("sections", format!("there is no '{name}'"))
}

fn truncated(bytes: &[u8], expected: u64) -> ModelFileError {
    ModelFileError::Truncated { found: bytes.len() as u64, expected }
}
