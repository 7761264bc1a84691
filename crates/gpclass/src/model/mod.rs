//! A model at given hyperparameters: from inputs and labels to a posterior that predicts.

mod account;
mod error;
mod gradient;
mod predictions;
mod probabilities;
mod training;

pub use account::{InferenceResult, named_gradient};
pub use error::ModelError;
pub use gradient::Gradient;
pub use predictions::Predictions;
pub use probabilities::Probabilities;
pub use training::TrainingData;

use crate::data::{Class, Inputs, Sign};
use crate::inference::{InferenceError, Inferred, Kept, Method, Observations, Sensitivity};
use crate::interrupt::Interrupt;
use crate::kernel::Kernel;
use crate::likelihood::{Gaussian, Likelihood};
use crate::posterior::Sites;
use crate::prior::Prior;
use gpclass_linalg::map_tasks;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use training::check_finite;

/// Test rows predicted at once: bounds the memory of a prediction to this many times the training rows.
const PREDICTION_BLOCK: usize = 512;

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
        self.kernel.check(data.inputs())?;
        Ok(Prior::new(&self.kernel, data.inputs(), interrupt).map_err(InferenceError::from)?)
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
        let by_kernel = self.prior().pull_back(kernel, self.data.inputs(), &found.adjoint);
        Gradient { kernel: by_kernel, likelihood: found.likelihood }.finite(kernel, likelihood)
    }

    /// Predictions for rows encoded as the training rows were, in bounded memory.
    pub fn predict(&self, test: &Inputs) -> Result<Predictions, ModelError> {
        let (given, trained) = (test.features().len(), self.data.inputs().features().len());
        if given != trained || test.values().cols() != self.data.inputs().values().cols() {
            return Err(ModelError::Features { given, trained });
        }
        check_finite(test)?;
        let blocks = test.rows().div_ceil(PREDICTION_BLOCK);
        let predicted = map_tasks(blocks, |block| {
            let rows: Vec<usize> =
                (block * PREDICTION_BLOCK..test.rows().min((block + 1) * PREDICTION_BLOCK)).collect();
            let part = test.select_rows(&rows);
            let cross = self.prior().cross(&self.model.kernel, self.data.inputs(), &part);
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
