//! How far is an approximation from the truth? Exact inference by simulation, for small data sets.
//!
//! Nothing here trusts a deterministic approximation: the inputs are a prior covariance and the likelihood, and sites
//! given as a guide only save time. Every answer is [`Simulated`], with its Monte Carlo standard error, and depends on the seed in
//! the options only, never on the number of threads.
//!
//! - [`check`] answers the whole question: evidence, latent posterior and class probabilities; [`check_classes`] does so for
//!   several classes.
//! - [`elliptical_slice`] samples the posterior under any likelihood.
//! - [`log_orthant`] and [`log_orthant_evidence`] give the evidence of probit-type likelihoods to many digits.
//! - [`annealed_evidence`] gives the evidence under any likelihood.

mod annealed;
mod check;
mod classes;
mod diagnostics;
mod draws;
mod error;
mod noise;
mod orthant;
mod prior;
mod reference;
mod simulated;
mod slice;
mod summary;
mod terms;

pub use annealed::{AnnealedEvidence, AnnealedOptions, annealed_evidence};
pub use check::{
    CheckControl, CheckOptions, EvidenceMethod, ExactPosterior, LatentEstimate, PredictionEstimate, check, check_with,
};
pub use classes::{ClassEstimate, ClassPosterior, ClassProblem, check_classes};
pub use diagnostics::{Diagnostics, Warning};
pub use error::ExactError;
pub use orthant::{OrthantOptions, log_orthant, log_orthant_evidence};
pub use prior::PriorFactor;
pub use simulated::Simulated;
pub use slice::{ChainSummary, SliceOptions, SliceSamples, elliptical_slice};
pub use summary::{SeriesSummary, summarise};
pub use terms::{Terms, Threshold};
