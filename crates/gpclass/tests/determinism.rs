//! The same bits for any number of threads and for every run.

#[path = "support/fixtures.rs"]
mod fixtures;

use fixtures::{curved, everything, normals, training};
use gpclass::data::Inputs;
use gpclass::inference::Method;
use gpclass::kernel::{Kernel, Scales};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::with_threads;
use gpclass::model::{Model, TrainingData};
use std::sync::Arc;

fn bits(model: &Model, data: &Arc<TrainingData>, test: &Inputs, threads: usize) -> Vec<(&'static str, Vec<u64>)> {
    let numbers = with_threads(threads, || everything(&model.infer(data, None).expect("a posterior"), test));
    numbers.into_iter().map(|(name, v)| (name, v.into_iter().map(f64::to_bits).collect())).collect()
}

fn same_bits(rows: usize, likelihood: Likelihood, method: Method) {
    let x = normals(51, rows, 3);
    let y = curved(&x, 15);
    let data = training(x, y);
    // More rows than one block of predictions.
    let test = Inputs::continuous(normals(52, 600, 3));
    let kernel = Kernel::squared_exponential(3.0, Scales::Ard(vec![1.0, 0.5, 0.1])) + Kernel::bias(1.0);
    let model = Model { method, ..Model::new(kernel, likelihood) };
    let first = bits(&model, &data, &test, 1);
    for threads in [1, 2, 3] {
        for ((name, a), (_, b)) in first.iter().zip(bits(&model, &data, &test, threads)) {
            assert!(*a == b, "{}: {name} differs with {threads} threads", model.method.name());
        }
    }
}

#[test]
fn ep_gives_the_same_bits_for_any_number_of_threads() {
    same_bits(1200, Likelihood::probit(), Method::default());
}

#[test]
fn negative_sites_do_too() {
    same_bits(400, Likelihood::full(0.05, 0.1, 0.5).expect("valid"), Method::default());
}

#[test]
fn laplace_does_too() {
    same_bits(400, Likelihood::logistic(), Method::Laplace(Default::default()));
}
