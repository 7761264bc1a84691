//! The first sweeps in single precision, while they are far from the fixed point. Every sweep forgets most of the errors of the one before,
//! so that nothing of them is left after the sweeps in double precision that follow and that alone are judged.

use super::ahead::{LEFT_OF_SQUARE, ahead};
use super::options::EpOptions;
use super::state::State;
use super::two_level::{CONTRACTION, Start, first_sites, settle, swept};
use crate::inference::problem::Problem;
use crate::prior::Failure;

/// What single precision may add to the residual, for each row, in the root of the sum of squares.
const NOISE: f64 = 6e-6;
/// Sweeps at most.
const MOST_SWEEPS: usize = 8;

/// Where the sweeps in single precision ended.
pub(super) struct Approach {
    pub tau: Vec<f64>,
    pub b: Vec<f64>,
    pub sweeps: usize,
}

/// Sweeps from `start` until the next one is worth double precision; `None` where not even the first is worth single precision.
pub(super) fn approach(
    problem: Problem<'_>,
    start: &Start<'_>,
    options: &EpOptions,
) -> Result<Option<Approach>, Failure> {
    if !problem.observations.likelihood.is_log_concave() {
        return Ok(None);
    }
    let enough = (NOISE * (problem.len() as f64).sqrt()).max(options.tolerance);
    let first = match start {
        Start::Warm(sites) => State::rough_at_sites(problem, sites),
        Start::Cold => State::rough(problem, first_sites(problem).tau, vec![0.0; problem.len()]),
        Start::Sweep => State::rough_at_sites(problem, &first_sites(problem)),
    };
    let Some(mut state) = first else { return Ok(None) };
    let (mut sweeps, mut last) = (1, f64::INFINITY);
    loop {
        problem.interrupt.check()?;
        let mismatch = settle(&mut state, problem, options);
        let residual = mismatch.residual();
        if residual <= enough || residual.is_nan() || residual >= last || sweeps >= options.max_sweeps {
            // A move by what is mostly rounding would be one away from the fixed point.
            return Ok(Some(Approach { tau: state.tau, b: state.b, sweeps }));
        }
        last = residual;
        // A step ahead costs as much as a sweep in single precision: it must save one.
        let left = LEFT_OF_SQUARE * residual * residual;
        let saves = left <= enough && CONTRACTION * CONTRACTION * residual > enough;
        let (tau, b, left) = match saves.then(|| ahead(&state, problem, &mismatch, enough)).flatten() {
            Some((tau, b)) => (tau, b, left),
            None => (swept(&state, problem, &mismatch, 1.0), state.b, CONTRACTION * residual),
        };
        if left <= enough || sweeps == MOST_SWEEPS {
            return Ok(Some(Approach { tau, b, sweeps }));
        }
        match State::rough(problem, tau.clone(), b.clone()) {
            Some(next) => state = next,
            None => return Ok(Some(Approach { tau, b, sweeps })),
        }
        sweeps += 1;
    }
}
