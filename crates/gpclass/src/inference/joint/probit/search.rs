//! Two-level EP over pair sites: refresh all variances, solve the mean conditions for them, then move all precisions. The
//! same scheme as for two classes (`ep/two_level.rs`), over sites that couple the functions of a row.

use super::rows::RowMoments;
use super::state::{Means, Mismatch, State, matching_tau};
use crate::inference::Reason;
use crate::inference::ep::EpOptions;
use crate::inference::joint::ClassObservations;
use crate::interrupt::Interrupt;
use crate::posterior::FunctionPriors;
use crate::prior::Failure;
use gpclass_linalg::{Mat, vector};

/// The largest change of a positive precision in one sweep, in units of its logarithm.
const MAX_LOG_STEP: f64 = 4.0;
/// The mean conditions are solved to this share of the variance mismatch: more is wasted on wrong variances.
const INNER_SHARE: f64 = 1e-2;
/// Halvings of a mean step before it is given up.
const MAX_HALVINGS: usize = 10;
/// Halvings back to the last proper sites before an attempt is given up.
const MAX_RETREATS: usize = 30;
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

/// Where an attempt ended.
pub(super) struct Attempt {
    pub state: State,
    pub mismatch: Mismatch,
    pub sweeps: usize,
    /// `None` when the residual met the tolerance.
    pub stopped: Option<Reason>,
}

pub(super) struct Search<'a> {
    pub prior: &'a FunctionPriors,
    pub observations: &'a ClassObservations<'a>,
    pub options: &'a EpOptions,
    /// Whether precisions are kept from becoming negative.
    pub clamped: bool,
    pub interrupt: Interrupt<'a>,
}

