//! Two-level EP: refresh all variances, solve the mean conditions for them, then move all precisions.
//!
//! The mean conditions `b = c d1(K b - s b / c, s)` contain the precisions only through the cavity variances `s`, so
//! they can be solved by chord-Newton steps with the one factorisation that gave `s`, each of order n². A plain
//! parallel sweep is a single undamped step of that kind, hence its overshoot. The first sweeps are made in single precision (`rough`),
//! the last step is one ahead of them (`ahead`).

use super::ahead::ahead;
use super::options::EpOptions;
use super::rough;
use super::state::{Mismatch, Solver, State, matching_tau};
use crate::inference::Reason;
use crate::inference::problem::Problem;
use crate::likelihood::Gaussian;
use crate::posterior::Sites;
use crate::prior::Failure;
use gpclass_linalg::vector;

/// The largest change of a positive precision in one sweep, in units of its logarithm.
const MAX_LOG_STEP: f64 = 4.0;
/// The mean conditions are solved to this share of the variance mismatch: more is wasted on wrong variances.
const INNER_SHARE: f64 = 1e-2;
/// Halvings of a mean step before it is given up.
const MAX_HALVINGS: usize = 6;
/// Halvings back to the last proper sites before an attempt is given up.
const MAX_RETREATS: usize = 30;
/// A sweep makes progress when the residual falls below this share of the best so far.
pub(super) const PROGRESS: f64 = 0.9;
/// Damping never falls below this.
const MIN_DAMPING: f64 = 0.02;
/// What a sweep usually leaves of the residual: where that is enough, no more is done than a sweep.
pub(super) const CONTRACTION: f64 = 0.07;

/// Where an attempt ended.
pub(super) struct Attempt {
    pub state: State,
    pub mismatch: Mismatch,
    pub sweeps: usize,
    /// `None` when the residual met the tolerance.
    pub stopped: Option<Reason>,
}

/// Where an attempt starts.
pub(super) enum Start<'a> {
    /// From the prior.
    Cold,
    /// From sites.
    Warm(&'a Sites),
    /// From one sweep over all rows from the prior, means and precisions at once: with a label error and many rows the means
    /// of the first precisions can be out of reach from zero (scale 5).
    Sweep,
}

/// Iterates from `start` until the residual meets the tolerance or progress ends. Fails only when not even sites of
/// non-negative precision give a posterior, that is, when `K` is not positive semi-definite in floating point.
pub(super) fn run(
    problem: Problem<'_>,
    start: Start<'_>,
    damping: f64,
    options: &EpOptions,
) -> Result<Attempt, Failure> {
    let mut search = Search::new(problem, start, damping, options)?;
    loop {
        if let Some(stopped) = search.sweep()? {
            return search.finish(stopped);
        }
    }
}

struct Search<'a> {
    problem: Problem<'a>,
    options: &'a EpOptions,
    state: State,
    /// Sites with the smallest residual so far.
    best: (f64, Vec<f64>, Vec<f64>),
    last_residual: f64,
    since_progress: usize,
    damping: f64,
    sweeps: usize,
}

/// The end of a search: met the tolerance, or why not.
type Stopped = Option<Reason>;

impl<'a> Search<'a> {
    fn new(problem: Problem<'a>, start: Start<'_>, damping: f64, options: &'a EpOptions) -> Result<Self, Failure> {
        let approach = rough::approach(problem, &start, options)?;
        let before = approach.as_ref().map_or(0, |approach| approach.sweeps);
        let state = match (approach, start) {
            (Some(rough::Approach { tau, b, .. }), _) => State::new(problem, tau, b, None)?,
            (None, Start::Warm(sites)) => match State::at_sites(problem, sites) {
                Err(failure) if failure.is_indefinite() => cold(problem)?,
                state => state?,
            },
            (None, Start::Cold) => cold(problem)?,
            (None, Start::Sweep) => State::at_sites(problem, &first_sites(problem))?,
        };
        let best = (f64::INFINITY, state.tau.clone(), state.b.clone());
        Ok(Search {
            problem,
            options,
            state,
            best,
            last_residual: f64::INFINITY,
            since_progress: 0,
            damping,
            sweeps: before + 1,
        })
    }

    /// Solves the means, judges, moves the precisions. `Some` ends the search.
    fn sweep(&mut self) -> Result<Option<Stopped>, Failure> {
        let mismatch = settle(&mut self.state, self.problem, self.options);
        let residual = mismatch.residual();
        if residual <= self.options.tolerance {
            self.best = (residual, self.state.tau.clone(), self.state.b.clone());
            return Ok(Some(None));
        }
        self.since_progress += 1;
        if residual < PROGRESS * self.best.0 {
            self.since_progress = 0;
        }
        if residual < self.best.0 {
            self.best = (residual, self.state.tau.clone(), self.state.b.clone());
        }
        if self.sweeps >= self.options.max_sweeps {
            return Ok(Some(Some(Reason::SweepLimit)));
        }
        if self.since_progress >= self.options.patience {
            return Ok(Some(Some(Reason::NoProgress)));
        }
        if !self.problem.observations.likelihood.is_log_concave() {
            let factor = if residual > self.last_residual { 0.8 } else { 1.1 };
            self.damping = (self.damping * factor).clamp(MIN_DAMPING, 1.0);
        }
        self.last_residual = residual;
        let (next, b) = self.next(&mismatch);
        if self.advance(next, b)? { Ok(None) } else { Ok(Some(Some(Reason::Improper))) }
    }

