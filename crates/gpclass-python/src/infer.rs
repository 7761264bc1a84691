//! Inference at given hyperparameters, with everything that a researcher may want to see of it.

use crate::convert::{from_rows, matrix, parse, render, to_array, to_vector};
use crate::cost::afford;
use crate::errors::value_error;
use crate::problem::{Problem, ProblemSpec};
use crate::watch::watched;
use gpclass::data::{ClassNames, Inputs};
use gpclass::inference::Method;
use gpclass::inference::ep::EpOptions;
use gpclass::learn::Cost;
use gpclass::model::{
    ClassInferenceResult, FittedModel, Gradient, InferenceResult, Model, ModelError, Multiclass, Refinement,
    named_gradient,
};
use gpclass::objective::{Objective, ObjectiveError};
use gpclass::prior::Inducing;
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// What inference found: the account of it, and the objective with its gradient.
struct Found {
    fit: FittedModel,
    account: Account,
    objective: Result<(f64, Gradient), ObjectiveError>,
}

/// Of one function for two classes, or of one for each class.
enum Account {
    One(InferenceResult),
    Each(ClassInferenceResult),
}

/// Inducing rows, the jitter of their variances, and the neighbours with which predictions are refined.
type Sparse<'py> = (PyReadonlyArray2<'py, f64>, f64, Option<usize>);

/// The posterior of a problem; method, objective and the way several classes are modelled in serialised form.
#[pyfunction]
pub fn infer<'py>(
    py: Python<'py>,
    problem: ProblemSpec<'_>,
    method: &str,
    objective: &str,
    multiclass: &str,
    sparse: Option<Sparse<'_>>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let Problem { data, classes, test, kernel, likelihood } = Problem::new(problem)?;
    let method = to_full_precision(parse("inference method", method)?);
    let objective: Objective = parse("objective", objective)?;
    let multiclass: Multiclass = parse("way several classes are modelled", multiclass)?;
    let model = Model { method, multiclass, ..Model::new(kernel, likelihood) };
    let refine = sparse.as_ref().and_then(|(_, _, neighbours)| *neighbours);
    let inducing = sparse.map(|(rows, jitter, _)| Inducing::new(Inputs::continuous(matrix(&rows)), jitter));
    let (rows, count) = (data.rows(), data.targets().count());
    let cost = match &inducing {
        Some(inducing) => Cost::of_sparse_inference(rows, inducing.rows.rows(), count),
        None => Cost::of_inference(rows, count),
    };
    afford(cost, None)?;
    let refinement = refine.map(|neighbours| Refinement { neighbours });
    let found = watched(py, threads, None, move |control| {
        let interrupt = control.interrupt();
        let fit = match &inducing {
            Some(inducing) => model.infer_sparse(&data, inducing, refinement, None, interrupt)?,
            None => model.infer_with(&data, None, interrupt)?,
        };
        account(fit, &classes, objective, test.as_ref())
    })?;
    describe(py, found.map_err(value_error)?)
}

/// Whoever asks for every number of a posterior compares them with others.
fn to_full_precision(method: Method) -> Method {
    match method {
        Method::Ep(options) => Method::Ep(EpOptions { tolerance: EpOptions::FULL_PRECISION, ..options }),
        Method::Laplace(_) | Method::LeastSquares(_) => method,
    }
}

fn account(
    fit: FittedModel,
    classes: &ClassNames,
    objective: Objective,
    test: Option<&Inputs>,
) -> Result<Found, ModelError> {
    let account = match fit.binary() {
        Some(_) => Account::One(InferenceResult::of(&fit, test)?),
        None => Account::Each(ClassInferenceResult::of(&fit, classes, test)?),
    };
    let value = objective.value(&fit).and_then(|value| Ok((value, objective.gradient(&fit)?)));
    Ok(Found { fit, account, objective: value })
}

