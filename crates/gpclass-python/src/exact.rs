//! The truth at given hyperparameters, by simulation.

use crate::convert::{parse, to_vector};
use crate::cost::afford;
use crate::errors::value_error;
use crate::problem::{Problem, ProblemSpec};
use crate::watch::watched;
use gpclass::exact::{CheckControl, CheckOptions, EvidenceMethod, ExactError, ExactPosterior, Simulated, check_with};
use gpclass::inference::Method;
use gpclass::interrupt::Interrupt;
use gpclass::learn::Cost;
use gpclass::linalg::Mat;
use gpclass::prior::Prior;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The true posterior of a problem up to standard errors; `options` in serialised form.
#[pyfunction]
pub fn sample<'py>(
    py: Python<'py>,
    problem: ProblemSpec<'_>,
    options: &str,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let problem = Problem::new(problem)?;
    problem.kernel.check(problem.data.inputs()).map_err(value_error)?;
    let classes = problem.data.targets().count();
    if classes > 2 {
        return Err(value_error(format!(
            "sample is for two classes, but there are {classes}; keep or join two of them"
        )));
    }
    let options: CheckOptions = parse("options", options)?;
    afford(Cost::of_inference(problem.data.rows(), classes), None)?;
    let tested = problem.test.is_some();
    let found = watched(py, threads, None, move |control| {
        run(&problem, &options, Interrupt { flag: control.interrupt.as_deref() })
    })?;
    describe(py, &found.map_err(value_error)?, tested)
}

fn run(problem: &Problem, options: &CheckOptions, interrupt: Interrupt<'_>) -> Result<ExactPosterior, ExactError> {
    let (kernel, train) = (&problem.kernel, problem.data.inputs());
    let (cross, diag) = match &problem.test {
        Some(test) => (kernel.cross(train, test), kernel.diag(test)),
        None => (Mat::zeros(problem.data.rows(), 0), Vec::new()),
    };
    let labels = problem.data.signs();
    let k = kernel.gram(train);
    let (prior, observations) = (Prior::from_covariance(k.clone()), problem.data.observations(&problem.likelihood));
    // Expectation propagation shows the sampler where to go; where it finds nothing the prior has to do.
    let near = Method::default().infer(prior, &observations, None, interrupt).ok();
    let guide = near.as_ref().map(|inferred| inferred.posterior.sites());
    let control = CheckControl { interrupt, guide };
    check_with(&k, labels, &problem.likelihood, &cross, &diag, options, control)
}

fn describe<'py>(py: Python<'py>, found: &ExactPosterior, tested: bool) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("log_evidence", found.log_z.value)?;
    dict.set_item("log_evidence_error", found.log_z.standard_error)?;
    dict.set_item("method", method_name(found.method))?;
    put(&dict, "mean", found.train.iter().map(|f| f.mean))?;
    put(&dict, "variance", found.train.iter().map(|f| f.var))?;
    if tested {
        put(&dict, "test_probability", found.test.iter().map(|p| p.probability))?;
        put(&dict, "test_mean", found.test.iter().map(|p| p.mean))?;
        put(&dict, "test_variance", found.test.iter().map(|p| p.var))?;
    }
    let seen = &found.diagnostics;
    let diagnostics = PyDict::new(py);
    diagnostics.set_item("largest_r_hat", seen.largest_r_hat)?;
    diagnostics.set_item("fewest_effective_samples", seen.fewest_effective_samples)?;
    diagnostics.set_item("effective_runs", seen.effective_runs)?;
    diagnostics.set_item("prior_rank", seen.prior_rank)?;
    diagnostics.set_item("prior_unexplained", seen.prior_unexplained)?;
    diagnostics.set_item("averaged_noise", seen.averaged_noise)?;
    dict.set_item("diagnostics", diagnostics)?;
    dict.set_item("warnings", seen.warnings.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    Ok(dict)
}

/// Values under `name` and their standard errors under `name` with `_error`.
fn put(dict: &Bound<'_, PyDict>, name: &str, estimates: impl Iterator<Item = Simulated> + Clone) -> PyResult<()> {
    dict.set_item(name, to_vector(dict.py(), estimates.clone().map(|e| e.value)))?;
    dict.set_item(format!("{name}_error"), to_vector(dict.py(), estimates.map(|e| e.standard_error)))
}

fn method_name(method: EvidenceMethod) -> &'static str {
    match method {
        EvidenceMethod::Orthant => "orthant",
        EvidenceMethod::Annealed => "annealed",
    }
}
