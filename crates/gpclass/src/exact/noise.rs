//! Independent noise inside a covariance, moved into the likelihood, where it has a closed form.
//!
//! A step with noise v on the diagonal of K is a probit with sigma² = v without it (math 2). The first is hard to sample,
//! because every latent value is pinned by its label; the second is smooth.

use super::slice::SliceSamples;
use super::summary::SeriesSummary;
use super::{ExactError, LatentEstimate, PriorFactor, Threshold};
use crate::data::Label;
use crate::likelihood::{Gaussian, Likelihood};
use gpclass_linalg::{Mat, cholesky_in_place, map_tasks};

/// `f = g + e`: `g` with covariance `signal`, `e` independent of variance `noise`.
pub(super) struct NoiseSplit<'a> {
    pub signal: Mat,
    pub noise: f64,
    labels: &'a [Label],
    likelihood: &'a Likelihood,
}

impl<'a> NoiseSplit<'a> {
    pub fn new(k: &Mat, labels: &'a [Label], likelihood: &'a Likelihood) -> Result<NoiseSplit<'a>, ExactError> {
        PriorFactor::new(k)?; // so that a bad covariance is reported as given
        let noise = match likelihood {
            Likelihood::Probit(_) => removable_noise(k),
            Likelihood::Logistic => 0.0, // already smooth, and averaging needs quadrature
        };
        Ok(NoiseSplit { signal: lowered(k, noise), noise, labels, likelihood })
    }

    /// `ln p(y | g)`.
    pub fn log_p(&self, row: usize, g: f64) -> f64 {
        self.likelihood.log_predict(self.labels[row], self.given(g))
    }

    /// The likelihood of g as a threshold, if it is one.
    pub fn threshold(&self) -> Option<Threshold> {
        let l = self.likelihood;
        let is_threshold = matches!(l, Likelihood::Probit(_)) && l.eps() == 0.0;
        let sigma = (l.sigma() * l.sigma() + self.noise).sqrt();
        is_threshold.then(|| Threshold { labels: self.labels.to_vec(), bias: l.b(), sigma })
    }

    /// Moments of f from samples of g, whose summaries are given: f given g and its label is a tilted Gaussian.
    pub fn latent_estimates(&self, samples: &SliceSamples, signal: &[SeriesSummary]) -> Vec<LatentEstimate> {
        if self.noise == 0.0 {
            return signal.iter().map(|s| LatentEstimate { mean: s.mean, var: s.var }).collect();
        }
        let by_row = samples.latent.transposed();
        map_tasks(by_row.cols(), |row| {
            let tilted: Vec<Gaussian> = by_row.col(row).iter().map(|&g| self.tilted(row, g)).collect();
            let mean = samples.summarise(&tilted.iter().map(|t| t.mean).collect::<Vec<_>>()).mean;
            // The law of total variance, sample by sample.
            let total = |t: &Gaussian| t.var + (t.mean - mean.value).powi(2);
            let var = samples.summarise(&tilted.iter().map(total).collect::<Vec<_>>()).mean;
            LatentEstimate { mean, var }
        })
    }

    fn given(&self, g: f64) -> Gaussian {
        Gaussian { mean: g, var: self.noise }
    }

    fn tilted(&self, row: usize, g: f64) -> Gaussian {
        let moments = self.likelihood.moments(self.labels[row], self.given(g), 1.0);
        Gaussian { mean: g + self.noise * moments.d1, var: self.noise * moments.shrink } // GPML (3.85)-(3.87)
    }
}

/// The largest multiple of the identity that leaves `k` positive definite, by bisection.
fn removable_noise(k: &Mat) -> f64 {
    let leaves_definite = |noise: f64| cholesky_in_place(&mut lowered(k, noise)).is_ok();
    let mut high = k.diag().into_iter().fold(f64::INFINITY, f64::min);
    let mut low = 0.0;
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if leaves_definite(middle) { low = middle } else { high = middle }
    }
    // Noise at the level of rounding error is none.
    if low > k.rows() as f64 * f64::EPSILON * k.diag().into_iter().fold(0.0, f64::max) { low } else { 0.0 }
}

/// Enough to reach the rounding error of the largest diagonal entry.
const BISECTIONS: usize = 50;

fn lowered(k: &Mat, noise: f64) -> Mat {
    Mat::from_fn(k.rows(), k.cols(), |i, j| if i == j { k[(i, j)] - noise } else { k[(i, j)] })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_removable_noise_is_the_smallest_eigenvalue() {
        let k = Mat::from_columns(2, 2, vec![2.0, 1.0, 1.0, 2.0]);
        assert!((removable_noise(&k) - 1.0).abs() < 1e-14);
        let singular = Mat::from_columns(2, 2, vec![1.0, 1.0, 1.0, 1.0]);
        assert_eq!(removable_noise(&singular), 0.0);
    }
}
