//! Two-level EP over pair sites: refresh all variances, solve the mean conditions for them, then move all precisions. The
//! same scheme as for two classes (`ep/two_level.rs`), over sites that couple the functions of a row.
//!
//! Far from the fixed point variances need few digits. Without label error most of their cost is then saved by estimates from the
//! last exact ones; where a search ends is judged by exact ones only.

use super::rows::Terms;
use super::state::{Mismatch, Problem, State, Step, Variances, matching_tau};
use crate::inference::Reason;
use crate::inference::ep::EpOptions;
use crate::prior::Failure;
use gpclass_linalg::Mat;

/// The largest change of a positive precision in one sweep, in units of its logarithm.
const MAX_LOG_STEP: f64 = 4.0;
/// The mean conditions are solved to this share of the variance mismatch: more is wasted on wrong variances.
const INNER_SHARE: f64 = 1e-2;
/// Halvings of a mean step before it is given up.
const MAX_HALVINGS: usize = 10;
/// Mean steps for each that the options allow: beside the factorisations of all classes they cost little.
const MEAN_STEPS: usize = 3;
/// Mean steps are solved for to this share of their right-hand side: they are steps of a chord method.
const STEP_SHARE: f64 = 1e-4;
/// Halvings back to the last proper sites before an attempt is given up.
const MAX_RETREATS: usize = 30;
/// A sweep makes progress when the residual falls below this share of the best so far.
const PROGRESS: f64 = 0.9;
/// Damping never falls below this.
const MIN_DAMPING: f64 = 0.02;
/// What a sweep usually leaves of the residual.
const CONTRACTION: f64 = 0.1;
/// Fewer rows than this are always swept exactly: they cost little, and then a weighted row takes the same course as its copies.
const ESTIMATED_ROWS: usize = 400;
/// Before any variances were exact, estimates are good to about this residual for each pair, in the root of the sum of squares.
const FIRST_ESTIMATE: f64 = 3e-3;
/// Sweeps with estimates before the first exact one, and between two of them.
const FIRST_ESTIMATES: usize = 2;
const ESTIMATES: usize = 1;
/// An estimate paid if it and the exact sweep after it left no more than this share of the residual.
const PAID: f64 = 0.05;

/// Sites to start from: precisions and `beta`, both of one copy.
#[derive(Clone, Debug, PartialEq)]
pub struct PairSites {
    /// Precisions, rows x classes; one in the column of a row's own class.
    pub tau: Mat,
    /// `nu - tau E h`, rows x classes.
    pub beta: Mat,
}

impl PairSites {
    pub(super) fn of(state: &State) -> Self {
        PairSites { tau: state.tau.clone(), beta: state.beta.clone() }
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
    /// Sites with the smallest residual of exact variances so far, and that.
    best: Option<PairSites>,
    smallest: f64,
    last: f64,
    since: usize,
    sweeps: usize,
    damping: f64,
    estimates: Estimates,
}

/// Whether variances are worth estimating.
struct Estimates {
    allowed: bool,
    /// What they come from: none before the first exact sweep.
    place: Option<Mat>,
    /// The residual of that sweep, or what estimates are good to before it.
    exact: f64,
    /// Sweeps with them in a row.
    used: usize,
}

impl Search<'_> {
    /// Iterates from `start`, or from the prior, until the residual meets the tolerance or progress ends.
    pub fn run(&self, start: Option<&PairSites>, damping: f64) -> Result<Attempt, Failure> {
        let mut state = self.start(start)?;
        let mut progress = self.progress(damping);
        progress.estimates.used = usize::from(state.place.is_none());
        loop {
            let mismatch = self.settle(&mut state);
            let residual = mismatch.residual();
            if let Some(place) = state.place.take() {
                progress.judge(residual, &state, place);
                if let Some(stopped) = self.stopped(&progress, residual) {
                    return self.finish(state, mismatch, progress, stopped);
                }
            } else if progress.sweeps >= self.options.max_sweeps {
                return self.finish(state, mismatch, progress, Some(Reason::SweepLimit));
            }
            if !self.is_log_concave() {
                let factor = if residual > progress.last { 0.8 } else { 1.1 };
                progress.damping = (progress.damping * factor).clamp(MIN_DAMPING, 1.0);
            }
            progress.last = residual;
            let next = moved(&state.tau, &self.goal(&mismatch.terms), progress.damping);
            match self.advance(state, next, &mut progress)? {
                Ok(better) => state = better,
                Err(good) => {
                    let state = State::new(self.problem, good.tau, good.beta, Variances::Exact, None)?;
                    let mismatch = state.mismatch(self.problem.observations);
                    let sweeps = progress.sweeps;
                    return Ok(Attempt { state, mismatch, sweeps, stopped: Some(Reason::Improper) });
                }
            }
        }
    }

