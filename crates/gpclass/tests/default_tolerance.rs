//! What the default tolerance of EP leaves undone: against searches that end where rounding does, over kernels, prior variances and likelihoods.

#[path = "support/fixtures.rs"]
mod fixtures;

use fixtures::{curved, normals, training};
use gpclass::data::{Class, Inputs};
use gpclass::inference::Method;
use gpclass::inference::ep::EpOptions;
use gpclass::kernel::{Kernel, Scales};
use gpclass::likelihood::Likelihood;
use gpclass::model::{FittedModel, Model, TrainingData};
use std::sync::Arc;

/// What the default promises: log Z relative, probabilities absolute, gradients relative to their largest entry.
const LOG_Z: f64 = 1e-9;
const PROBABILITY: f64 = 2e-7;
const GRADIENT: f64 = 1e-6;

fn kernels(v0: f64) -> Vec<Kernel> {
    vec![
        Kernel::squared_exponential(v0, Scales::Ard(vec![0.6, 0.3])),
        Kernel::matern52(v0, Scales::Single(0.4)) + Kernel::bias(0.5),
        Kernel::squared_exponential(v0, Scales::Single(0.05)) + Kernel::linear(Scales::Single(0.3)),
    ]
}

fn likelihoods() -> Vec<Likelihood> {
    vec![
        Likelihood::probit(),
        Likelihood::logistic(),
        Likelihood::robust(0.05).unwrap(),
        Likelihood::robust(0.01).unwrap(),
    ]
}

fn data(rows: usize) -> Arc<TrainingData> {
    let x = normals(17, rows, 2);
    let y = curved(&x, 11);
    training(x, y)
}

fn at(model: &Model, tolerance: f64, data: &Arc<TrainingData>) -> FittedModel {
    let method = Method::Ep(EpOptions { tolerance, ..EpOptions::default() });
    Model { method, ..model.clone() }.infer(data, None).unwrap()
}

fn compare(rows: usize, variances: &[f64]) {
    let (data, test) = (data(rows), Inputs::continuous(normals(18, 60, 2)));
    let (mut negative, mut compared) = (0, 0);
    for &v0 in variances {
        for kernel in kernels(v0) {
            for likelihood in likelihoods() {
                let model = Model::new(kernel.clone(), likelihood);
                let what = format!("{rows} rows, v0 {v0:e}, {:?}, {:?}", model.kernel, model.likelihood);
                let (tight, usual) = (at(&model, 1e-11, &data), model.infer(&data, None).unwrap());
                let report = usual.report();
                // Where rounding or contradictory labels end a search before its tolerance, nothing is promised.
                if !tight.report().outcome.converged() || report.residual > EpOptions::default().tolerance {
                    continue;
                }
                compared += 1;
                negative += report.negative_sites;
                let (z, exact) = (usual.log_evidence(), tight.log_evidence());
                assert!(((z - exact) / exact).abs() <= LOG_Z, "{what}: log Z {z}, not {exact}; {report:?}");
                let probabilities = |fit: &FittedModel| {
                    let predicted = fit.predict(&test).unwrap().probability.of_class(Class::POSITIVE).to_vec();
                    [predicted, fit.leave_one_out().probability.of_class(Class::POSITIVE).to_vec()].concat()
                };
                let off = largest(probabilities(&usual).iter().zip(probabilities(&tight)).map(|(a, b)| a - b));
                assert!(off <= PROBABILITY, "{what}: probabilities off by {off:e}; {report:?}");
                let gradient = |fit: &FittedModel| {
                    let gradient = fit.evidence_gradient().unwrap();
                    [gradient.kernel, gradient.likelihood].concat()
                };
                let (got, want) = (gradient(&usual), gradient(&tight));
                let off = largest(got.iter().zip(&want).map(|(a, b)| a - b));
                let scale = largest(want.iter().copied());
                assert!(off <= GRADIENT * scale, "{what}: gradient off by {off:e} of {scale}; {report:?}");
            }
        }
    }
    assert!(negative > 0, "no negative site anywhere");
    assert!(2 * compared > variances.len() * kernels(1.0).len() * likelihoods().len(), "{compared} of them");
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |largest, value| largest.max(value.abs()))
}

#[test]
fn few_rows_are_as_good_as_promised() {
    compare(60, &[1.0, 25.0, 400.0, 1e4]);
}

/// Enough rows for the first sweeps to be made in single precision.
#[test]
fn many_rows_are_as_good_as_promised() {
    compare(320, &[2.0, 100.0, 1e4]);
}

#[test]
fn differences_of_the_evidence_are_its_gradient() {
    const STEP: f64 = 1e-2;
    for rows in [60, 320] {
        let data = data(rows);
        for v0 in [2.0, 400.0] {
            let model = Model::new(kernels(v0).remove(0), Likelihood::probit());
            let gradient = model.infer(&data, None).unwrap().evidence_gradient().unwrap().kernel;
            let scale = largest(gradient.iter().copied());
            for (i, slope) in gradient.iter().enumerate() {
                let log_z = |h: f64| {
                    let mut model = model.clone();
                    let mut values: Vec<f64> = model.kernel.params().iter().map(|p| p.value).collect();
                    values[i] *= h.exp();
                    model.kernel.set_values(&values);
                    model.infer(&data, None).unwrap().log_evidence()
                };
                let [one, two, three] = [1.0, 2.0, 3.0].map(|k| log_z(k * STEP) - log_z(-k * STEP));
                let difference = (45.0 * one - 9.0 * two + three) / (60.0 * STEP);
                let off = (slope - difference).abs();
                assert!(off <= GRADIENT * scale, "{rows} rows, v0 {v0}, {i}: {slope}, not {difference}");
            }
        }
    }
}

/// From 300 rows on the last sweeps are one step ahead of them.
#[test]
fn more_rows_take_fewer_sweeps() {
    let sweeps = |rows: usize| -> usize {
        let counted = kernels(4.0).into_iter().map(|kernel| {
            let fit = Model::new(kernel, Likelihood::probit()).infer(&data(rows), None).unwrap();
            assert!(fit.report().outcome.converged());
            fit.report().sweeps
        });
        counted.sum()
    };
    let (few, many) = (sweeps(299), sweeps(300));
    assert!(many < few, "{few} sweeps of 299 rows, {many} of 300");
}
