//! The probability that correlated Gaussians all stay below their bounds, which is the evidence of a probit-type model.
//!
//! Separation of variables in a favourable order (Genz 1992, J. Comput. Graph. Statist. 1), shifted towards the
//! restricted region (Botev 2017), integrated over randomly shifted lattices: the scatter over the shifts is the error.

mod lattice;
mod separate;
mod tilt;

use super::error::{at_least, same_size};
use super::prior::check_finite;
use super::{ExactError, Simulated, Threshold};
use crate::interrupt::Interrupt;
use crate::special::{hazard, log_phi, normal_quantile, normal_quantile_of_log, phi_cdf};
use gpclass_linalg::{Mat, map_tasks};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use separate::Separated;
use serde::{Deserialize, Serialize};

/// How much work an orthant probability is worth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OrthantOptions {
    /// Everything random follows from it.
    pub seed: u64,
    /// Independent random shifts of the lattice; their scatter gives the standard error. At least 2, default 32.
    pub shifts: usize,
    /// Lattice points per shift. Default 8192, good for a relative error of about 1e-4 at n = 40.
    pub points: usize,
}

impl Default for OrthantOptions {
    fn default() -> Self {
        OrthantOptions { seed: 0, shifts: 32, points: 8192 }
    }
}

/// `ln P(g <= upper)` for `g ~ N(0, cov)`, of which the lower triangle is read; it may be singular.
pub fn log_orthant(cov: &Mat, upper: &[f64], options: &OrthantOptions) -> Result<Simulated, ExactError> {
    log_orthant_until(cov, upper, options, Interrupt::default())
}

fn log_orthant_until(
    cov: &Mat,
    upper: &[f64],
    options: &OrthantOptions,
    interrupt: Interrupt,
) -> Result<Simulated, ExactError> {
    same_size("the columns of the covariance", cov.cols(), cov.rows())?;
    same_size("the bounds", upper.len(), cov.rows())?;
    at_least("shifts", options.shifts, 2)?;
    at_least("points", options.points, 1)?;
    check_finite(cov)?;
    let integrand = Integrand::new(cov, upper)?;
    let generator = lattice::generating_vector(options.points, integrand.separated.rank(), interrupt)?;
    let means = map_tasks(options.shifts, |task| integrand.lattice_mean(&generator, options, interrupt, task as u64));
    let means = means.into_iter().collect::<Result<Vec<f64>, _>>()?;
    log_of_mean(&means, integrand.log_scale).ok_or(ExactError::ZeroEvidence { runs: options.shifts * options.points })
}

/// The exact evidence `ln P(labels)` of a threshold likelihood under the prior covariance `k`: the orthant probability of
/// `N(0, (yyᵀ) o (K + sigma² I))` with bounds `y b`, math 3.
pub fn log_orthant_evidence(k: &Mat, threshold: &Threshold, options: &OrthantOptions) -> Result<Simulated, ExactError> {
    orthant_evidence(k, threshold, options, Interrupt::default())
}

pub(super) fn orthant_evidence(
    k: &Mat,
    threshold: &Threshold,
    options: &OrthantOptions,
    interrupt: Interrupt,
) -> Result<Simulated, ExactError> {
    same_size("the labels", threshold.labels.len(), k.rows())?;
    let (cov, upper) = reflected(k, threshold);
    log_orthant_until(&cov, &upper, options, interrupt)
}

/// A latent function under which every label is what it is, drawn near the posterior. For likelihoods without noise.
pub(super) fn feasible_latent(k: &Mat, threshold: &Threshold, rng: &mut impl Rng) -> Result<Vec<f64>, ExactError> {
    let (cov, upper) = reflected(k, threshold);
    let integrand = Integrand::new(&cov, &upper)?;
    for _ in 0..START_TRIES {
        let mut x = Vec::new();
        let log_weight = integrand.draw(|_| rng.random(), &mut x);
        if log_weight.is_finite() {
            let g = integrand.separated.variables(&x);
            return Ok(g.iter().zip(&threshold.labels).map(|(g, y)| -y.sign() * g).collect());
        }
    }
    Err(ExactError::NoFeasibleStart)
}

/// Draws before a feasible start is given up; one is enough unless the covariance is singular.
const START_TRIES: usize = 1000;

