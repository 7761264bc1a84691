//! A model at given hyperparameters: from inputs and labels to a posterior that predicts.

mod account;
mod predictions;
mod probabilities;

pub use account::{InferenceResult, named_gradient};
pub use predictions::Predictions;
pub use probabilities::Probabilities;

use crate::data::{Class, Inputs, Sign, Targets};
use crate::inference::{InferenceError, Inferred, Kept, Method, Observations, Sensitivity};
use crate::interrupt::Interrupt;
use crate::kernel::{Kernel, KernelError};
use crate::likelihood::{Gaussian, Likelihood};
use crate::posterior::Sites;
use crate::prior::Prior;
use gpclass_linalg::map_tasks;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Test rows predicted at once: bounds the memory of a prediction to this many times the training rows.
const PREDICTION_BLOCK: usize = 512;

/// Matrices of all pairs of training rows that one inference with its gradient holds at its peak, measured.
const MATRICES_AT_PEAK: u64 = 5;

/// About how many bytes one inference with its gradient takes for `rows` training rows, for those who want to know before.
pub fn memory_estimate(rows: usize) -> u64 {
    let rows = rows as u64;
    rows.saturating_mul(rows).saturating_mul(MATRICES_AT_PEAK * size_of::<f64>() as u64)
}

/// Covariance, likelihood and inference method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Covariance of the latent values.
    pub kernel: Kernel,
    /// What ties a label to its latent value.
    pub likelihood: Likelihood,
    /// How the posterior is found.
    pub method: Method,
}

/// Encoded rows with their labels and weights, checked once.
#[derive(Clone, Debug)]
pub struct TrainingData {
    inputs: Inputs,
    /// Of two classes: checked when the data are made, for all inference here is binary.
    targets: Targets,
    weights: Option<Vec<f64>>,
}

/// Why a model could not be applied to data. Fields count rows from 0, sentences from 1, as those about tables do.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ModelError {
    /// The inputs have no rows.
    #[error("there are no training rows; give at least one")]
    NoRows,
    /// There is not one label per row.
    #[error("there are {rows} rows of inputs but {labels} labels; give one label per row")]
    Labels {
        /// Rows of the inputs.
        rows: usize,
        /// Labels given.
        labels: usize,
    },
    /// The labels are of another number of classes than two.
    #[error("there are {classes} classes, but inference is for two; join them into two groups")]
    Classes {
        /// How many classes there are.
        classes: usize,
    },
    /// There is not one weight per row.
    #[error("there are {rows} rows of inputs but {weights} weights; give one weight per row")]
    Weights {
        /// Rows of the inputs.
        rows: usize,
        /// Weights given.
        weights: usize,
    },
    /// A weight is negative, infinite or not a number.
    #[error("the weight of data row {} is {weight}; weights must be finite and not negative", .row + 1)]
    Weight {
        /// The first such row, from 0.
        row: usize,
        /// Its weight.
        weight: f64,
    },
    /// An encoded input is infinite or not a number.
    #[error("the input '{feature}' of data row {} is {value}; inputs must be finite", .row + 1)]
    Input {
        /// The first such row of the feature, from 0.
        row: usize,
        /// Name of the feature.
        feature: String,
        /// The input.
        value: f64,
    },
    /// The rows to predict have other features, or encoded columns, than the training rows.
    #[error("the test rows have {given} features but the model was trained on {trained}; give the same features")]
    Features {
        /// Features of the rows to predict.
        given: usize,
        /// Features of the training rows.
        trained: usize,
    },
    /// A latent mean or variance came out infinite or as not a number.
    #[error(
        "the prediction for data row {} is not a number: its inputs are too large for floating-point numbers beside those of \
         the training rows; rescale or check them",
        .row + 1
    )]
    Prediction {
        /// The first such row, from 0.
        row: usize,
    },
    /// The derivative of an objective in a hyperparameter is infinite or not a number.
    #[error(
        "the derivative in '{name}' at its value {value:e} is {derivative}: the value or the inputs are too extreme for \
         floating-point numbers; take a less extreme value or rescale the inputs"
    )]
    Gradient {
        /// Name of the hyperparameter.
        name: String,
        /// Its natural value.
        value: f64,
        /// The derivative.
        derivative: f64,
    },
    /// The kernel does not suit the inputs, or has a value outside its domain.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// There is no posterior at these hyperparameters.
    #[error(transparent)]
    Inference(#[from] InferenceError),
}

