//! What can go wrong while writing: one sentence each.

use std::io;
use thiserror::Error;

/// Why an output could not be written.
#[derive(Debug, Error)]
pub enum OutputError {
    #[error("cannot write '{file}': the folder '{folder}' does not exist; create it first")]
    NoFolder { file: String, folder: String },
    #[error("cannot write '{file}': it is a folder; give a file name")]
    IsDirectory { file: String },
    #[error("no permission to write '{file}'; check the access rights of its folder")]
    NoPermission { file: String },
    #[error("cannot write '{file}': the file system is read-only; write elsewhere")]
    ReadOnly { file: String },
    #[error("cannot write '{file}': the disk is full; nothing was written, free some space and run again")]
    DiskFull { file: String },
    #[error("the reader of '{file}' has stopped reading")]
    BrokenPipe { file: String },
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
