//! A model at given hyperparameters: from inputs and labels to a posterior that predicts.

mod account;
mod class_account;
mod error;
mod found;
mod functions;
mod gradient;
mod multiclass;
mod predictions;
mod probabilities;
mod training;

pub use account::{InferenceResult, named_gradient};
pub use class_account::ClassInferenceResult;
pub use error::ModelError;
pub use found::{KeptForm, Start};
pub use gradient::Gradient;
pub use multiclass::Multiclass;
pub use predictions::Predictions;
pub use probabilities::Probabilities;
pub use training::TrainingData;

use crate::data::{Class, Inputs, Sign};
use crate::inference::joint::{JointInferred, RowGaussian};
use crate::inference::{InferenceError, Inferred, Method, Observations, Report, Sensitivity};
use crate::interrupt::Interrupt;
use crate::kernel::{Kernel, KernelError};
use crate::likelihood::{Gaussian, Likelihood, Link};
use crate::posterior::Sites;
use crate::prior::{Adjoint, Prior};
use found::{Form, Found};
use gpclass_linalg::{Mat, map_tasks};
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
        Ok(self.fitted(data, Found::search(self, data, start, interrupt)?))
    }

    /// The posterior that given sites have under this model's covariance, for two classes: nothing is iterated, and the log
    /// evidence is the method's formula evaluated there. This is where the M-step of EP-CV looks (EPCV section 4). The sites
    /// of least squares follow from the labels alone, so for it this is [`infer`](Self::infer).
    pub fn at_sites(&self, data: &Arc<TrainingData>, sites: &Sites) -> Result<FittedModel, ModelError> {
        if self.form(data)? != Form::Binary {
            return Err(ModelError::Classes { classes: data.targets().count() });
        }
        let prior = self.prior_of_class(data, 0, Interrupt::default())?;
        let inferred = self.method.at_sites(prior, &data.observations(&self.likelihood), sites)?;
        Ok(self.fitted(data, Found::Binary(inferred)))
    }
}

impl Model {
    /// The fitted model of a posterior that was kept, exactly as it was.
    pub fn restore(&self, data: &Arc<TrainingData>, kept: KeptForm) -> Result<FittedModel, ModelError> {
        Ok(self.fitted(data, Found::restore(self, data, kept)?))
    }

    fn fitted(&self, data: &Arc<TrainingData>, found: Found) -> FittedModel {
        FittedModel { model: self.clone(), data: Arc::clone(data), found }
    }

