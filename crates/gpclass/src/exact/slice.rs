//! Elliptical slice sampling: posterior samples under any likelihood and a Gaussian prior, without tuning.
//!
//! I. Murray, R. P. Adams and D. J. C. MacKay, Elliptical slice sampling, AISTATS 2010.

use super::draws::PriorDraws;
use super::error::at_least;
use super::summary::{SeriesSummary, summarise};
use super::{ExactError, Interrupt, PriorFactor, Terms, orthant};
use gpclass_linalg::{Mat, map_tasks, vector};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// How long to sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SliceOptions {
    /// Everything random follows from it.
    pub seed: u64,
    /// Independent chains, run in parallel. At least 2 for an R-hat that means something, default 4.
    pub chains: usize,
    /// Transitions thrown away at the start of each chain. Default 1000.
    pub burn_in: usize,
    /// Samples kept of each chain. At least 4, default 2500.
    pub samples: usize,
    /// Transitions from one kept sample to the next. At least 1, default 10.
    pub thin: usize,
}

impl Default for SliceOptions {
    fn default() -> Self {
        SliceOptions { seed: 0, chains: 4, burn_in: 1000, samples: 2500, thin: 10 }
    }
}

/// Samples of the posterior of f, and of u with f = G u ([`PriorFactor`]). One column per sample, chain after chain.
#[derive(Clone, Debug)]
pub struct SliceSamples {
    pub latent: Mat,
    pub whitened: Mat,
    /// Total log likelihood of each sample.
    pub log_likelihood: Vec<f64>,
    pub chains: Vec<ChainSummary>,
}

/// One chain at a glance.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainSummary {
    /// Mean of each latent value over the chain.
    pub latent_mean: Vec<f64>,
    /// Variance of each latent value over the chain.
    pub latent_var: Vec<f64>,
    /// Mean of the total log likelihood.
    pub log_likelihood_mean: f64,
    /// Likelihood evaluations per transition.
    pub evaluations_per_step: f64,
}

impl SliceSamples {
    /// Summarises a quantity given once per sample, in the order of the columns.
    pub fn summarise(&self, series: &[f64]) -> SeriesSummary {
        let length = series.len() / self.chains.len();
        summarise(&series.chunks_exact(length).collect::<Vec<_>>())
    }

    /// Mean, variance and mixing of the latent value of each row.
    pub fn latent_summaries(&self) -> Vec<SeriesSummary> {
        let by_row = self.latent.transposed();
        map_tasks(by_row.cols(), |i| self.summarise(by_row.col(i)))
    }
}

/// Samples f from its posterior under the prior covariance `k` (lower triangle; may be singular: nothing is added to it).
///
/// Chains start from independent draws of the prior. Where the likelihood is a threshold without noise those have
/// probability zero, so there each chain starts from a draw of a Gaussian restricted to the right signs.
pub fn elliptical_slice(k: &Mat, terms: &Terms, options: &SliceOptions) -> Result<SliceSamples, ExactError> {
    sample_posterior(k, &PriorFactor::new(k)?, terms, options, Interrupt::default())
}

pub(super) fn sample_posterior(
    k: &Mat,
    prior: &PriorFactor,
    terms: &Terms,
    options: &SliceOptions,
    interrupt: Interrupt,
) -> Result<SliceSamples, ExactError> {
    terms.validate(k.rows())?;
    at_least("chains", options.chains, 1)?;
    at_least("samples", options.samples, 4)?;
    at_least("thin", options.thin, 1)?;
    let chains = map_tasks(options.chains, |c| {
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
        rng.set_stream(c as u64);
        let state = start(k, prior, terms, &mut rng)?;
        run_chain(state, prior, terms, options, interrupt, rng)
    });
    let chains = chains.into_iter().collect::<Result<Vec<Chain>, _>>()?;
    let whitened: Vec<f64> = chains.iter().flat_map(|c| c.whitened.iter().copied()).collect();
    let whitened = Mat::from_columns(prior.rank(), options.chains * options.samples, whitened);
    let latent = prior.latents(&whitened);
    let log_likelihood: Vec<f64> = chains.iter().flat_map(|c| c.log_likelihood.iter().copied()).collect();
    let chains = chains.iter().enumerate().map(|(c, chain)| chain.summary(&latent, c * options.samples)).collect();
    Ok(SliceSamples { latent, whitened, log_likelihood, chains })
}

struct Chain {
    whitened: Vec<f64>,
    log_likelihood: Vec<f64>,
    evaluations_per_step: f64,
}

