//! The choice between models, and between features.

mod candidate;
mod contender;
mod features;
mod integral;
mod relevance;
mod score;

pub use candidate::{Candidate, covariance};
pub use contender::{CandidateSummary, Contender};
pub use features::{FeatureChoice, refit_on_relevant};
pub use integral::NotIntegrated;
pub use relevance::{PriorRelevance, prior_relevances};
pub use score::{Score, ScoreKind};
pub(super) use score::{best, score_alike};
