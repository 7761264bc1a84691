//! How a command can end other than well.

use crate::output::OutputError;
use crate::wording;
use gpclass::classifier::{ClassifierError, ModelFileError};
use gpclass_table::TableError;
use std::io;
use std::path::Path;

/// What the user made of the command, or the world of the files.
#[derive(Debug)]
pub enum CliError {
    /// One sentence: what is wrong and what to do.
    User(String),
    /// The user interrupted it.
    Interrupted,
    /// The reader of the output left: not a failure.
    BrokenPipe,
}

/// Exit code of errors in data, files and values.
pub const FAILED: u8 = 1;
/// Exit code after an interrupt, as shells have it: 128 + SIGINT.
pub const INTERRUPTED: u8 = 130;

impl CliError {
    pub fn user(sentence: impl Into<String>) -> Self {
        CliError::User(sentence.into())
    }

    /// A file that cannot be read.
    pub fn read(path: &Path, error: &io::Error) -> Self {
        let file = path.display();
        CliError::User(match error.kind() {
            io::ErrorKind::NotFound => format!("cannot find '{file}'; check the path"),
            io::ErrorKind::PermissionDenied => format!("no permission to read '{file}'; check its access rights"),
            io::ErrorKind::IsADirectory => format!("'{file}' is a folder; give a file inside it"),
            io::ErrorKind::InvalidData => format!("'{file}' is not UTF-8 text"),
            _ => format!("cannot read '{file}': {error}"),
        })
    }

    pub fn exit_code(&self) -> u8 {
        match self {
            CliError::User(_) => FAILED,
            CliError::Interrupted => INTERRUPTED,
            CliError::BrokenPipe => 0,
        }
    }
}

impl From<OutputError> for CliError {
    fn from(error: OutputError) -> Self {
        if error.is_broken_pipe() { CliError::BrokenPipe } else { CliError::User(error.to_string()) }
    }
}

impl From<TableError> for CliError {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Interrupted { .. } => CliError::Interrupted,
            _ => CliError::User(wording::error(&error)),
        }
    }
}

/// Errors whose text is already the sentence.
macro_rules! sentence {
    ($($error:ty),*) => {
        $(impl From<$error> for CliError {
            fn from(error: $error) -> Self {
                CliError::User(error.to_string())
            }
        })*
    };
}

sentence!(
    ClassifierError,
    ModelFileError,
    gpclass::data::DataError,
    gpclass::evaluate::EvaluateError,
    gpclass_report::ReportError,
    gpclass::explain::ExplainError,
    gpclass::kernel::KernelError,
    gpclass::likelihood::LikelihoodError,
    gpclass::model::ModelError
);
