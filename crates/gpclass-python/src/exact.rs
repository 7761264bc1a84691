//! The truth at given hyperparameters, by simulation.

use crate::convert::{from_rows, parse, to_vector};
use crate::cost::afford;
use crate::errors::value_error;
use crate::problem::{Problem, ProblemSpec};
use crate::watch::watched;
use gpclass::exact::{
    CheckControl, CheckOptions, ClassEstimate, ClassPosterior, ClassProblem, Diagnostics, EvidenceMethod, ExactError,
    ExactPosterior, LatentEstimate, Simulated, check_classes, check_with,
};
use gpclass::inference::Method;
use gpclass::interrupt::Interrupt;
use gpclass::kernel::Kernel;
use gpclass::learn::{Control, Cost};
use gpclass::linalg::Mat;
use gpclass::prior::Prior;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The true posterior of a problem up to standard errors, of one function for each class if there are more than two or `each`
/// says so; `options` in serialised form.
#[pyfunction]
pub fn sample<'py>(
    py: Python<'py>,
    problem: ProblemSpec<'_>,
    options: &str,
    each: bool,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let problem = Problem::new(problem)?;
    problem.kernel.check(problem.data.inputs()).map_err(value_error)?;
    let options: CheckOptions = parse("options", options)?;
    let classes = problem.data.targets().count();
    afford(Cost::of_inference(problem.data.rows(), classes), None)?;
    let tested = problem.test.is_some();
    if !each && classes == 2 {
        let run = move |control: &Control| run(&problem, &options, control.interrupt());
        let found = watched(py, threads, None, run)?.map_err(value_error)?;
        return describe(py, &found, tested);
    }
    let names = problem.classes.names().to_vec();
    let run = move |control: &Control| run_each(&problem, &options, control.interrupt());
    let dict = describe_each(py, &watched(py, threads, None, run)??, tested)?;
    dict.set_item("classes", names)?;
    Ok(dict)
}

fn run(problem: &Problem, options: &CheckOptions, interrupt: Interrupt<'_>) -> Result<ExactPosterior, ExactError> {
    let (kernel, train) = (&problem.kernel, problem.data.inputs());
    let (cross, diag) = at_test(problem, kernel);
    let labels = problem.data.signs();
    let k = kernel.gram(train);
    let (prior, observations) = (Prior::from_covariance(k.clone()), problem.data.observations(&problem.likelihood));
    // Expectation propagation shows the sampler where to go; where it finds nothing the prior has to do.
    let near = Method::default().infer(prior, &observations, None, interrupt).ok();
    let guide = near.as_ref().map(|inferred| inferred.posterior.sites());
    let control = CheckControl { interrupt, guide };
    check_with(&k, labels, &problem.likelihood, &cross, &diag, options, control)
}

/// As [`run`], of one function for each class.
fn run_each(problem: &Problem, options: &CheckOptions, interrupt: Interrupt<'_>) -> PyResult<ClassPosterior> {
    let model = problem.joint_model();
    let observations = &problem.data.class_observations(&model).map_err(value_error)?;
    let kernels: Vec<&Kernel> =
        (0..model.kernel.own_classes().unwrap_or(1)).map(|c| model.kernel.of_class(c)).collect();
    let covariances: Vec<Mat> = kernels.iter().map(|kernel| kernel.gram(problem.data.inputs())).collect();
    let (cross, diag): (Vec<Mat>, Vec<Vec<f64>>) = kernels.iter().map(|kernel| at_test(problem, kernel)).unzip();
    let asked = ClassProblem { covariances: &covariances, observations, cross: &cross, diag: &diag };
    let near = model.infer_with(&problem.data, None, interrupt).ok();
    let guide = near.as_ref().and_then(|fitted| fitted.joint()).map(|joint| asked.guide(joint));
    check_classes(&asked, options, CheckControl { interrupt, guide: guide.as_ref() }).map_err(value_error)
}

/// Covariances of the training rows with the new ones, and the prior variances of these.
fn at_test(problem: &Problem, kernel: &Kernel) -> (Mat, Vec<f64>) {
    match &problem.test {
        Some(test) => (kernel.cross(problem.data.inputs(), test), kernel.diag(test)),
        None => (Mat::zeros(problem.data.rows(), 0), Vec::new()),
    }
}

fn describe<'py>(py: Python<'py>, found: &ExactPosterior, tested: bool) -> PyResult<Bound<'py, PyDict>> {
    let dict = summary(py, found.log_z, found.method, &found.diagnostics)?;
    put(&dict, "mean", found.train.iter().map(|f| f.mean))?;
    put(&dict, "variance", found.train.iter().map(|f| f.var))?;
    if tested {
        put(&dict, "test_probability", found.test.iter().map(|p| p.probability))?;
        put(&dict, "test_mean", found.test.iter().map(|p| p.mean))?;
        put(&dict, "test_variance", found.test.iter().map(|p| p.var))?;
    }
    Ok(dict)
}

fn describe_each<'py>(py: Python<'py>, found: &ClassPosterior, tested: bool) -> PyResult<Bound<'py, PyDict>> {
    let dict = summary(py, found.log_z, found.method, &found.diagnostics)?;
    let latent = |rows: &[ClassEstimate], of: fn(&LatentEstimate) -> Simulated| -> Vec<Vec<Simulated>> {
        rows.iter().map(|row| row.latent.iter().map(of).collect()).collect()
    };
    put_rows(&dict, "mean", &latent(&found.train, |f| f.mean))?;
    put_rows(&dict, "variance", &latent(&found.train, |f| f.var))?;
    // Without weights there is no row without a label.
    put(&dict, "label_error", found.wrong.iter().flatten().copied())?;
    if tested {
        let probability: Vec<Vec<Simulated>> = found.test.iter().map(|row| row.probability.clone()).collect();
        put_rows(&dict, "test_probability", &probability)?;
        put_rows(&dict, "test_mean", &latent(&found.test, |f| f.mean))?;
        put_rows(&dict, "test_variance", &latent(&found.test, |f| f.var))?;
    }
    Ok(dict)
}

/// What does not depend on the number of functions.
fn summary<'py>(
    py: Python<'py>,
    log_z: Simulated,
    method: EvidenceMethod,
    seen: &Diagnostics,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("log_evidence", log_z.value)?;
    dict.set_item("log_evidence_error", log_z.standard_error)?;
    dict.set_item("method", method_name(method))?;
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

/// The same of one list per row.
fn put_rows(dict: &Bound<'_, PyDict>, name: &str, rows: &[Vec<Simulated>]) -> PyResult<()> {
    let array = |of: fn(&Simulated) -> f64| {
        let numbers: Vec<Vec<f64>> = rows.iter().map(|row| row.iter().map(of).collect()).collect();
        from_rows(dict.py(), &numbers)
    };
    dict.set_item(name, array(|e| e.value)?)?;
    dict.set_item(format!("{name}_error"), array(|e| e.standard_error)?)
}

fn method_name(method: EvidenceMethod) -> &'static str {
    match method {
        EvidenceMethod::Orthant => "orthant",
        EvidenceMethod::Annealed => "annealed",
    }
}
