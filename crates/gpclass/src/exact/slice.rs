//! Elliptical slice sampling: posterior samples under any likelihood and a Gaussian prior, without tuning.
//!
//! I. Murray, R. P. Adams and D. J. C. MacKay, Elliptical slice sampling, AISTATS 2010.

use super::draws::Draws;
use super::error::at_least;
use super::reference::Reference;
use super::summary::{SeriesSummary, summarise};
use super::{ExactError, PriorFactor, Terms, Threshold, orthant};
use crate::interrupt::Interrupt;
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
    /// f: latent values x samples.
    pub latent: Mat,
    /// u: independent directions of the prior x samples.
    pub whitened: Mat,
    /// Total log likelihood of each sample.
    pub log_likelihood: Vec<f64>,
    /// One summary per chain, in order.
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

    /// Mean, variance and mixing of each latent value.
    pub fn latent_summaries(&self) -> Vec<SeriesSummary> {
        self.summaries(&self.latent.transposed())
    }

    /// One quantity per column, samples down.
    pub(super) fn summaries(&self, series: &Mat) -> Vec<SeriesSummary> {
        map_tasks(series.cols(), |i| self.summarise(series.col(i)))
    }
}

/// Samples f from its posterior under the prior covariance `k` (lower triangle; may be singular: nothing is added to it).
///
/// Chains start from independent draws of the prior. Where the likelihood is a threshold without noise those have
/// probability zero, so there each chain starts from a draw of a Gaussian restricted to the right signs.
pub fn elliptical_slice(k: &Mat, terms: &Terms, options: &SliceOptions) -> Result<SliceSamples, ExactError> {
    let prior = PriorFactor::new(k)?;
    let start = Start::new(k, &prior, terms);
    sample_posterior(start, &Reference::prior(prior.map(), terms), options, Interrupt::default())
}

/// Where chains begin.
#[derive(Clone, Copy)]
pub(super) enum Start<'a> {
    /// At draws of the reference.
    Drawn,
    /// Where every label is what it is, for a step leaves a draw of the reference no chance.
    Feasible { k: &'a Mat, prior: &'a PriorFactor, threshold: &'a Threshold },
}

