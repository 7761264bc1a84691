//! The numbers of a predictor, for those who rebuild it elsewhere.

use crate::candidates::kernel_json;
use crate::convert::{render, to_array, to_vector};
use crate::errors::value_error;
use gpclass::classifier::{Classifier, Member};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The encoder, the encoded training rows, and every model that predicts.
pub fn export<'py>(py: Python<'py>, classifier: &Classifier) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("encoder", render("encoder", classifier.encoder())?)?;
    dict.set_item("inputs", to_array(py, classifier.training().inputs().values()))?;
    let features = classifier.training().inputs().features().iter();
    dict.set_item("features", features.map(|f| (f.columns.start, f.columns.end)).collect::<Vec<_>>())?;
    let members = classifier.members().iter().map(|member| member_dict(py, member));
    dict.set_item("members", members.collect::<PyResult<Vec<_>>>()?)?;
    Ok(dict)
}

fn member_dict<'py>(py: Python<'py>, member: &Member) -> PyResult<Bound<'py, PyDict>> {
    let model = member.fitted().model();
    let Some(inferred) = member.fitted().binary() else {
        return Err(value_error("a model of several classes cannot be exported yet"));
    };
    let dict = PyDict::new(py);
    dict.set_item("weight", member.weight())?;
    dict.set_item("kernel", kernel_json(&model.kernel)?)?;
    dict.set_item("likelihood", render("likelihood", &model.likelihood)?)?;
    dict.set_item("observation_variance", inferred.observation_var)?;
    dict.set_item("alpha", to_vector(py, inferred.posterior.alpha().iter().copied()))?;
    dict.set_item("information", to_array(py, &py.detach(|| inferred.posterior.information())))?;
    Ok(dict)
}