impl TrainingData {
    /// Rows that all weigh one. Refused unless there are rows, one label of two classes for each, and only finite
    /// inputs.
    pub fn new(inputs: Inputs, labels: impl Into<Targets>) -> Result<Self, ModelError> {
        Self::weighted(inputs, labels, None)
    }

    /// Rows whose likelihood terms are raised to the given powers (see [`Observations`]).
    pub fn weighted(inputs: Inputs, labels: impl Into<Targets>, weights: Option<Vec<f64>>) -> Result<Self, ModelError> {
        let (rows, targets) = (inputs.rows(), labels.into());
        if rows == 0 {
            return Err(ModelError::NoRows);
        }
        if targets.classes().len() != rows {
            return Err(ModelError::Labels { rows, labels: targets.classes().len() });
        }
        if targets.signs().is_none() {
            return Err(ModelError::Classes { classes: targets.count() });
        }
        if let Some(weights) = &weights {
            if weights.len() != rows {
                return Err(ModelError::Weights { rows, weights: weights.len() });
            }
            if let Some(row) = weights.iter().position(|w| !(w.is_finite() && *w >= 0.0)) {
                return Err(ModelError::Weight { row, weight: weights[row] });
            }
        }
        check_finite(&inputs)?;
        Ok(TrainingData { inputs, targets, weights })
    }

    /// The encoded rows.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The class of every row, and how many classes there are.
    pub fn targets(&self) -> &Targets {
        &self.targets
    }

    /// The class of every row.
    pub fn labels(&self) -> &[Class] {
        self.targets.classes()
    }

    /// The labels as a binary likelihood sees them.
    pub fn signs(&self) -> &[Sign] {
        self.targets.signs().unwrap_or_default()
    }

    /// One weight per row; `None` where none were given and all weigh one.
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The number of rows, at least one.
    pub fn rows(&self) -> usize {
        self.inputs.rows()
    }

    /// The same rows with the given features only.
    pub fn with_features(&self, which: &[usize]) -> TrainingData {
        TrainingData { inputs: self.inputs.select_features(which), ..self.clone() }
    }

    /// The labels as `likelihood` sees them.
    pub fn observations<'a>(&'a self, likelihood: &'a Likelihood) -> Observations<'a> {
        Observations { labels: self.signs(), likelihood, weights: self.weights() }
    }
}

fn check_finite(inputs: &Inputs) -> Result<(), ModelError> {
    for feature in inputs.features() {
        for column in feature.columns.clone() {
            let values = inputs.values().col(column);
            if let Some(row) = values.iter().position(|v| !v.is_finite()) {
                return Err(ModelError::Input { row, feature: feature.name.clone(), value: values[row] });
            }
        }
    }
    Ok(())
}

impl Model {
    /// A model with EP inference at its default options.
    pub fn new(kernel: Kernel, likelihood: Likelihood) -> Self {
        Model { kernel, likelihood, method: Method::default() }
    }

    /// The posterior at these hyperparameters. `start` warms the search up with the sites of a similar model.
    pub fn infer(&self, data: &Arc<TrainingData>, start: Option<&Sites>) -> Result<FittedModel, ModelError> {
        self.infer_with(data, start, Interrupt::default())
    }

    /// As [`infer`](Self::infer), ended with [`InferenceError::Interrupted`] soon after the interrupt's flag is set.
    pub fn infer_with(
        &self,
        data: &Arc<TrainingData>,
        start: Option<&Sites>,
        interrupt: Interrupt<'_>,
    ) -> Result<FittedModel, ModelError> {
        let prior = self.prior(data, interrupt)?;
        let inferred = self.method.infer(prior, &data.observations(&self.likelihood), start, interrupt)?;
        Ok(FittedModel { model: self.clone(), data: Arc::clone(data), inferred })
    }

