//! The variational bound that EM-EP climbs in its M-step (EMEP 15, TAN 17).
//!
//! `F(theta) = sum_i w_i E_q log p(y_i|f_i) - KL(q || N(0, K_theta))` for a fixed `q = N(mu, Sigma)`, the posterior of the
//! E-step. With `K = L Lᵀ`, `A = L⁻¹ Sigma L⁻ᵀ`, `a = L⁻¹ mu`,
//!
//! ```text
//! KL = ½ (tr A + aᵀa - n + log |K| - log |Sigma|),   dF/dK = ½ L⁻ᵀ (A + a aᵀ - I) L⁻¹
//! ```

use super::ObjectiveError;
use super::expected_log::expected_log;
use crate::inference::InferenceError;
use crate::kernel::Kernel;
use crate::likelihood::{Gaussian, Likelihood};
use crate::model::{FittedModel, Gradient, ModelError, TrainingData};
use crate::posterior::SiteFactor;
use gpclass_linalg::{
    Mat, NotPositiveDefinite, cholesky_in_place, lower_solve, map_tasks, solve_lower_in_place,
    solve_lower_transpose_in_place, symmetric_mul, vector,
};
use std::sync::Arc;

/// Added to the diagonal, relative to the mean prior variance: the first that makes the covariance invertible.
const JITTER: [f64; 3] = [0.0, 1e-6, 1e-5];
/// No pivot may be below this share of the mean prior variance: the gradient contains `K⁻¹` twice, so that a rounding
/// error in `Sigma` is multiplied by the square of its inverse.
const SMALLEST_PIVOT: f64 = 5e-7;

/// The bound as a function of the hyperparameters, for the posterior of one E-step.
///
/// It needs `K⁻¹`, which inference never does, so where `K` is singular in floating point a jitter is added, to the
/// covariance of `q` and to every other alike, so that the bound stays one smooth function.
#[derive(Clone, Debug)]
pub struct Bound {
    data: Arc<TrainingData>,
    mean: Vec<f64>,
    sigma: Mat,
    log_det_sigma: f64,
    jitter: f64,
}

impl Bound {
    /// The bound for `q` = the posterior of `fit`.
    pub fn new(fit: &FittedModel) -> Result<Self, ObjectiveError> {
        let posterior = &fit.inferred().posterior;
        let (k, sites) = (fit.prior(), posterior.sites());
        let (jitter, shifted, chol) = invertible(k)?;
        let (mean, sigma, log_det) = if jitter == 0.0 {
            (posterior.mean().to_vec(), posterior.covariance(k), posterior.factor().log_det())
        } else {
            let factor = SiteFactor::new(&shifted, &sites.tau, None).map_err(|_| not_invertible(jitter))?;
            let mean = symmetric_mul(&shifted, &factor.damp(&shifted, &sites.nu));
            (mean, factor.covariance(&shifted), factor.log_det())
        };
        let log_det_sigma = log_det_of(&chol) - log_det; // Sigma = (I + K T)⁻¹ K
        Ok(Bound { data: Arc::clone(fit.data()), mean, sigma, log_det_sigma, jitter })
    }

    /// What is added to the diagonal of every covariance, relative to its mean variance; usually zero.
    pub fn jitter(&self) -> f64 {
        self.jitter
    }

    /// The bound and its gradient. For a step likelihood without label error the data term, minus infinity everywhere,
    /// is left out.
    pub fn value_and_gradient(
        &self,
        kernel: &Kernel,
        likelihood: &Likelihood,
    ) -> Result<(f64, Gradient), ObjectiveError> {
        kernel.check(self.data.inputs()).map_err(ModelError::from)?;
        let (data_term, by_likelihood) = self.data_term(likelihood);
        let (divergence, adjoint) = self.divergence(kernel)?;
        let gradient = Gradient {
            kernel: kernel.pull_back(self.data.inputs(), &adjoint),
            likelihood: super::without_boundary_infinities(likelihood, by_likelihood),
        };
        Ok((data_term - divergence, gradient))
    }