/// The account under its own names, and what is only seen here.
fn describe<'py>(py: Python<'py>, found: Found) -> PyResult<Bound<'py, PyDict>> {
    let Found { fit, account, objective } = found;
    let (value, gradient) = objective.map_err(value_error)?;
    let dict = match account {
        Account::One(result) => of_one(py, result)?,
        Account::Each(result) => of_each(py, result)?,
    };
    let model = fit.model();
    dict.set_item("objective", value)?;
    dict.set_item("objective_grad", named_gradient(&fit, &gradient))?;
    let params = model.kernel.params().into_iter().chain(model.likelihood.params());
    dict.set_item("values", params.map(|p| (p.name, p.value)).collect::<Vec<_>>())?;
    if let Some(inferred) = fit.binary() {
        dict.set_item("alpha", to_vector(py, inferred.posterior.alpha().iter().copied()))?;
    }
    let kernels = 0..model.kernel.own_classes().unwrap_or(1);
    dict.set_item("prior", kernels.map(|class| to_array(py, &fit.prior(class).covariance())).collect::<Vec<_>>())?;
    dict.set_item("report", render("report", fit.report())?)?;
    Ok(dict)
}

/// Every field of the account; one that is added there does not compile until it is here.
fn of_one(py: Python<'_>, result: InferenceResult) -> PyResult<Bound<'_, PyDict>> {
    #[rustfmt::skip]
    let InferenceResult {
        method, converged, outcome, sweeps, residual, jitter, n_negative_sites, log_z, tau, nu, post_mean, post_var,
        cav_mean, cav_var, loo_prob_y, loo_logp, loo_logp_sum, label_error, grad, mode, w, test_mean, test_var, test_prob,
        inducing, residual_variance, projection_mean, projection_var, refined_mean, refined_var, refined_prob,
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
    dict.set_item("inducing", inducing)?;
    let sometimes = [
        ("mode", mode),
        ("W", w),
        ("test_mean", test_mean),
        ("test_var", test_var),
        ("test_prob", test_prob),
        ("residual_variance", residual_variance),
        ("projection_mean", projection_mean),
        ("projection_var", projection_var),
        ("refined_mean", refined_mean),
        ("refined_var", refined_var),
        ("refined_prob", refined_prob),
    ];
    for (name, values) in always.into_iter().map(|(name, values)| (name, Some(values))).chain(sometimes) {
        dict.set_item(name, values.map(|values| to_vector(py, values)))?;
    }
    Ok(dict)
}

/// The same of one function for each class.
fn of_each(py: Python<'_>, result: ClassInferenceResult) -> PyResult<Bound<'_, PyDict>> {
    #[rustfmt::skip]
    let ClassInferenceResult {
        method, multiclass, classes, converged, outcome, sweeps, residual, jitter, n_negative_sites, log_z, pi, nu, alpha,
        post_mean, post_var, loo_prob, loo_logp, loo_logp_sum, label_error, grad, test_mean, test_var, test_prob,
        test_prob_plugin, inducing, refined_prob,
    } = result;
    let dict = PyDict::new(py);
    dict.set_item("method", method)?;
    dict.set_item("multiclass", multiclass.name())?;
    dict.set_item("classes", classes)?;
    dict.set_item("converged", converged)?;
    dict.set_item("outcome", render("outcome", &outcome)?)?;
    dict.set_item("sweeps", sweeps)?;
    dict.set_item("n_negative_sites", n_negative_sites)?;
    dict.set_item("grad", grad)?;
    for (name, number) in [("residual", residual), ("jitter", jitter), ("log_z", log_z), ("loo_logp_sum", loo_logp_sum)]
    {
        dict.set_item(name, number)?;
    }
    dict.set_item("loo_logp", to_vector(py, loo_logp))?;
    dict.set_item("label_error", to_vector(py, label_error))?;
    let always = [
        ("pi", pi),
        ("nu", nu),
        ("alpha", alpha),
        ("post_mean", post_mean),
        ("post_var", post_var),
        ("loo_prob", loo_prob),
    ];
    let sometimes = [
        ("test_mean", test_mean),
        ("test_var", test_var),
        ("test_prob", test_prob),
        ("test_prob_plugin", test_prob_plugin),
        ("refined_prob", refined_prob),
    ];
    dict.set_item("inducing", inducing)?;
    for (name, rows) in always.into_iter().map(|(name, rows)| (name, Some(rows))).chain(sometimes) {
        dict.set_item(name, rows.map(|rows| from_rows(py, &rows)).transpose()?)?;
    }
    Ok(dict)
}