    /// The posterior that given sites have under this model's covariance: nothing is iterated, and the log evidence is
    /// the method's formula evaluated there. This is where the M-step of EP-CV looks (EPCV section 4). The sites of
    /// least squares follow from the labels alone, so for it this is [`infer`](Self::infer).
    pub fn at_sites(&self, data: &Arc<TrainingData>, sites: &Sites) -> Result<FittedModel, ModelError> {
        let prior = self.prior(data, Interrupt::default())?;
        let inferred = self.method.at_sites(prior, &data.observations(&self.likelihood), sites)?;
        Ok(FittedModel { model: self.clone(), data: Arc::clone(data), inferred })
    }
}

impl Model {
    /// The fitted model of a posterior that was kept, exactly as it was.
    pub fn restore(&self, data: &Arc<TrainingData>, kept: Kept) -> Result<FittedModel, ModelError> {
        let prior = self.prior(data, Interrupt::default())?;
        let inferred = Inferred::restore(prior, &data.observations(&self.likelihood), kept)?;
        Ok(FittedModel { model: self.clone(), data: Arc::clone(data), inferred })
    }

    fn prior(&self, data: &TrainingData, interrupt: Interrupt<'_>) -> Result<Prior, ModelError> {
        self.kernel.check(&data.inputs)?;
        Ok(Prior::new(&self.kernel, &data.inputs, interrupt).map_err(InferenceError::from)?)
    }
}

/// A model with its posterior.
///
/// ```
/// use gpclass::data::{Class, Inputs, Sign};
/// use gpclass::kernel::{Kernel, Scales};
/// use gpclass::likelihood::Likelihood;
/// use gpclass::linalg::Mat;
/// use gpclass::model::{Model, TrainingData};
/// use std::sync::Arc;
///
/// let inputs = Inputs::continuous(Mat::from_fn(6, 1, |i, _| i as f64));
/// let labels: Vec<Sign> = (0..6).map(|i| if i < 3 { Sign::Negative } else { Sign::Positive }).collect();
/// let data = Arc::new(TrainingData::new(inputs, labels)?);
/// let model = Model::new(Kernel::squared_exponential(4.0, Scales::Single(0.5)), Likelihood::probit());
/// let fitted = model.infer(&data, None)?;
/// assert!(fitted.inferred().report.outcome.converged());
///
/// let predicted = fitted.predict(&Inputs::continuous(Mat::from_fn(2, 1, |i, _| [0.5, 4.5][i])))?;
/// assert_eq!((predicted.class(0), predicted.class(1)), (Class::NEGATIVE, Class::POSITIVE));
/// # Ok::<(), gpclass::model::ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FittedModel {
    model: Model,
    data: Arc<TrainingData>,
    inferred: Inferred,
}

/// Derivatives of an objective in every hyperparameter, free or fixed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gradient {
    /// In the logarithm of each covariance parameter, in the order of [`Kernel::params`].
    pub kernel: Vec<f64>,
    /// In each likelihood parameter itself, in the order of [`Likelihood::params`].
    pub likelihood: Vec<f64>,
}

impl Gradient {
    /// Itself, if every number is one.
    ///
    /// A likelihood parameter on its boundary can have an infinite derivative; its transform has slope zero there, so that it
    /// cannot move, and zero is what keeps the product a number.
    pub(crate) fn finite(mut self, kernel: &Kernel, likelihood: &Likelihood) -> Result<Self, ModelError> {
        let (by_kernel, by_likelihood) = (kernel.params(), likelihood.params());
        for (param, derivative) in by_likelihood.iter().zip(&mut self.likelihood) {
            if !derivative.is_finite() && param.transform().slope(param.value) == 0.0 {
                *derivative = 0.0;
            }
        }
        let all = by_kernel.iter().chain(&by_likelihood).zip(self.kernel.iter().chain(&self.likelihood));
        match all.into_iter().find(|(_, derivative)| !derivative.is_finite()) {
            Some((param, &derivative)) => {
                Err(ModelError::Gradient { name: param.name.clone(), value: param.value, derivative })
            }
            None => Ok(self),
        }
    }
}

impl FittedModel {
    /// The model as it was given to inference.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The rows it was trained on.
    pub fn data(&self) -> &Arc<TrainingData> {
        &self.data
    }

    /// The prior of the training rows' latent values, with the jitter that inference needed.
    pub fn prior(&self) -> Prior {
        self.inferred.posterior.prior()
    }

