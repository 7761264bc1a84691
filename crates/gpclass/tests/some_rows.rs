//! Posteriors that are inferred from some of the rows, fits that are scored by some, and inducing rows of every kind.

use gpclass::data::{Inputs, Sign};
use gpclass::interrupt::Interrupt;
use gpclass::kernel::{Kernel, Scales};
use gpclass::learn::{Control, FitOptions, KernelFamily, LikelihoodFamily, ManyRows, fit};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::{FittedModel, Model, Refinement, TrainingData};
use gpclass::prior::{Inducing, choose_inducing};
use std::sync::Arc;

const ROWS: usize = 300;

fn value(i: usize, j: usize) -> f64 {
    2.0 * ((i * (7 * j + 5)) as f64 * 0.7391 + (i * i) as f64 * 0.013).sin()
}

fn data(rows: usize, third: impl Fn(usize) -> f64) -> Arc<TrainingData> {
    let x = Mat::from_fn(rows, 3, |i, j| if j < 2 { value(i, j) } else { third(i) });
    let label = |i: usize| (value(i, 0) + value(i, 1).powi(2) > 1.5) != (i % 11 == 4);
    let signs: Vec<Sign> = (0..rows).map(|i| if label(i) { Sign::Positive } else { Sign::Negative }).collect();
    Arc::new(TrainingData::new(Inputs::continuous(x), signs).unwrap())
}

fn model() -> Model {
    let kernel = Kernel::matern32(3.0, Scales::Ard(vec![0.8, 0.5, 0.1])) + Kernel::bias(1.0);
    Model::new(kernel, Likelihood::robust(0.02).unwrap())
}

fn inducing(data: &TrainingData) -> Inducing {
    let chosen = choose_inducing(&model().kernel, data.inputs(), 40, Interrupt::default()).unwrap();
    Inducing::of_training(data.inputs(), chosen)
}

fn close(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} and {b}");
}

#[test]
fn rows_without_sites_are_seen_as_new_rows_are() {
    let all = data(ROWS, |i| value(i, 2));
    let (inducing, interrupt) = (inducing(&all), Interrupt::default());
    let (some, others): (Vec<usize>, Vec<usize>) = (0..ROWS).partition(|i| i % 3 != 1);
    let part = Arc::new(all.with_rows(&some));
    let of_part = model().infer_sparse(&part, &inducing, None, None, interrupt).unwrap();
    let of_all = model().infer_sparse_from(&some, &all, &inducing, None, interrupt).unwrap();
    assert_eq!(of_all.log_evidence(), of_part.log_evidence());
    let (left_out, own) = (of_all.leave_one_out(), of_part.leave_one_out());
    let new = of_part.predict(&all.inputs().select_rows(&others)).unwrap();
    for (k, &row) in some.iter().enumerate() {
        close(left_out.latent(row, 0).mean, own.latent(k, 0).mean);
        close(left_out.latent(row, 0).var, own.latent(k, 0).var);
    }
    for (k, &row) in others.iter().enumerate() {
        close(left_out.latent(row, 0).mean, new.latent(k, 0).mean);
        close(left_out.latent(row, 0).var, new.latent(k, 0).var);
    }
    // All rows are all rows.
    let everyone: Vec<usize> = (0..ROWS).collect();
    let whole = model().infer_sparse(&all, &inducing, None, None, interrupt).unwrap();
    let same = model().infer_sparse_from(&everyone, &all, &inducing, None, interrupt).unwrap();
    assert_eq!(whole.leave_one_out(), same.leave_one_out());
}

#[test]
fn around_a_query_all_rows_count() {
    let all = data(ROWS, |i| value(i, 2));
    let (inducing, interrupt) = (inducing(&all), Interrupt::default());
    let some: Vec<usize> = (0..ROWS).filter(|i| i % 2 == 0).collect();
    let refinement = Some(Refinement { neighbours: ROWS });
    let sparse = model().infer_sparse_from(&some, &all, &inducing, refinement, interrupt).unwrap();
    let exact = model().infer(&all, None).unwrap();
    let new = Inputs::continuous(Mat::from_fn(20, 3, |i, j| value(i + 1000, j)));
    let (refined, truth) = (sparse.predict(&new).unwrap(), exact.predict(&new).unwrap());
    for i in 0..20 {
        // All rows as neighbours: every site of the sample is taken out again, and what is left is EP on all rows.
        let (got, want) = (refined.latent(i, 0), truth.latent(i, 0));
        assert!((got.mean - want.mean).abs() < 1e-4 && (got.var - want.var).abs() < 1e-4, "{got:?} {want:?}");
    }
}

