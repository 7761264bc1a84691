//! Leave-group-out from one posterior against refits without the group, at fixed hyperparameters.

use gpclass::classifier::{Classifier, RowDetails, Spec};
use gpclass::data::{Class, Column, Groups, Inputs, LabelValues, Table, Targets};
use gpclass::inference::{LaplaceOptions, Method};
use gpclass::kernel::{Kernel, Scales};
use gpclass::learn::{Control, FitOptions, KernelFamily};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::{FittedModel, Model, Multiclass, TrainingData};
use std::sync::Arc;

const N: usize = 60;

/// Rows in the plane, of classes by sectors with a few labels out of place.
fn inputs() -> Inputs {
    Inputs::continuous(Mat::from_fn(N, 2, |i, j| 1.5 * ((i * (2 * j + 3)) as f64 * 0.7 + j as f64).sin()))
}

fn targets(classes: usize) -> Targets {
    let x = inputs();
    let class = |i: usize| {
        let (a, b) = (x.values()[(i, 0)], x.values()[(i, 1)]);
        let own = if a > 0.2 { 0 } else { 1 + usize::from(classes > 2 && b > 0.0) };
        Class::at(if i % 17 == 3 { (own + 1) % classes } else { own }).unwrap()
    };
    Targets::new((0..N).map(class).collect(), classes).unwrap()
}

/// Groups of one to eight rows, near each other in the order of the rows or not.
fn groups() -> Groups {
    let name = |i: usize| {
        Some(if i < 8 { "first".to_owned() } else { format!("{}", if i < 40 { i / 4 } else { i % 7 + i / 52 * 50 }) })
    };
    Groups::new("who", &(0..N).map(name).collect::<Vec<_>>()).unwrap()
}

fn model(likelihood: Likelihood, multiclass: Multiclass) -> Model {
    let kernel = Kernel::squared_exponential(2.0, Scales::Single(0.4)) + Kernel::bias(1.0);
    Model { multiclass, ..Model::new(kernel, likelihood) }
}

fn fitted(model: &Model, targets: Targets, weights: Option<Vec<f64>>) -> FittedModel {
    let data = TrainingData::weighted(inputs(), targets, weights).unwrap();
    model.infer(&Arc::new(data), None).unwrap()
}

/// Log-probabilities of the rows' labels by refits without their groups.
fn refitted(fit: &FittedModel, groups: &Groups) -> Vec<f64> {
    let data = fit.data();
    let mut out = vec![0.0; data.rows()];
    for rows in groups.members() {
        let rest: Vec<usize> = (0..data.rows()).filter(|i| !rows.contains(i)).collect();
        let other = fit.model().infer(&Arc::new(data.with_rows(&rest)), None).unwrap();
        let predicted = other.predict(&data.inputs().select_rows(rows)).unwrap();
        for (at, &row) in rows.iter().enumerate() {
            out[row] = predicted.log_probability(at, data.labels()[row]);
        }
    }
    out
}

/// The largest and the mean difference of log-probabilities of labels from those of refits.
fn differences(fit: &FittedModel, groups: &Groups) -> (f64, f64) {
    let got = fit.leave_group_out(groups).unwrap().log_probability_of(fit.data().labels());
    let off: Vec<f64> = got.iter().zip(refitted(fit, groups)).map(|(a, b)| (a - b).abs()).collect();
    (off.iter().copied().fold(0.0, f64::max), off.iter().sum::<f64>() / off.len() as f64)
}

