//! Why rows are predicted as they are.

use crate::convert::{Columns, parse, render, table, to_array};
use crate::errors::value_error;
use crate::model::Model;
use crate::watch::watched;
use gpclass::data::Class;
use gpclass::explain::{FeatureValue, ReasonOptions, row_values};
use gpclass::interrupt::Interrupt;
use gpclass::linalg::Mat;
use numpy::PyArray2;
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// Positions of training rows for every row, and what each adds to the latent mean.
type Weightiest<'py> = (Vec<Vec<usize>>, Bound<'py, PyArray2<f64>>);
/// Labels of training rows, and their values.
type TrainingRows<'py> = (Vec<usize>, Vec<Vec<Bound<'py, PyAny>>>);

/// Shapley values: names of the columns, the mean over the background for every output, what is explained (rows x outputs),
/// and for every output values and standard errors (rows x columns).
#[pyfunction]
#[pyo3(signature = (model, columns, options, threads))]
pub fn reasons<'py>(
    py: Python<'py>,
    model: &Bound<'py, Model>,
    columns: Columns<'_>,
    options: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let table = table(columns)?;
    let options: ReasonOptions = parse("options", options)?;
    let classifier = Arc::clone(model.get().classifier());
    let found = watched(py, threads, None, move |control| {
        let interrupt = Interrupt { flag: control.interrupt.as_deref(), ..Interrupt::default() };
        classifier.reasons(&table, &options, interrupt)
    })?;
    let found = found.map_err(value_error)?;
    let arrays = |mats: &[Mat]| mats.iter().map(|mat| to_array(py, mat)).collect::<Vec<_>>();
    let dict = PyDict::new(py);
    dict.set_item("columns", &found.columns)?;
    dict.set_item("base", &found.base)?;
    dict.set_item("predicted", to_array(py, &found.predicted))?;
    dict.set_item("values", arrays(&found.values))?;
    dict.set_item("errors", arrays(&found.errors))?;
    dict.set_item("background", found.background)?;
    Ok(dict)
}

/// For every row the positions of the training rows that weigh most in its prediction, and what each adds to the latent
/// mean of a class, by its position, or of the predicted one; both have `count` columns, or one per training row where there are
/// fewer.
#[pyfunction]
#[pyo3(signature = (model, columns, class, count, threads))]
pub fn witnesses<'py>(
    py: Python<'py>,
    model: &Bound<'py, Model>,
    columns: Columns<'_>,
    class: Option<u16>,
    count: usize,
    threads: Option<usize>,
) -> PyResult<Weightiest<'py>> {
    let table = table(columns)?;
    let classifier = Arc::clone(model.get().classifier());
    let class = class.map(Class::from);
    let found = watched(py, threads, None, move |_| classifier.witnesses(&table, class, count))?;
    let found = found.map_err(value_error)?;
    let width = found.first().map_or(0, Vec::len);
    let contributions = Mat::from_fn(found.len(), width, |i, k| found[i][k].contribution);
    let rows = found.iter().map(|own| own.iter().map(|witness| witness.row).collect()).collect();
    Ok((rows, to_array(py, &contributions)))
}

/// The label of every given training row as a position among the classes, and its values in the columns that are read.
#[pyfunction]
pub fn training_rows<'py>(py: Python<'py>, model: &Bound<'py, Model>, rows: Vec<usize>) -> PyResult<TrainingRows<'py>> {
    let (data, encoder) = (model.get().classifier().training(), model.get().classifier().encoder());
    if let Some(row) = rows.iter().find(|&&row| row >= data.rows()) {
        return Err(value_error(format!("there is no training row {row}: there are {}, counted from 0", data.rows())));
    }
    let value = |value: Option<FeatureValue>| match value {
        None => Ok(py.None().into_bound(py)),
        Some(FeatureValue::Number(number)) => number.into_bound_py_any(py),
        Some(FeatureValue::Category(category)) => category.into_bound_py_any(py),
    };
    let values = |&row: &usize| row_values(encoder, data.given(), row).into_iter().map(value).collect();
    let labels = rows.iter().map(|&row| data.labels()[row].position()).collect();
    Ok((labels, rows.iter().map(values).collect::<PyResult<_>>()?))
}

/// Slopes and odds ratios as JSON, where linear models have at least half of the weight.
#[pyfunction]
pub fn slopes(model: &Bound<'_, Model>, level: f64) -> PyResult<Option<String>> {
    let classifier = model.get().classifier();
    let found = gpclass::explain::slopes(&classifier.together(), classifier.encoder(), level).map_err(value_error)?;
    found.map(|slopes| render("slopes", &slopes)).transpose()
}
