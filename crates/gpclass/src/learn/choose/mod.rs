//! The choice between models, and between features.

mod candidate;
mod contender;
mod features;
mod integral;
mod relevance;

pub use candidate::{Candidate, KernelFamily, LikelihoodFamily};
pub use contender::Contender;
pub(super) use contender::best;
pub use features::{FeatureChoice, refit_on_relevant};
pub use relevance::{Relevance, ranking, relevances};