    fn is_log_concave(&self) -> bool {
        self.problem.observations.link.label_error() == 0.0
    }

    /// Whether variances may be estimated between exact sweeps.
    fn may_estimate(&self) -> bool {
        self.is_log_concave() && self.problem.observations.len() >= ESTIMATED_ROWS
    }

    fn progress(&self, damping: f64) -> Progress {
        let pairs = self.problem.observations.len() * (self.problem.observations.count - 1);
        Progress {
            best: None,
            smallest: f64::INFINITY,
            last: f64::INFINITY,
            since: 0,
            sweeps: 1,
            damping,
            estimates: Estimates {
                allowed: self.may_estimate(),
                place: None,
                exact: FIRST_ESTIMATE * (pairs as f64).sqrt(),
                used: 0,
            },
        }
    }

    /// The state at given sites or, where there are none or they leave no proper posterior, near the prior.
    fn start(&self, start: Option<&PairSites>) -> Result<State, Failure> {
        let Some(sites) = start else { return self.cold() };
        let mut tau = sites.tau.clone();
        if self.problem.clamped {
            tau.as_mut_slice().iter_mut().for_each(|t| *t = t.max(0.0));
        }
        match State::new(self.problem, tau, sites.beta.clone(), Variances::Exact, None) {
            Err(failure) if failure.is_indefinite() => self.cold(),
            state => state,
        }
    }

    /// The first sweep from the prior needs no factorisation: the cavities are the prior's.
    fn cold(&self) -> Result<State, Failure> {
        let Problem { prior, observations, .. } = self.problem;
        let variances: Vec<Vec<f64>> = (0..observations.count).map(|c| prior.of(c).diag()).collect();
        let terms = Terms::new(observations, |i, c| (0.0, 1.0 + variances[observations.own(i)][i] + variances[c][i]));
        let mut tau = matching_tau(observations, &terms);
        tau.as_mut_slice().iter_mut().for_each(|t| *t = t.max(0.0));
        let beta = Mat::zeros(tau.rows(), tau.cols());
        let variances = if self.may_estimate() { Variances::Estimated(None) } else { Variances::Exact };
        State::new(self.problem, tau, beta, variances, None)
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
        progress: &mut Progress,
    ) -> Result<Result<State, PairSites>, Failure> {
        let State { tau: good, beta, factor, .. } = state;
        let mut spare = Some(factor);
        let mut estimated = progress.estimates.worthwhile(CONTRACTION * progress.last, self.options.tolerance);
        for _ in 0..MAX_RETREATS {
            progress.sweeps += 1;
            let variances =
                if estimated { Variances::Estimated(progress.estimates.place.as_ref()) } else { Variances::Exact };
            match State::new(self.problem, next.clone(), beta.clone(), variances, spare.take()) {
                Ok(state) => {
                    progress.estimates.used += usize::from(state.place.is_none());
                    return Ok(Ok(state));
                }
                Err(failure) if !failure.is_indefinite() => return Err(failure),
                // Estimates may be at fault; else only negative precisions can be, or a covariance itself.
                Err(_) if estimated => estimated = false,
                Err(failure) if next.as_slice().iter().all(|&t| t >= 0.0) => return Err(failure),
                Err(_) => {
                    progress.damping = (0.5 * progress.damping).max(MIN_DAMPING);
                    next.as_mut_slice().iter_mut().zip(good.as_slice()).for_each(|(t, g)| *t = 0.5 * (*t + g));
                }
            }
        }
        Ok(Err(PairSites { tau: good, beta }))
    }

