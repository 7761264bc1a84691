//! Learning a stack: all candidates loosely on a part of the rows, those that matter there on all.

use super::families::simpler;
use super::portion::{portion, portion_rows};
use super::{Polishing, stacked};
use crate::inference::Method;
use crate::learn::choose::{Candidate, Contender, Family, Scoring, Trial};
use crate::learn::{Control, FitOptions, Initial, LearnError, Size, Stop};
use crate::model::TrainingData;
use std::sync::Arc;

/// Candidates with a smaller share than this on the part are not learned on all rows.
const PROMISING: f64 = 0.04;
/// A search for a member is this many times as loose as one for a single model: what is lost is hundredths of a nat.
const LOOSE: f64 = 50.0;
/// Share of the value by which a step of such a search must improve it.
const LOOSE_VALUE: f64 = 1e-4;
/// Inference within such a search is as exact as this.
const LOOSE_INFERENCE: f64 = 1e-4;
/// Up to this many rows EP goes on with one site at a time where it does not settle otherwise: a member is one of many, and a hundred
/// such sweeps over 600 rows take as long as all the rest of a stack.
const FALLBACK_ROWS: usize = 300;

/// The models of one stack.
pub(in crate::learn) struct Stack<'a> {
    pub data: &'a Arc<TrainingData>,
    pub options: &'a FitOptions,
    pub control: &'a Control,
}

impl Stack<'_> {
    /// Learns these families, the larger from the values of the simpler.
    pub fn of_families(&self, families: &[Family]) -> Result<Vec<Contender>, LearnError> {
        self.learn(|trial| {
            let candidates = |which: &[Family]| -> Result<Vec<Candidate>, LearnError> {
                which.iter().map(|family| family.candidate(trial.data, trial.options)).collect()
            };
            let (larger, plain): (Vec<Family>, Vec<Family>) =
                families.iter().partition(|family| simpler(family, families).is_some());
            let (first, mut next) = (candidates(&plain)?, candidates(&larger)?);
            trial.check_fixed(&[first.clone(), next.clone()].concat())?;
            let names: Vec<String> = first.iter().map(|candidate| candidate.name.clone()).collect();
            let mut found = trial.fit_some(first)?;
            for (family, candidate) in larger.iter().zip(&mut next) {
                let start = simpler(family, &plain).and_then(|i| found.iter().find(|c| c.summary.name == names[i]));
                if let Some(start) = start.filter(|_| trial.options.initial == Initial::Heuristic) {
                    candidate.start_from(&start.model);
                }
            }
            match trial.fit_some(next) {
                // What cannot start, or has no time to, leaves the others as they are.
                Err(LearnError::Start { .. } | LearnError::Interrupted) if !found.is_empty() => {}
                more => found.extend(more?),
            }
            Ok(found)
        })
    }

    /// Learns exactly these candidates.
    pub fn of_candidates(&self, candidates: &[Candidate]) -> Result<Vec<Contender>, LearnError> {
        self.learn(|trial| trial.fit_all(candidates.to_vec()))
    }

    fn learn(
        &self,
        all: impl Fn(&Trial<'_>) -> Result<Vec<Contender>, LearnError>,
    ) -> Result<Vec<Contender>, LearnError> {
        let Stack { data, options, control } = *self;
        let loose = &options.loosened();
        let scoring = Scoring::LeftOut;
        let Some(rows) = portion_rows(data.rows(), data.targets().count(), options.multiclass) else {
            return all(&Trial { data, options: loose, control, scoring });
        };
        let part = &portion(data, rows, options.seed);
        let tried = all(&Trial { data: part, options: loose, control, scoring })?;
        self.polish(tried, part, loose)
    }

    /// Goes on with those that matter on all rows; the others stay as they were seen on the part.
    fn polish(
        &self,
        tried: Vec<Contender>,
        part: &TrainingData,
        loose: &FitOptions,
    ) -> Result<Vec<Contender>, LearnError> {
        let shares = stacked(&tried, part);
        let mut order: Vec<usize> = (0..tried.len()).collect();
        order.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
        let polishing = Polishing::of(&Size::of(self.data), loose.multiclass);
        let mut options = loose.clone();
        options.direct.search.max_iterations = loose.direct.search.max_iterations.min(polishing.steps);
        let mut contenders = tried;
        let promising = |place: usize, i: usize| place < polishing.members && shares[i] >= PROMISING;
        // Somebody has to say which labels look wrong.
        let doubter = order.iter().copied().find(|&i| contenders[i].wrong_labels.is_some());
        for (place, &i) in order.iter().enumerate() {
            let first = place == 0;
            if !first && (self.control.interrupted() || !(promising(place, i) || doubter == Some(i))) {
                continue;
            }
            contenders[i] = match self.polished(&contenders[i], &options) {
                Err(LearnError::Start { .. } | LearnError::Interrupted) if !first => continue,
                polished => polished?,
            };
        }
        Ok(contenders)
    }

    /// One contender learned on all rows. Where there is no time left its values are taken as they are.
    fn polished(&self, contender: &Contender, options: &FitOptions) -> Result<Contender, LearnError> {
        let Stack { data, control, .. } = *self;
        let trial = Trial { data, options, control, scoring: Scoring::LeftOut };
        match trial.fit_some(vec![contender.candidate()]) {
            Err(LearnError::Interrupted) => trial.at_values(contender.candidate()),
            found => {
                let mut found = found?.remove(0);
                if found.course.stop == Stop::IterationLimit {
                    found.course.stop = Stop::Refined;
                }
                Ok(found)
            }
        }
    }
}

impl FitOptions {
    /// The options of a search for a member of a stack.
    pub(in crate::learn) fn loosened(&self) -> FitOptions {
        let mut options = self.clone();
        let direct = &mut options.direct;
        direct.search.gradient_tolerance *= LOOSE;
        direct.search.value_tolerance = direct.search.value_tolerance.max(LOOSE_VALUE);
        direct.tight = direct.tight.max(LOOSE_INFERENCE);
        if let Method::Ep(ep) = &mut options.method {
            ep.fallback_rows = ep.fallback_rows.min(FALLBACK_ROWS);
        }
        options
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_searched_for_loosely_and_without_sweeps_over_many_rows() {
        let given = FitOptions::default();
        let loose = given.loosened();
        let fallback = |options: &FitOptions| match &options.method {
            Method::Ep(ep) => ep.fallback_rows,
            other => panic!("{other:?}"),
        };
        assert!(fallback(&loose) == FALLBACK_ROWS && fallback(&loose) < fallback(&given));
        assert!(loose.direct.search.gradient_tolerance > given.direct.search.gradient_tolerance);
    }
}
