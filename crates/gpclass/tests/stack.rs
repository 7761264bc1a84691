//! Several models that predict together.

use gpclass::data::{Class, Inputs, Targets};
use gpclass::learn::{
    Combine, Control, FitOptions, KernelFamily, LikelihoodFamily, ScoreKind, Selection, Stop, fit, stacking_weights,
};
use gpclass::linalg::{Mat, with_threads};
use gpclass::model::TrainingData;
use gpclass::objective::{Criterion, Objective};
use std::sync::Arc;

/// Rows of `classes` classes by a step and a slope.
fn data(rows: usize, classes: u16) -> Arc<TrainingData> {
    let x = Mat::from_fn(rows, 3, |i, j| 2.0 * ((i as f64 + 0.5) * [12.9898, 78.233, 37.719][j]).sin());
    let latent = |i: usize| x[(i, 0)] + if x[(i, 1)] > 0.4 { 1.0 } else { -0.5 } + 0.6 * ((i * i) as f64).sin();
    let class = |i: usize| match latent(i) {
        l if l < 0.0 => 0,
        l if l < 1.2 || classes == 2 => 1,
        _ => 2,
    };
    let targets = Targets::new((0..rows).map(|i| Class::from(class(i))).collect(), usize::from(classes)).unwrap();
    Arc::new(TrainingData::new(Inputs::continuous(x), targets).unwrap())
}

fn quick(kernel: Option<KernelFamily>) -> FitOptions {
    FitOptions { kernel, likelihood: Some(LikelihoodFamily::Probit), ..FitOptions::default() }
}

fn checked(selection: &Selection, rows: usize) {
    let total: f64 = selection.members.iter().map(|member| member.weight).sum();
    assert!((total - 1.0).abs() < 1e-12);
    assert!(selection.members.windows(2).all(|pair| pair[0].weight >= pair[1].weight), "the heaviest first");
    assert_eq!(selection.members[0].contender, selection.chosen);
    for member in &selection.members {
        let contender = &selection.contenders[member.contender];
        assert!(contender.rows() == rows && contender.summary.rows.is_none() && member.weight >= 0.01);
        assert_eq!(contender.summary.score_kind, Some(ScoreKind::LeftOut));
        let own = member.fitted.leave_one_out_log_probability();
        assert!(own.iter().zip(&contender.left_out).all(|(a, b)| (a - b).abs() < 1e-9));
    }
}

#[test]
fn weights_are_those_of_the_left_out_rows() {
    for classes in [2, 3] {
        let data = data(60, classes);
        let selection = fit(&data, &quick(None), &Control::default()).unwrap();
        checked(&selection, 60);
        assert!(selection.members.len() > 1);
        let left_out: Vec<&[f64]> = selection.contenders.iter().map(|c| c.left_out.as_slice()).collect();
        let weights = stacking_weights(&left_out, None);
        let kept: f64 = weights.iter().filter(|w| **w >= 0.01).sum();
        for member in &selection.members {
            assert!((member.weight - weights[member.contender] / kept).abs() < 1e-12);
        }
    }
}

#[test]
fn many_rows_are_tried_on_a_part_and_the_same_with_any_threads() {
    let data = data(560, 2);
    let run = |threads| with_threads(threads, || fit(&data, &quick(None), &Control::default()).unwrap());
    let (one, two) = (run(1), run(2));
    checked(&one, 560);
    assert!(one.contenders.iter().any(|c| c.summary.rows.is_some_and(|rows| rows < 560) && c.summary.weight == 0.0));
    assert!(one.contenders.iter().filter(|c| c.rows() == 560).count() <= 5);
    let bits = |s: &Selection| s.contenders.iter().map(|c| c.summary.loo_nlp.to_bits()).collect::<Vec<u64>>();
    assert_eq!(bits(&one), bits(&two));
    assert!(one.members.iter().zip(&two.members).all(|(a, b)| a.weight.to_bits() == b.weight.to_bits()));
}

#[test]
fn the_time_that_is_up_leaves_the_best_so_far() {
    let data = data(560, 2);
    let options = FitOptions { time_budget: Some(1e-9), ..quick(None) };
    let control = Control::default();
    let in_time = fit(&data, &options, &control);
    // Not even one search had a first point.
    assert!(in_time.is_err_and(|error| error.to_string().contains("interrupted before there was a model")));
    let options = FitOptions { time_budget: Some(0.15), ..options };
    if let Ok(found) = fit(&data, &options, &control) {
        checked(&found, 560);
        let told = found.notes.iter().any(|note| note.to_string().contains("its time was up"));
        let stopped = found.chosen().course.stop;
        assert!(stopped.converged() || (stopped == Stop::Time && told), "{stopped:?} {:?}", found.notes);
    }
    for seconds in [0.0, -1.0, f64::NAN] {
        let refused = fit(&data, &FitOptions { time_budget: Some(seconds), ..quick(None) }, &control);
        assert!(refused.unwrap_err().to_string().contains("must be a positive number"));
    }
}

#[test]
fn one_is_chosen_where_that_is_asked_for_or_the_objective_is_left_out_rows() {
    let data = data(40, 2);
    let kernel = Some(KernelFamily::Linear);
    let best = FitOptions { combine: Combine::Best, ..quick(kernel) };
    let nlp = FitOptions { objective: Objective::leave_one_out(Criterion::Nlp), ..quick(kernel) };
    for options in [best, nlp] {
        let selection = fit(&data, &options, &Control::default()).unwrap();
        assert_eq!((selection.members.len(), selection.members[0].weight), (1, 1.0));
        assert_ne!(selection.chosen().summary.score_kind, Some(ScoreKind::LeftOut));
    }
}
