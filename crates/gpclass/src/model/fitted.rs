//! A model with its posterior.

use super::found::Found;
use super::{KeptForm, Model, ModelError, Refinement, Start, TrainingData};
use crate::inference::joint::JointInferred;
use crate::inference::{Inferred, Observations, Report};
use crate::kernel::Neighbourhood;
use crate::likelihood::Gaussian;
use crate::prior::Prior;
use std::sync::{Arc, OnceLock};

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
    pub(super) model: Model,
    pub(super) data: Arc<TrainingData>,
    pub(super) found: Found,
    /// How predictions by inducing rows are refined, if they are.
    pub(super) refinement: Option<Refinement>,
    /// The training rows as the others predict them by refinement, once that was asked for.
    pub(super) left_out: Option<Arc<[Vec<Gaussian>]>>,
    /// Where nearest training rows are looked for, one for every kernel; made when first asked for.
    pub(super) near: OnceLock<Arc<[Neighbourhood]>>,
}

impl FittedModel {
    /// The model as it was given to inference.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The rows it was trained on, as it sees them.
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
        self.found.keep(self.refinement, self.left_out.as_deref())
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

    /// The latent values of a function at the training rows, each without its own label: refined where that was asked for.
    pub(super) fn cavities<'a>(&'a self, inferred: &'a Inferred, class: usize) -> &'a [Gaussian] {
        self.left_out.as_deref().map_or(&inferred.cavities, |each| &each[class])
    }

    /// The training labels as the model's likelihood sees them, where there are two classes.
    pub fn observations(&self) -> Observations<'_> {
        self.data.observations(&self.model.likelihood)
    }

    /// The method's estimate of log p(y | X), in nats: the larger, the better the model explains the labels.
    pub fn log_evidence(&self) -> f64 {
        self.found.log_evidence()
    }
}
