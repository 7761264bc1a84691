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
        self.check_fixed(&candidates)?;
        self.fit_some(candidates)
    }

    /// As [`fit_all`](Self::fit_all), of candidates that are not all that there are: the parameters to be held may be others'.
    pub fn fit_some(&self, mut candidates: Vec<Candidate>) -> Result<Vec<Contender>, LearnError> {
        self.fix(&mut candidates)?;
        let seen = self.seen_by(&candidates);
        let searches = map_tasks(candidates.len(), |i| {
            let candidate = &candidates[i];
            let Trial { options, control, scoring, .. } = *self;
            let search = Driver { data: &seen[i], options, control, departure: candidate.departure };
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

    /// The rows as every candidate sees them; candidates of one view share them.
    pub fn seen_by(&self, candidates: &[Candidate]) -> Vec<Arc<TrainingData>> {
        let mut seen: Vec<Arc<TrainingData>> = Vec::with_capacity(candidates.len());
        for Candidate { view, .. } in candidates {
            let known = seen.iter().chain([self.data]).find(|data| data.view().kind() == *view);
            seen.push(known.map_or_else(|| self.data.viewed(*view), Arc::clone));
        }
        seen
    }

    /// The candidate at the values that it has, whatever the time.
    pub fn at_values(&self, candidate: Candidate) -> Result<Contender, LearnError> {
        let mut options = self.options.clone();
        options.direct.search.max_iterations = 0;
        let watched = Control { interrupt: None, deadline: None, ..self.control.clone() };
        let mut found = Trial { options: &options, control: &watched, ..*self }.fit_some(vec![candidate])?.remove(0);
        found.course.stop = self.control.stop(Stop::Interrupted);
        Ok(found)
    }

    /// Whether each parameter that the options name is one of at least one candidate.
    pub fn check_fixed(&self, candidates: &[Candidate]) -> Result<(), LearnError> {
        let missing = |name: &str| candidates.iter().all(|candidate| !candidate.has(name));
        match self.options.fixed.iter().find(|(name, _)| missing(name)) {
            None => Ok(()),
            Some((name, _)) => {
                let known = candidates.first().map_or_else(Vec::new, Candidate::param_names);
                Err(LearnError::UnknownFixed { name: name.clone(), known: known.join(", ") })
            }
        }
    }

    /// Holds the parameters that the options name, in the candidates that have them.
    pub fn fix(&self, candidates: &mut [Candidate]) -> Result<(), LearnError> {
        for (name, value) in &self.options.fixed {
            for candidate in candidates.iter_mut() {
                candidate.fix(name, *value)?;
            }
        }
        candidates.iter_mut().for_each(Candidate::identify);
        Ok(())
    }
}