impl<'a> Start<'a> {
    pub fn new(k: &'a Mat, prior: &'a PriorFactor, terms: &'a Terms) -> Start<'a> {
        match &terms.threshold {
            Some(threshold) if threshold.sigma == 0.0 => Start::Feasible { k, prior, threshold },
            _ => Start::Drawn,
        }
    }

    fn state(self, reference: &Reference, rng: &mut impl Rng) -> Result<State, ExactError> {
        let state = match self {
            Start::Feasible { k, prior, threshold } => {
                let latent = orthant::feasible_latent(k, threshold, rng)?;
                let standard = reference.standard(prior.whiten(&latent));
                let deviation = reference.map.mul_vec(&standard);
                State::new(&standard, &deviation, reference)
            }
            Start::Drawn => State::drawn(&mut Draws::new(reference), reference, rng),
        };
        if state.log_ratio > f64::NEG_INFINITY { Ok(state) } else { Err(ExactError::NoFeasibleStart) }
    }
}

pub(super) fn sample_posterior(
    start: Start,
    reference: &Reference,
    options: &SliceOptions,
    interrupt: Interrupt,
) -> Result<SliceSamples, ExactError> {
    let terms = reference.terms;
    terms.validate(reference.map.rows())?;
    at_least("chains", options.chains, 1)?;
    at_least("samples", options.samples, 4)?;
    at_least("thin", options.thin, 1)?;
    let chains = map_tasks(options.chains, |c| {
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
        rng.set_stream(c as u64);
        let state = start.state(reference, &mut rng)?;
        run_chain(state, reference, options, interrupt, rng)
    });
    let chains = chains.into_iter().collect::<Result<Vec<Chain>, _>>()?;
    let standard: Vec<f64> = chains.iter().flat_map(|c| c.standard.iter().copied()).collect();
    let standard = Mat::from_columns(reference.rank(), options.chains * options.samples, standard);
    let whitened = reference.whitened(standard);
    let latent = reference.latents(&whitened);
    let log_likelihood = map_tasks(latent.cols(), |s| terms.total(latent.col(s)));
    let summary = |(c, chain): (usize, &Chain)| chain.summary(&latent, &log_likelihood, c * options.samples);
    let chains = chains.iter().enumerate().map(summary).collect();
    Ok(SliceSamples { latent, whitened, log_likelihood, chains })
}

struct Chain {
    standard: Vec<f64>,
    samples: usize,
    evaluations_per_step: f64,
}

impl Chain {
    fn summary(&self, latent: &Mat, log_likelihood: &[f64], first: usize) -> ChainSummary {
        let count = self.samples as f64;
        let (mut mean, mut var) = (vec![0.0; latent.rows()], vec![0.0; latent.rows()]);
        let own = first..first + self.samples;
        for s in own.clone() {
            vector::add_scaled(&mut mean, 1.0 / count, latent.col(s));
        }
        for s in own.clone() {
            for (v, (f, m)) in var.iter_mut().zip(latent.col(s).iter().zip(&mean)) {
                *v += (f - m).powi(2) / (count - 1.0);
            }
        }
        ChainSummary {
            latent_mean: mean,
            latent_var: var,
            log_likelihood_mean: log_likelihood[own].iter().sum::<f64>() / count,
            evaluations_per_step: self.evaluations_per_step,
        }
    }
}

fn run_chain(
    mut state: State,
    reference: &Reference,
    options: &SliceOptions,
    interrupt: Interrupt,
    mut rng: ChaCha8Rng,
) -> Result<Chain, ExactError> {
    let mut draws = Draws::new(reference);
    let steps = options.burn_in + options.samples * options.thin;
    let mut chain = Chain {
        standard: Vec::with_capacity(reference.rank() * options.samples),
        samples: options.samples,
        evaluations_per_step: 0.0,
    };
    let mut evaluations = 0;
    for step in 1..=steps {
        interrupt.check()?;
        evaluations += state.advance(&mut draws, reference, 1.0, &mut rng);
        if step > options.burn_in && (step - options.burn_in).is_multiple_of(options.thin) {
            chain.standard.extend_from_slice(&state.standard);
        }
    }
    chain.evaluations_per_step = evaluations as f64 / steps as f64;
    Ok(chain)
}

/// A point of a chain: z, the deviation of f from the centre of the reference, and its likelihood over sites.
pub(super) struct State {
    standard: Vec<f64>,
    deviation: Vec<f64>,
    pub log_ratio: f64,
}

impl State {
    fn new(standard: &[f64], deviation: &[f64], reference: &Reference) -> State {
        let log_ratio = reference.log_ratio(deviation);
        State { standard: standard.to_vec(), deviation: deviation.to_vec(), log_ratio }
    }

    /// A draw of the reference.
    pub fn drawn(draws: &mut Draws, reference: &Reference, rng: &mut impl Rng) -> State {
        let draw = draws.draw(rng);
        State::new(draw.standard, draw.deviation, reference)
    }

    /// One transition that leaves reference x ratio^`power` invariant; returns the likelihood evaluations it took.
    pub fn advance(&mut self, draws: &mut Draws, reference: &Reference, power: f64, rng: &mut impl Rng) -> usize {
        let other = draws.draw(rng);
        let bound = self.log_ratio + (1.0 - rng.random::<f64>()).ln() / power; // Murray et al. fig. 2, step 2
        let mut angle = TAU * rng.random::<f64>();
        let (mut low, mut high) = (angle - TAU, angle);
        for evaluations in 1..=MAX_SHRINKS {
            let (sin, cos) = angle.sin_cos();
            let proposal: Vec<f64> =
                self.deviation.iter().zip(other.deviation).map(|(f, g)| f * cos + g * sin).collect();
            if let Some(log_ratio) = reference.log_ratio_above(&proposal, bound) {
                for (u, v) in self.standard.iter_mut().zip(other.standard) {
                    *u = *u * cos + v * sin;
                }
                self.deviation = proposal;
                self.log_ratio = log_ratio;
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
