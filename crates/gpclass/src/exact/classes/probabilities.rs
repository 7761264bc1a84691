//! Class probabilities averaged over independent Gaussian functions.

use crate::likelihood::Link;
use crate::special::{normal_density, phi_cdf};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

/// The largest of the noisy functions is sought up to this many deviations from each mean: what lies beyond is below 1e-11.
const FARTHEST: f64 = 7.0;
/// Step of the trapezoidal rule, in deviations of the narrowest product of the densities: its error is `exp(-2 pi² / STEP²)`.
const STEP: f64 = 0.87;
/// Streams of random numbers from here on are for points; chains use those from 0.
const FIRST_STREAM: u64 = 1 << 32;

/// Class probabilities at one point, where the functions have variances besides their means.
pub(super) enum Averages<'a> {
    /// Deviations of the functions with their noise.
    Probit { deviations: Vec<f64> },
    /// Variances of the functions, and what draws come from.
    Softmax { vars: &'a [f64], rng: Box<ChaCha8Rng> },
}

impl<'a> Averages<'a> {
    /// At point `j`, by random numbers of its own where some are needed.
    pub fn new(link: Link, vars: &'a [f64], seed: u64, j: usize) -> Averages<'a> {
        match link {
            Link::Probit { .. } => Averages::Probit { deviations: vars.iter().map(|v| (1.0 + v).sqrt()).collect() },
            Link::Softmax { .. } => {
                let mut rng = Box::new(ChaCha8Rng::seed_from_u64(seed));
                rng.set_stream(FIRST_STREAM + j as u64);
                Averages::Softmax { vars, rng }
            }
        }
    }

    /// For functions with these means.
    pub fn of(&mut self, means: &[f64]) -> Vec<f64> {
        match self {
            Averages::Probit { deviations } => largest(means, deviations),
            Averages::Softmax { vars, .. } if vars.iter().all(|&v| v == 0.0) => softmax(means.iter().copied()),
            Averages::Softmax { vars, rng } => {
                // No closed form, and as many dimensions as classes: a draw and its mirror image for every sample. The
                // scatter of both is in that of the samples, and so in the standard error.
                let moves: Vec<f64> = vars.iter().map(|v| v.sqrt() * normal(rng)).collect();
                let side = |sign: f64| softmax(means.iter().zip(&moves).map(move |(m, d)| m + sign * d));
                side(1.0).iter().zip(side(-1.0)).map(|(a, b)| 0.5 * (a + b)).collect()
            }
        }
    }
}

fn normal(rng: &mut ChaCha8Rng) -> f64 {
    StandardNormal.sample(rng)
}

fn softmax(f: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let highest = f.clone().fold(f64::NEG_INFINITY, f64::max);
    normalised(f.map(|f| (f - highest).exp()).collect())
}

/// The probability of each of independent Gaussians to be the largest: `∫ N_k(x) Π_{c ≠ k} Phi_c(x) dx` for all k at once. The
/// trapezoidal rule converges faster than any power of its step for such integrands.
fn largest(means: &[f64], deviations: &[f64]) -> Vec<f64> {
    let edge = |side: f64| {
        means.iter().zip(deviations).map(|(m, d)| m + side * FARTHEST * d).fold(f64::NEG_INFINITY, f64::max)
    };
    let (low, high) = (edge(-1.0), edge(1.0));
    let narrowest = deviations.iter().map(|d| d.powi(-2)).sum::<f64>().powf(-0.5);
    let steps = ((high - low) / (STEP * narrowest)).ceil();
    let mut out = vec![0.0; means.len()];
    let mut slopes = out.clone();
    for step in 0..=steps as usize {
        let x = low + (high - low) * step as f64 / steps;
        let mut all_below = 1.0;
        for ((slope, m), d) in slopes.iter_mut().zip(means).zip(deviations) {
            let z = (x - m) / d;
            let below = phi_cdf(z); // no less than Phi(-FARTHEST)
            all_below *= below;
            *slope = normal_density(z) / (d * below);
        }
        out.iter_mut().zip(&slopes).for_each(|(out, slope)| *out += all_below * slope);
    }
    normalised(out)
}

fn normalised(mut shares: Vec<f64>) -> Vec<f64> {
    let total: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|p| *p /= total);
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likelihood::multinomial::class_probabilities;
    use gpclass_linalg::Mat;

    const SOFTMAX: Link = Link::Softmax { averaged: true };

    #[test]
    fn the_largest_of_three_is_known_exactly_elsewhere() {
        for (means, vars) in [
            ([0.0, 0.0, 0.0], [0.0, 0.0, 0.0]),
            ([0.3, -0.7, 1.9], [0.0, 2.0, 0.5]),
            ([5.0, -20.0, 4.0], [100.0, 1.0, 0.0]),
            ([-3.0, 3.0, 300.0], [1e4, 0.0, 9.0]),
        ] {
            let cov = Mat::from_fn(3, 3, |i, j| if i == j { vars[i] } else { 0.0 });
            let found = Averages::new(Link::Probit { label_error: 0.0 }, &vars, 0, 0).of(&means);
            for (p, q) in found.iter().zip(class_probabilities(&means, &cov)) {
                assert!((p - q).abs() < 1e-10, "{means:?} {vars:?}: {p} is not {q}");
            }
        }
    }

    #[test]
    fn many_equal_classes_share_evenly() {
        let found = largest(&[-2.0; 26], &[3.0; 26]);
        assert!(found.iter().all(|p| (p * 26.0 - 1.0).abs() < 1e-12), "{found:?}");
    }

    #[test]
    fn an_averaged_softmax_is_less_sure_and_one_without_variance_is_plain() {
        let means = [1.0, 0.0, -1.0];
        let plain = Averages::new(SOFTMAX, &[0.0; 3], 1, 2).of(&means);
        let weight = |m: f64| m.exp() / (1.0_f64.exp() + 1.0 + (-1.0_f64).exp());
        assert!(plain.iter().zip(means).all(|(p, m)| (p - weight(m)).abs() < 1e-15));
        let mut averages = Averages::new(SOFTMAX, &[4.0; 3], 1, 2);
        let mean = (0..4000).map(|_| averages.of(&means)[0]).sum::<f64>() / 4000.0;
        assert!(mean < plain[0] - 0.02 && mean > 1.0 / 3.0, "{mean} against {}", plain[0]);
    }
}
