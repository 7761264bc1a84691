//! A stack of many rows: the hyperparameters of every candidate from blocks of rows, judged by how the rows around some hundred
//! others predict these, and those that matter there inferred on all rows.

mod drawn;
mod families;
mod tried;

pub(super) use drawn::{Purpose, drawn};
pub(super) use families::families_of_many;

use super::choose::{Candidate, Contender, Family, Scoring, Trial};
use super::combine::stacking_weights;
use super::search::Design;
use super::{Approach, Control, FitOptions, Initial, LearnError, Size};
use crate::model::TrainingData;
use gpclass_linalg::map_tasks;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tried::{Tried, Trying};

/// Rows by which candidates and designs of blocks are judged.
const JUDGED_BY: usize = 1000;
/// Candidates that are inferred on all rows, at most, without one that is for wrong labels: each that predicts has matrices of
/// its own.
pub(super) const MOST_MEMBERS: usize = 3;
/// Those with a smaller share among the rows that judge are not.
const PROMISING: f64 = 0.05;
/// Steps on each of the two sets of blocks.
const STEPS: usize = 8;

/// The models of one stack.
pub(super) struct Many<'a> {
    pub data: &'a Arc<TrainingData>,
    pub options: &'a FitOptions,
    pub control: &'a Control,
}

impl Many<'_> {
    /// Whether a fit with these options is one of many rows.
    pub fn suits(options: &FitOptions, data: &TrainingData) -> bool {
        Approach::of(options, &Size::of(data)) != Approach::Exact
    }

    /// Learns the families that the options leave open.
    pub fn of_families(&self) -> Result<Vec<Contender>, LearnError> {
        let families = families_of_many(self.options, &Size::of(self.data));
        let candidate = |family: &Family| family.candidate(self.data, self.options);
        self.of_candidates(families.iter().map(candidate).collect::<Result<_, _>>()?)
    }

    /// Learns exactly these candidates.
    pub fn of_candidates(&self, mut candidates: Vec<Candidate>) -> Result<Vec<Contender>, LearnError> {
        let Many { data, options, control } = *self;
        let mut options = options.loosened();
        options.direct.search.max_iterations = options.direct.search.max_iterations.min(STEPS);
        let trial = Trial { data, options: &options, control, scoring: Scoring::LeftOut };
        trial.check_fixed(&candidates)?;
        trial.fix(&mut candidates)?;
        let seen = trial.seen_by(&candidates);
        let rows = drawn(data, JUDGED_BY, Purpose::Judging, options.seed);
        let trying = Trying { options: &options, control, rows };
        let tried = trying.all(candidates.into_iter().zip(seen).collect())?;
        self.finish(&trying, tried)
    }

    /// Infers those that matter on all rows, the others on the rows that judge.
    fn finish(&self, trying: &Trying<'_>, tried: Vec<Tried>) -> Result<Vec<Contender>, LearnError> {
        let members = self.members(trying, &tried);
        let mut contenders: Vec<Option<Contender>> = tried.iter().map(|_| None).collect();
        let others = (0..tried.len()).filter(|i| !members.contains(i));
        for (place, i) in members.iter().copied().chain(others).enumerate() {
            self.control.progress("posteriors of all rows", place, members.len());
            let on_all = place < members.len() && (place == 0 || !self.control.interrupted());
            let found = if on_all { trying.on_all(&tried[i]) } else { trying.on_judging(&tried[i]) };
            contenders[i] = match found {
                Err(_) if place > 0 => None,
                // What did not settle does not predict where others do.
                Ok(found) if place > 0 && on_all && !found.report.outcome.converged() => {
                    trying.on_judging(&tried[i]).ok()
                }
                found => Some(found?),
            };
        }
        Ok(contenders.into_iter().flatten().collect())
    }

    /// Those that are inferred on all rows, by falling share of the rows that judge. Of two that differ in the likelihood alone
    /// the better one is among them; where inference is cheap both are, so that somebody says which labels look wrong.
    fn members(&self, trying: &Trying<'_>, tried: &[Tried]) -> Vec<usize> {
        let twin = |i: usize| (0..tried.len()).find(|&j| j != i && tried[j].is_like(&tried[i].candidate));
        let nlp = |i: usize| (tried[i].judged.nlp, i);
        let rivals: Vec<usize> = (0..tried.len()).filter(|&i| twin(i).is_none_or(|j| nlp(i) < nlp(j))).collect();
        let shares = self.shares(trying, &rivals.iter().map(|&i| &tried[i]).collect::<Vec<_>>());
        let mut order: Vec<usize> = (0..rivals.len()).collect();
        order.sort_by(|&a, &b| shares[b].total_cmp(&shares[a]));
        let promising = order.iter().enumerate().filter(|(place, i)| *place == 0 || shares[**i] >= PROMISING);
        let mut members: Vec<usize> = promising.take(MOST_MEMBERS).map(|(_, &i)| rivals[i]).collect();
        if Approach::of(self.options, &Size::of(self.data)) == Approach::Sparse {
            let knows = |i: &usize| tried[*i].candidate.model.likelihood.eps() > 0.0;
            let doubter = (0..tried.len()).find(|i| knows(i) && !members.iter().any(knows));
            members.extend(doubter);
        }
        members
    }

    /// What share each would have of the rows that judge.
    fn shares(&self, trying: &Trying<'_>, tried: &[&Tried]) -> Vec<f64> {
        let left_out: Vec<&[f64]> = tried.iter().map(|one| one.judged.of_labels.as_slice()).collect();
        let weights = self.data.weights().map(|all| trying.rows.iter().map(|&row| all[row]).collect::<Vec<f64>>());
        stacking_weights(&left_out, weights.as_deref())
    }
}

