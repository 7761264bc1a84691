//! Two-level EP over pair sites: refresh all variances, solve the mean conditions for them, then move all precisions. The
//! same scheme as for two classes (`ep/two_level.rs`), over sites that couple the functions of a row. The first sweeps are made in
//! single precision (`rough`).

use super::means::settle;
use super::rough;
use super::rows::Terms;
use super::state::{Mismatch, Problem, State, matching_tau};
use crate::inference::Reason;
use crate::inference::ep::EpOptions;
use crate::posterior::Held;
use crate::prior::Failure;
use gpclass_linalg::Mat;

/// The largest change of a positive precision in one sweep, in units of its logarithm.
const MAX_LOG_STEP: f64 = 4.0;
/// Halvings back to the last proper sites before an attempt is given up.
const MAX_RETREATS: usize = 30;
/// What a sweep usually leaves of the residual.
pub(super) const CONTRACTION: f64 = 0.1;
/// A sweep makes progress when the residual falls below this share of the best so far.
const PROGRESS: f64 = 0.9;
/// Damping never falls below this.
const MIN_DAMPING: f64 = 0.02;

/// Sites to start from: precisions and `beta`, both of one copy.
#[derive(Clone, Debug, PartialEq)]
pub struct PairSites {
    /// Precisions, rows x classes; one in the column of a row's own class.
    pub tau: Mat,
    /// `nu - tau E h`, rows x classes.
    pub beta: Mat,
}

impl PairSites {
    pub(super) fn of<E: Held>(state: &State<E>) -> Self {
        PairSites { tau: state.tau.clone(), beta: state.beta.clone() }
    }

    /// The first sweep from the prior needs no factorisation: the cavities are the prior's.
    pub(super) fn of_prior(problem: Problem<'_>) -> Self {
        let Problem { prior, observations, .. } = problem;
        let variances: Vec<Vec<f64>> = (0..observations.count).map(|c| prior.of(c).diag()).collect();
        let terms = Terms::new(observations, |i, c| (0.0, 1.0 + variances[observations.own(i)][i] + variances[c][i]));
        let mut tau = matching_tau(observations, &terms);
        tau.as_mut_slice().iter_mut().for_each(|t| *t = t.max(0.0));
        let beta = Mat::zeros(tau.rows(), tau.cols());
        PairSites { tau, beta }
    }
}

/// Where an attempt ended.
pub(super) struct Attempt {
    pub state: State,
    pub mismatch: Mismatch,
    pub sweeps: usize,
    /// `None` when the residual met the tolerance.
    pub stopped: Option<Reason>,
}

pub(super) struct Search<'a> {
    pub problem: Problem<'a>,
    pub options: &'a EpOptions,
}

/// How a search goes.
struct Progress {
    /// Sites with the smallest residual so far, and that.
    best: Option<PairSites>,
    smallest: f64,
    last: f64,
    since: usize,
    sweeps: usize,
    damping: f64,
}

