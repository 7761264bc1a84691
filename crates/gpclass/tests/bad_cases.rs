//! Data that make learning run away elsewhere: the fit ends, everything is finite and inside its bounds, and notes say
//! what is weakly determined.

#[path = "support/draws.rs"]
mod draws;

use gpclass::data::{Inputs, Sign};
use gpclass::inference::Method;
use gpclass::inference::ep::EpOptions;
use gpclass::learn::{
    Combine, Control, DirectOptions, FitOptions, KernelFamily, LearnError, Lengthscales, LikelihoodFamily, Priors,
    Selection, fit,
};
use gpclass::linalg::Mat;
use gpclass::model::TrainingData;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

fn data(n: usize, d: usize, seed: u64, positive: impl Fn(&[f64], usize) -> bool) -> Arc<TrainingData> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let x = Mat::from_fn(n, d, |_, _| rng.random_range(-1.5..1.5));
    let row = |i: usize| (0..d).map(|j| x[(i, j)]).collect::<Vec<f64>>();
    let label = |i| if positive(&row(i), i) { Sign::Positive } else { Sign::Negative };
    let labels: Vec<Sign> = (0..n).map(label).collect();
    Arc::new(TrainingData::new(Inputs::continuous(x), labels).expect("valid data"))
}

fn with_column(data: &TrainingData, column: impl Fn(usize) -> f64) -> Arc<TrainingData> {
    let x = data.inputs().values();
    let wider = Mat::from_fn(x.rows(), x.cols() + 1, |i, j| if j < x.cols() { x[(i, j)] } else { column(i) });
    Arc::new(TrainingData::new(Inputs::continuous(wider), data.targets().clone()).expect("valid data"))
}

fn check(name: &str, data: &Arc<TrainingData>, options: &FitOptions) -> Selection {
    let fit = fit(data, options, &Control::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    for contender in &fit.contenders {
        let model = &contender.model;
        for p in model.kernel.params().iter().chain(&model.likelihood.params()) {
            let inside = p.value.is_finite() && (-30.0..=1e6).contains(&p.value);
            assert!(inside, "{name}, {}: {} is {}", contender.summary.name, p.name, p.value);
        }
        assert!(
            contender.summary.score.is_finite() && contender.summary.loo_nlp.is_finite(),
            "{name}, {}",
            contender.summary.name
        );
    }
    let predicted = fit.fitted().predict(data.inputs()).expect("valid rows");
    assert!(predicted.probability.as_mat().as_slice().iter().all(|p| (0.0..=1.0).contains(p)), "{name}");
    fit
}

/// With the weak priors and without any.
fn both(name: &str, data: &Arc<TrainingData>) -> [Selection; 2] {
    [Priors::Weak, Priors::None].map(|priors| check(name, data, &FitOptions { priors, ..FitOptions::default() }))
}

#[test]
fn separable_data() {
    let separable = data(60, 2, 1, |x, _| x[0] + x[1] > 0.0);
    let [weak, _] = both("separable", &separable);
    assert!(weak.fitted().report().outcome.converged());
    // Searches for members of a stack end before that.
    let alone = FitOptions { priors: Priors::None, combine: Combine::Best, ..FitOptions::default() };
    let none = check("separable", &separable, &alone);
    let says_so = none.notes.iter().any(|n| n.to_string().contains("edge of its range"));
    assert!(says_so, "without priors a parameter runs to its bound and a note says so: {:?}", none.notes);
}

#[test]
fn labels_that_are_noise() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let coins: Vec<bool> = (0..80).map(|_| rng.random_bool(0.5)).collect();
    let noise = data(80, 3, 2, |_, i| coins[i]);
    let [weak, _] = both("noise", &noise);
    let error = weak.chosen().summary.loo_error;
    assert!(error > 0.3, "left-out error {error}");
}

#[test]
fn repeated_and_constant_features() {
    let plain = data(60, 2, 3, |x, _| x[0] * x[0] + x[1] * x[1] > 1.0);
    both("repeated feature", &with_column(&plain, |i| plain.inputs().values()[(i, 0)]));
    let [fit, _] = both("constant feature", &with_column(&plain, |_| 2.5));
    assert_eq!(fit.chosen().relevances[2].effect, 0.0);
}

#[test]
fn more_features_than_rows() {
    let wide = data(42, 2000, 4, |x, _| x[0] + x[1] + x[2] > 0.0);
    check("2000 features", &wide, &FitOptions::default());
}

#[test]
fn few_positives() {
    let rare = data(200, 2, 5, |x, _| x[0] > 1.3 && x[1] > 0.0);
    let positives = rare.signs().iter().filter(|l| **l == Sign::Positive).count();
    assert!((3..=12).contains(&positives), "{positives} positives");
    both("few positives", &rare);
}

#[test]
fn one_class_is_refused() {
    let one = data(10, 2, 6, |_, _| true);
    let refused = fit(&one, &FitOptions::default(), &Control::default());
    assert!(matches!(refused, Err(LearnError::OneClass)));
}

#[test]
fn two_rows() {
    let pair = data(2, 1, 7, |_, i| i == 0);
    let [fit, _] = both("two rows", &pair);
    assert!(fit.notes.iter().any(|n| n.to_string().contains("only 1 rows")), "{:?}", fit.notes);
}

/// A robust candidate that cannot start, here for want of sweeps, must not take the others with it.
#[test]
fn a_refinement_that_cannot_start_leaves_the_others() {
    let data = data(40, 2, 8, |x, i| (x[0] + 0.3 * x[1] > 0.0) != (i % 9 == 0));
    let fits = |max_sweeps, likelihood| {
        let method = Method::Ep(EpOptions { max_sweeps, fallback_rows: 0, ..EpOptions::default() });
        let direct = DirectOptions { usable_residual: 0.0, ..DirectOptions::default() };
        let kernel = Some(KernelFamily::SquaredExponential);
        let lengthscales = Lengthscales::Single;
        let options = FitOptions { kernel, likelihood, lengthscales, method, direct, ..FitOptions::default() };
        fit(&data, &options, &Control::default())
    };
    let mut without_robust = 0;
    for max_sweeps in 1..=20 {
        if fits(max_sweeps, Some(LikelihoodFamily::Probit)).is_ok() {
            let found = fits(max_sweeps, None).expect("the regular candidate alone");
            without_robust += usize::from(found.contenders.len() == 1);
        }
    }
    assert!(without_robust > 0, "robust candidates always started, so nothing was tested");
}
