//! Models that Python builds itself.

use crate::convert::{parse, render};
use crate::errors::value_error;
use gpclass::data::{Feature, FeatureKind, InputView};
use gpclass::inference::Method;
use gpclass::kernel::Kernel;
use gpclass::learn::{Candidate, Initial, KernelFamily, LearnError, LikelihoodFamily, covariance};
use gpclass::likelihood::{Likelihood, LikelihoodError};
use gpclass::model::{Model, TrainingData};
use pyo3::prelude::*;
use serde::Deserialize;

/// A likelihood by family, which is learned from its usual start, by family with the start of some parameters, or with
/// all its values.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum LikelihoodChoice {
    Family(LikelihoodFamily),
    Started { family: LikelihoodFamily, start: Vec<(String, f64)> },
    Exact(Likelihood),
}

impl LikelihoodChoice {
    fn family(&self) -> LikelihoodFamily {
        match self {
            LikelihoodChoice::Family(family) | LikelihoodChoice::Started { family, .. } => *family,
            LikelihoodChoice::Exact(likelihood) => likelihood.family(),
        }
    }

    /// The likelihood, its open parameters where `initial` has them.
    fn begun(&self, initial: Initial, model: &Model, data: &TrainingData) -> Result<Likelihood, LearnError> {
        let (family, start): (_, &[_]) = match self {
            LikelihoodChoice::Family(family) => (family, &[]),
            LikelihoodChoice::Started { family, start } => (family, start),
            LikelihoodChoice::Exact(likelihood) => return Ok(likelihood.clone()),
        };
        let mut begun = Model { likelihood: family.likelihood()?, ..model.clone() };
        initial.apply(&mut begun, data);
        Ok(with_values(begun.likelihood, start)?)
    }
}

/// A kernel by family, or with all its values: `open` says for each parameter whether its start is left to the data.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum KernelChoice {
    Family { family: KernelFamily, ard: bool },
    Exact { kernel: Kernel, open: Vec<bool> },
}

impl KernelChoice {
    /// The kernel on these features, and which of its parameters start where the data suggest.
    fn kernel(&self, likelihood: LikelihoodFamily, features: &[Feature]) -> (Kernel, Vec<bool>) {
        match self {
            KernelChoice::Family { family, ard } => {
                let kernel = covariance(*family, *ard, likelihood, features);
                let open = vec![true; kernel.params().len()];
                (kernel, open)
            }
            KernelChoice::Exact { kernel, open } => {
                let mut kernel = kernel.clone();
                kernel.bind(features);
                (kernel, open.clone())
            }
        }
    }
}

/// A model as Python writes it.
#[derive(Clone, Debug, Deserialize)]
pub struct CandidateSpec {
    #[serde(flatten)]
    kernel: KernelChoice,
    likelihood: LikelihoodChoice,
    /// How it sees the rows; by default as they are given to it.
    #[serde(default)]
    inputs: Option<InputView>,
}

impl CandidateSpec {
    /// The model with its open parameters where `initial` has them.
    pub fn candidate(&self, method: &Method, initial: Initial, data: &TrainingData) -> Result<Candidate, LearnError> {
        let (kernel, open) = self.kernel.kernel(self.likelihood.family(), data.inputs().features());
        let mut model = Model { method: method.clone(), ..Model::new(kernel, Likelihood::probit()) };
        let mut begun = model.clone();
        initial.apply(&mut begun, data);
        let open = |i: usize| open.get(i).copied().unwrap_or(false);
        let both = model.kernel.params().into_iter().zip(begun.kernel.params()).enumerate();
        let values: Vec<f64> = both.map(|(i, (own, begun))| if open(i) { begun.value } else { own.value }).collect();
        model.kernel.set_values(&values);
        model.likelihood = self.likelihood.begun(initial, &model, data)?;
        let view = self.inputs.unwrap_or(data.view().kind());
        let name = format!("{}{}, {}", model.kernel.describe(), view.suffix(), model.likelihood.name());
        Ok(Candidate { name, model, departure: Default::default(), view })
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

/// A likelihood by the name of its family or in serialised form, at its neutral values.
pub fn likelihood(json: &str) -> PyResult<Likelihood> {
    match parse::<LikelihoodChoice>("likelihood", json)? {
        LikelihoodChoice::Family(family) => family.likelihood().map_err(value_error),
        LikelihoodChoice::Started { family, start } => {
            family.likelihood().and_then(|likelihood| with_values(likelihood, &start)).map_err(value_error)
        }
        LikelihoodChoice::Exact(likelihood) => Ok(likelihood),
    }
}

/// The likelihood with some parameters at other values, held or free as before.
pub fn with_values(mut likelihood: Likelihood, values: &[(String, f64)]) -> Result<Likelihood, LikelihoodError> {
    let params = likelihood.params();
    for (name, _) in values {
        let held = params.iter().any(|p| p.name == *name && p.fixed);
        // Says which parameters there are if this is none of them.
        likelihood.set_fixed(name, held)?;
    }
    let value = |name: &str, own: f64| values.iter().find(|(n, _)| n == name).map_or(own, |(_, value)| *value);
    let all: Vec<f64> = params.iter().map(|p| value(&p.name, p.value)).collect();
    likelihood.set_values(&all);
    likelihood.checked()
}

/// The serialised form of a kernel.
pub fn kernel_json(kernel: &Kernel) -> PyResult<String> {
    render("kernel", kernel)
}