impl Chain {
    fn summary(&self, latent: &Mat, first: usize) -> ChainSummary {
        let count = self.log_likelihood.len() as f64;
        let (mut mean, mut var) = (vec![0.0; latent.rows()], vec![0.0; latent.rows()]);
        let own = first..first + self.log_likelihood.len();
        for s in own.clone() {
            vector::add_scaled(&mut mean, 1.0 / count, latent.col(s));
        }
        for s in own {
            for (v, (f, m)) in var.iter_mut().zip(latent.col(s).iter().zip(&mean)) {
                *v += (f - m).powi(2) / (count - 1.0);
            }
        }
        ChainSummary {
            latent_mean: mean,
            latent_var: var,
            log_likelihood_mean: self.log_likelihood.iter().sum::<f64>() / count,
            evaluations_per_step: self.evaluations_per_step,
        }
    }
}

fn run_chain(
    mut state: State,
    prior: &PriorFactor,
    terms: &Terms,
    options: &SliceOptions,
    interrupt: Interrupt,
    mut rng: ChaCha8Rng,
) -> Result<Chain, ExactError> {
    let mut draws = PriorDraws::new(prior);
    let steps = options.burn_in + options.samples * options.thin;
    let mut chain = Chain {
        whitened: Vec::with_capacity(prior.rank() * options.samples),
        log_likelihood: Vec::with_capacity(options.samples),
        evaluations_per_step: 0.0,
    };
    let mut evaluations = 0;
    for step in 1..=steps {
        interrupt.check()?;
        evaluations += state.advance(&mut draws, terms, 1.0, &mut rng);
        if step > options.burn_in && (step - options.burn_in).is_multiple_of(options.thin) {
            chain.whitened.extend_from_slice(&state.whitened);
            chain.log_likelihood.push(state.log_likelihood);
        }
    }
    chain.evaluations_per_step = evaluations as f64 / steps as f64;
    Ok(chain)
}

fn start(k: &Mat, prior: &PriorFactor, terms: &Terms, rng: &mut impl Rng) -> Result<State, ExactError> {
    let state = match &terms.threshold {
        Some(threshold) if threshold.sigma == 0.0 => {
            let latent = orthant::feasible_latent(k, threshold, rng)?;
            State::new(prior.whiten(&latent), prior, terms)
        }
        _ => State::from_prior(&mut PriorDraws::new(prior), terms, rng),
    };
    if state.log_likelihood > f64::NEG_INFINITY { Ok(state) } else { Err(ExactError::NoFeasibleStart) }
}

/// A point of a chain: u, f = G u and its log likelihood.
pub(super) struct State {
    pub whitened: Vec<f64>,
    pub latent: Vec<f64>,
    pub log_likelihood: f64,
}

impl State {
    fn new(whitened: Vec<f64>, prior: &PriorFactor, terms: &Terms) -> State {
        let latent = prior.latent(&whitened);
        let log_likelihood = terms.total(&latent);
        State { whitened, latent, log_likelihood }
    }

    /// A draw of the prior.
    pub fn from_prior(draws: &mut PriorDraws, terms: &Terms, rng: &mut impl Rng) -> State {
        let draw = draws.draw(rng);
        let log_likelihood = terms.total(draw.latent);
        State { whitened: draw.whitened.to_vec(), latent: draw.latent.to_vec(), log_likelihood }
    }

    /// One transition that leaves prior x likelihood^`power` invariant; returns the likelihood evaluations it took.
    pub fn advance(&mut self, draws: &mut PriorDraws, terms: &Terms, power: f64, rng: &mut impl Rng) -> usize {
        let other = draws.draw(rng);
        let bound = self.log_likelihood + (1.0 - rng.random::<f64>()).ln() / power; // Murray et al. fig. 2, step 2
        let mut angle = TAU * rng.random::<f64>();
        let (mut low, mut high) = (angle - TAU, angle);
        for evaluations in 1..=MAX_SHRINKS {
            let (sin, cos) = angle.sin_cos();
            let proposal: Vec<f64> = self.latent.iter().zip(other.latent).map(|(f, g)| f * cos + g * sin).collect();
            if let Some(log_likelihood) = terms.total_above(&proposal, bound) {
                for (u, v) in self.whitened.iter_mut().zip(other.whitened) {
                    *u = *u * cos + v * sin;
                }
                self.latent = proposal;
                self.log_likelihood = log_likelihood;
                return evaluations;
            }
            if angle < 0.0 {
                low = angle
            } else {
                high = angle
            }
            angle = low + (high - low) * rng.random::<f64>();
        }
        MAX_SHRINKS // the bracket has shrunk to the current state, which stays
    }
}

/// The bracket halves about once per evaluation, so by then it is narrower than rounding error.
const MAX_SHRINKS: usize = 200;

#[cfg(test)]
pub(super) mod tests;
