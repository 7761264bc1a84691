//! Calibration as the library defines it.

use crate::convert::{to_vector, two_classes};
use crate::errors::value_error;
use gpclass::evaluate::Forecasts;
use gpclass::evaluate::calibration::{CalibrationBin, CalibrationOptions, calibration_curve};
use numpy::PyReadonlyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The calibration curve of probabilities of the positive class, with bands, and the expected calibration error. Bins hold at
/// least so many rows, unless there are fewer in all.
#[pyfunction]
#[pyo3(signature = (positive, probability, bins, least_rows))]
pub fn calibration<'py>(
    py: Python<'py>,
    positive: PyReadonlyArray1<'_, bool>,
    probability: PyReadonlyArray1<'_, f64>,
    bins: usize,
    least_rows: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let (labels, probabilities) = (two_classes(&positive)?, probability.as_array().to_vec());
    let options = CalibrationOptions { bins, least_rows, ..CalibrationOptions::default() };
    let curve = calibration_curve(&Forecasts::new(&probabilities, labels.classes()), &options).map_err(value_error)?;
    let dict = PyDict::new(py);
    dict.set_item("expected_error", curve.expected_error)?;
    let column = |number: fn(&CalibrationBin) -> f64| to_vector(py, curve.bins.iter().map(number));
    dict.set_item("forecast", column(|bin| bin.forecast))?;
    dict.set_item("observed", column(|bin| bin.observed))?;
    dict.set_item("low", column(|bin| bin.low))?;
    dict.set_item("high", column(|bin| bin.high))?;
    Ok(dict)
}