/// `g = -y (f + noise)` stays below `y b` exactly where the label is y.
fn reflected(k: &Mat, threshold: &Threshold) -> (Mat, Vec<f64>) {
    let signs: Vec<f64> = threshold.labels.iter().map(|y| y.sign()).collect();
    let noise = threshold.sigma * threshold.sigma;
    let cov =
        Mat::from_fn(k.rows(), k.cols(), |i, j| signs[i] * signs[j] * k[(i, j)] + if i == j { noise } else { 0.0 });
    (cov, signs.iter().map(|s| s * threshold.bias).collect())
}

/// The integrand over the unit cube.
struct Integrand {
    separated: Separated,
    shifts: Vec<f64>,
    /// The largest value of the logarithm of the integrand, taken out so that nothing under- or overflows.
    log_scale: f64,
}

impl Integrand {
    fn new(cov: &Mat, upper: &[f64]) -> Result<Integrand, ExactError> {
        let separated = Separated::new(cov, upper)?;
        let shifts = tilt::minimax_shifts(&separated);
        let mut integrand = Integrand { separated, shifts, log_scale: 0.0 };
        integrand.log_scale = integrand.largest_log_weight();
        Ok(integrand)
    }

    /// At the saddle point, which is the maximum over all x (Botev 2017, section 3.1).
    fn largest_log_weight(&self) -> f64 {
        let (mut x, mut log_weight) = (Vec::new(), 0.0);
        for (k, &shift) in self.shifts.iter().enumerate() {
            let room = self.separated.bound(k, &x) - shift;
            x.push(shift - hazard(room));
            log_weight += shift * (0.5 * shift - x[k]) + log_phi(room);
        }
        log_weight
    }

    /// Maps a point of the unit cube to `x` within all bounds and returns the logarithm of the integrand there.
    fn draw(&self, mut uniform: impl FnMut(usize) -> f64, x: &mut Vec<f64>) -> f64 {
        x.clear();
        let (mut log_weight, mut product) = (0.0, 1.0_f64);
        for (k, &shift) in self.shifts.iter().enumerate() {
            let room = self.separated.bound(k, x) - shift;
            let u = uniform(k).clamp(f64::EPSILON, 1.0 - f64::EPSILON);
            let value = if room > FAR_OUT {
                let share = phi_cdf(room);
                product *= share;
                shift + normal_quantile(share * u)
            } else {
                let log_share = log_phi(room);
                log_weight += log_share;
                shift + normal_quantile_of_log(log_share + u.ln())
            };
            log_weight += shift * (0.5 * shift - value); // with the shares: Botev (2017) eq. 2.2
            x.push(value);
            if product < SMALL_PRODUCT {
                log_weight += product.ln();
                product = 1.0;
            }
        }
        if self.separated.determined_hold(x) { log_weight + product.ln() } else { f64::NEG_INFINITY }
    }

    /// The mean over one randomly shifted lattice, folded to a periodic integrand by the tent map.
    fn lattice_mean(
        &self,
        generator: &[usize],
        options: &OrthantOptions,
        interrupt: Interrupt,
        stream: u64,
    ) -> Result<f64, ExactError> {
        let mut rng = ChaCha8Rng::seed_from_u64(options.seed);
        rng.set_stream(stream);
        let start: Vec<f64> = generator.iter().map(|_| rng.random()).collect();
        let mut x = Vec::with_capacity(generator.len());
        let mut sum = 0.0;
        for i in 0..options.points {
            interrupt.check()?;
            let node = |k: usize| (i * generator[k] % options.points) as f64 / options.points as f64;
            let tent = |k: usize| (2.0 * (start[k] + node(k)).fract() - 1.0).abs();
            sum += (self.draw(tent, &mut x) - self.log_scale).exp();
        }
        Ok(sum / options.points as f64)
    }
}

/// Beyond this the share of a variable is kept as a logarithm.
const FAR_OUT: f64 = -25.0;
/// Shares are multiplied up to here before a logarithm is taken. The next one is above 1e-138.
const SMALL_PRODUCT: f64 = 1e-150;

/// The logarithm of the mean of independent estimates, with its standard error by the delta method.
fn log_of_mean(estimates: &[f64], log_scale: f64) -> Option<Simulated> {
    let count = estimates.len() as f64;
    let mean = estimates.iter().sum::<f64>() / count;
    let variance = estimates.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean > 0.0).then(|| Simulated { value: mean.ln() + log_scale, standard_error: (variance / count).sqrt() / mean })
}

#[cfg(test)]
mod tests;
