//! Left-out predictions beside the learned hyperparameters: how they move with each, and how freely the data let it move
//! (math 11.3, 11.7).

use super::Control;
use super::search::{Space, with_tolerance};
use crate::model::FittedModel;
use crate::objective::Objective;
use gpclass_linalg::{Mat, cholesky_in_place, lower_solve, lower_transpose_solve, map_tasks};
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

/// Step of the differences, in unconstrained coordinates.
const STEP: f64 = 0.02;
/// EP's tolerance: its error, divided by the step, stays small.
const TOLERANCE: f64 = 1e-5;
/// Most hyperparameters: each costs an inference and a gradient.
const MOST: usize = 64;
/// Least curvature: the prior of a hyperparameter that the data leave open has about this much.
const FLAT: f64 = 0.05;

/// Left-out log-probabilities of a fitted model to first order in its hyperparameters, with Laplace's approximation of their
/// posterior. What sits on a bound stays there.
#[derive(Clone, Debug)]
pub struct Nearby {
    /// Rows by classes, at the learned hyperparameters.
    pub(super) left_out: Mat,
    /// Which hyperparameters can move.
    moving: Vec<usize>,
    /// The left-out log-probabilities differentiated in each of them, in unconstrained coordinates.
    pub(super) slopes: Vec<Mat>,
    /// The lower factor of the negative Hessian of log evidence and log prior in those.
    pub(super) curvature: Mat,
    /// How many labels are expected to be wrong at the learned hyperparameters.
    wrong: f64,
    /// That number differentiated in each of those that can move.
    wrong_slopes: Vec<f64>,
}

/// What the evidence says at some hyperparameters: its slope with that of the prior, the log-probabilities of the classes for
/// every row left out, and how many labels are wrong.
struct Point {
    slope: Vec<f64>,
    left_out: Mat,
    wrong: f64,
}

impl Nearby {
    /// Nothing where there are too many hyperparameters, or where inference beside the learned ones fails.
    pub fn of(fit: &FittedModel, space: &Space, control: &Control) -> Option<Nearby> {
        if space.len() > MOST {
            return None;
        }
        let x = space.read(fit.model());
        let here = point(fit, space, &x, control)?;
        let bounds = space.bounds();
        let moving: Vec<usize> =
            (0..x.len()).filter(|&k| x[k] - bounds.lower[k] > STEP && bounds.upper[k] - x[k] > STEP).collect();
        let beside = map_tasks(moving.len(), |k| {
            let mut there = x.clone();
            there[moving[k]] += STEP;
            point(fit, space, &there, control)
        });
        let beside = beside.into_iter().collect::<Option<Vec<Point>>>()?;
        let change = |k: usize, j: usize| (here.slope[moving[j]] - beside[k].slope[moving[j]]) / STEP;
        let curvature = Mat::from_fn(moving.len(), moving.len(), |k, j| 0.5 * (change(k, j) + change(j, k)));
        let slope = |point: &Point| {
            let pairs = point.left_out.as_slice().iter().zip(here.left_out.as_slice());
            let slopes = pairs.map(|(there, here)| (there - here) / STEP).collect();
            Mat::from_columns(here.left_out.rows(), here.left_out.cols(), slopes)
        };
        Some(Nearby {
            slopes: beside.iter().map(slope).collect(),
            curvature: factor(&curvature)?,
            wrong: here.wrong,
            wrong_slopes: beside.iter().map(|point| (point.wrong - here.wrong) / STEP).collect(),
            left_out: here.left_out,
            moving,
        })
    }

    /// Whether no hyperparameter can move.
    pub fn is_held(&self) -> bool {
        self.moving.is_empty()
    }

    /// The standard deviation of the logarithm of the expected number of wrong labels, over the posterior of the
    /// hyperparameters; zero where the likelihood knows no label error (math 8).
    pub fn spread_of_wrong(&self) -> f64 {
        if self.is_held() || self.wrong <= 0.0 {
            return 0.0;
        }
        let mut slopes = self.wrong_slopes.clone();
        lower_solve(&self.curvature, &mut slopes);
        slopes.iter().map(|slope| slope * slope).sum::<f64>().sqrt() / self.wrong
    }

    /// The log-probabilities at hyperparameters drawn from their posterior.
    pub fn drawn(&self, rng: &mut impl Rng) -> Mat {
        self.moved(&self.step(rng))
    }

