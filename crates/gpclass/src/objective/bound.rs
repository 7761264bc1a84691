//! The variational bound that EM-EP climbs in its M-step (EMEP 15, TAN 17).
//!
//! `F(theta) = sum_i w_i E_q log p(y_i|f_i) - KL(q || N(0, K_theta))` for a fixed `q = N(mu, Sigma)`, the posterior of the
//! E-step.

use super::ObjectiveError;
use crate::inference::InferenceError;
use crate::interrupt::Interrupt;
use crate::kernel::Kernel;
use crate::likelihood::{Gaussian, Likelihood, expected_log};
use crate::model::{FittedModel, Gradient, ModelError, TrainingData};
use crate::prior::{Divergence, Failure, Prior};
use gpclass_linalg::{Mat, map_tasks, vector};
use std::sync::Arc;

/// Added to the diagonal, relative to the mean prior variance, where the covariance is not invertible as it is: the first
/// that makes it so.
const JITTER: [f64; 2] = [1e-6, 1e-5];
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
        let posterior = &fit.two_classes()?.posterior;
        let prior = posterior.prior();
        let (own, least) = (prior.jitter(), SMALLEST_PIVOT * prior.mean_variance());
        let invertible = |prior: &Prior| Ok((prior.clone(), prior.log_det(least)?));
        let (prior, log_det_prior) = prior.with_least_jitter(&JITTER, invertible).map_err(refused)?;
        let (mean, sigma, log_det) = if prior.jitter() == own {
            (posterior.mean().to_vec(), posterior.covariance(), posterior.factor().log_det())
        } else {
            let sites = posterior.sites();
            let factor = prior.factorise(&sites.tau, None).map_err(refused)?;
            let mean = prior.times(&factor.solve_site(&sites.nu));
            (mean, factor.covariance(), factor.log_det())
        };
        let log_det_sigma = log_det_prior - log_det; // Sigma = (I + K T)⁻¹ K
        Ok(Bound { data: Arc::clone(fit.data()), mean, sigma, log_det_sigma, jitter: prior.relative_jitter() })
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
        let inputs = self.data.inputs();
        let prior = Prior::new(kernel, inputs, Interrupt::default()).map_err(refused)?.jittered(self.jitter);
        let Divergence { value, adjoint } =
            prior.divergence(&self.mean, &self.sigma, self.log_det_sigma).map_err(refused)?;
        let gradient = Gradient {
            kernel: prior.pull_back(kernel, inputs, &adjoint.with_relative_jitter(self.jitter)),
            likelihood: by_likelihood,
        };
        Ok((data_term - value, gradient.finite(kernel, likelihood)?))
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
}

fn refused(failure: Failure) -> ObjectiveError {
    ModelError::from(InferenceError::from(failure)).into()
}

#[cfg(test)]
mod tests {
    use super::super::conformance::{data, differences, distance, kernels, likelihoods, tight};
    use super::*;
    use crate::kernel::Scales;
    use crate::model::Model;

    fn fit(kernel: &Kernel, likelihood: &Likelihood, weights: Option<Vec<f64>>) -> FittedModel {
        let model = Model { method: tight(), ..Model::new(kernel.clone(), likelihood.clone()) };
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
        let model = Model { method: tight(), ..Model::new(kernel.clone(), Likelihood::step(0.0).unwrap()) };
        let fit = model.infer(&data(1, None), None).unwrap();
        let (m, s) = (fit.binary().unwrap().posterior.mean()[0], fit.binary().unwrap().posterior.var()[0]);
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
