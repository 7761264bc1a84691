//! The choice between models, and between features.

mod candidate;
mod contender;
mod family;
mod features;
mod integral;
mod relevance;
mod score;
mod stages;
mod trial;
mod wrong_labels;

pub use candidate::{Candidate, covariance};
pub use contender::{CandidateSummary, Contender};
pub(super) use family::Family;
pub use features::{FeatureChoice, refit_on_relevant};
pub use integral::NotIntegrated;
pub use relevance::{PriorRelevance, prior_relevances};
pub use score::{Score, ScoreKind};
pub(super) use score::{Scoring, best, score_alike};
pub(super) use stages::Stages;
pub use stages::{COMPARED_KERNELS, compared_likelihoods};
pub(super) use trial::Trial;
pub use wrong_labels::WrongLabels;
