//! Learning the hyperparameters.

mod choose;
mod cost;
mod fit;
mod note;
mod search;

pub use crate::kernel::KernelFamily;
pub use crate::likelihood::LikelihoodFamily;
pub use crate::param::Prior;
pub use choose::{
    Candidate, CandidateSummary, Contender, FeatureChoice, NotIntegrated, Relevance, Score, ScoreKind, covariance,
    ranking, refit_on_relevant, relevances,
};
pub use cost::Cost;
pub use fit::{
    COMPARED_KERNELS, FitOptions, Lengthscales, PathChoice, Selection, compared_likelihoods, fit, fit_candidates,
};
pub use note::FitNote;
pub use search::{
    AtBound, Control, Departure, DirectOptions, Initial, LabelErrorUpdate, Priors, QuasiNewtonOptions, Search, Space,
    Stop, Trace, TraceEntry, Watcher, loo_summary, quasi_newton,
};

use crate::kernel::KernelError;
use crate::likelihood::LikelihoodError;
use crate::model::{FittedModel, ModelError};
use crate::objective::ObjectiveError;

/// A model whose hyperparameters were learned, and how.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The model at the end of the search.
    pub fitted: FittedModel,
    /// What was maximised, at the end, without the prior.
    pub objective: f64,
    /// The log-prior density of the hyperparameters.
    pub log_prior: f64,
    pub stop: Stop,
    /// Parameters that the data push beyond the range that is searched.
    pub at_bounds: Vec<AtBound>,
    pub trace: Trace,
    /// Inference runs in all.
    pub inferences: usize,
}

/// Why learning could not be done.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LearnError {
    #[error("every training row has the same label, so there is nothing to learn; give rows of both classes")]
    OneClass,
    #[error("inference fails at the initial hyperparameters of {label}; give other initial values")]
    Start { label: String },
    #[error("learning was interrupted before there was a model")]
    Interrupted,
    #[error("there is a prior on '{name}', but the model has no parameter of that name")]
    UnknownPrior { name: String },
    #[error(
        "{prior:?} cannot be a prior on '{name}'; use a log-normal for positive parameters, a normal for b, a beta for eps, with positive widths"
    )]
    Prior { name: String, prior: Prior },
    #[error("the parameter '{name}' cannot be fixed because no candidate has it; there are {known}")]
    UnknownFixed { name: String, known: String },
    #[error(
        "the two-step method needs a likelihood with a free bias b, which {likelihood} has not; use probit-bias or full"
    )]
    NoBias { likelihood: &'static str },
    #[error(
        "the search {search} climbs the evidence, but the objective is {objective}; use the search direct or ep-cv for \
         leave-one-out objectives"
    )]
    NotClimbed { search: &'static str, objective: &'static str },
    #[error("there are to be {restarts} restarts, but the search {search} starts once; use direct for restarts")]
    StartsOnce { search: &'static str, restarts: usize },
    #[error(transparent)]
    Kernel(#[from] KernelError),
    #[error(transparent)]
    Likelihood(#[from] LikelihoodError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Objective(#[from] ObjectiveError),
}
