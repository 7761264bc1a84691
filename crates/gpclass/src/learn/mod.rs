//! Learning the hyperparameters.

mod approach;
mod choose;
mod classes;
mod combine;
mod corrected;
mod cost;
mod elsewhere;
mod fit;
mod journal;
mod many;
mod nearby;
mod note;
mod options;
mod search;
mod selection;

pub use crate::kernel::KernelFamily;
pub use crate::likelihood::LikelihoodFamily;
pub use crate::param::Prior;
pub use approach::{Approach, ManyRows};
pub use choose::{
    COMPARED_KERNELS, Candidate, CandidateSummary, Contender, FeatureChoice, NotIntegrated, PriorRelevance, Score,
    ScoreKind, WrongLabels, compared_likelihoods, covariance, prior_relevances, refit_on_relevant,
};
pub use classes::{ClassKernels, NotTogether};
pub use combine::{Combine, LeftOutClasses, Sharpen, stacking_weights, weights_without_each};
pub use cost::{Cost, Size};
pub(crate) use elsewhere::encoder_bytes;
pub use elsewhere::{Elsewhere, ShardError, ShardPlan, shard_rows};
pub use fit::{fit, fit_candidates};
pub use journal::{Journal, Keep, Resumed};
pub use nearby::Nearby;
pub use note::FitNote;
pub use options::{FitOptions, Lengthscales, PathChoice};
pub use search::{
    AtBound, Control, Departure, DirectOptions, Initial, LabelErrorUpdate, Priors, Progress, QuasiNewtonOptions,
    Search, Space, Stop, Teller, Trace, TraceEntry, Watcher, loo_summary, quasi_newton,
};
pub use selection::{Selection, Share};

use crate::kernel::KernelError;
use crate::likelihood::LikelihoodError;
use crate::model::{FittedModel, ModelError};
use crate::objective::ObjectiveError;
use serde::{Deserialize, Serialize};

/// A model whose hyperparameters were learned, and how.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The model at the end of the search.
    pub fitted: FittedModel,
    /// The search.
    pub course: Course,
}

/// A search for hyperparameters, from its start to its end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Course {
    /// What was maximised, at the end, without the prior.
    pub objective: f64,
    /// The log-prior density of the hyperparameters.
    pub log_prior: f64,
    /// Why the search ended.
    pub stop: Stop,
    /// Parameters that the data push beyond the range that is searched.
    pub at_bounds: Vec<AtBound>,
    /// Where EP has another fixed point at the end of the search: by how much its log evidence is lower.
    pub other_fixed_point: Option<f64>,
    /// The course of the search.
    pub trace: Trace,
    /// Inference runs in all.
    pub inferences: usize,
    /// How the rows were learned from.
    pub approach: Approach,
    /// Rows whose refinement, where they were left out, did not settle.
    pub unsettled: usize,
}

/// Why learning could not be done.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnError {
    /// All training rows of positive weight have one label.
    #[error("every training row has the same label, so there is nothing to learn; give rows of two classes at least")]
    OneClass,
    /// Inference failed at the first point of a search, so that there is nothing to improve.
    #[error("inference fails at the initial hyperparameters of {label}; give other initial values")]
    Start {
        /// Name of the candidate.
        label: String,
    },
    /// The interrupt was set before any search had a model.
    #[error("learning was interrupted before there was a model")]
    Interrupted,
    /// The time that a fit may take is no time.
    #[error("the time budget is {seconds} seconds; it must be a positive number")]
    TimeBudget {
        /// What was given.
        seconds: f64,
    },
    /// A prior was given for a parameter that the model does not have.
    #[error("there is a prior on '{name}', but the model has no parameter of that name")]
    UnknownPrior {
        /// The name that was given.
        name: String,
    },
    /// A prior was given that has no density for this parameter, or widths that are not positive.
    #[error(
        "{prior:?} cannot be a prior on '{name}'; use a log-normal for positive parameters, a normal for b, a beta for eps, with positive widths"
    )]
    Prior {
        /// Name of the parameter.
        name: String,
        /// The prior that was given.
        prior: Prior,
    },
    /// A value was given for a parameter that no candidate has.
    #[error("the parameter '{name}' cannot be fixed because no candidate has it; there are {known}")]
    UnknownFixed {
        /// The name that was given.
        name: String,
        /// The parameters of the first candidate, separated by commas.
        known: String,
    },
    /// A two-step search was asked for and the likelihood has no bias that it could move.
    #[error(
        "the two-step method needs a likelihood with a free bias b, which {likelihood} has not; use probit-bias or full"
    )]
    NoBias {
        /// Name of the likelihood.
        likelihood: &'static str,
    },
    /// The search cannot maximise the objective.
    #[error(
        "the search {search} climbs the evidence, but the objective is {objective}; use the search direct or ep-cv for \
         leave-one-out objectives"
    )]
    NotClimbed {
        /// Name of the search.
        search: &'static str,
        /// Name of the objective.
        objective: &'static str,
    },
    /// Restarts were asked for with a search that has none.
    #[error("there are to be {restarts} restarts, but the search {search} starts once; use direct for restarts")]
    StartsOnce {
        /// Name of the search.
        search: &'static str,
        /// How many were asked for.
        restarts: usize,
    },
    /// The search is for two classes.
    #[error("the search {search} is for two classes, but there are {classes}; use the search direct")]
    TwoClasses {
        /// Name of the search.
        search: &'static str,
        /// Classes that there are.
        classes: usize,
    },
    /// Classes were to be inferred together under a likelihood or by a method that does not know how.
    #[error(
        "the likelihood {likelihood} with {method} inference is not known for several classes at once; use probit or robust \
         with ep, logistic with laplace, or one class against the rest (one-vs-rest)"
    )]
    NotTogether {
        /// Name of the likelihood.
        likelihood: &'static str,
        /// Name of the inference method.
        method: &'static str,
    },
    /// Rows are held elsewhere, and the options ask for something that needs all of them in one place.
    #[error(
        "rows that are held elsewhere are learned from by way of some that stand for all, which is known for inference by ep \
         and the search direct to its end, and not for exact inference; leave these options at their defaults"
    )]
    NotElsewhere,
    /// Whoever asks rows that are held elsewhere cannot.
    #[error("rows that are held elsewhere cannot be asked: {reason}")]
    Elsewhere {
        /// Why.
        reason: String,
    },
    /// Every class was to have hyperparameters of its own where there are two.
    #[error("two classes share one function, so that they cannot have kernels of their own; use shared class kernels")]
    OwnOfTwo,
    /// A kernel cannot be changed as asked.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// A likelihood cannot be made or changed as asked, as to a fixed value outside its domain.
    #[error(transparent)]
    Likelihood(#[from] LikelihoodError),
    /// Inference failed where a search cannot do without it, as at its end.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The objective has no value at a point of the search that needs one.
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
}