    /// A draw of the hyperparameters that can move, less the learned ones.
    fn step(&self, rng: &mut impl Rng) -> Vec<f64> {
        let mut step: Vec<f64> = self.moving.iter().map(|_| StandardNormal.sample(rng)).collect();
        if !step.is_empty() {
            lower_transpose_solve(&self.curvature, &mut step);
        }
        step
    }

    /// The log-probabilities once those have moved.
    fn moved(&self, step: &[f64]) -> Mat {
        let mut out = self.left_out.clone();
        for (slopes, step) in self.slopes.iter().zip(step) {
            out.as_mut_slice().iter_mut().zip(slopes.as_slice()).for_each(|(log, slope)| *log += step * slope);
        }
        (0..out.rows()).for_each(|row| normalise(&mut out, row));
        out
    }
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
    let left_out = near.left_out().log_probability;
    let wrong = if near.model().likelihood.eps() > 0.0 { near.label_error().iter().sum() } else { 0.0 };
    let finite = slope.iter().chain(left_out.as_slice()).all(|value| value.is_finite());
    finite.then_some(Point { slope, left_out, wrong })
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
pub(super) fn normalise(logs: &mut Mat, row: usize) {
    let each = || (0..logs.cols()).map(|c| logs[(row, c)]);
    let largest = each().fold(f64::NEG_INFINITY, f64::max);
    let total = largest + each().map(|log| (log - largest).exp()).sum::<f64>().ln();
    (0..logs.cols()).for_each(|c| logs[(row, c)] -= total);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Inputs, Sign};
    use crate::learn::{Departure, FitOptions, KernelFamily, Lengthscales, LikelihoodFamily, Priors, fit};
    use crate::model::TrainingData;
    use rand::SeedableRng;
    use std::sync::Arc;

    /// Against truth: inference at every draw.
    #[test]
    fn predictions_move_as_inference_at_drawn_hyperparameters_says() {
        let (n, d) = (60, 2);
        let x = Mat::from_fn(n, d, |i, j| ((i * (2 * j + 3)) as f64 * 0.7).sin() + ((i + 5 * j) as f64).cos());
        let label =
            |i: usize| if x[(i, 0)] + 0.8 * ((i * i) as f64).sin() > 0.0 { Sign::Positive } else { Sign::Negative };
        let labels: Vec<Sign> = (0..n).map(label).collect();
        let data = Arc::new(TrainingData::new(Inputs::continuous(x), labels).unwrap());
        let options = FitOptions {
            kernel: Some(KernelFamily::SquaredExponential),
            likelihood: Some(LikelihoodFamily::Probit),
            lengthscales: Lengthscales::Ard,
            ..FitOptions::default()
        };
        let control = Control::default();
        let selection = fit(&data, &options, &control).unwrap();
        let full = selection.fitted();
        let space = Space::new(full.model(), &data, &Priors::Weak, Departure::Free).unwrap();
        let nearby = Nearby::of(full, &space, &control).unwrap();
        assert!(!nearby.moving.is_empty());
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        let here = full.leave_one_out().probability;
        let (mut moved, mut missed, mut guessed) = (0.0, 0.0, 0.0);
        for _ in 0..40 {
            let step = nearby.step(&mut rng);
            let mut there = space.read(full.model());
            nearby.moving.iter().zip(&step).for_each(|(&k, step)| there[k] += step);
            let bounds = space.bounds();
            (0..there.len()).for_each(|k| there[k] = there[k].clamp(bounds.lower[k], bounds.upper[k]));
            let mut model = full.model().clone();
            space.write(&mut model, &there);
            let truth = model.infer(&data, None).unwrap().leave_one_out().probability;
            let guess = nearby.moved(&step);
            for i in 0..n {
                let (here, truth, guess) = (here.as_mat()[(i, 1)], truth.as_mat()[(i, 1)], guess[(i, 1)].exp());
                moved += (truth - here).abs();
                guessed += (guess - here).abs();
                missed += (truth - guess).abs();
            }
        }
        assert!((guessed / moved - 1.0).abs() < 0.25, "rows move by {moved}, were said to by {guessed}");
        assert!(missed < 0.5 * moved, "{missed} of {moved} are missed");
    }
}