    /// Where to go from here: ahead where a sweep would not be the last one and the first order can be trusted.
    fn next(&self, mismatch: &Mismatch) -> (Vec<f64>, Vec<f64>) {
        let tolerance = self.options.tolerance;
        let near = CONTRACTION * mismatch.residual() > tolerance && self.since_progress == 0;
        if let Some(sites) = near.then(|| ahead(&self.state, self.problem, mismatch, tolerance)).flatten() {
            return sites;
        }
        (swept(&self.state, self.problem, mismatch, self.damping), self.state.b.clone())
    }

    /// Moves to `next` with means by `b`, or as far towards it as leaves a proper posterior. False when no move does.
    fn advance(&mut self, mut next: Vec<f64>, b: Vec<f64>) -> Result<bool, Failure> {
        let good = self.state.tau.clone();
        let mut spare = Some(self.state.factor.take_spare());
        for _ in 0..MAX_RETREATS {
            self.sweeps += 1;
            match State::new(self.problem, next.clone(), b.clone(), spare.take()) {
                Ok(state) => {
                    self.state = state;
                    return Ok(true);
                }
                // Only negative precisions can make the posterior improper; otherwise K itself is at fault.
                Err(failure) if !failure.is_indefinite() || next.iter().all(|&t| t >= 0.0) => return Err(failure),
                Err(_) => {
                    self.damping = (0.5 * self.damping).max(MIN_DAMPING);
                    next.iter_mut().zip(&good).for_each(|(t, g)| *t = 0.5 * (*t + g));
                }
            }
        }
        self.state = State::new(self.problem, good, b, None)?;
        Ok(false)
    }

    /// The best state seen.
    fn finish(self, stopped: Stopped) -> Result<Attempt, Failure> {
        let (_, tau, b) = self.best;
        let state = if tau == self.state.tau && b == self.state.b {
            self.state
        } else {
            State::new(self.problem, tau, b, Some(self.state.factor.into_spare()))?
        };
        let mismatch = state.mismatch(self.problem.observations);
        Ok(Attempt { state, mismatch, sweeps: self.sweeps, stopped })
    }
}

/// The first sweep from the prior needs no factorisation: the cavities are the prior marginals.
fn cold(problem: Problem<'_>) -> Result<State, Failure> {
    State::new(problem, first_sites(problem).tau, vec![0.0; problem.len()], None)
}

/// The sites that match the prior marginals, none of negative precision.
pub(super) fn first_sites(problem: Problem<'_>) -> Sites {
    let observations = problem.observations;
    let rows = problem.prior.diag().into_iter().enumerate();
    let moments: Vec<_> = rows.map(|(i, var)| observations.moments(i, Gaussian { mean: 0.0, var })).collect();
    let tau = matching_tau(observations, &moments).into_iter().map(|t| t.max(0.0)).collect();
    let nu = moments.iter().enumerate().map(|(i, m)| observations.copies(i) * m.d1 / m.shrink).collect();
    Sites { tau, nu }
}

/// Solves the mean conditions at the state's cavity variances, as far as that is worth.
pub(super) fn settle<F: Solver>(state: &mut State<F>, problem: Problem<'_>, options: &EpOptions) -> Mismatch {
    let mut mismatch = state.mismatch(problem.observations);
    let floor = 1e-2 * options.tolerance * options.tolerance;
    for _ in 0..options.max_inner {
        if mismatch.mean_error <= floor.max(INNER_SHARE * mismatch.var_error) {
            break;
        }
        match mean_step(state, problem, &mismatch) {
            Some(better) => mismatch = better,
            None => break,
        }
    }
    mismatch
}

/// One chord-Newton step on the means, halved until the mismatch falls; `None` if it does not.
fn mean_step<F: Solver>(state: &mut State<F>, problem: Problem<'_>, mismatch: &Mismatch) -> Option<Mismatch> {
    // J = -(1 + tau s / c)⁻¹ (I + T K) with 1 + tau s / c = 1 / gap.
    let x: Vec<f64> = mismatch.r.iter().zip(&state.gap).map(|(r, gap)| r / gap).collect();
    let db = state.factor.solve_site(&x);
    let dmu = problem.prior.times(&db);
    let mut step = 1.0;
    for _ in 0..=MAX_HALVINGS {
        let (mut b, mut mu) = (state.b.clone(), state.mu.clone());
        vector::add_scaled(&mut b, step, &db);
        vector::add_scaled(&mut mu, step, &dmu);
        let trial = state.mismatch_at(problem.observations, &mu, &b);
        if trial.mean_error < mismatch.mean_error {
            (state.b, state.mu) = (b, mu);
            return Some(trial);
        }
        step *= 0.5;
    }
    None
}

/// All precisions moved towards those that match.
pub(super) fn swept<F>(state: &State<F>, problem: Problem<'_>, mismatch: &Mismatch, damping: f64) -> Vec<f64> {
    let goals = state.matching_tau(problem.observations, mismatch);
    state.tau.iter().zip(goals).map(|(&tau, goal)| moved(tau, goal, damping)).collect()
}

/// A precision moved towards its goal.
fn moved(tau: f64, goal: f64, damping: f64) -> f64 {
    if tau > 0.0 && goal > 0.0 {
        tau * (damping * (goal / tau).ln()).clamp(-MAX_LOG_STEP, MAX_LOG_STEP).exp()
    } else {
        tau + damping * (goal - tau)
    }
}
