//! Kernels composed by hand: sums and products, some hyperparameters fixed, compared by their evidence.
//!
//! `cargo run --example custom_kernel`

use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{Column, LabelValues, Table};
use gpclass::kernel::{Kernel, Scales};
use gpclass::learn::{Candidate, Combine, Control, Departure, FitOptions};
use gpclass::likelihood::Likelihood;
use gpclass::model::{Model, TrainingData};
use std::error::Error;

pub fn main() -> Result<(), Box<dyn Error>> {
    // The class depends on whether two numbers have the same sign: neither says anything alone.
    let a: Vec<f64> = (0..100).map(|i| 2.0 * (f64::from(i) * 0.618).fract() - 1.0).collect();
    let b: Vec<f64> = (0..100).map(|i| 2.0 * (f64::from(i) * 0.755).fract() - 1.0).collect();
    let labels = LabelValues::text((0..100).map(|i| if a[i] * b[i] > 0.0 { "same" } else { "other" }));
    let table = Table::new(vec![Column::continuous("a", a.clone()), Column::continuous("b", b.clone())])?;

    // Three ways to think about it. The product of two straight lines is a quadratic function, which is just what is
    // needed.
    let candidates = |data: &TrainingData| {
        let line = || Kernel::linear(Scales::Single(1.0));
        let mut quadratic = Kernel::product([line(), line()]);
        // Only the product of the two amplitudes matters, so that one of them is enough.
        let amplitude = quadratic.params()[1].name.clone();
        quadratic.set_fixed(&amplitude, true)?;
        let straight = line() + Kernel::bias(1.0);
        let smooth = Kernel::squared_exponential(1.0, Scales::Ard(vec![1.0, 1.0])) + Kernel::bias(1.0);
        let candidate = |(name, kernel): (&str, Kernel)| {
            let mut kernel = kernel;
            // Names of the features enter the names of the hyperparameters.
            kernel.bind(data.inputs().features());
            let model = Model::new(kernel, Likelihood::probit());
            Candidate { name: name.to_owned(), model, departure: Departure::Free, view: Default::default() }
        };
        Ok([("quadratic", quadratic), ("straight", straight), ("smooth", smooth)].map(candidate).to_vec())
    };
    // One of them is chosen by evidence; by default all would predict together.
    let spec = Spec { fit: FitOptions { combine: Combine::Best, ..FitOptions::default() }, ..Spec::default() };
    let classifier = Classifier::fit_models(&table, &labels, None, candidates, &spec, &Control::default())?;

    let summary = classifier.summary();
    for candidate in &summary.candidates {
        let chosen = if candidate.chosen { "*" } else { " " };
        let (evidence, error) = (candidate.log_evidence, 100.0 * candidate.loo_error);
        println!("{chosen} {:<9} log evidence {evidence:7.2}, left-out error {error:4.1} %", candidate.name);
    }
    println!("chosen: {}", summary.kernel);
    for hyperparameter in &summary.hyperparameters {
        let fixed = if hyperparameter.fixed { " (fixed)" } else { "" };
        println!("  {:<14} {:.3}{fixed}: {}", hyperparameter.name, hyperparameter.value, hyperparameter.meaning);
    }
    let of = |name: &str| summary.candidates.iter().find(|c| c.name == name).map(|c| c.log_evidence);
    assert!(of("quadratic") > of("smooth") && of("smooth") > of("straight"));
    assert_eq!(summary.chosen().map(|c| c.name.as_str()), Some("quadratic"));
    Ok(())
}
