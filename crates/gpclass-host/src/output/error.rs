//! What can go wrong while writing: one sentence each.

use std::io;
use thiserror::Error;

/// Why an output could not be written. `file` is how messages call it.
#[derive(Debug, Error)]
#[expect(missing_docs, reason = "the sentences say it")]
pub enum OutputError {
    #[error("cannot write '{file}': the folder '{folder}' does not exist; create it first")]
    NoFolder { file: String, folder: String },
    #[error("cannot write '{file}': it is a folder; give a file name")]
    IsDirectory { file: String },
    #[error("cannot write figures into '{file}': it is not a folder; give a folder")]
    NotAFolder { file: String },
    #[error("cannot write '{file}': it is '{input}', which is read; give another name")]
    AlsoInput { file: String, input: String },
    #[error("cannot write '{file}': '{other}' goes to the same place; give each output a file of its own")]
    AlsoOutput { file: String, other: String },
    #[error("standard output is taken by what is printed there; give a file name instead of -")]
    StandardOutputTaken,
    #[error("cannot write '{file}': links lead round in a circle; remove them")]
    LinkLoop { file: String },
    #[error("cannot write '{file}': it is write-protected; change its access rights or give another name")]
    WriteProtected { file: String },
    #[error("no permission to write '{file}'; check the access rights of its folder")]
    NoPermission { file: String },
    #[error("cannot write '{file}': the file system is read-only; write elsewhere")]
    ReadOnly { file: String },
    #[error("cannot write '{file}': the disk is full; nothing was written, free some space and run again")]
    DiskFull { file: String },
    #[error("the reader of '{file}' has stopped reading")]
    BrokenPipe { file: String },
    #[error("'{file}' is not written: the program is ending")]
    Ending { file: String },
    #[error("cannot write '{file}': {source}")]
    Io { file: String, source: io::Error },
}

impl OutputError {
    /// Says what an error of the operating system means for this output.
    pub fn explain(file: &str, source: io::Error) -> Self {
        let file = file.to_owned();
        match source.kind() {
            io::ErrorKind::PermissionDenied => OutputError::NoPermission { file },
            io::ErrorKind::IsADirectory => OutputError::IsDirectory { file },
            io::ErrorKind::ReadOnlyFilesystem => OutputError::ReadOnly { file },
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => OutputError::DiskFull { file },
            io::ErrorKind::BrokenPipe => OutputError::BrokenPipe { file },
            _ => OutputError::Io { file, source },
        }
    }

    /// Whether the reader at the other end simply left, as `head` does: a reason to stop quietly, not a failure.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, OutputError::BrokenPipe { .. })
    }
}
