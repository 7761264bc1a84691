//! Columns, labels and matrices from Python.

use crate::errors::{option_error, value_error};
use gpclass::data::{Class, ClassNames, Column, Labels, Table, Targets};
use gpclass::linalg::Mat;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use serde::de::DeserializeOwned;

/// The values of a column as Python gives them.
#[derive(FromPyObject)]
pub enum Values<'py> {
    Numbers(PyReadonlyArray1<'py, f64>),
    /// A dict with days since 1970.
    Dates {
        #[pyo3(item)]
        days: PyReadonlyArray1<'py, f64>,
    },
    Categories(Vec<Option<String>>),
}

/// Names and values of all columns.
pub type Columns<'py> = Vec<(String, Values<'py>)>;

pub fn table(columns: Columns<'_>) -> PyResult<Table> {
    let column = |(name, values): (String, Values<'_>)| match values {
        Values::Numbers(numbers) => Column::continuous(name, numbers.as_array().to_vec()),
        Values::Dates { days } => Column::dates(name, days.as_array().to_vec()),
        Values::Categories(categories) => Column::discrete(name, categories),
    };
    Table::new(columns.into_iter().map(column).collect()).map_err(value_error)
}

/// Labels by the position of their class; names go with them so that model files can be read elsewhere.
pub fn class_labels(codes: &PyReadonlyArray1<'_, u16>, classes: &[String]) -> PyResult<Labels> {
    let of_row = codes.as_array().iter().copied().map(Class::from).collect();
    let names = ClassNames::new(classes).map_err(value_error)?;
    Labels::new(of_row, names).ok_or_else(|| value_error("a label has no class name"))
}

/// The labels of two classes.
pub fn two_classes(positive: &PyReadonlyArray1<'_, bool>) -> PyResult<Targets> {
    let class = |&positive: &bool| if positive { Class::POSITIVE } else { Class::NEGATIVE };
    let classes = positive.as_array().iter().map(class).collect();
    Targets::new(classes, 2).ok_or_else(|| value_error("the labels are of more than two classes"))
}

pub fn matrix(array: &PyReadonlyArray2<'_, f64>) -> Mat {
    let array = array.as_array();
    Mat::from_fn(array.nrows(), array.ncols(), |i, j| array[(i, j)])
}

pub fn vector(array: Option<PyReadonlyArray1<'_, f64>>) -> Option<Vec<f64>> {
    array.map(|array| array.as_array().to_vec())
}

pub fn to_array<'py>(py: Python<'py>, mat: &Mat) -> Bound<'py, PyArray2<f64>> {
    let rows: Vec<Vec<f64>> = (0..mat.rows()).map(|i| (0..mat.cols()).map(|j| mat[(i, j)]).collect()).collect();
    if mat.rows() == 0 {
        return PyArray2::zeros(py, [0, mat.cols()], false);
    }
    // The rows have one length by construction.
    PyArray2::from_vec2(py, &rows).expect("a matrix has rows of one length")
}

/// A matrix from one list per row; there is at least one.
pub fn from_rows<'py>(py: Python<'py>, rows: &[Vec<f64>]) -> PyResult<Bound<'py, PyArray2<f64>>> {
    PyArray2::from_vec2(py, rows).map_err(value_error)
}

pub fn to_vector<'py>(py: Python<'py>, values: impl IntoIterator<Item = f64>) -> Bound<'py, PyArray1<f64>> {
    PyArray1::from_vec(py, values.into_iter().collect())
}

/// A structure in the library's serialised form.
pub fn parse<T: DeserializeOwned>(what: &str, json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|error| option_error(what, error))
}

/// The serialised form of a structure.
pub fn render(what: &str, value: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| option_error(what, error))
}
