//! Fits of many rows: hyperparameters from blocks, rows that stand for all, and what becomes of both in files.

use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{Class, Column, LabelValues, Table};
use gpclass::learn::{
    Approach, Combine, Control, FitOptions, KernelFamily, Lengthscales, LikelihoodFamily, ManyRows, ScoreKind, Size,
};

fn wave(i: usize, j: usize) -> f64 {
    2.0 * ((i * (7 * j + 5) + 3 * j) as f64 * 0.7391 + (i * i) as f64 * 0.013).sin()
}

fn table(from: usize, rows: usize) -> Table {
    let column = |j: usize| (from..from + rows).map(|i| wave(i, j)).collect();
    let level = |i: usize| ["a", "b", "c"][i % 3].to_owned();
    let group = (from..from + rows).map(|i| Some(level(i))).collect();
    Table::new(vec![
        Column::continuous("x", column(0)),
        Column::continuous("y", column(1)),
        Column::discrete("group", group),
    ])
    .unwrap()
}

fn class(i: usize, classes: usize) -> usize {
    let side = wave(i, 0) + wave(i, 1).powi(2) + [0.0, 0.6, -0.6][i % 3];
    if classes == 2 { usize::from(side > 1.5) } else { usize::from(side > 0.8) + usize::from(side > 2.5) }
}

fn labels(rows: usize, classes: usize) -> LabelValues {
    let name = |i: usize| ["low", "mid", "top"][class(i, classes)].to_owned();
    LabelValues::text((0..rows).map(name))
}

fn spec(many_rows: ManyRows) -> Spec {
    let fit = FitOptions {
        kernel: Some(KernelFamily::Matern32),
        likelihood: Some(LikelihoodFamily::Probit),
        lengthscales: Lengthscales::Ard,
        many_rows,
        ..FitOptions::default()
    };
    Spec { fit, ..Spec::default() }
}

fn fitted(rows: usize, classes: usize, many_rows: ManyRows) -> Classifier {
    let (table, labels) = (table(0, rows), labels(rows, classes));
    Classifier::fit(&table, &labels, None, &spec(many_rows), &Control::default()).unwrap()
}

const SOME: ManyRows = ManyRows { exact: false, inducing: Some(40), neighbours: Some(30) };

#[test]
fn a_sparse_fit_predicts_like_an_exact_one_and_is_the_same_after_reading() {
    let (sparse, exact) = (fitted(420, 2, SOME), fitted(420, 2, ManyRows { exact: true, ..ManyRows::default() }));
    assert_eq!((sparse.summary().approach, exact.summary().approach), (Approach::Sparse, Approach::Exact));
    let note = sparse.summary().fit_notes.iter().find(|note| note.kind == "many_rows").expect("a note");
    assert!(note.text.contains("40 rows stand for all") && note.text.contains("30 nearest"), "{}", note.text);
    let new = table(420, 150);
    let (near, truth) = (sparse.predict(&new).unwrap().0, exact.predict(&new).unwrap().0);
    let difference = |i: usize| (near.probability(i, Class::POSITIVE) - truth.probability(i, Class::POSITIVE)).abs();
    let mean = (0..150).map(difference).sum::<f64>() / 150.0;
    assert!(mean < 0.03, "{mean}");
    let wrong = (0..150).filter(|&i| near.class(i).position() != class(420 + i, 2)).count();
    assert!(wrong < 15, "{wrong} of 150");

    let bytes = sparse.to_bytes();
    let again = Classifier::from_bytes(&bytes).unwrap();
    assert_eq!(again.predict(&new).unwrap().0, near);
    assert_eq!(again.to_bytes(), bytes);
    assert_eq!(again.fitted().inducing(), sparse.fitted().inducing());
    assert_eq!(again.fitted().refinement(), sparse.fitted().refinement());
}

#[test]
fn several_classes_stand_each_against_the_rest() {
    let fit = fitted(420, 3, SOME);
    assert!(fit.summary().fit_notes.iter().any(|note| note.kind == "one_vs_rest"));
    let predicted = fit.predict(&table(420, 120)).unwrap().0;
    let wrong = (0..120).filter(|&i| predicted.class(i).position() != class(420 + i, 3)).count();
    assert!(wrong < 24, "{wrong} of 120");
    let again = Classifier::from_bytes(&fit.to_bytes()).unwrap();
    assert_eq!(again.predict(&table(420, 120)).unwrap().0, predicted);
}

