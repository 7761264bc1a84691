//! Classifiers for tests: real fits of small problems, with every hyperparameter held fixed.

use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{Column, LabelValues, Table};
use gpclass::kernel::{Kernel, Scales};
use gpclass::learn::{Candidate, Control, Departure, LearnError, LikelihoodFamily};
use gpclass::model::{Model, TrainingData};

/// Points in a square, positive inside a circle, some labels flipped.
pub(super) fn circle(rows: usize) -> Classifier {
    let golden = 0.618_033_988_749_894_9;
    let x: Vec<f64> = (0..rows).map(|i| 4.0 * ((i as f64 * golden).fract() - 0.5)).collect();
    let y: Vec<f64> = (0..rows).map(|i| 4.0 * ((i as f64 + 0.5) / rows as f64 - 0.5)).collect();
    let label = |i: usize| (x[i] * x[i] + y[i] * y[i] < 1.7) != (i % 17 == 3);
    let labels: Vec<bool> = (0..rows).map(label).collect();
    from_table(vec![Column::continuous("x1", x), Column::continuous("x2", y)], &labels, 2.0)
}

/// Numbers and categories, more features than effects are shown of.
pub(super) fn mixed(rows: usize) -> Classifier {
    let wave = |k: usize| (0..rows).map(move |i| 50.0 + 10.0 * ((i * (k + 2)) as f64).sin()).collect::<Vec<f64>>();
    let colours = ["red", "green", "blue", "ultramarine violet"];
    let age = wave(1);
    let mut columns: Vec<Column> = (2..9).map(|k| Column::continuous(format!("sensor {k}"), wave(k))).collect();
    columns.insert(0, Column::categories("colour", (0..rows).map(|i| colours[(i * i + i / 3) % 4])));
    let label = |i: usize| (age[i] + 6.0 * f64::from(u8::from((i * i + i / 3) % 4 == 2)) > 52.0) != (i % 23 == 5);
    let labels: Vec<bool> = (0..rows).map(label).collect();
    columns.insert(0, Column::continuous("age", age));
    from_table(columns, &labels, 0.4)
}

/// A choice between two likelihoods at fixed hyperparameters, the first two features weighing most.
pub(super) fn from_table(columns: Vec<Column>, positive: &[bool], weight: f64) -> Classifier {
    let table = Table::new(columns).unwrap();
    let labels = LabelValues::text(positive.iter().map(|p| if *p { "inside" } else { "outside" }));
    let spec = Spec { positive: Some("inside".to_owned()), ..Spec::default() };
    let candidates = |data: &TrainingData| {
        [LikelihoodFamily::Robust, LikelihoodFamily::Probit]
            .map(|family| candidate(family, data, weight))
            .into_iter()
            .collect()
    };
    let classifier = Classifier::fit_models(&table, &labels, None, candidates, &spec, &Control::default()).unwrap();
    classifier.with_origin(Some("circle.csv".to_owned()), None)
}

fn candidate(family: LikelihoodFamily, data: &TrainingData, weight: f64) -> Result<Candidate, LearnError> {
    let features = data.inputs().features();
    let weights = (0..features.len()).map(|m| if m < 2 { weight } else { 0.02 / (m as f64) }).collect();
    let mut kernel = Kernel::squared_exponential(6.0, Scales::Ard(weights)) + Kernel::bias(0.5);
    kernel.bind(features);
    let mut likelihood = family.likelihood()?;
    for param in kernel.params() {
        kernel.set_fixed(&param.name, true)?;
    }
    for param in likelihood.params() {
        likelihood.set_fixed(&param.name, true)?;
    }
    let model = Model::new(kernel, likelihood);
    Ok(Candidate { name: format!("se ARD, {}", family.name()), model, departure: Departure::Free })
}
