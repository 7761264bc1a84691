//! Annealed importance sampling: the evidence under any likelihood.
//!
//! R. M. Neal, Annealed importance sampling, Statistics and Computing 11, 2001. The path raises the likelihood, over
//! the sites of the reference if it has any, to powers from 0 to 1; each step along it is one or more elliptical slice transitions.

use super::draws::Draws;
use super::error::at_least;
use super::reference::Reference;
use super::slice::State;
use super::{ExactError, PriorFactor, Simulated, Terms};
use crate::interrupt::Interrupt;
use gpclass_linalg::{Mat, map_tasks};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// How much work the evidence is worth. The standard error falls like `1 / sqrt(runs * temperatures)`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct AnnealedOptions {
    /// Everything random follows from it.
    pub seed: u64,
    /// Independent runs along the path, in parallel. At least 2, default 100.
    pub runs: usize,
    /// Further runs that find where the path needs small steps, and are then forgotten. At least 2, default 10.
    pub pilot_runs: usize,
    /// Powers from 0 to 1, without the 0. At least 1, default 1000.
    pub temperatures: usize,
    /// Slice transitions at each power. At least 1, default 1.
    pub steps: usize,
}

impl Default for AnnealedOptions {
    fn default() -> Self {
        AnnealedOptions { seed: 0, runs: 100, pilot_runs: 10, temperatures: 1000, steps: 1 }
    }
}

/// The evidence, and whether to believe its error bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AnnealedEvidence {
    /// Natural logarithm of the evidence.
    pub log_z: Simulated,
    /// Of how many equally weighted runs the weights are worth; the error bar means little when only a few carry all.
    pub effective_runs: f64,
}

/// `ln Z = ln E[likelihood]` under the prior covariance `k` (lower triangle; may be singular).
pub fn annealed_evidence(k: &Mat, terms: &Terms, options: &AnnealedOptions) -> Result<AnnealedEvidence, ExactError> {
    let prior = PriorFactor::new(k)?;
    anneal(&Reference::prior(prior.map(), terms), options, Interrupt::default())
}

pub(super) fn anneal(
    reference: &Reference,
    options: &AnnealedOptions,
    interrupt: Interrupt,
) -> Result<AnnealedEvidence, ExactError> {
    reference.terms.validate(reference.map.rows())?;
    at_least("runs", options.runs, 2)?;
    at_least("pilot_runs", options.pilot_runs, 2)?;
    at_least("temperatures", options.temperatures, 1)?;
    at_least("steps", options.steps, 1)?;
    let path = Path { reference, options, interrupt };
    let powers = path.balanced_powers()?;
    let runs = path.runs(options.runs, &powers, |r| r as u64)?;
    let log_weights: Vec<f64> = runs.iter().map(|run| run.log_weight).collect();
    let mut found = weigh(&log_weights).ok_or(ExactError::ZeroEvidence { runs: options.runs })?;
    found.log_z.value += reference.log_mass;
    Ok(found)
}

struct Path<'a> {
    reference: &'a Reference<'a>,
    options: &'a AnnealedOptions,
    interrupt: Interrupt<'a>,
}

struct Run {
    log_weight: f64,
    /// The log ratio of likelihood and sites met at each power, before the step to the next.
    log_ratios: Vec<f64>,
}