#[test]
fn the_rows_that_score_are_refined_and_the_others_are_not() {
    let plain = data(ROWS, |i| value(i, 2));
    let rows: Vec<usize> = (0..ROWS).filter(|i| i % 7 == 3).collect();
    let scored = Arc::new(TrainingData::clone(&plain).scored_by(rows.clone()).unwrap());
    let (inducing, interrupt) = (inducing(&plain), Interrupt::default());
    let of = |data: &Arc<TrainingData>| -> FittedModel {
        let refinement = Some(Refinement { neighbours: 20 });
        model().infer_sparse(data, &inducing, refinement, None, interrupt).unwrap()
    };
    let global = of(&plain);
    let (fit, _) = of(&scored).with_refined_left_out(&|_, _| {}, interrupt).unwrap();
    let (alone, _) = global.refined_leave_one_out(&rows, interrupt).unwrap();
    let (left_out, before, wrong) = (fit.leave_one_out(), global.leave_one_out(), global.label_error());
    for (k, &row) in rows.iter().enumerate() {
        assert_eq!(left_out.latent(row, 0), alone.latent(k, 0));
    }
    let others = (0..ROWS).filter(|row| !rows.contains(row) && wrong[*row] < 0.05);
    assert!(others.clone().count() > 100);
    others.for_each(|row| assert_eq!(left_out.latent(row, 0), before.latent(row, 0)));
    let suspects: Vec<usize> = (0..ROWS).filter(|row| wrong[*row] >= 0.05 && !rows.contains(row)).collect();
    assert!((1..=rows.len()).contains(&suspects.len()), "{} suspects", suspects.len());
    suspects.iter().for_each(|&row| assert_ne!(left_out.latent(row, 0), before.latent(row, 0)));
    let weights = scored.scoring_weights().unwrap();
    assert!((0..ROWS).all(|row| (weights[row] > 0.0) == rows.contains(&row)));
    assert!(TrainingData::clone(&plain).scored_by(vec![ROWS]).is_err());
    assert!(TrainingData::clone(&plain).scored_by(Vec::new()).is_err());
}

fn learned(data: &Arc<TrainingData>, inducing: usize) -> FittedModel {
    let options = FitOptions {
        kernel: Some(KernelFamily::Matern32),
        likelihood: Some(LikelihoodFamily::Probit),
        many_rows: ManyRows { inducing: Some(inducing), neighbours: Some(20), exact: false },
        ..FitOptions::default()
    };
    fit(data, &options, &Control::default()).unwrap().fitted().clone()
}

#[test]
fn more_inducing_rows_than_rows_are_all_rows() {
    let data = data(90, |i| value(i, 2));
    let fitted = learned(&data, 5000);
    assert_eq!(fitted.inducing().map(|inducing| inducing.rows.rows()), Some(90));
    assert!(fitted.report().outcome.converged());
}

#[test]
fn equal_inducing_rows_are_as_good_as_one() {
    let data = data(ROWS, |i| value(i, 2));
    let once = inducing(&data);
    let which: Vec<usize> = once.training_rows.clone().unwrap().to_vec();
    let twice = Inducing::of_training(data.inputs(), [which.clone(), which].concat());
    let infer = |inducing: &Inducing| model().infer_sparse(&data, inducing, None, None, Interrupt::default()).unwrap();
    let (one, two) = (infer(&once), infer(&twice));
    assert!((one.log_evidence() - two.log_evidence()).abs() < 1e-4 * one.log_evidence().abs());
    let new = Inputs::continuous(Mat::from_fn(9, 3, |i, j| value(i + 1000, j)));
    let (a, b) = (one.predict(&new).unwrap(), two.predict(&new).unwrap());
    (0..9).for_each(|i| assert!((a.latent(i, 0).mean - b.latent(i, 0).mean).abs() < 1e-3));
}

#[test]
fn a_column_that_is_constant_in_blocks_is_learned_from_all_the_same() {
    // Constant but for a few far rows, so that blocks of rows near each other see one value of it.
    let data = data(700, |i| if i % 100 == 7 { 6.0 } else { 0.0 });
    let fitted = learned(&data, 40);
    assert!(fitted.report().outcome.converged() && fitted.log_evidence().is_finite());
    let values = fitted.model().kernel.params().into_iter().map(|param| param.value);
    assert!(values.into_iter().all(|value| value.is_finite() && value > 0.0));
}