    /// The posterior with its evidence, its cavities and the account of the search.
    pub fn inferred(&self) -> &Inferred {
        &self.inferred
    }

    /// The training labels as the model's likelihood sees them.
    pub fn observations(&self) -> Observations<'_> {
        self.data.observations(&self.model.likelihood)
    }

    /// The method's estimate of log p(y | X), in nats: the larger, the better the model explains the labels.
    pub fn log_evidence(&self) -> f64 {
        self.inferred.log_z
    }

    /// The gradient of the log evidence.
    pub fn evidence_gradient(&self) -> Result<Gradient, ModelError> {
        self.pull_back(self.model.method.evidence_sensitivity(&self.observations(), &self.inferred)?)
    }

    /// Derivatives in the hyperparameters from those in the prior.
    pub(crate) fn pull_back(&self, found: Sensitivity) -> Result<Gradient, ModelError> {
        let Model { kernel, likelihood, .. } = &self.model;
        let by_kernel = self.prior().pull_back(kernel, &self.data.inputs, &found.adjoint);
        Gradient { kernel: by_kernel, likelihood: found.likelihood }.finite(kernel, likelihood)
    }

    /// Predictions for rows encoded as the training rows were, in bounded memory.
    pub fn predict(&self, test: &Inputs) -> Result<Predictions, ModelError> {
        let (given, trained) = (test.features().len(), self.data.inputs.features().len());
        if given != trained || test.values().cols() != self.data.inputs.values().cols() {
            return Err(ModelError::Features { given, trained });
        }
        check_finite(test)?;
        let blocks = test.rows().div_ceil(PREDICTION_BLOCK);
        let predicted = map_tasks(blocks, |block| {
            let rows: Vec<usize> =
                (block * PREDICTION_BLOCK..test.rows().min((block + 1) * PREDICTION_BLOCK)).collect();
            let part = test.select_rows(&rows);
            let cross = self.prior().cross(&self.model.kernel, &self.data.inputs, &part);
            self.inferred.posterior.predict(cross, &self.model.kernel.diag(&part))
        });
        let latents: Vec<Gaussian> = predicted.concat();
        match latents.iter().position(|latent| !(latent.mean.is_finite() && latent.var.is_finite())) {
            Some(row) => Err(ModelError::Prediction { row }),
            None => Ok(self.predictions(&latents)),
        }
    }

    fn predictions(&self, latent: &[Gaussian]) -> Predictions {
        Predictions::binary(latent, |latent| self.model.likelihood.class_probabilities(self.observed(latent)))
    }

    /// The probability of a class where the latent value has this distribution.
    pub(crate) fn probability(&self, class: Class, latent: Gaussian) -> f64 {
        let positive = self.model.likelihood.predict(self.observed(latent));
        if class == Class::POSITIVE { positive } else { 1.0 - positive }
    }

    /// The derivative of that probability in the mean of the latent value: by Stein's lemma the coefficient of f in the
    /// best linear approximation of p(class | f).
    pub(crate) fn probability_slope(&self, class: Class, latent: Gaussian) -> f64 {
        let observed = self.observed(latent);
        let moments = self.model.likelihood.moments(Sign::Positive, observed, 1.0);
        let slope = moments.d1 * self.model.likelihood.predict(observed);
        if class == Class::POSITIVE { slope } else { -slope }
    }

    /// The latent distribution as widened by the method's own observation noise.
    pub(crate) fn observed(&self, latent: Gaussian) -> Gaussian {
        self.inferred.observed(latent)
    }

    /// Every training row as predicted without its own label, from the cavities (EPCV 13).
    pub fn leave_one_out(&self) -> Predictions {
        self.predictions(&self.inferred.cavities)
    }

    /// For every training row the log-probability of its label as predicted without it.
    pub fn leave_one_out_log_probability(&self) -> Vec<f64> {
        self.leave_one_out().log_probability_of(self.data.labels())
    }

    /// For every training row the posterior probability that its label is wrong (math 8): zero for a likelihood
    /// without label error.
    pub fn label_error(&self) -> Vec<f64> {
        let rows = self.inferred.cavities.iter().zip(self.data.signs());
        rows.map(|(&cavity, &label)| self.model.likelihood.flip_probability(label, self.observed(cavity))).collect()
    }
}
