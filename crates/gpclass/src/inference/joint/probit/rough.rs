//! The first sweeps in single precision, while they are far from the fixed point. Every sweep forgets most of the errors of the one before,
//! so that nothing of them is left after the sweeps in double precision that follow and that alone are judged.
//!
//! Far from the fixed point variances need few digits. Half of what a sweep costs is then saved by estimates from the last computed ones.

use super::means::settle;
use super::search::{CONTRACTION, PairSites, Search, moved};
use super::state::{State, Variances, matching_tau};
use crate::prior::Failure;
use gpclass_linalg::Mat;

/// Fewer rows than this are swept in double precision: they cost little, and then a weighted row takes the same course as its copies.
const ROWS: usize = 400;
/// What single precision may add to the residual, for each pair, in the root of the sum of squares.
const NOISE: f64 = 6e-6;
/// What a sweep with computed variances and one with estimates after it leave together.
const CONTRACTION_OF_BOTH: f64 = 0.03;
/// Sweeps at most.
const MOST_SWEEPS: usize = 10;
/// Before any variances were computed, estimates are good to about this residual for each pair, in the root of the sum of squares.
const FIRST_ESTIMATE: f64 = 3e-3;
/// Sweeps with estimates before the first computed variances, and between two of them.
const FIRST_ESTIMATES: usize = 2;
const ESTIMATES: usize = 1;

/// Where the sweeps in single precision ended.
pub(super) struct Approach {
    pub sites: PairSites,
    pub sweeps: usize,
    /// The residual that a sweep from there is expected to have.
    pub expected: f64,
}

/// What estimates of variances come from, and how often they were used since.
struct Estimates {
    place: Option<Mat>,
    used: usize,
    /// The residual that they are good to before any variances were computed.
    first: f64,
    /// The residual that the next sweep is expected to have.
    expected: f64,
}

/// Sweeps from `start`, or from the prior, until the next one is worth double precision; `None` where not even the first is worth single
/// precision.
pub(super) fn approach(search: &Search<'_>, start: Option<&PairSites>) -> Result<Option<Approach>, Failure> {
    let Search { problem, options } = *search;
    let observations = problem.observations;
    if !problem.is_log_concave() || observations.len() < ROWS {
        return Ok(None);
    }
    let pairs = ((observations.len() * (observations.count - 1)) as f64).sqrt();
    let noise = NOISE * pairs;
    let mut estimates = Estimates { place: None, used: 0, first: FIRST_ESTIMATE * pairs, expected: f64::INFINITY };
    let mut sites = start.cloned().unwrap_or_else(|| PairSites::of_prior(problem));
    let mut variances = if start.is_some() { Variances::Computed } else { Variances::Estimated(None) };
    let (mut sweeps, mut last, mut spare) = (0, f64::INFINITY, None);
    while sweeps < MOST_SWEEPS.min(options.max_sweeps.saturating_sub(1)) {
        let Some((mut state, place)) = State::rough(problem, sites.clone(), variances, spare.take())? else { break };
        sweeps += 1;
        let mismatch = settle(&mut state, observations, options);
        let residual = mismatch.residual();
        estimates.renew(place, residual);
        let falling = residual < last; // false for what is no number
        if residual <= noise || !falling {
            // A move by what is mostly rounding would be one away from the fixed point.
            sites = PairSites::of(&state);
            estimates.expected = residual;
            break;
        }
        let goal = matching_tau(observations, &mismatch.terms);
        sites = PairSites { tau: moved(&state.tau, &goal, 1.0), beta: state.beta };
        last = residual;
        if estimates.expected <= noise.max(options.tolerance) {
            break;
        }
        variances = estimates.next();
        spare = Some(state.factor);
    }
    Ok((sweeps > 0).then_some(Approach { sites, sweeps, expected: estimates.expected }))
}

impl Estimates {
    /// Takes note of a sweep.
    fn renew(&mut self, place: Option<Mat>, residual: f64) {
        self.expected = match self.place {
            Some(_) if place.is_none() => CONTRACTION_OF_BOTH / CONTRACTION * self.expected,
            _ => CONTRACTION * residual,
        };
        match place {
            Some(place) => (self.place, self.used) = (Some(place), 0),
            None => self.used += 1,
        }
    }

    /// How the next sweep has its variances.
    fn next(&self) -> Variances<'_> {
        match &self.place {
            None if self.used < FIRST_ESTIMATES && self.expected > self.first => Variances::Estimated(None),
            Some(place) if self.used < ESTIMATES => Variances::Estimated(Some(place)),
            _ => Variances::Computed,
        }
    }
}