impl Search<'_> {
    /// Iterates from `start`, or from the prior, until the residual meets the tolerance or progress ends.
    pub fn run(&self, start: Option<&PairSites>, damping: f64) -> Result<Attempt, Failure> {
        let approach = rough::approach(self, start)?;
        let start = approach.as_ref().map(|approach| &approach.sites).or(start);
        let last = approach.as_ref().is_some_and(|approach| self.is_last(approach.expected));
        let mut state = self.start(start, last)?;
        let mut progress = Progress::new(1 + approach.map_or(0, |approach| approach.sweeps), damping);
        loop {
            let mismatch = settle(&mut state, self.problem.observations, self.options);
            let residual = mismatch.residual();
            progress.judge(residual, &state);
            if let Some(stopped) = self.stopped(&progress, residual) {
                return self.finish(state, mismatch, progress, stopped);
            }
            if !self.problem.is_log_concave() {
                let factor = if residual > progress.last { 0.8 } else { 1.1 };
                progress.damping = (progress.damping * factor).clamp(MIN_DAMPING, 1.0);
            }
            progress.last = residual;
            let next = moved(&state.tau, &self.goal(&mismatch.terms), progress.damping);
            let last = self.is_last(CONTRACTION * residual);
            match self.advance(state, next, last, &mut progress)? {
                Ok(better) => state = better,
                Err(good) => {
                    let state = State::new(self.problem, good, None, false)?;
                    let mismatch = state.mismatch(self.problem.observations);
                    let sweeps = progress.sweeps;
                    return Ok(Attempt { state, mismatch, sweeps, stopped: Some(Reason::Improper) });
                }
            }
        }
    }

    /// Whether a sweep that is expected to leave this residual is likely to be the last.
    fn is_last(&self, expected: f64) -> bool {
        self.problem.is_log_concave() && expected <= self.options.tolerance
    }

    /// The state at given sites or, where there are none or they leave no proper posterior, near the prior.
    fn start(&self, start: Option<&PairSites>, last: bool) -> Result<State, Failure> {
        let near_prior = || State::new(self.problem, PairSites::of_prior(self.problem), None, false);
        let Some(mut sites) = start.cloned() else { return near_prior() };
        if self.problem.clamped {
            sites.tau.as_mut_slice().iter_mut().for_each(|t| *t = t.max(0.0));
        }
        match State::new(self.problem, sites, None, last) {
            Err(failure) if failure.is_indefinite() => near_prior(),
            state => state,
        }
    }

    fn stopped(&self, progress: &Progress, residual: f64) -> Option<Option<Reason>> {
        if residual <= self.options.tolerance {
            Some(None)
        } else if progress.sweeps >= self.options.max_sweeps {
            Some(Some(Reason::SweepLimit))
        } else if progress.since >= self.options.patience {
            Some(Some(Reason::NoProgress))
        } else {
            None
        }
    }

    fn goal(&self, terms: &Terms) -> Mat {
        let mut goal = matching_tau(self.problem.observations, terms);
        if self.problem.clamped {
            goal.as_mut_slice().iter_mut().for_each(|t| *t = t.max(0.0));
        }
        goal
    }

    /// The state at `next`, or as far towards it as leaves a proper posterior; the last sites where no step does.
    fn advance(
        &self,
        state: State,
        mut next: Mat,
        last: bool,
        progress: &mut Progress,
    ) -> Result<Result<State, PairSites>, Failure> {
        let State { tau: good, beta, factor, .. } = state;
        let mut spare = Some(factor);
        for _ in 0..MAX_RETREATS {
            progress.sweeps += 1;
            let sites = PairSites { tau: next.clone(), beta: beta.clone() };
            match State::new(self.problem, sites, spare.take(), last) {
                Ok(state) => return Ok(Ok(state)),
                Err(failure) if !failure.is_indefinite() => return Err(failure),
                // Only negative precisions can be at fault, or a covariance itself.
                Err(failure) if next.as_slice().iter().all(|&t| t >= 0.0) => return Err(failure),
                Err(_) => {
                    progress.damping = (0.5 * progress.damping).max(MIN_DAMPING);
                    next.as_mut_slice().iter_mut().zip(good.as_slice()).for_each(|(t, g)| *t = 0.5 * (*t + g));
                }
            }
        }
        Ok(Err(PairSites { tau: good, beta }))
    }

    /// The best state seen.
    fn finish(
        &self,
        state: State,
        mismatch: Mismatch,
        progress: Progress,
        stopped: Option<Reason>,
    ) -> Result<Attempt, Failure> {
        let sweeps = progress.sweeps;
        let best = match progress.best {
            _ if stopped.is_none() => return Ok(Attempt { state, mismatch, sweeps, stopped }),
            Some(best) => best,
            None => PairSites::of(&state),
        };
        let state = State::new(self.problem, best, Some(state.factor), false)?;
        let mismatch = state.mismatch(self.problem.observations);
        Ok(Attempt { state, mismatch, sweeps, stopped })
    }
}

impl Progress {
    fn new(sweeps: usize, damping: f64) -> Self {
        Progress { best: None, smallest: f64::INFINITY, last: f64::INFINITY, since: 0, sweeps, damping }
    }

    /// Takes note of a state.
    fn judge(&mut self, residual: f64, state: &State) {
        self.since = if residual < PROGRESS * self.smallest { 0 } else { self.since + 1 };
        if residual < self.smallest {
            self.smallest = residual;
            self.best = Some(PairSites::of(state));
        }
    }
}

/// All precisions moved towards their goals.
pub(super) fn moved(tau: &Mat, goal: &Mat, damping: f64) -> Mat {
    let move_one = |(&tau, &goal): (&f64, &f64)| {
        if tau > 0.0 && goal > 0.0 {
            tau * (damping * (goal / tau).ln()).clamp(-MAX_LOG_STEP, MAX_LOG_STEP).exp()
        } else {
            tau + damping * (goal - tau)
        }
    };
    let data = tau.as_slice().iter().zip(goal.as_slice()).map(move_one).collect();
    Mat::from_columns(tau.rows(), tau.cols(), data)
}
