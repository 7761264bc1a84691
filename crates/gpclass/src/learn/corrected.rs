//! Leave-one-out predictions as if a row had been left out of learning the hyperparameters too, by one Newton step.
//!
//! Cavities leave a row's label out of the posterior, but the hyperparameters were learned with it. Without row i the
//! objective lacks ℓ_i = log p(y_i | the others). With A the negative Hessian of log evidence and log prior, g_i the gradient
//! of ℓ_i and -g_i g_iᵀ for its Hessian, which is so on average, the maximum moves by δ_i = -(A - g_i g_iᵀ)⁻¹ g_i
//! = -A⁻¹ g_i / (1 - h_i), h_i = g_iᵀ A⁻¹ g_i, and ℓ_i by g_iᵀ δ_i - ½ (g_iᵀ δ_i)² (math 11.3).

use super::Control;
use super::search::{Space, with_tolerance};
use crate::model::{FittedModel, TrainingData};
use crate::objective::Objective;
use gpclass_linalg::{Mat, cholesky_in_place, lower_solve, lower_transpose_solve, map_tasks};

/// Step of the differences, in unconstrained coordinates.
const STEP: f64 = 0.02;
/// EP's tolerance: its error, divided by the step, stays small.
const TOLERANCE: f64 = 1e-5;
/// Most hyperparameters: each costs an inference and a gradient.
const MOST: usize = 64;
/// Most of what a row may decide about the hyperparameters: beyond, a Newton step leads anywhere.
const MOST_LEVERAGE: f64 = 0.6;
/// Least curvature: the prior of a hyperparameter that the data leave open has about this much.
const FLAT: f64 = 0.05;

/// What the evidence says at some hyperparameters: its slope with that of the prior, and the log-probabilities of the
/// classes for every row left out.
struct Point {
    slope: Vec<f64>,
    left_out: Mat,
}

/// For every training row the log-probabilities of the classes as predicted without it, by hyperparameters learned without
/// it, by one Newton step. Nothing where there are too many hyperparameters, or where inference beside the learned ones fails.
pub fn corrected_left_out(fit: &FittedModel, space: &Space, control: &Control) -> Option<Mat> {
    if space.len() > MOST {
        return None;
    }
    let x = space.read(fit.model());
    let here = point(fit, space, &x, control)?;
    let bounds = space.bounds();
    // What sits on a bound stays there whichever row is left out.
    let inner: Vec<usize> =
        (0..x.len()).filter(|&k| x[k] - bounds.lower[k] > STEP && bounds.upper[k] - x[k] > STEP).collect();
    if inner.is_empty() {
        return Some(here.left_out);
    }
    let beside = map_tasks(inner.len(), |k| {
        let mut there = x.clone();
        there[inner[k]] += STEP;
        point(fit, space, &there, control)
    });
    let beside = beside.into_iter().collect::<Option<Vec<Point>>>()?;
    let change = |k: usize, j: usize| (here.slope[inner[j]] - beside[k].slope[inner[j]]) / STEP;
    let curvature = Mat::from_fn(inner.len(), inner.len(), |k, j| 0.5 * (change(k, j) + change(j, k)));
    let chol = factor(&curvature)?;
    let (n, classes) = (here.left_out.rows(), here.left_out.cols());
    let gradient = |i: usize, c: usize| -> Vec<f64> {
        beside.iter().map(|point| (point.left_out[(i, c)] - here.left_out[(i, c)]) / STEP).collect()
    };
    let mut out = here.left_out.clone();
    for i in 0..n {
        let mut shift = gradient(i, fit.data().labels()[i].position());
        lower_solve(&chol, &mut shift);
        lower_transpose_solve(&chol, &mut shift);
        let along = |c: usize| gradient(i, c).iter().zip(&shift).map(|(g, s)| g * s).sum::<f64>();
        let own = copies(fit.data(), i);
        let leverage = (own * along(fit.data().labels()[i].position())).min(MOST_LEVERAGE);
        let first = leverage / (1.0 - leverage);
        let length = own * (1.0 + 0.5 * first) / (1.0 - leverage);
        for c in 0..classes {
            out[(i, c)] -= length * along(c);
        }
        normalise(&mut out, i);
    }
    out.as_slice().iter().all(|log| log.is_finite()).then_some(out)
}

/// What leaving a row out takes from the objective: one label, or the part of one that its weight makes.
fn copies(data: &TrainingData, row: usize) -> f64 {
    data.weights().map_or(1.0, |weights| weights[row].min(1.0))
}

fn point(fit: &FittedModel, space: &Space, x: &[f64], control: &Control) -> Option<Point> {
    let mut model = fit.model().clone();
    model.method = with_tolerance(&model.method, TOLERANCE);
    space.write(&mut model, x);
    let near = model.infer_with(fit.data(), Some(&fit.start()), control.interrupt()).ok()?;
    let gradient = Objective::Evidence.gradient(&near).ok()?;
    let slopes = space.gradient(near.model(), &gradient);
    let (_, prior) = space.log_prior(x);
    let slope: Vec<f64> = slopes.iter().zip(prior).map(|(a, b)| a + b).collect();
    let left_out = near.leave_one_out().log_probability;
    let finite = slope.iter().chain(left_out.as_slice()).all(|value| value.is_finite());
    finite.then_some(Point { slope, left_out })
}

/// The lower factor of a curvature, raised on its diagonal until it is one of a maximum.
fn factor(curvature: &Mat) -> Option<Mat> {
    let mut ridge = 0.0;
    while f64::is_finite(ridge) {
        let mut chol = curvature.clone();
        (0..chol.rows()).for_each(|k| chol[(k, k)] += ridge);
        if cholesky_in_place(&mut chol).is_ok() && chol.diag().iter().all(|d| d * d >= FLAT) {
            return Some(chol);
        }
        ridge = if ridge == 0.0 { FLAT } else { 2.0 * ridge };
    }
    None
}

/// Makes the probabilities of a row sum to one.
fn normalise(logs: &mut Mat, row: usize) {
    let each = || (0..logs.cols()).map(|c| logs[(row, c)]);
    let largest = each().fold(f64::NEG_INFINITY, f64::max);
    let total = largest + each().map(|log| (log - largest).exp()).sum::<f64>().ln();
    (0..logs.cols()).for_each(|c| logs[(row, c)] -= total);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Class, Inputs, Sign};
    use crate::learn::{Departure, FitOptions, KernelFamily, Lengthscales, LikelihoodFamily, Priors, fit};
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
        let corrected = corrected_left_out(full, &space, &control).unwrap();
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
        let corrected = corrected_left_out(&fit, &space, &Control::default()).unwrap();
        let plain = fit.leave_one_out();
        for (a, b) in corrected.as_slice().iter().zip(plain.log_probability.as_slice()) {
            assert!((a - b).abs() < 1e-6, "{a} and {b}");
        }
    }
}