/// Candidates are tried exactly on a part; those that predict are sparse, each in its own view, also after reading.
#[test]
fn members_of_a_stack_are_sparse() {
    // More than judge which of the candidates are inferred on all rows.
    let rows = 1050;
    // All families: more than are learned on all rows.
    let open = Spec { fit: FitOptions { many_rows: SOME, ..FitOptions::default() }, ..Spec::default() };
    let fit = Classifier::fit(table(0, rows), labels(rows, 2), None, &open, &Control::default()).unwrap();
    let summary = fit.summary();
    assert!(summary.candidates.len() > 2 && summary.approach == Approach::Sparse && summary.corrected.is_none());
    assert!(summary.candidates.iter().any(|c| c.rows.is_some()) && summary.candidates.iter().any(|c| c.rows.is_none()));
    assert!((fit.members().iter().map(|member| member.weight()).sum::<f64>() - 1.0).abs() < 1e-12);
    for member in fit.members() {
        assert_eq!(member.fitted().inducing().map(|inducing| inducing.rows.rows()), Some(40), "{}", member.name());
        assert_eq!(member.fitted().refinement().map(|refinement| refinement.neighbours), Some(30));
    }
    let predicted = fit.predict(&table(rows, 150)).unwrap().0;
    let wrong = (0..150).filter(|&i| predicted.class(i).position() != class(rows + i, 2)).count();
    assert!(wrong < 15, "{wrong} of 150");
    let again = Classifier::from_bytes(&fit.to_bytes()).unwrap();
    assert_eq!(again.predict(&table(rows, 150)).unwrap().0, predicted);
}

#[test]
fn one_of_several_may_be_chosen_by_the_evidence_of_blocks() {
    let fit = FitOptions { likelihood: Some(LikelihoodFamily::Probit), ..spec(SOME).fit };
    let best =
        Spec { fit: FitOptions { lengthscales: Lengthscales::Auto, combine: Combine::Best, ..fit }, ..Spec::default() };
    let fit = Classifier::fit(table(0, 420), labels(420, 2), None, &best, &Control::default()).unwrap();
    assert!(fit.members().len() == 1 && fit.summary().candidates.len() > 1 && fit.fitted().inducing().is_some());
    assert!(fit.summary().candidates.iter().all(|c| c.score_kind == Some(ScoreKind::Penalised)));
}

#[test]
fn the_number_of_rows_decides() {
    let size = |rows: usize| Size { rows, features: 3, classes: 2 };
    let of = |rows: usize| Approach::of(&FitOptions::default(), &size(rows));
    assert_eq!(
        [1_000, 3_000, 30_000, 3_000_000].map(of),
        [Approach::Exact, Approach::Blocks, Approach::Sparse, Approach::Sparse]
    );
}

/// A table with odd columns: `flat` is the same in all rows but a few, and `positive` says which rows are positive.
fn odd(rows: usize, flat: impl Fn(usize) -> f64, positive: impl Fn(usize) -> bool) -> (Table, LabelValues) {
    let column = |j: usize| (0..rows).map(|i| wave(i, j)).collect::<Vec<f64>>();
    let columns = vec![
        Column::continuous("x", column(0)),
        Column::continuous("y", column(1)),
        Column::continuous("flat", (0..rows).map(flat).collect()),
    ];
    let labels = LabelValues::text((0..rows).map(|i| if positive(i) { "yes" } else { "no" }));
    (Table::new(columns).unwrap(), labels)
}

fn fit_odd(table: &Table, labels: &LabelValues, inducing: usize) -> Classifier {
    let many_rows = ManyRows { inducing: Some(inducing), ..SOME };
    Classifier::fit(table, labels, None, &spec(many_rows), &Control::default()).unwrap()
}