#[test]
fn it_is_a_refit_without_the_group() {
    // The bounds are about twice what was measured; the largest differences are those of labels out of place.
    let laplace = Method::Laplace(LaplaceOptions::default());
    let auto = Multiclass::Auto;
    let cases = [
        ("probit", model(Likelihood::probit(), auto), 2, 0.35, 0.015),
        ("robust", model(Likelihood::robust(0.05).unwrap(), auto), 2, 0.08, 0.012),
        ("laplace", Model { method: laplace, ..model(Likelihood::Logistic, auto) }, 2, 0.012, 0.003),
        ("joint", model(Likelihood::probit(), auto), 3, 0.4, 0.03),
        ("one-vs-rest", model(Likelihood::probit(), Multiclass::OneVsRest), 3, 0.5, 0.032),
    ];
    let mut failures = Vec::new();
    for (what, model, classes, largest, mean) in cases {
        let fit = fitted(&model, targets(classes), None);
        let (most, average) = differences(&fit, &groups());
        // A leave-one-out prediction is another thing.
        let plain = fit.leave_one_out_log_probability();
        let apart = refitted(&fit, &groups()).iter().zip(plain).map(|(a, b)| (a - b).abs()).sum::<f64>() / N as f64;
        println!("{what}: largest {most:.4}, mean {average:.4}; leave-one-out {apart:.4}");
        if most > largest || average > mean || apart < 1.3 * average {
            failures.push(format!("{what}: largest {most}, mean {average}, leave-one-out {apart}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

#[test]
fn groups_of_one_row_are_leave_one_out_to_the_bit() {
    let alone = Groups::new("row", &(0..N).map(|i| Some(i.to_string())).collect::<Vec<_>>()).unwrap();
    for (classes, multiclass) in [(2, Multiclass::Auto), (3, Multiclass::Auto), (3, Multiclass::OneVsRest)] {
        let fit = fitted(&model(Likelihood::probit(), multiclass), targets(classes), None);
        assert_eq!(fit.leave_group_out(&alone).unwrap(), fit.leave_one_out());
    }
    let fit = fitted(&model(Likelihood::probit(), Multiclass::Auto), targets(2), None);
    let few = Groups::new("row", &[Some("a"), Some("b")]).unwrap();
    assert!(fit.leave_group_out(&few).unwrap_err().to_string().contains("60 rows of inputs but 2 groups"));
}

/// Copies of a row are of its group, so that a row of weight two is left out whole.
#[test]
fn a_weight_is_as_many_rows_of_one_group() {
    for classes in [2, 3] {
        let model = model(Likelihood::probit(), Multiclass::Auto);
        let twice: Vec<f64> = (0..N).map(|i| if i % 5 == 0 { 2.0 } else { 1.0 }).collect();
        let rows: Vec<usize> = (0..N).chain((0..N).filter(|i| i % 5 == 0)).collect();
        let weighted = fitted(&model, targets(classes), Some(twice));
        let plain = fitted(&model, targets(classes), None);
        let copied = model.infer(&Arc::new(plain.data().with_rows(&rows)), None).unwrap();
        let a = weighted.leave_group_out(&groups()).unwrap();
        let b = copied.leave_group_out(&groups().select(&rows)).unwrap();
        for (i, &row) in rows.iter().enumerate() {
            let (a, b) = (a.log_probability(row, Class::NEGATIVE), b.log_probability(i, Class::NEGATIVE));
            assert!((a - b).abs() < 1e-5, "{classes} {i}: {a} {b}");
        }
    }
}

/// A large group goes through a factor of its own, with the same answer.
#[test]
fn large_groups_agree_with_small_ones_of_the_same_rows() {
    let fit = fitted(&model(Likelihood::probit(), Multiclass::Joint), targets(3), None);
    let half = Groups::new("half", &(0..N).map(|i| Some(if i < 45 { "a" } else { "b" })).collect::<Vec<_>>()).unwrap();
    let (most, average) = differences(&fit, &half);
    assert!(most < 1.0 && average < 0.2, "{most} {average}");
}

/// Visits of patients whose level decides the label: leave-one-out knows the patient, leave-group-out does not.
#[test]
fn a_classifier_is_scored_and_stacked_by_its_groups() {
    let patient = |i: usize| i / 4;
    let level = |p: usize| ((p * 7) as f64 * 1.3).sin() * 2.0;
    let noise = |i: usize| ((i * 13) as f64 * 0.9).sin() * 0.01;
    let x: Vec<f64> = (0..N).map(|i| level(patient(i)) + noise(i)).collect();
    let labels = LabelValues::text((0..N).map(|i| if (patient(i) * 5) % 3 == 0 { "yes" } else { "no" }));
    let table = Table::new(vec![Column::continuous("x", x)]).unwrap();
    let values: Vec<Option<String>> = (0..N).map(|i| Some(format!("p{}", patient(i)))).collect();
    let groups = Some(Groups::new("patient", &values).unwrap());
    let fit = FitOptions { kernel: Some(KernelFamily::Matern12), ..FitOptions::default() };
    let spec = Spec { fit, ..Spec::default() };
    let fit = |details: RowDetails| Classifier::fit(&table, &labels, details, &spec, &Control::default()).unwrap();
    let (plain, grouped) = (fit(RowDetails::default()), fit(RowDetails { weights: None, groups }));
    assert_eq!(plain.summary().groups, None);
    let told = grouped.summary().groups.clone().unwrap();
    assert_eq!((told.name.as_str(), told.groups, told.largest), ("patient", 15, 4));
    let error = |c: &Classifier| c.summary().loo.error.value;
    assert!(error(&plain) < 0.1 && error(&grouped) > 0.25, "{} {}", error(&plain), error(&grouped));
    assert!(grouped.summary().corrected.is_none());
    let member = grouped.fitted();
    assert_eq!(member.left_out(), member.leave_group_out(member.data().groups().unwrap()).unwrap());
    let reread = Classifier::from_bytes(&grouped.to_bytes()).unwrap();
    assert_eq!(reread.summary(), grouped.summary());
}