impl Search<'_> {
    /// Iterates from `start`, or from the prior, until the residual meets the tolerance or progress ends.
    pub fn run(&self, start: Option<&PairSites>, damping: f64) -> Result<Attempt, Failure> {
        let mut state = match start {
            Some(sites) => self.state(sites.tau.clone(), sites.beta.clone()).or_else(|_| self.cold())?,
            None => self.cold()?,
        };
        let (mut best, mut last, mut since_progress, mut sweeps, mut damping) = (None, f64::INFINITY, 0, 1, damping);
        let mut smallest = f64::INFINITY;
        loop {
            self.interrupt.check()?;
            let mismatch = self.settle(&mut state);
            let residual = mismatch.residual();
            since_progress = if residual < PROGRESS * smallest { 0 } else { since_progress + 1 };
            if residual < smallest {
                smallest = residual;
                best = Some(PairSites { tau: state.tau.clone(), beta: state.beta.clone() });
            }
            let stopped = if residual <= self.options.tolerance {
                Some(None)
            } else if sweeps >= self.options.max_sweeps {
                Some(Some(Reason::SweepLimit))
            } else if since_progress >= self.options.patience {
                Some(Some(Reason::NoProgress))
            } else {
                None
            };
            if let Some(stopped) = stopped {
                return self.finish(state, mismatch, best, sweeps, stopped);
            }
            if self.observations.link.label_error() > 0.0 {
                damping = (damping * if residual > last { 0.8 } else { 1.1 }).clamp(MIN_DAMPING, 1.0);
            }
            last = residual;
            let goal = self.goal(&state, &mismatch);
            let next = self.moved(&state.tau, &goal, damping);
            let good = PairSites { tau: state.tau.clone(), beta: state.beta.clone() };
            match self.advance(state, next, &mut damping, &mut sweeps)? {
                Ok(better) => state = better,
                Err(()) => {
                    let state = self.state(good.tau, good.beta)?;
                    let mismatch = state.mismatch(self.observations);
                    return Ok(Attempt { state, mismatch, sweeps, stopped: Some(Reason::Improper) });
                }
            }
        }
    }

    fn state(&self, tau: Mat, beta: Mat) -> Result<State, Failure> {
        State::new(self.prior, self.observations, tau, beta, None)
    }

    /// The first sweep from the prior needs no factorisation: the cavities are the prior's.
    fn cold(&self) -> Result<State, Failure> {
        let observations = self.observations;
        let (count, label_error) = (observations.count, observations.link.label_error());
        let row = |i: usize| {
            let var = |c: usize| self.prior.of(c).covariance()[(i, i)];
            let cavity = |c| (0.0, 1.0 + var(observations.own(i)) + var(c));
            RowMoments::new(&self.observations.others(i).map(cavity).collect::<Vec<_>>(), count, label_error)
        };
        let rows: Vec<RowMoments> = (0..observations.len()).map(row).collect();
        let mut tau = matching_tau(self.observations, &rows);
        tau.as_mut_slice().iter_mut().for_each(|t| *t = t.max(0.0));
        let beta = Mat::zeros(tau.rows(), tau.cols());
        self.state(tau, beta)
    }

    fn goal(&self, state: &State, mismatch: &Mismatch) -> Mat {
        let mut goal = state.matching_tau(self.observations, mismatch);
        if self.clamped {
            goal.as_mut_slice().iter_mut().for_each(|t| *t = t.max(0.0));
        }
        goal
    }

    fn moved(&self, tau: &Mat, goal: &Mat, damping: f64) -> Mat {
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

    /// The state at `next`, or as far towards it as leaves a proper posterior; `Err(())` where no step does.
    fn advance(
        &self,
        state: State,
        mut next: Mat,
        damping: &mut f64,
        sweeps: &mut usize,
    ) -> Result<Result<State, ()>, Failure> {
        let State { tau: good, beta, factor, .. } = state;
        let mut spare = Some(factor);
        for _ in 0..MAX_RETREATS {
            *sweeps += 1;
            match State::new(self.prior, self.observations, next.clone(), beta.clone(), spare.take()) {
                Ok(state) => return Ok(Ok(state)),
                // Only negative precisions can make the posterior improper; otherwise a covariance itself is at fault.
                Err(error) if next.as_slice().iter().all(|&t| t >= 0.0) => return Err(error),
                Err(_) => {
                    *damping = (0.5 * *damping).max(MIN_DAMPING);
                    next.as_mut_slice().iter_mut().zip(good.as_slice()).for_each(|(t, g)| *t = 0.5 * (*t + g));
                }
            }
        }
        Ok(Err(()))
    }

    /// The best state seen.
    fn finish(
        &self,
        state: State,
        mismatch: Mismatch,
        best: Option<PairSites>,
        sweeps: usize,
        stopped: Option<Reason>,
    ) -> Result<Attempt, Failure> {
        match best {
            Some(best) if stopped.is_some() && (best.tau != state.tau || best.beta != state.beta) => {
                let state = State::new(self.prior, self.observations, best.tau, best.beta, Some(state.factor))?;
                let mismatch = state.mismatch(self.observations);
                Ok(Attempt { state, mismatch, sweeps, stopped })
            }
            _ => Ok(Attempt { state, mismatch, sweeps, stopped }),
        }
    }

    /// Solves the mean conditions at the state's cavity variances, as far as that is worth.
    fn settle(&self, state: &mut State) -> Mismatch {
        let mut mismatch = state.mismatch(self.observations);
        let floor = 1e-2 * self.options.tolerance * self.options.tolerance;
        for _ in 0..self.options.max_inner {
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
        let step_of_beta = self.newton(state, mismatch);
        let mut step = 1.0;
        for _ in 0..=MAX_HALVINGS {
            let mut beta = state.beta.clone();
            vector::add_scaled(beta.as_mut_slice(), step, step_of_beta.as_slice());
            let means = Means::new(self.prior, self.observations, &beta);
            let trial = state.mismatch_at(self.observations, &means.h, &beta);
            if trial.mean_error < mismatch.mean_error {
                (state.beta, state.means) = (beta, means);
                return Some(trial);
            }
            step *= 0.5;
        }
        None
    }

    /// `q = (1 + tau v) (d1 - beta)` taken as `nu_h`; then `d beta = q - tau (E g - mu_c)` with the hub's mean
    /// `E g = (piᵀ mu + Σ q) / s`. Nothing is divided by `tau`.
    fn newton(&self, state: &State, mismatch: &Mismatch) -> Mat {
        let (n, count) = (state.tau.rows(), state.tau.cols());
        let q = Mat::from_fn(n, count, |i, c| match state.gap[(i, c)] {
            0.0 => 0.0,
            gap => mismatch.lacking[(i, c)] / gap,
        });
        let total = |i: usize, m: &Mat| (0..count).map(|c| m[(i, c)]).sum::<f64>();
        let sums: Vec<(f64, f64)> =
            (0..n).map(|i| (total(i, &state.tau).max(f64::MIN_POSITIVE), total(i, &q))).collect();
        let nu = Mat::from_fn(n, count, |i, c| {
            let (s, sum) = sums[i];
            self.observations.copies(i) * (state.tau[(i, c)] * sum / s - q[(i, c)])
        });
        let (_, mu) = state.factor.solve(&nu);
        let hub: Vec<f64> = (0..n)
            .map(|i| ((0..count).map(|c| state.tau[(i, c)] * mu[(i, c)]).sum::<f64>() + sums[i].1) / sums[i].0)
            .collect();
        Mat::from_fn(n, count, |i, c| {
            let own = c == self.observations.own(i);
            if own { 0.0 } else { q[(i, c)] - state.tau[(i, c)] * (hub[i] - mu[(i, c)]) }
        })
    }
}
