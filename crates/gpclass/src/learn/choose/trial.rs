//! Candidates fitted side by side to the same rows.

use super::{Candidate, Contender, Scoring};
use crate::learn::search::Driver;
use crate::learn::{Control, FitOptions, LearnError, Stop};
use crate::model::TrainingData;
use gpclass_linalg::map_tasks;
use std::sync::Arc;

/// What candidates are fitted to, and how.
#[derive(Clone, Copy)]
pub(in crate::learn) struct Trial<'a> {
    pub data: &'a Arc<TrainingData>,
    pub options: &'a FitOptions,
    pub control: &'a Control,
    pub scoring: Scoring,
}

impl Trial<'_> {
    /// Fits candidates side by side. Those that cannot start are left out unless none can.
    pub fn fit_all(&self, candidates: Vec<Candidate>) -> Result<Vec<Contender>, LearnError> {
        let mut candidates = candidates;
        self.fix(&mut candidates)?;
        // Candidates of one view share its rows.
        let mut seen = vec![Arc::clone(self.data)];
        for Candidate { view, .. } in &candidates {
            if seen.iter().all(|data| data.view().kind() != *view) {
                seen.push(self.data.viewed(*view));
            }
        }
        let searches = map_tasks(candidates.len(), |i| {
            let candidate = &candidates[i];
            let Trial { options, control, scoring, .. } = *self;
            let data = seen.iter().find(|data| data.view().kind() == candidate.view).unwrap_or(self.data);
            let search = Driver { data, options, control, departure: candidate.departure };
            let (learned, space) = search.run(&candidate.name, &candidate.model)?;
            Ok(Contender::new(candidate, learned, &space, options.objective, scoring, control))
        });
        let mut failure = None;
        let mut contenders = Vec::new();
        for search in searches {
            match search {
                Ok(contender) => contenders.push(contender),
                Err(error @ (LearnError::Start { .. } | LearnError::Interrupted)) => failure = Some(error),
                Err(error) => return Err(error),
            }
        }
        match failure {
            Some(error) if contenders.is_empty() => Err(error),
            _ => Ok(contenders),
        }
    }

    /// The candidate at the values that it has, whatever the time.
    pub fn at_values(&self, candidate: Candidate) -> Result<Contender, LearnError> {
        let mut options = self.options.clone();
        options.direct.search.max_iterations = 0;
        let watched = Control { interrupt: None, deadline: None, ..self.control.clone() };
        let mut found = Trial { options: &options, control: &watched, ..*self }.fit_all(vec![candidate])?.remove(0);
        found.course.stop = self.control.stop(Stop::Interrupted);
        Ok(found)
    }

    /// Holds the parameters that the options name. Each must exist in at least one candidate.
    fn fix(&self, candidates: &mut [Candidate]) -> Result<(), LearnError> {
        for (name, value) in &self.options.fixed {
            let mut found = false;
            for candidate in candidates.iter_mut() {
                found |= candidate.fix(name, *value)?;
            }
            if !found {
                let known = candidates.first().map_or_else(Vec::new, Candidate::param_names);
                return Err(LearnError::UnknownFixed { name: name.clone(), known: known.join(", ") });
            }
        }
        candidates.iter_mut().for_each(Candidate::identify);
        Ok(())
    }
}
