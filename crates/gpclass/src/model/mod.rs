//! A model at given hyperparameters: from inputs and labels to a posterior that predicts.

mod account;
mod class_account;
mod digest;
mod distances;
mod elsewhere;
mod error;
mod evidence;
mod exchanging;
mod expansion;
mod fitted;
mod found;
mod functions;
mod gradient;
mod left_out;
mod mixture;
mod multiclass;
mod predict;
mod predictions;
mod probabilities;
mod sparse;
mod training;
mod wrong_labels;

pub use account::{InferenceResult, named_gradient};
pub use class_account::ClassInferenceResult;
pub(crate) use distances::evenly;
pub use elsewhere::Shards;
pub use error::ModelError;
pub use exchanging::{ExchangedPredictions, Exchanging};
pub use expansion::Expansion;
pub use fitted::FittedModel;
pub use found::{KeptForm, Start};
pub use gradient::Gradient;
pub use mixture::Mixture;
pub(crate) use mixture::{sharpen, sharpened};
pub use multiclass::Multiclass;
pub use predictions::Predictions;
pub use probabilities::Probabilities;
pub use training::TrainingData;
pub(crate) use training::check_rows;

use crate::inference::{InferenceError, KeptSparse, Method};
pub use crate::inference::{Refinement, ShardAnswer};
use crate::interrupt::Interrupt;
use crate::kernel::{Kernel, KernelError};
use crate::likelihood::{Likelihood, Link};
use crate::posterior::Sites;
use crate::prior::{Prior, Storage};
use found::{By, Form, Found};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, OnceLock};

/// Covariance, likelihood and inference method.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// Covariance of the latent values.
    pub kernel: Kernel,
    /// What ties a label to its latent value.
    pub likelihood: Likelihood,
    /// How the posterior is found.
    pub method: Method,
    /// How several classes are modelled.
    #[serde(default, skip_serializing_if = "Multiclass::is_auto")]
    pub multiclass: Multiclass,
}

impl Model {
    /// A model with EP inference at its default options.
    pub fn new(kernel: Kernel, likelihood: Likelihood) -> Self {
        Model { kernel, likelihood, method: Method::default(), multiclass: Multiclass::Auto }
    }

    /// The posterior at these hyperparameters. `start` warms the search up with that of a similar model.
    pub fn infer(&self, data: &Arc<TrainingData>, start: Option<&Start>) -> Result<FittedModel, ModelError> {
        self.infer_with(data, start, Interrupt::default())
    }

    /// As [`infer`](Self::infer), ended with [`InferenceError::Interrupted`] soon after the interrupt's flag is set.
    pub fn infer_with(
        &self,
        data: &Arc<TrainingData>,
        start: Option<&Start>,
        interrupt: Interrupt<'_>,
    ) -> Result<FittedModel, ModelError> {
        Ok(self.fitted(data, Found::search(self, data, By::AllPairs, start, interrupt)?))
    }

    /// The posterior that given sites have under this model's covariance, for two classes: nothing is iterated, and the log
    /// evidence is the method's formula evaluated there. This is where the M-step of EP-CV looks (EPCV section 4). The sites
    /// of least squares follow from the labels alone, so for it this is [`infer`](Self::infer).
    pub fn at_sites(&self, data: &Arc<TrainingData>, sites: &Sites) -> Result<FittedModel, ModelError> {
        if self.form(data)? != Form::Binary {
            return Err(ModelError::Classes { classes: data.targets().count() });
        }
        let prior = self.prior_of_class(data, 0, By::AllPairs, Interrupt::default())?;
        let inferred = self.method.at_sites(prior, &data.observations(&self.likelihood), sites)?;
        Ok(self.fitted(data, Found::Binary(inferred)))
    }
}

impl Model {
    /// The fitted model of a posterior that was kept, exactly as it was.
    pub fn restore(&self, data: &Arc<TrainingData>, kept: KeptForm) -> Result<FittedModel, ModelError> {
        let refinement = kept.sparse().and_then(|sparse| sparse.refinement);
        let left_out = kept.left_out().map(Into::into);
        Ok(FittedModel { refinement, left_out, ..self.fitted(data, Found::restore(self, data, kept)?) })
    }

    fn fitted(&self, data: &Arc<TrainingData>, found: Found) -> FittedModel {
        let (model, data) = (self.clone(), Arc::clone(data));
        FittedModel { model, data, found, refinement: None, left_out: None, near: OnceLock::new() }
    }

    /// How many functions there are for these labels; refused where the kernel is for other classes.
    fn form(&self, data: &TrainingData) -> Result<Form, ModelError> {
        let classes = data.targets().count();
        let form = match self.multiclass {
            Multiclass::Joint => Form::Joint,
            _ if classes == 2 => Form::Binary,
            Multiclass::Auto => Form::Joint,
            Multiclass::OneVsRest | Multiclass::ExactlyOne => Form::OneVsRest,
        };
        match self.kernel.own_classes() {
            Some(kernels) if form == Form::Binary || kernels != classes => {
                Err(KernelError::ClassCount { kernels, classes }.into())
            }
            _ => Ok(form),
        }
    }

    /// What ties several classes to their functions.
    fn link(&self, classes: usize) -> Result<Link, ModelError> {
        let link = self.likelihood.link(classes).ok_or(ModelError::NotJoint { likelihood: self.likelihood.name() })?;
        Ok(match (link, &self.method) {
            (Link::Softmax { .. }, Method::Laplace(options)) => Link::Softmax { averaged: options.averaged },
            (link, _) => link,
        })
    }

    /// The prior of a class's function, by inducing rows if there are any.
    fn prior_of_class(
        &self,
        data: &TrainingData,
        class: usize,
        by: By<'_>,
        interrupt: Interrupt<'_>,
    ) -> Result<Prior, ModelError> {
        self.kernel.check(data.inputs())?;
        let (kernel, inputs) = (self.kernel.of_class(class), data.inputs());
        let prior = match by {
            By::AllPairs => Prior::new(kernel, inputs, interrupt),
            By::Inducing(inducing) => Prior::sparse(kernel, inputs, inducing, Storage::Auto, interrupt),
            By::Kept(KeptSparse { inducing, residual: Some(residual), .. }) => {
                Prior::sparse_with_residual(kernel, inputs, inducing, residual.clone(), Storage::Ready, interrupt)
            }
            By::Kept(KeptSparse { inducing, residual: None, .. }) => {
                Prior::sparse(kernel, inputs, inducing, Storage::Ready, interrupt)
            }
        };
        Ok(prior.map_err(InferenceError::from)?)
    }
}