impl Path<'_> {
    /// Neal (2001) eq. 11: the weight gathers `ratio^(next power - power)` at each step.
    fn run(&self, powers: &[f64], stream: u64) -> Result<Run, ExactError> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.options.seed);
        rng.set_stream(stream);
        let mut draws = Draws::new(self.reference);
        let mut state = State::drawn(&mut draws, self.reference, &mut rng);
        let mut run = Run { log_weight: 0.0, log_ratios: Vec::with_capacity(powers.len()) };
        let mut power = 0.0;
        for &next in powers {
            self.interrupt.check()?;
            run.log_ratios.push(state.log_ratio);
            run.log_weight += (next - power) * state.log_ratio;
            power = next;
            if run.log_weight == f64::NEG_INFINITY {
                break; // an impossible point has weight zero, wherever it goes
            }
            for _ in 0..self.options.steps {
                state.advance(&mut draws, self.reference, power, &mut rng);
            }
        }
        Ok(run)
    }

    fn runs(&self, count: usize, powers: &[f64], stream: impl Fn(usize) -> u64 + Sync) -> Result<Vec<Run>, ExactError> {
        map_tasks(count, |r| self.run(powers, stream(r))).into_iter().collect()
    }

    /// Powers spaced so that each step adds the same deviation to the log weight, from a pilot on a crude schedule.
    fn balanced_powers(&self) -> Result<Vec<f64>, ExactError> {
        let crude = crude_powers(self.options.temperatures);
        // Streams from the far end, so that pilot and result are independent.
        let pilot = self.runs(self.options.pilot_runs, &crude, |r| u64::MAX - r as u64)?;
        let met = |run: &Run, t: usize| run.log_ratios.get(t).copied().filter(|l| l.is_finite());
        let at = |t: usize| pilot.iter().filter_map(move |run| met(run, t));
        let spread: Vec<f64> = (0..crude.len()).map(|t| deviation(&at(t).collect::<Vec<_>>())).collect();
        Ok(equal_arcs(&crude, &spread))
    }
}

/// Dense near 0, where the likelihood varies most.
fn crude_powers(count: usize) -> Vec<f64> {
    const EXPONENT: i32 = 4;
    (1..=count).map(|t| (t as f64 / count as f64).powi(EXPONENT)).collect()
}

fn deviation(x: &[f64]) -> f64 {
    if x.len() < 2 {
        return 0.0;
    }
    let mean = x.iter().sum::<f64>() / x.len() as f64;
    (x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (x.len() as f64 - 1.0)).sqrt()
}

/// As many powers as before, at equal parts of the arc length `int sd(log likelihood) d(power)`, which the crude schedule
/// keeps a share of: a deviation from a few runs is a rough number and must not open a gap.
fn equal_arcs(crude: &[f64], spread: &[f64]) -> Vec<f64> {
    const CRUDE_SHARE: f64 = 0.25;
    let mut arcs = Vec::with_capacity(crude.len());
    let mut before = 0.0;
    for (power, sd) in crude.iter().zip(spread) {
        arcs.push(sd * (power - before));
        before = *power;
    }
    let total: f64 = arcs.iter().sum();
    if total.is_nan() || total <= 0.0 {
        return crude.to_vec();
    }
    let even = CRUDE_SHARE / crude.len() as f64;
    let mut powers = Vec::with_capacity(crude.len());
    let (mut length, mut from) = (0.0, 0.0);
    for (arc, &to) in arcs.iter().zip(crude) {
        let own = (1.0 - CRUDE_SHARE) * arc / total + even;
        while powers.len() + 1 < crude.len() && (powers.len() + 1) as f64 <= (length + own) * crude.len() as f64 {
            let share = ((powers.len() + 1) as f64 / crude.len() as f64 - length) / own;
            powers.push(from + share * (to - from));
        }
        length += own;
        from = to;
    }
    powers.push(1.0);
    powers
}

/// The logarithm of the mean weight, with its standard error by the delta method.
fn weigh(log_weights: &[f64]) -> Option<AnnealedEvidence> {
    let largest = log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if largest == f64::NEG_INFINITY {
        return None;
    }
    let weights: Vec<f64> = log_weights.iter().map(|w| (w - largest).exp()).collect();
    let count = weights.len() as f64;
    let sum: f64 = weights.iter().sum();
    let effective_runs = sum * sum / weights.iter().map(|w| w * w).sum::<f64>();
    let standard_error = deviation(&weights) * count.sqrt() / sum;
    Some(AnnealedEvidence { log_z: Simulated { value: (sum / count).ln() + largest, standard_error }, effective_runs })
}

#[cfg(test)]
mod tests;
