//! Leave-one-out predictions as if a row had been left out of learning the hyperparameters too, by one Newton step.
//!
//! Cavities leave a row's label out of the posterior, but the hyperparameters were learned with it. Without row i the
//! objective lacks ℓ_i = log p(y_i | the others). With A the negative Hessian of log evidence and log prior, g_i the gradient
//! of ℓ_i and -g_i g_iᵀ for its Hessian, which is so on average, the maximum moves by δ_i = -(A - g_i g_iᵀ)⁻¹ g_i
//! = -A⁻¹ g_i / (1 - h_i), h_i = g_iᵀ A⁻¹ g_i, and ℓ_i by g_iᵀ δ_i - ½ (g_iᵀ δ_i)² (math 11.3).

use super::nearby::{Nearby, normalise};
use crate::model::TrainingData;
use gpclass_linalg::{Mat, lower_solve, lower_transpose_solve};

/// Most of what a row may decide about the hyperparameters: beyond, a Newton step leads anywhere.
const MOST_LEVERAGE: f64 = 0.6;

impl Nearby {
    /// For every training row the log-probabilities of the classes as predicted without it, by hyperparameters learned without
    /// it, by one Newton step; nothing where that gives no number.
    pub fn corrected(&self, data: &TrainingData) -> Option<Mat> {
        if self.is_held() {
            return Some(self.left_out.clone());
        }
        let gradient = |i: usize, c: usize| -> Vec<f64> { self.slopes.iter().map(|slopes| slopes[(i, c)]).collect() };
        let mut out = self.left_out.clone();
        for i in 0..out.rows() {
            let own_class = data.labels()[i].position();
            let mut shift = gradient(i, own_class);
            lower_solve(&self.curvature, &mut shift);
            lower_transpose_solve(&self.curvature, &mut shift);
            let along = |c: usize| gradient(i, c).iter().zip(&shift).map(|(g, s)| g * s).sum::<f64>();
            let own = copies(data, i);
            let leverage = (own * along(own_class)).min(MOST_LEVERAGE);
            let first = leverage / (1.0 - leverage);
            let length = own * (1.0 + 0.5 * first) / (1.0 - leverage);
            for c in 0..out.cols() {
                out[(i, c)] -= length * along(c);
            }
            normalise(&mut out, i);
        }
        out.as_slice().iter().all(|log| log.is_finite()).then_some(out)
    }
}

/// What leaving a row out takes from the objective: one label, or the part of one that its weight makes.
fn copies(data: &TrainingData, row: usize) -> f64 {
    data.weights().map_or(1.0, |weights| weights[row].min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Class, Inputs, Sign};
    use crate::learn::search::Space;
    use crate::learn::{Control, Departure, FitOptions, KernelFamily, Lengthscales, LikelihoodFamily, Priors, fit};
    use std::sync::Arc;

    fn data(n: usize, d: usize) -> Arc<TrainingData> {
        let x = Mat::from_fn(n, d, |i, j| ((i * (2 * j + 3)) as f64 * 0.7).sin() + ((i + 5 * j) as f64).cos());
        let noise = |i: usize| 1.2 * ((i * i) as f64).sin();
        let label = |i: usize| if x[(i, 0)] + noise(i) > 0.0 { Sign::Positive } else { Sign::Negative };
        let labels: Vec<Sign> = (0..n).map(label).collect();
        Arc::new(TrainingData::new(Inputs::continuous(x), labels).expect("valid data"))
    }

    /// Against truth: every row is left out, and everything is learned again from the others.
    #[test]
    fn it_foretells_what_learning_without_the_row_would_give() {
        let (data, control) = (data(36, 3), Control::default());
        let options = FitOptions {
            kernel: Some(KernelFamily::SquaredExponential),
            likelihood: Some(LikelihoodFamily::Probit),
            lengthscales: Lengthscales::Ard,
            ..FitOptions::default()
        };
        let found = fit(&data, &options, &control).unwrap();
        let full = found.fitted();
        let space = Space::new(full.model(), &data, &Priors::Weak, Departure::Free).unwrap();
        let corrected = Nearby::of(full, &space, &control).unwrap().corrected(&data).unwrap();
        let plain = full.leave_one_out_log_probability();
        let (mut flattery, mut left, mut worst) = (0.0, 0.0, 0.0_f64);
        for i in 0..36 {
            let others: Vec<usize> = (0..36).filter(|j| *j != i).collect();
            let inputs = data.inputs().select_rows(&others);
            let signs: Vec<Sign> = others.iter().map(|&j| data.signs()[j]).collect();
            let part = Arc::new(TrainingData::new(inputs, signs).unwrap());
            let learned = fit(&part, &options, &control).unwrap();
            let there = learned.fitted().predict(&data.inputs().select_rows(&[i])).unwrap();
            let truth = there.log_probability_of(&data.labels()[i..=i])[0];
            let got = corrected[(i, data.labels()[i].position())];
            flattery += plain[i] - truth;
            left += got - truth;
            worst = worst.max((got - truth).abs());
        }
        assert!(flattery > 0.3, "leave-one-out flatters: {flattery} nats");
        assert!(left.abs() < 0.4 * flattery, "{left} of {flattery} nats are left, at worst {worst}");
        for i in 0..36 {
            let total: f64 = Class::first(2).map(|c| corrected[(i, c.position())].exp()).sum();
            assert!((total - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn held_hyperparameters_need_no_correction() {
        let data = data(30, 2);
        let mut model = crate::model::Model::new(
            crate::kernel::Kernel::squared_exponential(2.0, crate::kernel::Scales::Single(0.5)),
            crate::likelihood::Likelihood::probit(),
        );
        ["v0", "l"].iter().for_each(|name| model.kernel.set_fixed(name, true).unwrap());
        let fit = model.infer(&data, None).unwrap();
        let space = Space::new(&model, &data, &Priors::Weak, Departure::Free).unwrap();
        let corrected = Nearby::of(&fit, &space, &Control::default()).unwrap().corrected(&data).unwrap();
        let plain = fit.leave_one_out();
        for (a, b) in corrected.as_slice().iter().zip(plain.log_probability.as_slice()) {
            assert!((a - b).abs() < 1e-6, "{a} and {b}");
        }
    }
}