    /// The best state seen, with exact variances.
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
        let state = State::new(self.problem, best.tau, best.beta, Variances::Exact, Some(state.factor))?;
        let mismatch = state.mismatch(self.problem.observations);
        Ok(Attempt { state, mismatch, sweeps, stopped })
    }

    /// Solves the mean conditions at the state's cavity variances, as far as that is worth.
    fn settle(&self, state: &mut State) -> Mismatch {
        let mut mismatch = state.mismatch(self.problem.observations);
        let floor = 1e-2 * self.options.tolerance * self.options.tolerance;
        for _ in 0..MEAN_STEPS * self.options.max_inner {
            if mismatch.mean_error <= floor.max(INNER_SHARE * mismatch.var_error) {
                break;
            }
            match self.mean_step(state, &mismatch) {
                Some(better) => mismatch = better,
                None => break,
            }
        }
        mismatch
    }

    /// One chord-Newton step on the means, halved until the mismatch falls; `None` if it does not (multiclass 3).
    fn mean_step(&self, state: &mut State, mismatch: &Mismatch) -> Option<Mismatch> {
        let observations = self.problem.observations;
        let step = self.newton(state, mismatch);
        let mut share = 1.0;
        for _ in 0..=MAX_HALVINGS {
            let (means, beta) = state.means.moved(observations, &state.beta, &step, share);
            let trial = state.mismatch_at(observations, &means.h, &beta);
            if trial.mean_error < mismatch.mean_error {
                (state.beta, state.means) = (beta, means);
                return Some(trial);
            }
            share *= 0.5;
        }
        None
    }

    /// `q = (1 + tau v) (d1 - beta)` taken as `nu_h`; the `alpha` of the row sites `nu` that belong to it is the step of `alpha`, and
    /// `-alpha_c` that of `beta_c`. Nothing is divided by `tau`.
    fn newton(&self, state: &State, mismatch: &Mismatch) -> Step {
        let observations = self.problem.observations;
        let (n, count) = (state.tau.rows(), state.tau.cols());
        let q = Mat::from_fn(n, count, |i, c| match state.gap[(i, c)] {
            0.0 => 0.0,
            gap => mismatch.lacking[(i, c)] / gap,
        });
        let total = |i: usize, m: &Mat| (0..count).map(|c| m[(i, c)]).sum::<f64>();
        let hub: Vec<f64> = (0..n).map(|i| total(i, &q) / total(i, &state.tau).max(f64::MIN_POSITIVE)).collect();
        let nu = Mat::from_fn(n, count, |i, c| observations.copies(i) * (state.tau[(i, c)] * hub[i] - q[(i, c)]));
        let (alpha, mu) = state.factor.solve_to(STEP_SHARE, &nu);
        let beta = Mat::from_fn(n, count, |i, c| {
            let left_out = c == observations.own(i) || observations.copies(i) == 0.0;
            if left_out { 0.0 } else { -alpha[(i, c)] / observations.copies(i) }
        });
        Step { alpha, mu, beta }
    }
}

impl Progress {
    /// Takes note of a state with exact variances.
    fn judge(&mut self, residual: f64, state: &State, place: Mat) {
        self.since = if residual < PROGRESS * self.smallest { 0 } else { self.since + 1 };
        if residual < self.smallest {
            self.smallest = residual;
            self.best = Some(PairSites::of(state));
        }
        self.estimates.renew(residual, place);
    }
}

impl Estimates {
    /// Whether the next sweep, of which this residual is expected, is one for estimates: not one that could end the search.
    fn worthwhile(&self, expected: f64, tolerance: f64) -> bool {
        self.allowed
            && expected > tolerance
            && match self.place {
                None => self.used < FIRST_ESTIMATES && expected > self.exact,
                Some(_) => self.used < ESTIMATES,
            }
    }

    /// Takes note of an exact sweep.
    fn renew(&mut self, residual: f64, place: Mat) {
        self.allowed &= self.place.is_none() || self.used == 0 || residual <= PAID * self.exact;
        (self.place, self.exact, self.used) = (Some(place), residual, 0);
    }
}

/// All precisions moved towards their goals.
fn moved(tau: &Mat, goal: &Mat, damping: f64) -> Mat {
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
