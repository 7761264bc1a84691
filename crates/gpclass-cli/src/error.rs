//! How a command can end other than well.

use crate::wording;
use gpclass::classifier::{ClassifierError, ModelFileError};
use gpclass_host::input::InputError;
use gpclass_host::output::{Done, OutputError};
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
    /// The user interrupted it and has what there was until then.
    Partial,
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
            CliError::Interrupted | CliError::Partial => INTERRUPTED,
            CliError::BrokenPipe => 0,
        }
    }
}

/// What is said at the end of a command that did not end well, with a line end.
pub fn last_word(error: &CliError, done: Done) -> String {
    match error {
        CliError::User(sentence) => format!("error: {sentence}\n"),
        CliError::Partial => "stopped; the best model so far is given\n".to_owned(),
        CliError::Interrupted => match done {
            Done { files: 0, streamed: false } => "stopped; nothing was written\n".to_owned(),
            Done { files: 0, streamed: true } => "stopped; the output is not complete\n".to_owned(),
            Done { files, .. } => format!("stopped; {files} files had been written, which are complete\n"),
        },
        CliError::BrokenPipe => String::new(),
    }
}

impl From<InputError> for CliError {
    fn from(error: InputError) -> Self {
        match &error {
            InputError::Io { file, source } => CliError::read(Path::new(file), source),
            InputError::TooLarge { .. } => CliError::User(error.to_string()),
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
