//! Tests of one method against others.

use crate::convert::{parse, render, to_vector};
use crate::errors::value_error;
use gpclass::compare::ranks::{self, Better};
use gpclass::compare::resampled;
use gpclass::compare::wilcoxon::{self, WilcoxonOptions};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

/// Ranks from 1 for the smallest; ties share the average of theirs.
#[pyfunction]
pub fn rank<'py>(py: Python<'py>, values: PyReadonlyArray1<'py, f64>) -> Bound<'py, PyArray1<f64>> {
    to_vector(py, ranks::ranks(&list(&values)))
}

/// Friedman's test of `results[case][method]` in serialised form, with Nemenyi's p-values of all pairs.
#[pyfunction]
pub fn friedman(results: PyReadonlyArray2<'_, f64>, better: &str) -> PyResult<(String, Vec<Vec<f64>>)> {
    let better: Better = parse("better end", better)?;
    let rows: Vec<Vec<f64>> = results.as_array().outer_iter().map(|row| row.to_vec()).collect();
    let found = ranks::friedman(&rows, better).map_err(value_error)?;
    Ok((render("test", &found)?, found.pairwise_p_values()))
}

/// Nemenyi's critical difference of average ranks.
#[pyfunction]
pub fn critical_difference(methods: usize, cases: usize, level: f64) -> PyResult<f64> {
    ranks::critical_difference(methods, cases, level).map_err(value_error)
}

/// The signed-rank test of pairs; options and outcome in serialised form.
#[pyfunction]
pub fn signed_rank_test(
    first: PyReadonlyArray1<'_, f64>,
    second: PyReadonlyArray1<'_, f64>,
    options: &str,
) -> PyResult<String> {
    let options: WilcoxonOptions = parse("options", options)?;
    render("test", &wilcoxon::wilcoxon(&list(&first), &list(&second), &options).map_err(value_error)?)
}

/// The corrected resampled t-test of pairs in serialised form.
#[pyfunction]
pub fn resampled_t_test(
    first: PyReadonlyArray1<'_, f64>,
    second: PyReadonlyArray1<'_, f64>,
    test_to_train: f64,
) -> PyResult<String> {
    let found = resampled::resampled_t_test(&list(&first), &list(&second), test_to_train);
    render("test", &found.map_err(value_error)?)
}

fn list(array: &PyReadonlyArray1<'_, f64>) -> Vec<f64> {
    array.as_array().to_vec()
}
