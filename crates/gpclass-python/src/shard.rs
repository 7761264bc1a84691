//! Rows that are held elsewhere, as by the workers of a cluster: what one shard does, and whoever asks all of them.

use crate::convert::{Columns, table};
use crate::errors::value_error;
use crate::watch::watched;
use gpclass::data::{Class, Targets};
use gpclass::learn::{Elsewhere, ShardPlan, shard_rows};
use gpclass::model::ShardAnswer;
use gpclass::prior::SiteSums;
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Arc, Mutex};

/// The numbers of the sums, the log scale, and whether EP settled.
type Answer<'py> = (Bound<'py, PyArray1<f64>>, f64, bool);

/// The answer of a shard to what all rows say together and to what it said last. It depends on nothing but the arguments.
#[pyfunction]
#[pyo3(signature = (encoder, plan, columns, labels, classes, weights, together, own, threads))]
#[expect(clippy::too_many_arguments, reason = "one flat call across the border, always made by keyword")]
pub fn shard_step<'py>(
    py: Python<'py>,
    encoder: Vec<u8>,
    plan: Vec<u8>,
    columns: Columns<'_>,
    labels: PyReadonlyArray1<'_, u16>,
    classes: usize,
    weights: Option<PyReadonlyArray1<'_, f64>>,
    together: PyReadonlyArray1<'_, f64>,
    own: PyReadonlyArray1<'_, f64>,
    threads: Option<usize>,
) -> PyResult<Answer<'py>> {
    let table = table(columns)?;
    let of_row = labels.as_array().iter().copied().map(Class::from).collect();
    let targets = Targets::new(of_row, classes).ok_or_else(|| value_error("a label is of no class"))?;
    let (weights, together, own) = (crate::convert::vector(weights), together.to_vec()?, own.to_vec()?);
    let answer = watched(py, threads, None, move |_| {
        let rows = shard_rows(&encoder, &table, targets, weights)?;
        ShardPlan::from_bytes(&plan)?.step(&rows, &together, &own)
    })?;
    let ShardAnswer { sums, log_scale, settled } = answer.map_err(value_error)?;
    Ok((PyArray1::from_vec(py, sums.numbers()), log_scale, settled))
}

/// A Python object that asks shards: `encoded_by(bytes)`, `rows()` and `answers(plan, together, own)`.
pub struct Asking {
    object: Py<PyAny>,
    /// What it raised, if anything: the sentences of the library only say that it did.
    raised: Mutex<Option<PyErr>>,
}

impl Asking {
    pub fn new(object: Py<PyAny>) -> Arc<Self> {
        Arc::new(Asking { object, raised: Mutex::new(None) })
    }

    /// What it raised.
    pub fn raised(&self) -> Option<PyErr> {
        self.raised.lock().ok()?.take()
    }

    fn told<R>(&self, result: PyResult<R>) -> Result<R, String> {
        result.map_err(|error| {
            let sentence = error.to_string();
            if let Ok(mut raised) = self.raised.lock() {
                raised.get_or_insert(error);
            }
            sentence
        })
    }

    fn ask<'py>(&self, py: Python<'py>, plan: &[u8], all: &SiteSums, own: &[SiteSums]) -> PyResult<Vec<ShardAnswer>> {
        let array = |sums: &SiteSums| PyArray1::from_vec(py, sums.numbers());
        let each: Vec<_> = own.iter().map(array).collect();
        let found = self.object.call_method1(py, "answers", (PyBytes::new(py, plan), array(all), each))?;
        let answers: Vec<(PyReadonlyArray1<'py, f64>, f64, bool)> = found.extract(py)?;
        let answer = |(numbers, log_scale, settled): (PyReadonlyArray1<'py, f64>, f64, bool)| {
            let sums = SiteSums::from_numbers(all.inducing(), &numbers.to_vec()?);
            let sums = sums.ok_or_else(|| value_error("the answer of a shard is of other inducing rows"))?;
            Ok(ShardAnswer { sums, log_scale, settled })
        };
        answers.into_iter().map(answer).collect()
    }
}

impl Elsewhere for Asking {
    fn encoded_by(&self, encoder: &[u8]) -> Result<(), String> {
        let called =
            Python::attach(|py| self.object.call_method1(py, "encoded_by", (PyBytes::new(py, encoder),)).map(drop));
        self.told(called)
    }

    fn rows(&self) -> Vec<usize> {
        let called = Python::attach(|py| self.object.call_method0(py, "rows")?.extract(py));
        self.told(called).unwrap_or_default()
    }

    fn answers(&self, plan: &[u8], all: &SiteSums, own: &[SiteSums]) -> Result<Vec<ShardAnswer>, String> {
        self.told(Python::attach(|py| self.ask(py, plan, all, own)))
    }
}
