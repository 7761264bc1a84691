//! The library's sentences as Python exceptions.

use gpclass_host::input::InputError;
use gpclass_host::output::OutputError;
use pyo3::PyErr;
use pyo3::exceptions::{PyFileNotFoundError, PyIsADirectoryError, PyOSError, PyPermissionError, PyValueError};
use std::fmt::Display;
use std::io::ErrorKind;

/// Everything the library refuses is a wrong value; types are checked before it is called.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A file that cannot be read, as Python's own functions would raise it.
pub fn input_error(error: InputError) -> PyErr {
    let sentence = error.to_string();
    match &error {
        InputError::TooLarge { .. } => PyValueError::new_err(sentence),
        InputError::Io { source, .. } => match source.kind() {
            ErrorKind::NotFound => PyFileNotFoundError::new_err(sentence),
            ErrorKind::PermissionDenied => PyPermissionError::new_err(sentence),
            ErrorKind::IsADirectory => PyIsADirectoryError::new_err(sentence),
            _ => PyOSError::new_err(sentence),
        },
    }
}

/// A file that cannot be written, as Python's own functions would raise it.
pub fn output_error(error: OutputError) -> PyErr {
    let sentence = error.to_string();
    match error {
        OutputError::NoFolder { .. } => PyFileNotFoundError::new_err(sentence),
        OutputError::IsDirectory { .. } => PyIsADirectoryError::new_err(sentence),
        OutputError::NoPermission { .. } | OutputError::WriteProtected { .. } => PyPermissionError::new_err(sentence),
        _ => PyOSError::new_err(sentence),
    }
}

/// Options that do not have the form the library gives them.
pub fn option_error(what: &str, error: impl Display) -> PyErr {
    PyValueError::new_err(format!("the {what} cannot be read: {error}"))
}
