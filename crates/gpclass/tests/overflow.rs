//! Values beyond floating-point numbers are errors that name them, never numbers that are none.

#[path = "support/fixtures.rs"]
mod fixtures;

use fixtures::{curved, everything, laplace, normals, training};
use gpclass::data::{Inputs, Sign};
use gpclass::inference::ep::EpOptions;
use gpclass::inference::{InferenceError, LaplaceOptions, Method, Outcome};
use gpclass::kernel::{Kernel, KernelError, MAX_NESTING, Scales};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::{Model, ModelError, TrainingData};
use std::sync::Arc;

/// A few rows of which one is far beyond all others.
fn with_a_far_row(columns: usize, far: f64) -> Arc<TrainingData> {
    let mut x = normals(5, 12, columns);
    let y = curved(&x, 0);
    x[(4, 0)] = far;
    training(x, y)
}

#[test]
fn a_vanishing_shape_of_the_rational_quadratic_gives_numbers() {
    let x = Mat::from_fn(12, 2, |i, j| 1e4 * normals(6, 12, 2)[(i, j)]);
    let y = curved(&x, 5);
    let test = Inputs::continuous(normals(7, 3, 2));
    for alpha in [1e-300, 1e-308, 1e300] {
        let kernel = Kernel::rational_quadratic(2.0, alpha, Scales::Single(1.0)) + Kernel::noise(0.1);
        let fit = Model::new(kernel, Likelihood::probit()).infer(&training(x.clone(), y.clone()), None).unwrap();
        for (name, values) in everything(&fit, &test) {
            assert!(values.iter().all(|v| v.is_finite()), "alpha {alpha:e}: {name} {values:?}");
        }
    }
}

#[test]
fn inputs_whose_squares_overflow_are_refused_where_the_covariance_does() {
    for (kernel, columns) in [
        (Kernel::linear(Scales::Single(1.0)), 2),
        // Above sixteen columns distances come from products.
        (Kernel::squared_exponential(1.0, Scales::Single(1.0)), 20),
    ] {
        let error = Model::new(kernel, Likelihood::probit()).infer(&with_a_far_row(columns, 1e155), None).unwrap_err();
        assert!(matches!(error, ModelError::Inference(InferenceError::Covariance { .. })), "{error:?}");
        assert!(error.to_string().contains("hyperparameters for overflow"), "{error}");
    }
}

#[test]
fn a_derivative_that_overflows_is_an_error_that_names_the_parameter() {
    let kernel = Kernel::squared_exponential(1.0, Scales::Single(1.0));
    let fit = Model::new(kernel, Likelihood::probit()).infer(&with_a_far_row(2, 1e155), None).unwrap();
    assert!(fit.log_evidence().is_finite());
    let error = fit.evidence_gradient().unwrap_err();
    assert!(matches!(&error, ModelError::Gradient { name, .. } if name == "l"), "{error:?}");
    assert!(error.to_string().starts_with("the derivative in 'l' at its value 1e0 is "), "{error}");
}

#[test]
fn a_prediction_that_overflows_is_an_error_that_names_the_row() {
    let x = normals(8, 12, 2);
    let y = curved(&x, 0);
    let fit = Model::new(Kernel::linear(Scales::Single(1.0)), Likelihood::probit()).infer(&training(x, y), None);
    let test = Inputs::continuous(Mat::from_fn(3, 2, |i, _| if i == 1 { 1e155 } else { 0.5 }));
    assert_eq!(fit.unwrap().predict(&test), Err(ModelError::Prediction { row: 1 }));
}

#[test]
fn rounding_that_wins_is_told() {
    let x = normals(9, 80, 2);
    let y = curved(&x, 6);
    let data = training(x, y);
    for (method, acceptable) in
        [(laplace(), LaplaceOptions::default().acceptable), (Method::default(), EpOptions::default().acceptable)]
    {
        let mut rounded = 0;
        for v0 in [1.0, 1e8, 1e10, 1e12, 1e13, 1e14, 1e15] {
            for likelihood in [Likelihood::probit(), Likelihood::logistic()] {
                let kernel = Kernel::squared_exponential(v0, Scales::Single(0.5));
                let model = Model { method: method.clone(), ..Model::new(kernel, likelihood) };
                let report = model.infer(&data, None).unwrap().report().clone();
                rounded += usize::from(report.outcome == Outcome::ConvergedToRounding);
                let as_asked = report.outcome == Outcome::Converged;
                assert_eq!(as_asked, report.residual <= acceptable, "v0 {v0:e}: {report:?}");
            }
        }
        assert!(rounded > 0, "{method:?}");
    }
}

/// A tolerance looser than what is acceptable without being asked for is met like any other.
#[test]
fn a_loose_tolerance_that_is_met_is_converged() {
    let x = normals(10, 60, 2);
    let y = curved(&x, 6);
    let options = LaplaceOptions { tolerance: 0.1, ..LaplaceOptions::default() };
    let kernel = Kernel::squared_exponential(4.0, Scales::Single(0.5));
    let model = Model { method: Method::Laplace(options), ..Model::new(kernel, Likelihood::probit()) };
    let report = model.infer(&training(x, y), None).unwrap().report().clone();
    assert!(report.residual > 1e-6 && report.outcome == Outcome::Converged, "{report:?}");
}

#[test]
fn a_matrix_that_no_machine_can_hold_is_refused() {
    let rows = 5_000_000;
    let x = Mat::from_fn(rows, 1, |i, _| i as f64);
    let labels: Vec<Sign> = (0..rows).map(|i| if i % 2 == 0 { Sign::Negative } else { Sign::Positive }).collect();
    let data = Arc::new(TrainingData::new(Inputs::continuous(x), labels).unwrap());
    let model = Model::new(Kernel::squared_exponential(1.0, Scales::Single(1.0)), Likelihood::probit());
    let error = model.infer(&data, None).unwrap_err();
    assert_eq!(error, ModelError::Inference(InferenceError::Memory { bytes: 8 * rows * rows }));
    assert!(error.to_string().starts_with("there is no memory for a matrix of 200000.0 GB"), "{error}");
}

fn nested(levels: usize) -> Kernel {
    (0..levels).fold(Kernel::bias(1.0), |inner, level| match level % 2 {
        0 => Kernel::Sum(vec![inner, Kernel::noise(0.1)]),
        _ => Kernel::Product(vec![inner, Kernel::squared_exponential(1.0, Scales::Single(1.0))]),
    })
}

#[test]
fn kernels_nested_too_deep_are_refused() {
    let inputs = Inputs::continuous(normals(1, 3, 2));
    assert_eq!(nested(MAX_NESTING).check(&inputs), Ok(()));
    let error = nested(MAX_NESTING + 1).check(&inputs).unwrap_err();
    assert_eq!(error, KernelError::Nested { limit: MAX_NESTING });
    assert!(error.to_string().contains("nested more than 16 deep"), "{error}");
}
