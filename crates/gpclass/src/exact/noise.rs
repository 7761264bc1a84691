//! Independent noise inside a covariance, moved into the likelihood, where it has a closed form.
//!
//! A step with noise v on the diagonal of K is a probit with sigma² = v without it (math 2). The first is hard to sample,
//! because every latent value is pinned by its label; the second is smooth.

use super::slice::SliceSamples;
use super::summary::SeriesSummary;
use super::{ExactError, LatentEstimate, PriorFactor, Threshold};
use crate::data::Sign;
use crate::likelihood::{Gaussian, Likelihood};
use crate::posterior::Sites;
use crate::special::log_phi;
use gpclass_linalg::{Mat, cholesky_in_place, map_tasks, solve_lower_in_place, vector};

/// `f = g + e`: `g` with covariance `signal`, `e` independent of variance `noise`.
pub(super) struct NoiseSplit<'a> {
    pub signal: Mat,
    pub noise: f64,
    labels: &'a [Sign],
    likelihood: &'a Likelihood,
    /// The likelihood of `g` where it is as simple as this: samplers spend most of their time in it.
    probit: Option<Probit>,
}

/// `Phi(y (g + bias) scale)`.
struct Probit {
    bias: f64,
    scale: f64,
}

impl<'a> NoiseSplit<'a> {
    pub fn new(
        k: &Mat,
        labels: &'a [Sign],
        likelihood: &'a Likelihood,
        new: &NewPoints,
    ) -> Result<NoiseSplit<'a>, ExactError> {
        PriorFactor::new(k)?; // so that a bad covariance is reported as given
        let noise = match likelihood {
            Likelihood::Probit(_) => removable_noise(k, new),
            Likelihood::Logistic => 0.0, // already smooth, and averaging needs quadrature
        };
        let mut split = NoiseSplit { signal: lowered(k, noise), noise, labels, likelihood, probit: None };
        let threshold = split.threshold().filter(|t| t.sigma > 0.0);
        split.probit = threshold.map(|t| Probit { bias: t.bias, scale: t.sigma.recip() });
        Ok(split)
    }

    /// `ln p(y | g)`.
    pub fn log_p(&self, row: usize, g: f64) -> f64 {
        match self.probit {
            Some(Probit { bias, scale }) => log_phi(self.labels[row].sign() * (g + bias) * scale),
            None => self.likelihood.log_predict(self.labels[row], self.given(g)),
        }
    }

    /// Sites for f as sites for g: the noise widens them.
    pub fn sites(&self, sites: &Sites) -> Sites {
        let narrowed = |value: f64, tau: f64| value / (1.0 + tau.max(0.0) * self.noise);
        let both = |values: &[f64]| values.iter().zip(&sites.tau).map(|(&v, &t)| narrowed(v, t)).collect();
        Sites { tau: both(&sites.tau), nu: both(&sites.nu) }
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

/// Points to predict: covariances with the training rows (n x m) and prior variances.
pub(super) struct NewPoints<'a> {
    pub cross: &'a Mat,
    pub diag: &'a [f64],
}

impl NewPoints<'_> {
    /// Whether `cross` can be covariances with `g` too, given the factor of its covariance: no variance is negative then.
    fn are_independent_of_noise(&self, signal_factor: &Mat) -> bool {
        let mut weights = self.cross.clone();
        solve_lower_in_place(signal_factor, &mut weights);
        weights.columns().zip(self.diag).all(|(w, &d)| vector::dot(w, w) <= d)
    }
}

/// The largest multiple of the identity that is noise: `k` stays positive definite without it, and so does its joint
/// covariance with each new point, whose latent value noise of a training row has no share in. By bisection.
fn removable_noise(k: &Mat, new: &NewPoints) -> f64 {
    let is_noise = |noise: f64| {
        let mut signal = lowered(k, noise);
        cholesky_in_place(&mut signal).is_ok() && new.are_independent_of_noise(&signal)
    };
    let mut high = k.diag().into_iter().fold(f64::INFINITY, f64::min);
    let mut low = 0.0;
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        if is_noise(middle) { low = middle } else { high = middle }
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

    fn alone(k: &Mat) -> f64 {
        removable_noise(k, &NewPoints { cross: &Mat::zeros(k.rows(), 0), diag: &[] })
    }

    #[test]
    fn the_short_way_to_a_probit_is_the_likelihood_itself() {
        let k = Mat::from_columns(2, 2, vec![2.0, 1.0, 1.0, 2.0]);
        let labels = [Sign::Positive, Sign::Negative];
        let likelihood = Likelihood::full(0.0, 0.3, 0.7).unwrap();
        let split =
            NoiseSplit::new(&k, &labels, &likelihood, &NewPoints { cross: &Mat::zeros(2, 0), diag: &[] }).unwrap();
        assert!(split.probit.is_some());
        for (row, g) in [(0, -40.0), (0, -1.0), (1, 0.2), (1, 3.0), (0, 6.0)] {
            let own = likelihood.log_predict(labels[row], Gaussian { mean: g, var: split.noise });
            assert!((split.log_p(row, g) / own - 1.0).abs() < 1e-12, "row {row} at {g}");
        }
    }

    #[test]
    fn the_removable_noise_is_the_smallest_eigenvalue() {
        let k = Mat::from_columns(2, 2, vec![2.0, 1.0, 1.0, 2.0]);
        assert!((alone(&k) - 1.0).abs() < 1e-14);
        let singular = Mat::from_columns(2, 2, vec![1.0, 1.0, 1.0, 1.0]);
        assert_eq!(alone(&singular), 0.0);
    }

    #[test]
    fn what_a_new_point_shares_is_not_noise() {
        let k = Mat::from_columns(2, 2, vec![2.0, 1.0, 1.0, 2.0]);
        let cross = k.select_columns(&[0]);
        let with = |cross: &Mat, d: f64| removable_noise(&k, &NewPoints { cross, diag: &[d] });
        assert_eq!(with(&cross, 2.0), 0.0); // the very value of row 0
        // With c = (3/2, 1): d - c'(K - x)^-1 c = 0 at (2 - x)^2 - 1 = ((2 - x)(9/4 + 1) - 3) / d.
        let halfway = Mat::from_columns(2, 1, vec![1.5, 1.0]);
        let x = with(&halfway, 2.0);
        assert!(((2.0 - x).powi(2) - 1.0 - ((2.0 - x) * 3.25 - 3.0) / 2.0).abs() < 1e-13 && x > 0.1, "{x}");
    }
}
