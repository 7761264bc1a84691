//! What a candidate of the automatic choice is made of.

use super::Candidate;
use crate::data::InputView;
use crate::learn::search::Departure;
use crate::learn::{FitOptions, KernelFamily, LearnError, LikelihoodFamily};
use crate::model::TrainingData;
use std::sync::Arc;

/// A model by the names of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::learn) struct Family {
    pub kernel: KernelFamily,
    pub ard: bool,
    pub departure: Departure,
    pub likelihood: LikelihoodFamily,
    pub view: InputView,
}

impl Family {
    /// The candidate with its start for these rows.
    pub fn candidate(self, data: &Arc<TrainingData>, options: &FitOptions) -> Result<Candidate, LearnError> {
        let Family { kernel, ard, departure, likelihood, view } = self;
        let data = &data.viewed(view);
        let candidate = Candidate::new(kernel, ard, likelihood, &options.method, options.initial, data)?;
        let candidate = candidate.of_classes(options, data);
        Ok(if departure == Departure::Shrunk { candidate.shrunk() } else { candidate })
    }
}
