use super::*;
use crate::data::Class;
use crate::inference::joint::ClassObservations;
use crate::interrupt::Interrupt;
use crate::likelihood::Link;
use gpclass_linalg::Mat;
use std::sync::atomic::AtomicBool;

const CLASSES: [Class; 2] = [Class::NEGATIVE, Class::POSITIVE];
const SOFTMAX: Link = Link::Softmax { averaged: true };

fn probit(label_error: f64) -> Link {
    Link::Probit { label_error }
}

fn observations(classes: &[Class]) -> ClassObservations<'_> {
    ClassObservations { classes, count: 3, link: probit(0.0), weights: None }
}

fn quick() -> CheckOptions {
    let mut options = CheckOptions::with_seed(2);
    options.slice.samples = 200;
    options.orthant.points = 64;
    options.annealed.temperatures = 50;
    options
}

/// Rows without new points, under one covariance for all functions.
fn run(observations: &ClassObservations, covariances: &[Mat]) -> Result<ClassPosterior, ExactError> {
    let (cross, diag) = ([Mat::zeros(observations.len(), 0)], [Vec::new()]);
    let problem = ClassProblem { covariances, observations, cross: &cross, diag: &diag };
    check_classes(&problem, &quick(), CheckControl::default())
}

#[test]
fn what_has_no_meaning_is_refused() {
    let k = [Mat::identity(2)];
    let plain = observations(&CLASSES);
    let bad = |observations: &ClassObservations| run(observations, &k).unwrap_err();
    assert!(matches!(
        bad(&observations(&[Class::from(0), Class::from(3)])),
        ExactError::UnknownClass { row: 1, class: 3, classes: 3 }
    ));
    assert!(matches!(bad(&observations(&CLASSES[..1])), ExactError::Size { expected: 1, found: 2, .. }));
    assert!(matches!(bad(&ClassObservations { count: 1, ..plain }), ExactError::Option { name: "classes", .. }));
    for value in [-0.1, 1.0 / 3.0, f64::NAN] {
        let outcome = bad(&ClassObservations { link: probit(value), ..plain });
        assert!(matches!(outcome, ExactError::LabelError { classes: 3, .. }), "{value}: {outcome}");
    }
    for weight in [0.5, -1.0, f64::INFINITY] {
        let outcome = bad(&ClassObservations { weights: Some(&[1.0, weight]), ..plain });
        assert!(matches!(outcome, ExactError::Weight { row: 1, .. }), "{weight}: {outcome}");
    }
    let outcome = run(&plain, &[Mat::identity(2), Mat::identity(2)]).unwrap_err();
    assert!(matches!(outcome, ExactError::PerClass { found: 2, classes: 3, .. }));
    assert!(outcome.to_string().contains("one for each of the 3"), "{outcome}");
}

#[test]
fn rows_of_no_weight_leave_the_prior() {
    let observations = ClassObservations { weights: Some(&[0.0, 0.0]), ..observations(&CLASSES) };
    let exact = run(&observations, &[Mat::identity(2)]).unwrap();
    assert_eq!(exact.log_z.value, 0.0);
    assert_eq!(exact.wrong, [None, None]);
    for estimate in exact.train.iter().flat_map(|row| &row.latent) {
        assert!(estimate.mean.value.abs() < 4.0 * estimate.mean.standard_error, "{estimate:?}");
        assert!((estimate.var.value - 1.0).abs() < 4.0 * estimate.var.standard_error, "{estimate:?}");
    }
}

#[test]
fn a_flag_ends_it() {
    let flag = AtomicBool::new(true);
    let (k, diag) = ([Mat::identity(2)], [vec![1.0; 2]]);
    for link in [probit(0.0), probit(0.1), SOFTMAX] {
        let observations = ClassObservations { link, ..observations(&CLASSES) };
        let problem = ClassProblem { covariances: &k, observations: &observations, cross: &k, diag: &diag };
        let control = CheckControl { interrupt: Interrupt { flag: Some(&flag), ..Interrupt::default() }, guide: None };
        let outcome = check_classes(&problem, &CheckOptions::default(), control);
        assert_eq!(outcome.unwrap_err(), ExactError::Interrupted);
    }
}

#[test]
fn slow_mixing_is_reported() {
    let k = [Mat::from_fn(30, 30, |i, j| 1e4 * (-0.5 * (i as f64 - j as f64).powi(2)).exp())];
    let classes: Vec<Class> = Class::first(3).cycle().take(30).collect();
    let observations = ClassObservations { link: SOFTMAX, ..observations(&classes) };
    let (cross, diag) = ([Mat::zeros(30, 0)], [Vec::new()]);
    let problem = ClassProblem { covariances: &k, observations: &observations, cross: &cross, diag: &diag };
    let mut options = quick();
    options.slice.burn_in = 0;
    options.slice.samples = 20;
    options.slice.thin = 1;
    let exact = check_classes(&problem, &options, CheckControl::default()).unwrap();
    assert_eq!(exact.diagnostics.warnings.len(), 3, "{:?}", exact.diagnostics);
    assert_eq!(exact.diagnostics.prior_rank, 90);
}
