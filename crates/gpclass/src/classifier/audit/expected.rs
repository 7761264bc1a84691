//! How many labels are wrong (NOTATION, number of wrong labels).
//!
//! Given the share `eps` of wrong labels they are wrong independently, row i with odds proportional to `eps / (1 - eps)`. The share
//! itself is known from the rows as well as `Π_i ((1 - p_i) (1 - eps) / (1 - m) + p_i eps / m)` says, `m` being the mean of the
//! probabilities `p_i`. The number has the mixture of Poisson-binomial distributions over it.

use serde::Serialize;

/// Shares at which the mixture is taken, evenly spaced in their logarithm over what is plausible.
const DRAWS: usize = 41;
/// Half of the span of that logarithm, in units of its standard deviation.
const SPAN: f64 = 4.0;
/// Probability on each side of an interval.
const TAIL: f64 = 0.05;
/// Standard deviations beyond the mean that a distribution is followed to.
const FOLLOWED: f64 = 12.0;

/// A number of wrong labels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WrongCount {
    /// Its expectation: the sum of the probabilities.
    pub expected: f64,
    /// It is smaller than this with a probability of one in twenty at most.
    pub low: usize,
    /// It is larger than this with a probability of one in twenty at most.
    pub high: usize,
}

/// The wrong labels among the rows of a class.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassErrors {
    /// Name of the class that the labels say.
    pub class: String,
    /// Rows that have it.
    pub rows: usize,
    /// How many of them are wrong.
    pub wrong: WrongCount,
}

/// Factors on the odds of wrong labels, with their weights.
pub(super) struct RateDraws(Vec<(f64, f64)>);

impl RateDraws {
    pub fn new(p: &[f64]) -> Self {
        let mean = p.iter().sum::<f64>() / p.len().max(1) as f64;
        if !(mean > 0.0 && mean < 1.0) {
            return RateDraws(vec![(1.0, 1.0)]);
        }
        // About the spread of a proportion counted in the rows, but never less than one label's.
        let spread = (1.0 / (mean * p.len() as f64)).sqrt().max(1e-3);
        let at = |k: usize| {
            let step = SPAN * (2.0 * k as f64 / (DRAWS - 1) as f64 - 1.0);
            let rate = (mean * (step * spread).exp()).min(0.5 * (1.0 + mean));
            let (wrong, right) = (rate / mean, (1.0 - rate) / (1.0 - mean));
            // A density in the logarithm of the share: flat in the share itself.
            let log = rate.ln() + p.iter().map(|p| ((1.0 - p) * right + p * wrong).ln()).sum::<f64>();
            (wrong / right, log)
        };
        let draws: Vec<(f64, f64)> = (0..DRAWS).map(at).collect();
        let most = draws.iter().fold(f64::NEG_INFINITY, |most, (_, log)| most.max(*log));
        let total: f64 = draws.iter().map(|(_, log)| (log - most).exp()).sum();
        RateDraws(draws.into_iter().map(|(odds, log)| (odds, (log - most).exp() / total)).collect())
    }

    /// The number among rows of these probabilities.
    pub fn count(&self, p: &[f64]) -> WrongCount {
        let mut mixed: Vec<f64> = Vec::new();
        for &(factor, weight) in self.0.iter().filter(|(_, weight)| *weight > 1e-6) {
            let own: Vec<f64> = p.iter().map(|p| p * factor / (1.0 - p + p * factor)).collect();
            let distribution = poisson_binomial(&own);
            mixed.resize(mixed.len().max(distribution.len()), 0.0);
            mixed.iter_mut().zip(distribution).for_each(|(sum, part)| *sum += weight * part);
        }
        let total: f64 = mixed.iter().sum();
        let quantile = |share: f64| {
            let mut below = 0.0;
            let reached = mixed.iter().position(|part| {
                below += part / total;
                below >= share
            });
            reached.unwrap_or(mixed.len().saturating_sub(1))
        };
        WrongCount { expected: p.iter().sum(), low: quantile(TAIL), high: quantile(1.0 - TAIL) }
    }
}

/// The probabilities of 0, 1, 2, ... among independent events of these probabilities, as far as they matter.
fn poisson_binomial(p: &[f64]) -> Vec<f64> {
    let mean: f64 = p.iter().sum();
    let var: f64 = p.iter().map(|p| p * (1.0 - p)).sum();
    let most = ((mean + FOLLOWED * var.sqrt() + FOLLOWED).ceil() as usize).min(p.len());
    let mut distribution = vec![0.0; most + 1];
    distribution[0] = 1.0;
    for (seen, &p) in p.iter().enumerate() {
        for k in (0..=most.min(seen + 1)).rev() {
            let fewer = if k > 0 { distribution[k - 1] } else { 0.0 };
            distribution[k] = distribution[k] * (1.0 - p) + fewer * p;
        }
    }
    distribution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_probabilities_are_binomial() {
        // scipy.stats.binom.pmf(k, 10, 0.3) for k = 0, 3, 10.
        let found = poisson_binomial(&[0.3; 10]);
        for (k, want) in [(0, 0.0282475249), (3, 0.266827932), (10, 5.9049e-06)] {
            assert!((found[k] - want).abs() < 1e-12, "{k}: {}", found[k]);
        }
        // Of 1/2 and 1/4: 3/8, 1/2, 1/8.
        assert_eq!(poisson_binomial(&[0.5, 0.25]), [0.375, 0.5, 0.125]);
    }

    #[test]
    fn what_is_certain_is_counted_up_to_the_share_and_nothing_is_none() {
        let mut p = vec![0.0; 200];
        assert_eq!(RateDraws::new(&p).count(&p), WrongCount { expected: 0.0, low: 0, high: 0 });
        p[..10].fill(1.0 - 1e-12);
        let sure = RateDraws::new(&p).count(&p);
        assert_eq!((sure.low, sure.high), (10, 10));
    }

    /// Rows with a likelihood ratio against their label, of which a share is wrong: the interval covers the number in about
    /// nine of ten tables, or more.
    #[test]
    fn the_interval_covers_the_number() {
        use crate::special::phi_cdf;
        use rand::{RngExt, SeedableRng};
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(5);
        let mut covered = 0;
        for _ in 0..200 {
            let (rate, rows) = (0.06, 150);
            let mut wrong = 0;
            // The probability that a label is right, as the other rows have it, calibrated.
            let right: Vec<f64> = (0..rows).map(|_| phi_cdf(4.0 * rng.random::<f64>())).collect();
            let kept: Vec<f64> = right
                .iter()
                .map(|&q| {
                    // The true class agrees with the forecast with probability q; the label is the truth, or flipped.
                    let truth = rng.random::<f64>() < q;
                    let flipped = rng.random::<f64>() < rate;
                    wrong += usize::from(flipped);
                    if truth != flipped { q } else { 1.0 - q }
                })
                .collect();
            // The share that the rows themselves ask for, by EM.
            let mut eps: f64 = 0.05;
            let flip = |eps: f64, q: f64| eps * (1.0 - q) / (eps * (1.0 - q) + (1.0 - eps) * q);
            for _ in 0..500 {
                eps = kept.iter().map(|&q| flip(eps, q)).sum::<f64>() / rows as f64;
            }
            let p: Vec<f64> = kept.iter().map(|&q| flip(eps, q)).collect();
            let count = RateDraws::new(&p).count(&p);
            covered += usize::from((count.low..=count.high).contains(&wrong));
        }
        assert!((165..=199).contains(&covered), "{covered} of 200");
    }
}