    /// `sum_i w_i E_q log p(y_i|f_i)` and its derivatives in the likelihood's parameters.
    fn data_term(&self, likelihood: &Likelihood) -> (f64, Vec<f64>) {
        let n = self.mean.len();
        let observations = self.data.observations(likelihood);
        let rows = map_tasks(n, |i| {
            let marginal = Gaussian { mean: self.mean[i], var: self.sigma[(i, i)] };
            (observations.weight(i) > 0.0).then(|| expected_log(likelihood, observations.labels[i], marginal))
        });
        let mut value = 0.0;
        let mut by_param = vec![0.0; likelihood.params().len()];
        for (i, row) in rows.into_iter().enumerate() {
            let Some(row) = row else { continue };
            value += observations.weight(i) * row.value;
            vector::add_scaled(&mut by_param, observations.weight(i), &row.by_param);
        }
        (value, by_param)
    }

    /// `KL(q || N(0, K))`, and the adjoint of minus it (EMEP 14, TAN 18).
    fn divergence(&self, kernel: &Kernel) -> Result<(f64, Mat), ObjectiveError> {
        let n = self.mean.len();
        let mut l = jittered(&kernel.gram(self.data.inputs()), self.jitter);
        cholesky_in_place(&mut l).map_err(|NotPositiveDefinite| not_invertible(self.jitter))?;
        let mut a = self.mean.clone();
        lower_solve(&l, &mut a);
        let mut middle = self.sigma.clone();
        solve_lower_in_place(&l, &mut middle);
        let mut middle = middle.transposed();
        solve_lower_in_place(&l, &mut middle); // A
        let trace: f64 = middle.diag().iter().sum();
        let divergence = 0.5 * (trace + vector::dot(&a, &a) - n as f64 + log_det_of(&l) - self.log_det_sigma);
        for j in 0..n {
            vector::add_scaled(middle.col_mut(j), a[j], &a);
            middle[(j, j)] -= 1.0;
        }
        solve_lower_transpose_in_place(&l, &mut middle);
        let mut adjoint = middle.transposed();
        solve_lower_transpose_in_place(&l, &mut adjoint);
        adjoint.as_mut_slice().iter_mut().for_each(|v| *v *= 0.5);
        // The jitter follows the mean of the diagonal.
        let by_jitter = self.jitter * adjoint.diag().iter().sum::<f64>() / n as f64;
        (0..n).for_each(|i| adjoint[(i, i)] += by_jitter);
        Ok((divergence, adjoint))
    }
}

/// The smallest jitter that makes `k` invertible in floating point, `k` with it, and its Cholesky factor.
fn invertible(k: &Mat) -> Result<(f64, Mat, Mat), ObjectiveError> {
    for jitter in JITTER {
        let shifted = jittered(k, jitter);
        let mut chol = shifted.clone();
        let factorised = cholesky_in_place(&mut chol).is_ok();
        if factorised && chol.diag().iter().all(|pivot| pivot * pivot > SMALLEST_PIVOT * mean_variance(k)) {
            return Ok((jitter, shifted, chol));
        }
    }
    Err(not_invertible(JITTER[JITTER.len() - 1]))
}

/// `k` with a jitter relative to its mean variance on the diagonal.
fn jittered(k: &Mat, jitter: f64) -> Mat {
    let mut shifted = k.clone();
    let shift = jitter * mean_variance(k);
    (0..k.rows()).for_each(|i| shifted[(i, i)] += shift);
    shifted
}

fn mean_variance(k: &Mat) -> f64 {
    k.diag().iter().sum::<f64>() / k.rows() as f64
}

fn log_det_of(chol: &Mat) -> f64 {
    2.0 * chol.diag().iter().map(|d| d.ln()).sum::<f64>()
}

fn not_invertible(jitter: f64) -> ObjectiveError {
    ModelError::from(InferenceError::NotPositiveDefinite { jitter }).into()
}

#[cfg(test)]
mod tests {
    use super::super::conformance::{data, differences, distance, kernels, likelihoods, tight};
    use super::*;
    use crate::kernel::Scales;
    use crate::model::Model;

