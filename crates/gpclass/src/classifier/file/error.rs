//! Why bytes are not a model that can be read.

use super::{FORMAT_VERSION, MAX_FILE_BYTES};
use thiserror::Error;

/// What is wrong with the bytes of a model file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ModelFileError {
    /// The bytes do not begin as those of a model do.
    #[error("this is not a gpclass model; give a file that 'gpclass fit' or `to_bytes` has written")]
    NotAModel,
    /// The model was written by a later version of this library, in a format that this one does not know.
    #[error(
        "the model has format version {version}, but this program reads versions up to {FORMAT_VERSION}; \
         use the program version that wrote it, or a later one"
    )]
    Newer {
        /// Format version of the model, above [`FORMAT_VERSION`].
        version: u32,
    },
    /// The bytes end before the model does.
    #[error("the model ends after {found} bytes of {expected}; copy or write it again")]
    Truncated {
        /// Bytes that are there.
        found: u64,
        /// Bytes that there should be, as far as those that are there tell.
        expected: u64,
    },
    /// The bytes go on after the end of the model.
    #[error("{extra} bytes follow the end of the model; copy or write it again")]
    Trailing {
        /// Bytes after the end.
        extra: u64,
    },
    /// The SHA-256 at the end is not that of the bytes before it.
    #[error(
        "the checksum of the model does not match its content, so it was changed or damaged; copy or write it again"
    )]
    Checksum,
    /// There are more bytes than [`MAX_FILE_BYTES`].
    #[error(
        "the model has {bytes} bytes, more than the {MAX_FILE_BYTES} that are allowed; fit it on fewer rows or columns"
    )]
    TooLarge {
        /// Bytes that are there.
        bytes: u64,
    },
    /// A section is marked as required, and this version does not know it.
    #[error(
        "the model has a part '{}' that this program does not know and that it cannot do without; use the program version \
         that wrote it, or a later one",
        .name.escape_default()
    )]
    UnknownSection {
        /// Name of the section, as it is in the file.
        name: String,
    },
    /// The checksum is right, but a part is missing, has the wrong length or holds values that no model has.
    #[error("the model's {section} make no sense ({reason}); fit it again")]
    Nonsense {
        /// The part, as `header`, `labels` or `posteriors`.
        section: &'static str,
        /// What is wrong with it, for the sentence.
        reason: String,
    },
}

impl ModelFileError {
    pub(super) fn nonsense(section: &'static str, reason: impl std::fmt::Display) -> Self {
        ModelFileError::Nonsense { section, reason: reason.to_string() }
    }
}