impl Trying<'_> {
    /// Every candidate at the values of the design that predicts the judging rows best. Those that allow for wrong labels start
    /// from the same model without.
    fn all(&self, candidates: Vec<(Candidate, Arc<TrainingData>)>) -> Result<Vec<Tried>, LearnError> {
        let (knowing, plain): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|(candidate, _)| candidate.model.likelihood.eps() > 0.0);
        let mut tried = self.some(plain, &[])?;
        match self.some(knowing, &tried) {
            Err(LearnError::Start { .. } | LearnError::Interrupted) if !tried.is_empty() => {}
            more => tried.extend(more?),
        }
        Ok(tried)
    }

    fn some(&self, candidates: Vec<(Candidate, Arc<TrainingData>)>, known: &[Tried]) -> Result<Vec<Tried>, LearnError> {
        let like = |candidate: &Candidate| {
            let same = |one: &&Tried| one.is_like(candidate) && self.options.initial == Initial::Heuristic;
            known.iter().find(same)
        };
        let mut runs = Vec::new();
        for (i, (candidate, _)) in candidates.iter().enumerate() {
            let designs = like(candidate).map_or(Design::ALL.to_vec(), |known| vec![known.design]);
            runs.extend(
                designs.into_iter().flat_map(|design| (0..=self.options.restarts).map(move |k| (i, design, k))),
            );
        }
        let done = AtomicUsize::new(0);
        let found = map_tasks(runs.len(), |run| {
            let (i, design, attempt) = runs[run];
            let (candidate, data) = &candidates[i];
            let mut candidate = candidate.clone();
            like(&candidate).into_iter().for_each(|known| candidate.start_from(&known.candidate.model));
            let tried = self.one(candidate, data, design, attempt);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            self.control.progress("searches for hyperparameters", done, runs.len());
            tried
        });
        let mut best: Vec<Option<Tried>> = candidates.iter().map(|_| None).collect();
        let mut failure = None;
        for ((i, ..), found) in runs.into_iter().zip(found) {
            match found {
                Ok(next) if best[i].as_ref().is_none_or(|best| next.judged.nlp < best.judged.nlp) => {
                    best[i] = Some(next)
                }
                Ok(_) => {}
                Err(error @ (LearnError::Start { .. } | LearnError::Interrupted)) => failure = Some(error),
                Err(error) => return Err(error),
            }
        }
        let tried: Vec<Tried> = best.into_iter().flatten().collect();
        match failure {
            Some(error) if tried.is_empty() => Err(error),
            _ => Ok(tried),
        }
    }
}
