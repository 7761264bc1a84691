//! The library's sentences as Python exceptions.

use pyo3::PyErr;
use pyo3::exceptions::PyValueError;
use std::fmt::Display;

/// Everything the library refuses is a wrong value; types are checked before it is called.
pub fn value_error(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Options that do not have the form the library gives them.
pub fn option_error(what: &str, error: impl Display) -> PyErr {
    PyValueError::new_err(format!("the {what} cannot be read: {error}"))
}