#[test]
fn more_inducing_rows_than_rows_are_all_of_them_and_copies_count_once() {
    let (table, labels) = odd(150, |i| f64::from(u8::from(i.is_multiple_of(50))), |i| wave(i, 0) > 0.3);
    let all = fit_odd(&table, &labels, 4_000);
    let inducing = all.fitted().inducing().unwrap().rows.rows();
    assert!(inducing > 100 && inducing <= 150, "{inducing}");
    let exact = ManyRows { exact: true, ..ManyRows::default() };
    // At the same hyperparameters there is nothing left to approximate.
    let fixed = all.summary().hyperparameters.iter().map(|h| (h.name.clone(), h.value)).collect();
    let fixed = Spec { fit: FitOptions { fixed, ..spec(exact).fit }, ..Spec::default() };
    let dense = Classifier::fit(&table, &labels, None, &fixed, &Control::default()).unwrap();
    let (a, b) = (all.predict(&table).unwrap().0, dense.predict(&table).unwrap().0);
    for i in 0..150 {
        let (a, b) = (a.probability(i, Class::POSITIVE), b.probability(i, Class::POSITIVE));
        assert!((a - b).abs() < 1e-3, "{i}: {a} {b}");
    }
    // Every row three times: copies are not chosen.
    let copied = odd(450, |i| f64::from(u8::from((i / 3).is_multiple_of(50))), |i| wave(i / 3, 0) > 0.3).1;
    let rows: Vec<usize> = (0..450).map(|i| i / 3).collect();
    let column = |j: usize| rows.iter().map(|&i| wave(i, j)).collect();
    let thrice = Table::new(vec![Column::continuous("x", column(0)), Column::continuous("y", column(1))]).unwrap();
    let fit = fit_odd(&thrice, &copied, 400);
    assert!(fit.fitted().inducing().unwrap().rows.rows() <= 150);
    assert!(fit.summary().loo.nlp_nats.value.is_finite() && fit.summary().loo.error.value < 0.1);
}

#[test]
fn columns_and_classes_that_a_block_has_only_one_value_of_do_no_harm() {
    // Far from the rest, some rows have another value in a column, and all rows of the rare class.
    let far = |i: usize| i % 40 == 7;
    let (table, labels) = odd(700, |i| if far(i) { 9.0 + wave(i, 5) } else { 1.0 }, far);
    let fit = fit_odd(&table, &labels, 40);
    let predicted = fit.predict(&table).unwrap().0;
    assert!((0..700).all(|i| (predicted.class(i) == Class::POSITIVE) == far(i)));
    assert!(fit.summary().loo.nlp_nats.value < 0.05, "{}", fit.summary().loo.nlp_nats.value);
}

/// Six hundred rows at one place, a few of them with the other label: no reason to give up, and none to believe those few.
#[test]
fn equal_rows_of_contrary_labels_settle() {
    let same = |i: usize| i >= 300;
    let at = |i: usize, j: usize| if same(i) { -1.0 } else { wave(i, j) };
    let column = |j: usize| (0..900).map(|i| at(i, j)).collect();
    let table = Table::new(vec![Column::continuous("x", column(0)), Column::continuous("y", column(1))]).unwrap();
    let positive = |i: usize| if same(i) { i.is_multiple_of(150) } else { wave(i, 0) > 0.5 };
    let labels = LabelValues::text((0..900).map(|i| if positive(i) { "yes" } else { "no" }));
    let fit = FitOptions { likelihood: None, ..spec(SOME).fit };
    let fit = Classifier::fit(&table, &labels, None, &Spec { fit, ..Spec::default() }, &Control::default()).unwrap();
    let summary = fit.summary();
    assert!(summary.fit_notes.iter().all(|note| note.kind != "not_converged"), "{:?}", summary.fit_notes);
    let left_out = &summary.loo_probability;
    let contrary = (300..900).filter(|&i| positive(i)).map(|i| left_out.at(i, Class::POSITIVE));
    contrary.for_each(|p| assert!(p > 0.0005 && p < 0.05, "{p}"));
}

#[test]
fn fewer_rows_stand_for_all_where_there_are_very_many() {
    let open = ManyRows::default();
    assert_eq!([300, 20_000, 50_000, 50_001].map(|rows| open.inducing_rows(rows)), [300, 600, 600, 400]);
    assert_eq!([30, 20_000, 1_000_000].map(|rows| SOME.inducing_rows(rows)), [30, 40, 40]);
}
