//! Inference at given hyperparameters, with everything that a researcher may want to see of it.

use crate::convert::{parse, render, to_array, to_vector};
use crate::cost::afford;
use crate::errors::value_error;
use crate::problem::{Problem, ProblemSpec};
use crate::watch::watched;
use gpclass::data::{Class, Inputs};
use gpclass::inference::{Method, Outcome};
use gpclass::interrupt::Interrupt;
use gpclass::learn::Cost;
use gpclass::model::{FittedModel, Gradient, Model, ModelError, Predictions, TrainingData};
use gpclass::objective::{Objective, ObjectiveError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// What inference found: the posterior, the objective and its gradient, predictions.
struct Found {
    fit: FittedModel,
    objective: Result<(f64, Gradient), ObjectiveError>,
    predictions: Option<Predictions>,
}

/// The posterior of a problem; method and objective in serialised form.
#[pyfunction]
pub fn infer<'py>(
    py: Python<'py>,
    problem: ProblemSpec<'_>,
    method: &str,
    objective: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let Problem { data, test, kernel, likelihood } = Problem::new(problem)?;
    let method: Method = parse("inference method", method)?;
    let objective: Objective = parse("objective", objective)?;
    let (model, data) = (Model { kernel, likelihood, method }, Arc::new(data));
    afford(Cost::of_inference(data.rows()), None)?;
    let found = watched(py, threads, None, move |control| {
        run(&model, &data, objective, test.as_ref(), Interrupt { flag: control.interrupt.as_deref() })
    })?;
    describe(py, &found.map_err(value_error)?)
}

fn run(
    model: &Model,
    data: &Arc<TrainingData>,
    objective: Objective,
    test: Option<&Inputs>,
    interrupt: Interrupt<'_>,
) -> Result<Found, ModelError> {
    let fit = model.infer_with(data, None, interrupt)?;
    let predictions = test.map(|test| fit.predict(test)).transpose()?;
    let value = objective.value(&fit).and_then(|value| Ok((value, objective.gradient(&fit)?)));
    Ok(Found { fit, objective: value, predictions })
}

fn describe<'py>(py: Python<'py>, found: &Found) -> PyResult<Bound<'py, PyDict>> {
    let (fit, model) = (&found.fit, found.fit.model());
    let inferred = fit.inferred();
    let (value, gradient) = found.objective.as_ref().map_err(value_error)?;
    let dict = PyDict::new(py);
    dict.set_item("log_evidence", inferred.log_z)?;
    dict.set_item("objective", value)?;
    let params: Vec<_> = model.kernel.params().into_iter().chain(model.likelihood.params()).collect();
    dict.set_item("names", params.iter().map(|p| p.name.clone()).collect::<Vec<_>>())?;
    dict.set_item("values", to_vector(py, params.iter().map(|p| p.value)))?;
    dict.set_item("gradient", to_vector(py, gradient.kernel.iter().chain(&gradient.likelihood).copied()))?;
    dict.set_item("kernel_parameters", gradient.kernel.len())?;
    let posterior = &inferred.posterior;
    dict.set_item("tau", to_vector(py, posterior.sites().tau.iter().copied()))?;
    dict.set_item("nu", to_vector(py, posterior.sites().nu.iter().copied()))?;
    dict.set_item("alpha", to_vector(py, posterior.alpha().iter().copied()))?;
    dict.set_item("mean", to_vector(py, posterior.mean().iter().copied()))?;
    dict.set_item("variance", to_vector(py, posterior.var().iter().copied()))?;
    dict.set_item("prior", to_array(py, &fit.prior().covariance()))?;
    dict.set_item("cavity_mean", to_vector(py, inferred.cavities.iter().map(|c| c.mean)))?;
    dict.set_item("cavity_variance", to_vector(py, inferred.cavities.iter().map(|c| c.var)))?;
    let left_out = fit.leave_one_out();
    let positive = |of: &Predictions| to_vector(py, of.probability.of_class(Class::POSITIVE).iter().copied());
    dict.set_item("loo_probability", positive(&left_out))?;
    dict.set_item("loo_log_probability_of_label", to_vector(py, left_out.log_probability_of(fit.data().labels())))?;
    dict.set_item("label_error", to_vector(py, fit.label_error()))?;
    let settled = !matches!(inferred.report.outcome, Outcome::NotConverged(_));
    dict.set_item("converged", settled)?;
    dict.set_item("report", render("report", &inferred.report)?)?;
    if let Some(predictions) = &found.predictions {
        dict.set_item("test_probability", positive(predictions))?;
        dict.set_item("test_mean", to_vector(py, predictions.mean.col(0).iter().copied()))?;
        dict.set_item("test_variance", to_vector(py, predictions.var.col(0).iter().copied()))?;
    }
    Ok(dict)
}
