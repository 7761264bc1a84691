//! Models that Python builds itself.

use crate::convert::{parse, render};
use crate::errors::value_error;
use gpclass::data::{Feature, FeatureKind};
use gpclass::inference::Method;
use gpclass::kernel::Kernel;
use gpclass::learn::{Candidate, Initial, LearnError, LikelihoodFamily};
use gpclass::likelihood::Likelihood;
use gpclass::model::{Model, TrainingData};
use pyo3::prelude::*;
use serde::Deserialize;

/// A likelihood by family, which is learned from its usual start, or with its values.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum LikelihoodChoice {
    Family(LikelihoodFamily),
    Exact(Likelihood),
}

/// A model as Python writes it: `open` says for each kernel parameter whether its start is left to the data.
#[derive(Clone, Debug, Deserialize)]
pub struct CandidateSpec {
    kernel: Kernel,
    open: Vec<bool>,
    likelihood: LikelihoodChoice,
}

impl CandidateSpec {
    pub fn candidate(&self, method: &Method, data: &TrainingData) -> Result<Candidate, LearnError> {
        let (likelihood, open_likelihood) = match &self.likelihood {
            LikelihoodChoice::Family(family) => (family.likelihood()?, true),
            LikelihoodChoice::Exact(likelihood) => (likelihood.clone(), false),
        };
        let mut model = Model { kernel: self.kernel.clone(), likelihood, method: method.clone() };
        model.kernel.bind(data.inputs().features());
        let mut begun = model.clone();
        Initial::Heuristic.apply(&mut begun, data);
        let open = |i: usize| self.open.get(i).copied().unwrap_or(false);
        let both = model.kernel.params().into_iter().zip(begun.kernel.params()).enumerate();
        let values: Vec<f64> = both.map(|(i, (own, begun))| if open(i) { begun.value } else { own.value }).collect();
        model.kernel.set_values(&values);
        if open_likelihood {
            model.likelihood = begun.likelihood;
        }
        let name = format!("{}, {}", model.kernel.describe(), model.likelihood.name());
        Ok(Candidate { name, model })
    }
}

/// Names of the parameters of a kernel on features of these names, and its formula, as JSON.
#[pyfunction]
pub fn kernel_parameters(kernel: &str, features: Vec<String>) -> PyResult<(Vec<String>, String)> {
    let mut kernel: Kernel = parse("kernel", kernel)?;
    let feature = |(m, name): (usize, String)| Feature { name, kind: FeatureKind::Continuous, columns: m..m + 1 };
    kernel.bind(&features.into_iter().enumerate().map(feature).collect::<Vec<_>>());
    Ok((kernel.params().into_iter().map(|p| p.name).collect(), kernel.describe()))
}

/// A likelihood by the name of its family or in serialised form, at its starting values.
pub fn likelihood(json: &str) -> PyResult<Likelihood> {
    match parse::<LikelihoodChoice>("likelihood", json)? {
        LikelihoodChoice::Family(family) => family.likelihood().map_err(value_error),
        LikelihoodChoice::Exact(likelihood) => Ok(likelihood),
    }
}

/// The serialised form of a kernel.
pub fn kernel_json(kernel: &Kernel) -> PyResult<String> {
    render("kernel", kernel)
}
