//! Classifiers for tests: real fits of small problems, with every hyperparameter held fixed.

use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{Column, LabelValues, Table};
use gpclass::kernel::{Kernel, Scales};
use gpclass::learn::{Candidate, Combine, Control, Departure, FitOptions, LearnError, LikelihoodFamily};
use gpclass::model::{Model, Multiclass, TrainingData};

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

/// Three kinds of flowers by two measures, their clouds overlapping, some labels exchanged.
pub(super) fn flowers(rows: usize) -> Classifier {
    let names = ["setosa", "versicolor", "virginica"];
    let (length, width) = clouds(rows, &[(1.5, 0.3), (4.2, 1.3), (5.6, 2.0)], (0.55, 0.28));
    let labels = (0..rows).map(|i| names[if i % 19 == 4 { (i + 1) % 3 } else { i % 3 }]);
    let columns = vec![Column::continuous("petal length", length), Column::continuous("petal width", width)];
    from_labels(columns, &labels.collect::<Vec<_>>(), &Spec::default(), 1.5)
}

/// Three kinds of birds by numbers and a category, modelled together or each against the rest.
pub(super) fn birds(rows: usize, multiclass: Multiclass) -> Classifier {
    let (bill, mass) = clouds(rows, &[(38.8, 3700.0), (48.8, 3730.0), (47.5, 5080.0)], (2.4, 380.0));
    let islands = ["Torgersen", "Dream", "Biscoe"];
    let island = (0..rows).map(|i| islands[(i % 3 + usize::from(i * i % 5 == 1)) % 3]);
    let columns = vec![
        Column::continuous("bill length", bill),
        Column::categories("island", island),
        Column::continuous("body mass", mass),
    ];
    let labels: Vec<&str> = (0..rows).map(|i| ["Adelie", "Chinstrap", "Gentoo"][i % 3]).collect();
    let mut spec = Spec::default();
    spec.fit.multiclass = multiclass;
    from_labels(columns, &labels, &spec, 1.0)
}

/// Twelve classes in a plane, more than curves are shown of, some with long names, one with few rows.
pub(super) fn months(rows: usize) -> Classifier {
    let names = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October"];
    let names: Vec<&str> = names.into_iter().chain(["November", "The month before the new year"]).collect();
    let centres: Vec<(f64, f64)> = (0..12).map(|k| ((k % 4) as f64, 0.5 * (k / 4) as f64)).collect();
    let (x, y) = clouds(rows, &centres, (0.3, 0.15));
    let labels: Vec<&str> = (0..rows).map(|i| names[if i % 12 == 4 && i > 24 { 5 } else { i % 12 }]).collect();
    let columns = vec![Column::continuous("warmth", x), Column::continuous("light", y)];
    from_labels(columns, &labels, &Spec::default(), 3.0)
}

/// Seven classes by three measures, as many as a week has days.
pub(super) fn days(rows: usize) -> Classifier {
    let names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
    let centres: Vec<(f64, f64)> = (0..7).map(|k| (f64::from(k).sin() * 2.0, f64::from(k).cos() * 2.0)).collect();
    let (x, y) = clouds(rows, &centres, (0.8, 0.8));
    let labels: Vec<&str> = (0..rows).map(|i| names[if i % 23 == 5 { (i + 2) % 7 } else { i % 7 }]).collect();
    let third = (0..rows).map(|i| ((i * 5) as f64).sin()).collect();
    let columns = vec![
        Column::continuous("visitors", x),
        Column::continuous("sales", y),
        Column::continuous("temperature at noon", third),
    ];
    from_labels(columns, &labels, &Spec::default(), 1.0)
}

/// Points around centres in turn, spread by about the given widths.
fn clouds(rows: usize, centres: &[(f64, f64)], (wide, high): (f64, f64)) -> (Vec<f64>, Vec<f64>) {
    // Sums of even sequences that have nothing to do with each other look like draws from a bell.
    let spread =
        |i: usize, roots: [f64; 3]| roots.iter().map(|r| ((i + 1) as f64 * r.sqrt()).fract() - 0.5).sum::<f64>();
    let x = (0..rows).map(|i| centres[i % centres.len()].0 + 2.0 * wide * spread(i, [2.0, 3.0, 5.0]));
    let y = (0..rows).map(|i| centres[i % centres.len()].1 + 2.0 * high * spread(i, [7.0, 11.0, 13.0]));
    (x.collect(), y.collect())
}

/// Points of two classes.
pub(super) fn from_table(columns: Vec<Column>, positive: &[bool], weight: f64) -> Classifier {
    let labels: Vec<&str> = positive.iter().map(|p| if *p { "inside" } else { "outside" }).collect();
    from_labels(columns, &labels, &Spec { positive: Some("inside".to_owned()), ..Spec::default() }, weight)
}

/// A choice between two likelihoods at fixed hyperparameters, the first two features weighing most.
fn from_labels(columns: Vec<Column>, labels: &[&str], spec: &Spec, weight: f64) -> Classifier {
    let table = Table::new(columns).unwrap();
    let spec = &Spec { fit: FitOptions { combine: Combine::Best, ..spec.fit.clone() }, ..spec.clone() };
    let labels = LabelValues::text(labels.iter().copied());
    let candidates = |data: &TrainingData| {
        [LikelihoodFamily::Robust, LikelihoodFamily::Probit]
            .map(|family| candidate(family, data, weight, spec.fit.multiclass))
            .into_iter()
            .collect()
    };
    let classifier = Classifier::fit_models(&table, &labels, None, candidates, spec, &Control::default()).unwrap();
    classifier.with_origin(Some("example.csv".to_owned()), None)
}

fn candidate(
    family: LikelihoodFamily,
    data: &TrainingData,
    weight: f64,
    multiclass: Multiclass,
) -> Result<Candidate, LearnError> {
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
    let model = Model { multiclass, ..Model::new(kernel, likelihood) };
    Ok(Candidate {
        name: format!("se ARD, {}", family.name()),
        model,
        departure: Departure::Free,
        view: Default::default(),
    })
}
