//! Files, read up to a limit and written whole or not at all; sizes and threads as people write them.

use crate::errors::{input_error, output_error};
use gpclass::classifier::MAX_FILE_BYTES;
use gpclass_host::input::read_whole;
use gpclass_host::output::write_whole;
use gpclass_host::{memory, threads};
use pyo3::prelude::*;
use std::path::PathBuf;

/// The bytes of a model file.
#[pyfunction]
pub fn read_model_file(py: Python<'_>, path: PathBuf) -> PyResult<Vec<u8>> {
    py.detach(|| read_whole(&path, "a model file", MAX_FILE_BYTES)).map_err(input_error)
}

/// Writes a file that appears under its name when it is complete; one that is there stays until then.
#[pyfunction]
pub fn write_file(py: Python<'_>, path: PathBuf, bytes: &[u8]) -> PyResult<()> {
    // To the library this name alone means standard output.
    let path = if path.as_os_str() == "-" { PathBuf::from("./-") } else { path };
    py.detach(|| write_whole(&path, bytes)).map_err(output_error)
}

/// The most threads that are used, however many are asked for.
#[pyfunction]
pub fn most_threads() -> usize {
    threads::most()
}

/// Bytes of a size such as '4G' or '500M', or None.
#[pyfunction]
pub fn parse_size(text: &str) -> Option<u64> {
    memory::parse_size(text)
}
