//! Inference at given hyperparameters, with everything that a researcher may want to see of it.

use crate::convert::{parse, render, to_array, to_vector};
use crate::cost::afford;
use crate::errors::value_error;
use crate::problem::{Problem, ProblemSpec};
use crate::watch::watched;
use gpclass::data::Inputs;
use gpclass::inference::Method;
use gpclass::interrupt::Interrupt;
use gpclass::learn::Cost;
use gpclass::model::{FittedModel, Gradient, InferenceResult, Model, ModelError, TrainingData, named_gradient};
use gpclass::objective::{Objective, ObjectiveError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::Arc;

/// What inference found: the account of it, and the objective with its gradient.
struct Found {
    fit: FittedModel,
    result: InferenceResult,
    objective: Result<(f64, Gradient), ObjectiveError>,
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
    let (model, data) = (Model { method, ..Model::new(kernel, likelihood) }, Arc::new(data));
    afford(Cost::of_inference(data.rows(), data.targets().count()), None)?;
    let found = watched(py, threads, None, move |control| {
        run(&model, &data, objective, test.as_ref(), Interrupt { flag: control.interrupt.as_deref() })
    })?;
    describe(py, found.map_err(value_error)?)
}

fn run(
    model: &Model,
    data: &Arc<TrainingData>,
    objective: Objective,
    test: Option<&Inputs>,
    interrupt: Interrupt<'_>,
) -> Result<Found, ModelError> {
    let fit = model.infer_with(data, None, interrupt)?;
    let result = InferenceResult::of(&fit, test)?;
    let value = objective.value(&fit).and_then(|value| Ok((value, objective.gradient(&fit)?)));
    Ok(Found { fit, result, objective: value })
}

/// The account under its own names, and what is only seen here.
fn describe<'py>(py: Python<'py>, found: Found) -> PyResult<Bound<'py, PyDict>> {
    let Found { fit, result, objective } = found;
    let (value, gradient) = objective.map_err(value_error)?;
    let dict = account(py, result)?;
    let model = fit.model();
    dict.set_item("objective", value)?;
    dict.set_item("objective_grad", named_gradient(&fit, &gradient))?;
    let params = model.kernel.params().into_iter().chain(model.likelihood.params());
    dict.set_item("values", params.map(|p| (p.name, p.value)).collect::<Vec<_>>())?;
    dict.set_item(
        "alpha",
        to_vector(
            py,
            fit.binary().into_iter().flat_map(|found| found.posterior.alpha().iter().copied()).collect::<Vec<_>>(),
        ),
    )?;
    dict.set_item("prior", to_array(py, &fit.prior(0).covariance()))?;
    dict.set_item("report", render("report", fit.report())?)?;
    Ok(dict)
}

/// Every field of the account; one that is added there does not compile until it is here.
fn account(py: Python<'_>, result: InferenceResult) -> PyResult<Bound<'_, PyDict>> {
    #[rustfmt::skip]
    let InferenceResult {
        method, converged, outcome, sweeps, residual, jitter, n_negative_sites, log_z, tau, nu, post_mean, post_var,
        cav_mean, cav_var, loo_prob_y, loo_logp, loo_logp_sum, label_error, grad, mode, w, test_mean, test_var, test_prob,
    } = result;
    let dict = PyDict::new(py);
    dict.set_item("method", method)?;
    dict.set_item("converged", converged)?;
    dict.set_item("outcome", render("outcome", &outcome)?)?;
    dict.set_item("sweeps", sweeps)?;
    dict.set_item("n_negative_sites", n_negative_sites)?;
    dict.set_item("grad", grad)?;
    for (name, number) in [("residual", residual), ("jitter", jitter), ("log_z", log_z), ("loo_logp_sum", loo_logp_sum)]
    {
        dict.set_item(name, number)?;
    }
    let always = [
        ("tau", tau),
        ("nu", nu),
        ("post_mean", post_mean),
        ("post_var", post_var),
        ("cav_mean", cav_mean),
        ("cav_var", cav_var),
        ("loo_prob_y", loo_prob_y),
        ("loo_logp", loo_logp),
        ("label_error", label_error),
    ];
    let sometimes =
        [("mode", mode), ("W", w), ("test_mean", test_mean), ("test_var", test_var), ("test_prob", test_prob)];
    for (name, values) in always.into_iter().map(|(name, values)| (name, Some(values))).chain(sometimes) {
        dict.set_item(name, values.map(|values| to_vector(py, values)))?;
    }
    Ok(dict)
}