    /// How many functions there are for these labels; refused where the kernel is for other classes.
    fn form(&self, data: &TrainingData) -> Result<Form, ModelError> {
        let classes = data.targets().count();
        let form = match self.multiclass {
            Multiclass::Joint => Form::Joint,
            _ if classes == 2 => Form::Binary,
            Multiclass::Auto => Form::Joint,
            Multiclass::OneVsRest => Form::OneVsRest,
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

    fn prior_of_class(&self, data: &TrainingData, class: usize, interrupt: Interrupt<'_>) -> Result<Prior, ModelError> {
        self.kernel.check(data.inputs())?;
        Ok(Prior::new(self.kernel.of_class(class), data.inputs(), interrupt).map_err(InferenceError::from)?)
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
/// assert!(fitted.report().outcome.converged());
///
/// let predicted = fitted.predict(&Inputs::continuous(Mat::from_fn(2, 1, |i, _| [0.5, 4.5][i])))?;
/// assert_eq!((predicted.class(0), predicted.class(1)), (Class::NEGATIVE, Class::POSITIVE));
/// # Ok::<(), gpclass::model::ModelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FittedModel {
    model: Model,
    data: Arc<TrainingData>,
    found: Found,
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

    /// The prior of a class's function at the training rows, with the jitter that inference needed; of two classes there is
    /// one function.
    pub fn prior(&self, class: usize) -> Prior {
        self.found.prior(class)
    }

    /// How the search for the posterior went; of classes against the rest the worst of theirs.
    pub fn report(&self) -> &Report {
        self.found.report()
    }

    /// What inference of a similar model can start from.
    pub fn start(&self) -> Start {
        self.found.start()
    }

    /// The part of the posterior that cannot be recomputed without a search.
    pub fn keep(&self) -> KeptForm {
        self.found.keep()
    }

    /// The posterior of the one function of two classes, with its evidence and its cavities.
    pub fn binary(&self) -> Option<&Inferred> {
        if let Found::Binary(inferred) = &self.found { Some(inferred) } else { None }
    }

    /// The same, or why there is none.
    pub(crate) fn two_classes(&self) -> Result<&Inferred, ModelError> {
        self.binary().ok_or(ModelError::Classes { classes: self.data.targets().count() })
    }

    /// The posterior of all classes' functions together.
    pub fn joint(&self) -> Option<&JointInferred> {
        if let Found::Joint(joint, _) = &self.found { Some(joint) } else { None }
    }

    /// The posteriors of every class against the rest.
    pub fn one_vs_rest(&self) -> Option<&[Inferred]> {
        if let Found::OneVsRest(each, _) = &self.found { Some(each) } else { None }
    }

    /// The training labels as the model's likelihood sees them, where there are two classes.
    pub fn observations(&self) -> Observations<'_> {
        self.data.observations(&self.model.likelihood)
    }

    /// The method's estimate of log p(y | X), in nats: the larger, the better the model explains the labels.
    pub fn log_evidence(&self) -> f64 {
        self.found.log_evidence()
    }

    /// The gradient of the log evidence.
    pub fn evidence_gradient(&self) -> Result<Gradient, ModelError> {
        let method = &self.model.method;
        match &self.found {
            Found::Binary(inferred) => self.pull_back(method.evidence_sensitivity(&self.observations(), inferred)?),
            Found::Joint(joint, link) => {
                let classes = self.data.targets().count();
                let found = joint.evidence_sensitivity(&self.data.under(*link));
                // eps is the share of all wrong labels together.
                let by_eps = found.label_error / (classes - 1) as f64;
                let likelihood = vec![by_eps; self.model.likelihood.params().len()];
                self.pull_back_classes(&found.adjoints, likelihood)
            }
            Found::OneVsRest(each, _) => {
                let one = |c: usize| {
                    method.evidence_sensitivity(&self.data.against_rest(c, &self.model.likelihood), &each[c])
                };
                self.pull_back_each(map_tasks(each.len(), one).into_iter().collect::<Result<_, _>>()?)
            }
        }
    }

    /// Derivatives in the hyperparameters from those in the prior.
    pub(crate) fn pull_back(&self, found: Sensitivity) -> Result<Gradient, ModelError> {
        self.pull_back_classes(&[found.adjoint], found.likelihood)
    }

    /// The same for every class against the rest.
    pub(crate) fn pull_back_each(&self, found: Vec<Sensitivity>) -> Result<Gradient, ModelError> {
        let mut likelihood = vec![0.0; self.model.likelihood.params().len()];
        let mut adjoints: Vec<Adjoint> = Vec::new();
        for one in found {
            likelihood.iter_mut().zip(&one.likelihood).for_each(|(sum, part)| *sum += part);
            match adjoints.last_mut() {
                Some(sum) if self.model.kernel.own_classes().is_none() => sum.add(&one.adjoint),
                _ => adjoints.push(one.adjoint),
            }
        }
        self.pull_back_classes(&adjoints, likelihood)
    }

    /// The same from adjoints of all functions' covariance, or of each one's.
    fn pull_back_classes(&self, adjoints: &[Adjoint], likelihood: Vec<f64>) -> Result<Gradient, ModelError> {
        let kernel = &self.model.kernel;
        let of_class =
            |(c, adjoint): (usize, &Adjoint)| self.prior(c).pull_back(kernel.of_class(c), self.data.inputs(), adjoint);
        let by_kernel = adjoints.iter().enumerate().flat_map(of_class).collect();
        Gradient { kernel: by_kernel, likelihood }.finite(kernel, &self.model.likelihood)
    }

    /// Predictions for rows encoded as the training rows were, in bounded memory.
    pub fn predict(&self, test: &Inputs) -> Result<Predictions, ModelError> {
        let (given, trained) = (test.features().len(), self.data.inputs().features().len());
        if given != trained || test.values().cols() != self.data.inputs().values().cols() {
            return Err(ModelError::Features { given, trained });
        }
        check_finite(test)?;
        match &self.found {
            Found::Binary(inferred) => {
                let latents = self.latents(inferred, 0, test)?;
                Ok(self.predictions(inferred, &latents))
            }
            Found::Joint(joint, link) => Ok(self.class_predictions(*link, &self.row_gaussians(joint, test)?)),
            Found::OneVsRest(each, _) => {
                let latents: Vec<Vec<Gaussian>> = each
                    .iter()
                    .enumerate()
                    .map(|(c, inferred)| self.latents(inferred, c, test))
                    .collect::<Result<_, _>>()?;
                Ok(self.rest_predictions(each, |c, row| latents[c][row], test.rows()))
            }
        }
    }

    /// The rows of a prediction, some at a time.
    fn blocks<R: Send>(test: &Inputs, of_block: impl Fn(&Inputs) -> Vec<R> + Sync) -> Vec<R> {
        let blocks = test.rows().div_ceil(PREDICTION_BLOCK);
        let predicted = map_tasks(blocks, |block| {
            let rows: Vec<usize> =
                (block * PREDICTION_BLOCK..test.rows().min((block + 1) * PREDICTION_BLOCK)).collect();
            of_block(&test.select_rows(&rows))
        });
        predicted.into_iter().flatten().collect()
    }

    /// A function's values at test rows.
    fn latents(&self, inferred: &Inferred, class: usize, test: &Inputs) -> Result<Vec<Gaussian>, ModelError> {
        let kernel = self.model.kernel.of_class(class);
        let latents = Self::blocks(test, |part| {
            let cross = inferred.posterior.prior().cross(kernel, self.data.inputs(), part);
            inferred.posterior.predict(cross, &kernel.diag(part))
        });
        match latents.iter().position(|latent| !(latent.mean.is_finite() && latent.var.is_finite())) {
            Some(row) => Err(ModelError::Prediction { row }),
            None => Ok(latents),
        }
    }

    /// All functions' values at test rows.
    fn row_gaussians(&self, joint: &JointInferred, test: &Inputs) -> Result<Vec<RowGaussian>, ModelError> {
        let (kernel, classes) = (&self.model.kernel, self.data.targets().count());
        let different = kernel.own_classes().unwrap_or(1);
        let rows = Self::blocks(test, |part| {
            let of = |c: usize| kernel.of_class(c);
            let cross: Vec<Mat> =
                (0..different).map(|c| self.prior(c).cross(of(c), self.data.inputs(), part)).collect();
            let diags: Vec<Vec<f64>> = (0..different).map(|c| of(c).diag(part)).collect();
            let prior_var = Mat::from_fn(part.rows(), classes, |t, c| diags[c.min(different - 1)][t]);
            let (mean, covs) = joint.factor.predict(&joint.alpha, &cross, &prior_var);
            let row = |(t, cov): (usize, Mat)| RowGaussian { mean: (0..classes).map(|c| mean[(t, c)]).collect(), cov };
            covs.into_iter().enumerate().map(row).collect()
        });
        let finite = |row: &RowGaussian| row.mean.iter().chain(row.cov.as_slice()).all(|v| v.is_finite());
        match rows.iter().position(|row| !finite(row)) {
            Some(row) => Err(ModelError::Prediction { row }),
            None => Ok(rows),
        }
    }

    fn predictions(&self, inferred: &Inferred, latent: &[Gaussian]) -> Predictions {
        let likelihood = &self.model.likelihood;
        Predictions::binary(latent, |latent| likelihood.class_probabilities(inferred.observed(latent)))
    }

    fn class_predictions(&self, link: Link, rows: &[RowGaussian]) -> Predictions {
        let logs = map_tasks(rows.len(), |i| link.log_probabilities(&rows[i].mean, &rows[i].cov));
        Predictions::joint(rows, logs, self.data.targets().count())
    }

    fn rest_predictions(
        &self,
        each: &[Inferred],
        latent: impl Fn(usize, usize) -> Gaussian + Sync,
        rows: usize,
    ) -> Predictions {
        let likelihood = &self.model.likelihood;
        let log = |row: usize, c: usize| likelihood.log_predict(Sign::Positive, each[c].observed(latent(c, row)));
        Predictions::one_vs_rest(rows, each.len(), log, |row, c| latent(c, row))
    }

    /// Every training row as predicted without its own label, from the cavities (EPCV 13, multiclass 4).
    pub fn leave_one_out(&self) -> Predictions {
        match &self.found {
            Found::Binary(inferred) => self.predictions(inferred, &inferred.cavities),
            Found::Joint(joint, link) => self.class_predictions(*link, &joint.cavities(&self.data.under(*link))),
            Found::OneVsRest(each, _) => self.rest_predictions(each, |c, row| each[c].cavities[row], self.data.rows()),
        }
    }

    /// For every training row the log-probability of its label as predicted without it.
    pub fn leave_one_out_log_probability(&self) -> Vec<f64> {
        self.leave_one_out().log_probability_of(self.data.labels())
    }

    /// For every training row the probability of each class to be the true one, its label taken for what it may be worth
    /// (multiclass 6): certainty where the likelihood knows no label error. A wrong label is as likely to have become of one class
    /// as of another, so that the other classes share its probability as the other rows predict them.
    pub fn true_class(&self) -> Probabilities {
        let (wrong, left_out) = (self.label_error(), self.leave_one_out().probability);
        let labels = self.data.labels();
        let at = |row: usize, class: Class| match labels[row] {
            label if label == class => 1.0 - wrong[row],
            label => wrong[row] * self.clean(left_out.at(row, class)) / self.clean_others(&left_out, row, label),
        };
        let classes = self.data.targets().count();
        let all: Vec<Class> = Class::first(classes).collect();
        Probabilities::new(Mat::from_fn(labels.len(), classes, |row, c| at(row, all[c])))
    }

    /// A probability without the share that label errors have in it.
    fn clean(&self, p: f64) -> f64 {
        let rho = if let Found::Joint(_, link) = &self.found { link.label_error() } else { 0.0 };
        (p - rho).max(f64::MIN_POSITIVE)
    }

    fn clean_others(&self, left_out: &Probabilities, row: usize, label: Class) -> f64 {
        left_out.classes().filter(|other| *other != label).map(|other| self.clean(left_out.at(row, other))).sum()
    }

    /// For every training row the posterior probability that its label is wrong (math 8, multiclass 6): zero for a likelihood
    /// without label error.
    pub fn label_error(&self) -> Vec<f64> {
        let likelihood = &self.model.likelihood;
        let labels = self.data.labels().iter().enumerate();
        match &self.found {
            Found::Binary(inferred) => {
                let rows = inferred.cavities.iter().zip(self.data.signs());
                rows.map(|(&cavity, &y)| likelihood.flip_probability(y, inferred.observed(cavity))).collect()
            }
            Found::Joint(_, link) => {
                let (rho, left_out) = (link.label_error(), self.leave_one_out());
                let clean = 1.0 - self.data.targets().count() as f64 * rho;
                let wrong = |(row, &label): (usize, &Class)| {
                    // rho (1 - P0) / p with p = rho + (1 - C rho) P0, the probability of the label.
                    let p = left_out.probability(row, label);
                    let right = ((p - rho) / clean).clamp(0.0, 1.0);
                    if rho > 0.0 { (rho * (1.0 - right) / p).clamp(0.0, 1.0) } else { 0.0 }
                };
                labels.map(wrong).collect()
            }
            Found::OneVsRest(each, _) => {
                let wrong = |(row, label): (usize, &Class)| {
                    let own = &each[label.position()];
                    likelihood.flip_probability(Sign::Positive, own.observed(own.cavities[row]))
                };
                labels.map(wrong).collect()
            }
        }
    }
}
