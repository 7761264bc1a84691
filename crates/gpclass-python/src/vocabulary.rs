//! The names of the library's choices.

use crate::errors::value_error;
use gpclass::classifier::{NamedOption, vocabulary};
use gpclass::inference::Method;
use gpclass::learn::{COMPARED_KERNELS, compared_likelihoods};
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// For every option that is chosen by name its names, each with what it means.
#[pyfunction]
pub fn options() -> BTreeMap<&'static str, Vec<(&'static str, &'static str)>> {
    let list = |o: NamedOption| (o.option, o.words.into_iter().map(|word| (word.name, word.about)).collect());
    vocabulary().into_iter().map(list).collect()
}

/// Kernels and likelihoods that are compared where none is named, with this inference method.
#[pyfunction]
pub fn compared(inference: &str) -> PyResult<(Vec<&'static str>, Vec<&'static str>)> {
    let method: Method = inference.parse().map_err(value_error)?;
    let kernels = COMPARED_KERNELS.iter().map(|kernel| kernel.name()).collect();
    Ok((kernels, compared_likelihoods(&method).iter().map(|likelihood| likelihood.name()).collect()))
}