    fn fit(kernel: &Kernel, likelihood: &Likelihood, weights: Option<Vec<f64>>) -> FittedModel {
        let model = Model { kernel: kernel.clone(), likelihood: likelihood.clone(), method: tight() };
        model.infer(&data(16, weights), None).unwrap()
    }

    #[test]
    fn the_gradient_is_the_derivative_away_from_the_e_step_too() {
        let weights: Vec<f64> = (0..16).map(|i| [1.0, 2.0, 0.0, 0.5][i % 4]).collect();
        for kernel in kernels() {
            for likelihood in likelihoods() {
                let start = fit(&kernel, &likelihood, Some(weights.clone()));
                let bound = Bound::new(&start).unwrap();
                assert_eq!(bound.jitter(), 0.0);
                let mut model = start.model().clone();
                let moved: Vec<f64> = kernel.params().iter().map(|p| 1.2 * p.value).collect();
                model.kernel.set_values(&moved);
                let value = |m: &Model| bound.value_and_gradient(&m.kernel, &m.likelihood).unwrap();
                let want = differences(&model, |m| vec![value(m).0]).remove(0);
                let error = distance(&value(&model).1, &want);
                assert!(error < 1e-6, "{} {}: off by {error:e}", kernel.describe(), likelihood.name());
            }
        }
    }

    #[test]
    fn at_the_e_step_the_kernel_part_is_the_evidence_gradient() {
        for kernel in kernels() {
            for likelihood in likelihoods() {
                let fit = fit(&kernel, &likelihood, None);
                let (value, gradient) = Bound::new(&fit).unwrap().value_and_gradient(&kernel, &likelihood).unwrap();
                let want = fit.evidence_gradient().unwrap();
                for (g, w) in gradient.kernel.iter().zip(&want.kernel) {
                    assert!((g - w).abs() < 1e-6, "{} {}: {g} {w}", kernel.describe(), likelihood.name()); // math 5
                }
                // EP's evidence is close to the true one here, of which F is a lower bound.
                assert!(value < fit.log_evidence(), "{value} {}", fit.log_evidence());
            }
        }
    }

    #[test]
    fn the_divergence_is_that_of_two_gaussians() {
        // One row: K = 1.5, so KL(N(m, s) || N(0, 1.5)) = (s/1.5 + m²/1.5 - 1 - ln(s/1.5)) / 2.
        let kernel = Kernel::squared_exponential(1.0, Scales::Single(1.0)) + Kernel::bias(0.5);
        let model = Model { kernel: kernel.clone(), likelihood: Likelihood::step(0.0).unwrap(), method: tight() };
        let fit = model.infer(&data(1, None), None).unwrap();
        let (m, s) = (fit.inferred().posterior.mean()[0], fit.inferred().posterior.var()[0]);
        let want = 0.5 * (s / 1.5 + m * m / 1.5 - 1.0 - (s / 1.5).ln());
        // The data term of a step without label error is left out.
        let (value, _) = Bound::new(&fit).unwrap().value_and_gradient(&kernel, &model.likelihood).unwrap();
        assert!((value + want).abs() < 1e-12, "{value} {want}");
    }

    #[test]
    fn a_singular_covariance_is_jittered_and_says_so() {
        for kernel in [
            Kernel::linear(Scales::Ard(vec![0.8, 0.4])) + Kernel::bias(0.3),
            Kernel::squared_exponential(2.0, Scales::Single(0.01)),
        ] {
            let likelihood = Likelihood::probit();
            let fit = fit(&kernel, &likelihood, None);
            let bound = Bound::new(&fit).unwrap();
            assert!(bound.jitter() > 0.0);
            let (_, gradient) = bound.value_and_gradient(&kernel, &likelihood).unwrap();
            let want = fit.evidence_gradient().unwrap();
            for (g, w) in gradient.kernel.iter().zip(&want.kernel) {
                assert!((g - w).abs() < 1e-3, "{}: {g} {w}", kernel.describe());
            }
        }
    }
}
