//! Data and models that the test programs share.

// Every test program that includes this file uses its own part of it.
#![allow(dead_code)]

use gpclass::data::{Class, Inputs, Sign};
use gpclass::inference::ep::{EpOptions, Schedule};
use gpclass::inference::{LaplaceOptions, LeastSquaresOptions, Method};
use gpclass::kernel::{Kernel, Scales};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::{FittedModel, Model, TrainingData};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use std::sync::Arc;

/// Every inference method and schedule, at a tolerance that leaves only rounding. The match is exhaustive: a new method
/// or schedule has to be given its place in the chain, and with it runs through every suite.
pub fn methods() -> Vec<Method> {
    let after = |method: &Method| match method {
        Method::Ep(options) => match options.schedule {
            Schedule::TwoLevel => Some(ep(Schedule::Sequential)),
            Schedule::Sequential => Some(ep(Schedule::OnePass)),
            Schedule::OnePass => Some(laplace()),
        },
        Method::Laplace(_) => Some(least_squares()),
        Method::LeastSquares(_) => None,
    };
    std::iter::successors(Some(ep(Schedule::TwoLevel)), after).collect()
}

/// The methods whose evidence has an exact gradient: those that end in a fixed point, a mode or a closed form.
pub fn settling_methods() -> Vec<Method> {
    methods().into_iter().filter(|m| m.name() != "adf").collect()
}

pub fn ep(schedule: Schedule) -> Method {
    Method::Ep(EpOptions { schedule, tolerance: 1e-10, ..EpOptions::default() })
}

pub fn laplace() -> Method {
    Method::Laplace(LaplaceOptions { tolerance: 1e-12, ..LaplaceOptions::default() })
}

pub fn least_squares() -> Method {
    Method::LeastSquares(LeastSquaresOptions { noise: 0.8 })
}

pub fn title(method: &Method) -> String {
    match method {
        Method::Ep(options) => format!("ep {:?}", options.schedule),
        other => other.name().to_owned(),
    }
}

/// Whether the method can use the likelihood at all.
pub fn allowed(method: &Method, likelihood: &Likelihood) -> bool {
    !matches!(method, Method::Laplace(_)) || likelihood.smooth().is_ok()
}

pub fn normals(seed: u64, rows: usize, cols: usize) -> Mat {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    Mat::from_fn(rows, cols, |_, _| StandardNormal.sample(&mut rng))
}

pub fn label(positive: bool) -> Sign {
    if positive { Sign::Positive } else { Sign::Negative }
}

/// Labels by the side of a curved boundary, every `wrong`-th one flipped (0: none).
pub fn curved(x: &Mat, wrong: usize) -> Vec<Sign> {
    let side = |i: usize| x[(i, 0)] + 0.5 * x[(i, x.cols() - 1)].powi(2) > 0.3;
    (0..x.rows()).map(|i| label(side(i) != (wrong > 0 && i % wrong == wrong - 1))).collect()
}

pub fn training(x: Mat, y: Vec<Sign>) -> Arc<TrainingData> {
    Arc::new(TrainingData::new(Inputs::continuous(x), y).expect("valid data"))
}

pub fn weighted(x: Mat, y: Vec<Sign>, weights: Vec<f64>) -> Arc<TrainingData> {
    Arc::new(TrainingData::weighted(Inputs::continuous(x), y, Some(weights)).expect("valid data"))
}

/// The squared exponential with one lengthscale, a bias and no noise: its Gram matrix is well conditioned at a few rows.
pub fn smooth_kernel() -> Kernel {
    Kernel::squared_exponential(1.7, Scales::Single(0.8)) + Kernel::bias(0.4)
}

/// One of every member of the likelihoods, with generic parameter values.
pub fn likelihoods() -> Vec<Likelihood> {
    vec![
        Likelihood::step(0.05).expect("valid"),
        Likelihood::probit(),
        Likelihood::probit_bias(0.4).expect("valid"),
        Likelihood::probit_noise(0.7).expect("valid"),
        Likelihood::robust_per_class(0.02, 0.12).expect("valid"),
        Likelihood::full(0.08, -0.3, 0.6).expect("valid"),
        Likelihood::logistic(),
    ]
}

pub fn infer(kernel: &Kernel, likelihood: &Likelihood, method: &Method, data: &Arc<TrainingData>) -> FittedModel {
    let model = Model { method: method.clone(), ..Model::new(kernel.clone(), likelihood.clone()) };
    model.infer(data, None).unwrap_or_else(|e| panic!("{} {}: {e}", title(method), likelihood.name()))
}

/// Everything a fitted model says, as named lists of numbers.
pub fn everything(fit: &FittedModel, test: &Inputs) -> Vec<(&'static str, Vec<f64>)> {
    let inferred = fit.binary().unwrap();
    let (sites, posterior) = (inferred.posterior.sites(), &inferred.posterior);
    let gradient = fit.evidence_gradient().expect("a gradient");
    let predicted = fit.predict(test).expect("finite test rows");
    let left_out = fit.leave_one_out();
    vec![
        ("log Z", vec![inferred.log_z]),
        ("residual", vec![inferred.report.residual]),
        ("tau", sites.tau.clone()),
        ("nu", sites.nu.clone()),
        ("alpha", posterior.alpha().to_vec()),
        ("mean", posterior.mean().to_vec()),
        ("variance", posterior.var().to_vec()),
        ("cavity mean", inferred.cavities.iter().map(|c| c.mean).collect()),
        ("cavity variance", inferred.cavities.iter().map(|c| c.var).collect()),
        ("left-out log p", fit.leave_one_out_log_probability()),
        ("left-out probability", left_out.probability.of_class(Class::POSITIVE).to_vec()),
        ("label error", fit.label_error()),
        ("test mean", predicted.mean.col(0).to_vec()),
        ("test variance", predicted.var.col(0).to_vec()),
        ("test probability", predicted.probability.of_class(Class::POSITIVE).to_vec()),
        ("gradient of the kernel", gradient.kernel),
        ("gradient of the likelihood", gradient.likelihood),
    ]
}
