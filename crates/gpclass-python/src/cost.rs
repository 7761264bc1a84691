//! Whether the machine can bear a fit.

use gpclass::learn::Cost;
use gpclass_host::memory::{available, show_size};
use pyo3::exceptions::PyMemoryError;
use pyo3::{PyErr, PyResult};

/// The bytes that a fit may take: those of `limit` or, without one, what is free.
pub fn bytes_within(limit: Option<u64>) -> Option<f64> {
    limit.or_else(available).map(|limit| limit as f64)
}

/// Refuses more memory than `limit` or, without one, than is free.
pub fn afford(cost: Cost, limit: Option<u64>) -> PyResult<()> {
    let whose = if limit.is_some() { "memory_limit allows" } else { "is free" };
    match bytes_within(limit) {
        Some(limit) if cost.bytes > limit => Err(refusal(&cost, limit, whose)),
        _ => Ok(()),
    }
}

fn refusal(cost: &Cost, limit: f64, whose: &str) -> PyErr {
    PyMemoryError::new_err(format!(
        "this needs about {} of memory for {} rows, but only {} {whose}; about {} rows would do: take a random part of \
         the rows, compare fewer models (name kernel, likelihood and lengthscales), or set memory_limit",
        show_size(cost.bytes),
        cost.rows,
        show_size(limit),
        cost.rows_within(limit),
    ))
}
