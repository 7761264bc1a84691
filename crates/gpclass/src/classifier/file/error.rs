//! Why bytes are not a model that can be read.

use super::{FORMAT_VERSION, MAX_FILE_BYTES};
use thiserror::Error;

/// What is wrong with the bytes of a model file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ModelFileError {
    #[error("this is not a gpclass model; give a file that 'gpclass fit' or `to_bytes` has written")]
    NotAModel,
    #[error(
        "the model has format version {version}, but this program reads versions up to {FORMAT_VERSION}; \
         use the program version that wrote it, or a later one"
    )]
    Newer { version: u32 },
    #[error("the model ends after {found} bytes of {expected}; copy or write it again")]
    Truncated { found: u64, expected: u64 },
    #[error("{extra} bytes follow the end of the model; copy or write it again")]
    Trailing { extra: u64 },
    #[error(
        "the checksum of the model does not match its content, so it was changed or damaged; copy or write it again"
    )]
    Checksum,
    #[error(
        "the model has {bytes} bytes, more than the {MAX_FILE_BYTES} that are allowed; fit it on fewer rows or columns"
    )]
    TooLarge { bytes: u64 },
    #[error(
        "the model has a part '{}' that this program does not know and that it cannot do without; use the program version \
         that wrote it, or a later one",
        .name.escape_default()
    )]
    UnknownSection { name: String },
    #[error("the model's {section} make no sense ({reason}); fit it again")]
    Nonsense { section: &'static str, reason: String },
}

impl ModelFileError {
    pub(super) fn nonsense(section: &'static str, reason: impl std::fmt::Display) -> Self {
        ModelFileError::Nonsense { section, reason: reason.to_string() }
    }
}
