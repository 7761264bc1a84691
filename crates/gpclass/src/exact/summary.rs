//! What several chains say about one number: its mean, and how sure the chains are of it.

use super::Simulated;

/// The mean of a quantity over chains, with the usual measures of convergence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesSummary {
    /// The mean with its Monte Carlo standard error.
    pub mean: Simulated,
    /// The variance of the quantity itself with its Monte Carlo standard error.
    pub var: Simulated,
    /// Number of independent draws that would be as informative about the mean.
    pub effective_samples: f64,
    /// Split R-hat: 1 when all half-chains agree, clearly above (1.01, 1.1) when they have not mixed.
    pub r_hat: f64,
}

/// Summarises one quantity recorded by chains of equal length.
pub fn summarise(chains: &[&[f64]]) -> SeriesSummary {
    let mixing = Mixing::of(chains);
    let centre = mixing.mean;
    let squares: Vec<Vec<f64>> = chains.iter().map(|c| c.iter().map(|x| (x - centre).powi(2)).collect()).collect();
    let spread = Mixing::of(&squares.iter().map(Vec::as_slice).collect::<Vec<_>>());
    SeriesSummary {
        mean: Simulated { value: mixing.mean, standard_error: mixing.standard_error() },
        var: Simulated { value: spread.mean, standard_error: spread.standard_error() },
        effective_samples: mixing.effective_samples,
        r_hat: mixing.r_hat,
    }
}

struct Mixing {
    mean: f64,
    variance: f64,
    effective_samples: f64,
    r_hat: f64,
}

impl Mixing {
    /// Gelman et al., Bayesian Data Analysis, 3rd ed., section 11.4-11.5, on half-chains.
    fn of(chains: &[&[f64]]) -> Mixing {
        let halves: Vec<&[f64]> = chains.iter().flat_map(|c| halves(c)).collect();
        let length = halves.first().map_or(0, |h| h.len());
        let n = length as f64;
        let total = n * halves.len() as f64;
        let means: Vec<f64> = halves.iter().map(|h| mean(h)).collect();
        let mean_of_all = mean(&means);
        let within = mean(&halves.iter().zip(&means).map(|(h, &m)| variance(h, m)).collect::<Vec<_>>());
        let between = variance(&means, mean_of_all); // B/n in the book
        let pooled = within * (n - 1.0) / n + between; // BDA (11.3)
        if pooled <= 0.0 || !pooled.is_finite() {
            // A constant: known exactly.
            return Mixing { mean: mean_of_all, variance: 0.0, effective_samples: total, r_hat: 1.0 };
        }
        let correlation = |lag: usize| {
            let covariance =
                mean(&halves.iter().zip(&means).map(|(h, &m)| autocovariance(h, m, lag)).collect::<Vec<_>>());
            1.0 - (within - covariance) / pooled // BDA (11.7), by autocovariances
        };
        let time = correlation_time(length, correlation);
        let r_hat = if within > 0.0 { (pooled / within).sqrt() } else { f64::INFINITY }; // BDA (11.4)
        // Antithetic chains can beat independence; more than the bound is noise (Vehtari et al. 2021).
        let effective_samples = (total / time).min(total * total.log10().max(1.0));
        Mixing { mean: mean_of_all, variance: pooled, effective_samples, r_hat }
    }

    fn standard_error(&self) -> f64 {
        (self.variance / self.effective_samples).sqrt()
    }
}

/// The two halves of equal length; one value in the middle is left out if need be.
fn halves(chain: &[f64]) -> [&[f64]; 2] {
    let half = chain.len() / 2;
    [&chain[..half], &chain[chain.len() - half..]]
}

/// `1 + 2 sum of correlations`, cut where pairs of neighbouring ones stop being positive and decreasing: Geyer's initial
/// monotone sequence (Statistical Science 7, 1992).
fn correlation_time(length: usize, correlation: impl Fn(usize) -> f64) -> f64 {
    let mut time = -1.0;
    let mut last_pair = f64::INFINITY;
    for lag in (0..length.saturating_sub(1)).step_by(2) {
        let pair = (correlation(lag) + correlation(lag + 1)).min(last_pair);
        if pair <= 0.0 {
            break;
        }
        time += 2.0 * pair;
        last_pair = pair;
    }
    time.max(f64::MIN_POSITIVE)
}

fn mean(x: &[f64]) -> f64 {
    x.iter().sum::<f64>() / x.len() as f64
}

fn variance(x: &[f64], mean: f64) -> f64 {
    x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (x.len() as f64 - 1.0)
}

fn autocovariance(x: &[f64], mean: f64, lag: usize) -> f64 {
    let products: f64 = x.iter().zip(&x[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum();
    products / (x.len() as f64 - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;
    use rand_distr::{Distribution, StandardNormal};

    /// x_t = phi x_{t-1} + noise, of variance 1: its correlation time is (1 + phi) / (1 - phi).
    fn autoregression(phi: f64, length: usize, seed: u64) -> Vec<f64> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut x: f64 = StandardNormal.sample(&mut rng);
        (0..length)
            .map(|_| {
                let noise: f64 = StandardNormal.sample(&mut rng);
                x = phi * x + (1.0 - phi * phi).sqrt() * noise;
                x
            })
            .collect()
    }

    #[test]
    fn the_effective_sample_size_of_an_autoregression_is_known() {
        for phi in [0.0, 0.5, 0.9] {
            let chains: Vec<Vec<f64>> = (0..4).map(|seed| autoregression(phi, 20_000, seed)).collect();
            let summary = summarise(&chains.iter().map(Vec::as_slice).collect::<Vec<_>>());
            let expected = 80_000.0 * (1.0 - phi) / (1.0 + phi);
            assert!((summary.effective_samples / expected - 1.0).abs() < 0.1, "{phi}: {summary:?}");
            assert!(summary.mean.value.abs() < 4.0 * summary.mean.standard_error);
            assert!((summary.var.value - 1.0).abs() < 4.0 * summary.var.standard_error);
            assert!((summary.r_hat - 1.0).abs() < 0.01);
        }
    }

    #[test]
    fn chains_that_disagree_are_noticed() {
        let (a, mut b) = (autoregression(0.5, 2000, 1), autoregression(0.5, 2000, 2));
        b.iter_mut().for_each(|x| *x += 3.0);
        let summary = summarise(&[&a, &b]);
        assert!(summary.r_hat > 1.5, "{summary:?}");
        assert!(summary.effective_samples < 20.0, "{summary:?}");
    }

    #[test]
    fn a_constant_is_known_exactly() {
        let summary = summarise(&[&[2.0; 10], &[2.0; 10]]);
        assert_eq!((summary.mean.value, summary.mean.standard_error, summary.r_hat), (2.0, 0.0, 1.0));
    }
}
