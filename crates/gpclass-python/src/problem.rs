//! A model at given hyperparameters with its data, as `infer` and `sample` are given them.

use crate::candidates::{likelihood, with_values};
use crate::convert::{class_labels, matrix, parse, vector};
use crate::errors::value_error;
use gpclass::data::{ClassNames, Inputs};
use gpclass::inference::{LaplaceOptions, Method};
use gpclass::kernel::Kernel;
use gpclass::likelihood::Likelihood;
use gpclass::model::{Model, Multiclass, TrainingData};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use std::sync::Arc;

/// Training rows, new rows and the model's parts, read from a dict of these names; the parts are in serialised form.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct ProblemSpec<'py> {
    inputs: PyReadonlyArray2<'py, f64>,
    labels: PyReadonlyArray1<'py, u16>,
    classes: Vec<String>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
    kernel: String,
    likelihood: String,
    likelihood_values: Vec<(String, f64)>,
    test: Option<PyReadonlyArray2<'py, f64>>,
}

/// The same in the library's types.
pub struct Problem {
    pub data: Arc<TrainingData>,
    pub classes: ClassNames,
    pub test: Option<Inputs>,
    pub kernel: Kernel,
    pub likelihood: Likelihood,
}

impl Problem {
    pub fn new(spec: ProblemSpec<'_>) -> PyResult<Problem> {
        let inputs = Inputs::continuous(matrix(&spec.inputs));
        let mut kernel: Kernel = parse("kernel", &spec.kernel)?;
        kernel.bind(inputs.features());
        let likelihood = with_values(likelihood(&spec.likelihood)?, &spec.likelihood_values).map_err(value_error)?;
        let labels = class_labels(&spec.labels, &spec.classes)?;
        let data = TrainingData::weighted(inputs, &labels, vector(spec.weights)).map_err(value_error)?;
        let test = spec.test.map(|test| Inputs::continuous(matrix(&test)));
        Ok(Problem { data: Arc::new(data), classes: labels.classes().clone(), test, kernel, likelihood })
    }

    /// The model of one function for each class, with the method that knows its likelihood.
    pub fn joint_model(&self) -> Model {
        let method = match self.likelihood {
            Likelihood::Logistic => Method::Laplace(LaplaceOptions::default()),
            Likelihood::Probit(_) => Method::default(),
        };
        let multiclass = Multiclass::Joint;
        Model { method, multiclass, ..Model::new(self.kernel.clone(), self.likelihood.clone()) }
    }
}
