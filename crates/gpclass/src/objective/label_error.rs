//! Closed-form updates of the label error in EM-EP.

use crate::model::FittedModel;
use crate::special::phi_cdf;

/// EMEP: the share of rows (by weight) on the wrong side of the boundary, `r / n` with `r` counting `y (mu + b) < 0`.
/// It may reach or pass 1/2, where a label error cannot be set.
pub fn eps_by_count(fit: &FittedModel) -> f64 {
    weighted_mean(fit, |margin, _| f64::from(margin < 0.0))
}

/// ROBUST (20): the mean of `1 - w_i`, `w_i = Phi(y_i (h_i + b) / sqrt(lambda_i))` with `h`, `lambda` the posterior
/// marginals: the expected share of rows on the wrong side.
pub fn eps_by_posterior(fit: &FittedModel) -> f64 {
    weighted_mean(fit, |margin, var| {
        if var > 0.0 { phi_cdf(-margin / var.sqrt()) } else { 0.5 * (1.0 - margin.signum() * f64::from(margin != 0.0)) }
    })
}

/// The mean over rows, by weight, of a function of `y (mu + b)` and the posterior variance; 0 without rows, or of more
/// classes than two.
fn weighted_mean(fit: &FittedModel, of: impl Fn(f64, f64) -> f64) -> f64 {
    let Some(inferred) = fit.binary() else { return 0.0 };
    let posterior = &inferred.posterior;
    let (observations, b) = (fit.observations(), fit.model().likelihood.b());
    let (mut sum, mut total) = (0.0, 0.0);
    for (i, (mean, var)) in posterior.mean().iter().zip(posterior.var()).enumerate() {
        let weight = observations.weight(i);
        sum += weight * of(observations.labels[i].sign() * (mean + b), *var);
        total += weight;
    }
    if total > 0.0 { sum / total } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::conformance::{data, kernels, tight};
    use super::*;
    use crate::likelihood::Likelihood;
    use crate::model::Model;

    #[test]
    fn updates_count_rows_by_weight() {
        let weights: Vec<f64> = (0..21).map(|i| [1.0, 0.0, 2.0][i % 3]).collect();
        let likelihood = Likelihood::full(0.05, 0.1, 0.4).unwrap();
        let model = Model { method: tight(), ..Model::new(kernels().remove(0), likelihood) };
        let fit = model.infer(&data(21, Some(weights.clone())), None).unwrap();
        let posterior = &fit.binary().unwrap().posterior;
        let (mut count, mut share) = (0.0, 0.0);
        for (i, weight) in weights.iter().enumerate() {
            let z = fit.data().signs()[i].sign() * (posterior.mean()[i] + 0.1) / posterior.var()[i].sqrt();
            count += if z < 0.0 { *weight } else { 0.0 };
            share += weight * (1.0 - phi_cdf(z));
        }
        assert!(count > 0.0, "some row is on the wrong side");
        assert!((eps_by_count(&fit) - count / 21.0).abs() < 1e-15);
        assert!((eps_by_posterior(&fit) - share / 21.0).abs() < 1e-13);
    }
}
