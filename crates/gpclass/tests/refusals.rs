//! Data and settings that cannot be used are refused with an error that says which value is wrong and where.

#[path = "support/fixtures.rs"]
mod fixtures;

use fixtures::{curved, ep, label, laplace, normals, smooth_kernel, training};
use gpclass::data::{Class, Inputs, Sign, Targets};
use gpclass::inference::ep::Schedule;
use gpclass::inference::{InferenceError, LeastSquaresOptions, Method};
use gpclass::interrupt::Interrupt;
use gpclass::kernel::{Kernel, KernelError, Scales};
use gpclass::likelihood::{Likelihood, LikelihoodError};
use gpclass::linalg::Mat;
use gpclass::model::{Model, ModelError, TrainingData};
use gpclass::posterior::Sites;
use gpclass::prior::Prior;
use std::sync::Arc;

fn spoiled(value: f64) -> Inputs {
    let mut x = normals(1, 6, 3);
    x[(4, 1)] = value;
    Inputs::continuous(x)
}

#[test]
fn values_that_are_not_finite_are_named_by_row_and_feature() {
    for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = TrainingData::new(spoiled(value), vec![Sign::Positive; 6]).unwrap_err();
        assert!(matches!(&error, ModelError::Input { row: 4, feature, .. } if feature == "x2"), "{error:?}");
        assert_eq!(error.to_string(), format!("the input 'x2' of data row 5 is {value}; inputs must be finite"));
    }
}

#[test]
fn test_rows_are_checked_like_training_rows() {
    let x = normals(2, 8, 3);
    let y = curved(&x, 0);
    let fit = Model::new(smooth_kernel(), Likelihood::probit()).infer(&training(x, y), None).unwrap();
    assert!(matches!(fit.predict(&spoiled(f64::NAN)), Err(ModelError::Input { row: 4, .. })));
    let narrow = Inputs::continuous(normals(3, 2, 2));
    assert_eq!(fit.predict(&narrow), Err(ModelError::Features { given: 2, trained: 3 }));
    assert_eq!(fit.predict(&Inputs::continuous(Mat::zeros(0, 3))).map(|none| none.rows()), Ok(0));
}

#[test]
fn lengths_that_differ_are_named() {
    let x = || Inputs::continuous(normals(4, 3, 2));
    let labels = |n| vec![Sign::Negative; n];
    assert_eq!(TrainingData::new(x(), labels(2)).unwrap_err(), ModelError::Labels { rows: 3, labels: 2 });
    let short = TrainingData::weighted(x(), labels(3), Some(vec![1.0]));
    assert_eq!(short.unwrap_err(), ModelError::Weights { rows: 3, weights: 1 });
    let three = Targets::new(vec![Class::NEGATIVE; 3], 3).expect("classes of their number");
    let three = Arc::new(TrainingData::new(x(), three).expect("three classes"));
    let held = Model::new(smooth_kernel(), Likelihood::probit()).at_sites(&three, &Sites::none(3));
    assert_eq!(held.unwrap_err(), ModelError::Classes { classes: 3 });
    let none = TrainingData::new(Inputs::continuous(Mat::zeros(0, 2)), Vec::<Sign>::new());
    assert_eq!(none.unwrap_err(), ModelError::NoRows);
}

#[test]
fn weights_below_zero_or_not_finite_are_named_by_row() {
    for weight in [-0.5, f64::NAN, f64::INFINITY] {
        let weights = Some(vec![1.0, 0.0, weight]);
        let error = TrainingData::weighted(Inputs::continuous(normals(5, 3, 2)), vec![Sign::Positive; 3], weights);
        assert!(matches!(error, Err(ModelError::Weight { row: 2, .. })), "{error:?}");
    }
}

#[test]
fn kernels_that_do_not_fit_or_overflow_are_refused() {
    let data = training(normals(6, 4, 2), (0..4).map(|i| label(i < 2)).collect());
    let refusal = |kernel: Kernel| Model::new(kernel, Likelihood::probit()).infer(&data, None).unwrap_err();
    let ard = refusal(Kernel::squared_exponential(1.0, Scales::Ard(vec![1.0; 3])));
    assert!(matches!(ard, ModelError::Kernel(KernelError::FeatureCount { scales: 3, features: 2, .. })), "{ard:?}");
    for value in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = refusal(Kernel::squared_exponential(value, Scales::Single(1.0)));
        assert!(matches!(error, ModelError::Kernel(KernelError::Value { .. })), "{error:?}");
    }
    let error = refusal(Kernel::bias(1e308) + Kernel::bias(1e308));
    assert!(matches!(error, ModelError::Inference(InferenceError::Covariance { row: 0, other: 0, .. })), "{error:?}");
}

#[test]
fn likelihoods_that_laplace_cannot_use_are_refused() {
    let data = training(normals(7, 4, 2), (0..4).map(|i| label(i < 2)).collect());
    let refusal = |likelihood: Likelihood| {
        let model = Model { method: laplace(), ..Model::new(smooth_kernel(), likelihood) };
        model.infer(&data, None).unwrap_err()
    };
    let wanted = |e: LikelihoodError| ModelError::Inference(InferenceError::Likelihood(e));
    assert_eq!(refusal(Likelihood::step(0.0).unwrap()), wanted(LikelihoodError::NotSmooth));
    assert_eq!(refusal(Likelihood::full(0.1, 0.0, 1.0).unwrap()), wanted(LikelihoodError::NotLogConcave(0.1)));
}

#[test]
fn least_squares_needs_noise() {
    let data = training(normals(9, 4, 2), (0..4).map(|i| label(i < 2)).collect());
    for noise in [0.0, -1.0, f64::INFINITY] {
        let method = Method::LeastSquares(LeastSquaresOptions { noise });
        let model = Model { method, ..Model::new(smooth_kernel(), Likelihood::probit()) };
        assert_eq!(model.infer(&data, None).unwrap_err(), ModelError::Inference(InferenceError::Noise(noise)));
    }
}

#[test]
fn starts_and_matrices_of_the_wrong_size_are_refused() {
    let data = training(normals(8, 4, 2), (0..4).map(|i| label(i < 2)).collect());
    let likelihood = Likelihood::probit();
    let model = Model { method: ep(Schedule::TwoLevel), ..Model::new(smooth_kernel(), likelihood.clone()) };
    let mut hole = Sites::none(4);
    hole.nu[1] = f64::NAN;
    for (start, given) in [(Sites::none(3), 3), (hole, 4)] {
        let error = model.infer(&data, Some(&start.into())).unwrap_err();
        assert_eq!(error, ModelError::Inference(InferenceError::Start { n: 4, given }));
    }
    let small = Prior::from_covariance(Mat::identity(3));
    let observations = data.observations(&likelihood);
    let error = Method::default().infer(small, &observations, None, Interrupt::default()).unwrap_err();
    assert_eq!(error, InferenceError::Shape { n: 4, rows: 3, cols: 3 });
}
