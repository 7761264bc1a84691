//! Models of several classes: every way to have them, with gradients, predictions, learning and files.

use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{Class, Column, Inputs, LabelValues, Table, Targets};
use gpclass::inference::ep::EpOptions;
use gpclass::inference::{LaplaceOptions, Method};
use gpclass::kernel::{Kernel, Scales};
use gpclass::learn::{
    Candidate, ClassKernels, Combine, Control, FitOptions, KernelFamily, LearnError, Lengthscales, LikelihoodFamily,
    Search, Selection, fit, fit_candidates,
};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::{FittedModel, Gradient, Model, Multiclass, TrainingData};
use gpclass::objective::{Criterion, Objective};
use std::sync::Arc;

/// Three classes along a line with a second feature that says little; some labels are off.
fn data(n: usize, weights: Option<Vec<f64>>) -> Arc<TrainingData> {
    let x = Mat::from_fn(n, 2, |i, j| if j == 0 { 4.0 * i as f64 / n as f64 - 2.0 } else { (1.7 * i as f64).sin() });
    let class = |i: usize| {
        let place = x[(i, 0)] + 0.3 * x[(i, 1)];
        let own = if place < -0.7 { 0 } else { 1 + u16::from(place > 0.8) };
        Class::from(if i % 11 == 5 { (own + 1) % 3 } else { own })
    };
    let targets = Targets::new((0..n).map(class).collect(), 3).unwrap();
    Arc::new(TrainingData::weighted(Inputs::continuous(x), targets, weights).unwrap())
}

fn kernel() -> Kernel {
    Kernel::squared_exponential(3.0, Scales::Ard(vec![0.8, 0.3])) + Kernel::bias(0.4)
}

fn ep() -> Method {
    Method::Ep(EpOptions { tolerance: 1e-10, max_inner: 8, ..EpOptions::default() })
}

fn laplace() -> Method {
    Method::Laplace(LaplaceOptions { tolerance: 1e-12, ..LaplaceOptions::default() })
}

/// Every way to have several classes, with shared and with own kernels.
fn models() -> Vec<(String, Model)> {
    let own = {
        let mut own = kernel().per_class(["0", "1", "2"]);
        let values: Vec<f64> =
            own.params().iter().enumerate().map(|(i, p)| p.value * (1.0 + 0.05 * i as f64)).collect();
        own.set_values(&values);
        own
    };
    let mut all = Vec::new();
    for (what, kernel) in [("shared", kernel()), ("own", own)] {
        let model =
            |likelihood, method, multiclass| Model { method, multiclass, ..Model::new(kernel.clone(), likelihood) };
        let robust = || Likelihood::robust(0.06).unwrap();
        all.push((format!("joint probit, {what}"), model(Likelihood::probit(), ep(), Multiclass::Joint)));
        all.push((format!("joint robust, {what}"), model(robust(), ep(), Multiclass::Joint)));
        all.push((format!("joint softmax, {what}"), model(Likelihood::logistic(), laplace(), Multiclass::Joint)));
        all.push((format!("rest robust, {what}"), model(robust(), ep(), Multiclass::OneVsRest)));
        all.push((format!("rest robust, exactly one, {what}"), model(robust(), ep(), Multiclass::ExactlyOne)));
        all.push((format!("rest laplace, {what}"), model(Likelihood::probit(), laplace(), Multiclass::OneVsRest)));
    }
    all
}

fn moved(model: &Model, position: usize, step: f64) -> Model {
    let mut model = model.clone();
    let mut kernel: Vec<f64> = model.kernel.params().iter().map(|p| p.value).collect();
    let mut likelihood: Vec<f64> = model.likelihood.params().iter().map(|p| p.value).collect();
    match position.checked_sub(kernel.len()) {
        None => kernel[position] *= step.exp(),
        Some(i) => likelihood[i] += step,
    }
    model.kernel.set_values(&kernel);
    model.likelihood.set_values(&likelihood);
    model
}

fn assert_gradient(what: &str, model: &Model, data: &Arc<TrainingData>, objective: Objective) {
    let at = model.infer(data, None).unwrap();
    assert!(at.report().outcome.converged(), "{what}: {:?}", at.report());
    let Gradient { kernel, likelihood } = objective.gradient(&at).unwrap();
    let value = |position: usize, step: f64| {
        objective.value(&moved(model, position, step).infer(data, Some(&at.start())).unwrap()).unwrap()
    };
    for (position, got) in kernel.iter().chain(&likelihood).enumerate() {
        let h = 1e-4;
        let want = (8.0 * (value(position, h) - value(position, -h)) - value(position, 2.0 * h)
            + value(position, -2.0 * h))
            / (12.0 * h);
        assert!((got - want).abs() < 2e-6 * (1.0 + want.abs()), "{what}, parameter {position}: {got} is not {want}");
    }
}

#[test]
fn evidence_gradients_are_derivatives() {
    let data = data(24, None);
    for (what, model) in models() {
        assert_gradient(&what, &model, &data, Objective::Evidence);
    }
}

#[test]
fn leave_one_out_gradients_of_classes_against_the_rest_are_derivatives() {
    let data = data(24, None);
    let criteria =
        [Criterion::Nlp, Criterion::FMeasure { zeta: 0.5 }, Criterion::WeightedError { tau: 0.7 }, Criterion::Auc];
    for (what, model) in models().into_iter().filter(|(what, _)| what.starts_with("rest")) {
        for criterion in criteria {
            let objective = Objective::leave_one_out(criterion);
            assert_gradient(&format!("{what}, {}", criterion.title()), &model, &data, objective);
        }
    }
}

#[test]
fn predictions_sum_to_one_and_prefer_the_class_nearby() {
    let data = data(60, None);
    let test = Inputs::continuous(Mat::from_fn(3, 2, |i, j| if j == 0 { [-1.8, 0.0, 1.8][i] } else { 0.0 }));
    for (what, model) in models() {
        let fit = model.infer(&data, None).unwrap();
        let predicted = fit.predict(&test).unwrap();
        assert_eq!((predicted.mean.cols(), predicted.probability.classes().len()), (3, 3), "{what}");
        for rows in [&predicted, &fit.leave_one_out()] {
            for row in 0..rows.rows() {
                let p: Vec<f64> = Class::first(3).map(|class| rows.probability(row, class)).collect();
                assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9 && p.iter().all(|p| *p > 0.0), "{what}: {p:?}");
                let log = rows.log_probability(row, Class::POSITIVE);
                assert!((log.exp() - p[1]).abs() < 1e-12, "{what}: {log} {p:?}");
            }
        }
        for row in 0..3 {
            assert_eq!(predicted.class(row).position(), row, "{what}: {predicted:?}");
        }
    }
}

/// Against the definition: the class's own function says yes, all others say no, and one of these cases is so.
#[test]
fn exactly_one_class_is_right() {
    let data = data(40, None);
    let test = Inputs::continuous(Mat::from_fn(7, 2, |i, j| if j == 0 { 0.6 * i as f64 - 1.8 } else { 0.3 }));
    let model = Model { multiclass: Multiclass::ExactlyOne, ..Model::new(kernel(), Likelihood::probit()) };
    let fit = model.infer(&data, None).unwrap();
    for rows in [fit.predict(&test).unwrap(), fit.leave_one_out()] {
        for row in 0..rows.rows() {
            let own: Vec<f64> = (0..3).map(|c| model.likelihood.predict(rows.latent(row, c))).collect();
            let alone = |c: usize| (0..3).map(|d| if d == c { own[d] } else { 1.0 - own[d] }).product::<f64>();
            let total: f64 = (0..3).map(alone).sum();
            for class in Class::first(3) {
                let (got, want) = (rows.probability(row, class), alone(class.position()) / total);
                assert!((got - want).abs() < 1e-12, "row {row}: {got} is not {want}");
            }
        }
    }
}

#[test]
fn wrong_labels_are_found_with_the_class_they_had() {
    let data = data(66, None);
    for (what, mut model) in models().into_iter().filter(|(what, _)| what.contains("robust")) {
        // A confident model, for a row to be surprising.
        let confident = |p: &gpclass::param::Param| if p.group() == "v0" { 60.0 } else { p.value };
        let values: Vec<f64> = model.kernel.params().iter().map(confident).collect();
        model.kernel.set_values(&values);
        model.likelihood = Likelihood::robust(0.15).unwrap();
        let fit = model.infer(&data, None).unwrap();
        let (wrong, truth) = (fit.label_error(), fit.true_class());
        for (row, wrong) in wrong.iter().enumerate() {
            let total: f64 = Class::first(3).map(|class| truth.at(row, class)).sum();
            assert!((total - 1.0).abs() < 1e-12, "{what}");
            assert!((1.0 - truth.at(row, data.labels()[row]) - wrong).abs() < 1e-12, "{what}");
        }
        // Rows 5, 16, 27, ... had the class before.
        let flipped: Vec<usize> = (0..data.rows()).filter(|i| i % 11 == 5).collect();
        let found = flipped.iter().filter(|&&row| wrong[row] > 0.5).count();
        assert!(found >= 4, "{what}: {found} of {}", flipped.len());
        for &row in flipped.iter().filter(|&&row| wrong[row] > 0.5) {
            let before = Class::from((data.labels()[row].code() + 2) % 3);
            assert_eq!(truth.rival(row, data.labels()[row]), before, "{what}, row {row}");
        }
    }
}

/// Every function alone is unsure of its few rows; together they know which labels are wrong, and how many.
#[test]
fn wrong_labels_of_many_classes_are_counted() {
    let (n, count) = (120, 8);
    let angle = |i: usize| std::f64::consts::TAU * i as f64 / n as f64;
    let x = Mat::from_fn(n, 2, |i, j| 3.0 * if j == 0 { angle(i).cos() } else { angle(i).sin() });
    let wrong = |i: usize| i % 10 == 4;
    let class = |i: usize| Class::from(((i * count / n + if wrong(i) { 3 } else { 0 }) % count) as u16);
    let targets = Targets::new((0..n).map(class).collect(), count).unwrap();
    let data = Arc::new(TrainingData::weighted(Inputs::continuous(x), targets, None).unwrap());
    // A tenth of all labels is wrong, so that two of eight functions see a fortieth of the sides wrong.
    let likelihood = Likelihood::robust(0.025).unwrap();
    let kernel = Kernel::squared_exponential(10.0, Scales::Single(0.5)) + Kernel::bias(1.0);
    for multiclass in [Multiclass::OneVsRest, Multiclass::ExactlyOne] {
        let model = Model { multiclass, ..Model::new(kernel.clone(), likelihood.clone()) };
        let found = model.infer(&data, None).unwrap().label_error();
        let expected: f64 = found.iter().sum();
        assert!((8.0..20.0).contains(&expected), "{multiclass}: {expected} of 12");
        let named: Vec<usize> = (0..n).filter(|&i| found[i] > 0.5).collect();
        let right = named.iter().filter(|&&i| wrong(i)).count();
        assert!(right >= 10 && named.len() <= right + 2, "{multiclass}: {named:?}");
    }
}

#[test]
fn whole_weights_are_copies_in_every_form() {
    let weights: Vec<f64> = (0..21).map(|i| [1.0, 2.0, 0.0][i % 3]).collect();
    let (plain, weighted) = (data(21, None), data(21, Some(weights.clone())));
    let rows: Vec<usize> = (0..21).flat_map(|i| std::iter::repeat_n(i, weights[i] as usize)).collect();
    let labels = rows.iter().map(|&i| plain.labels()[i]).collect();
    let copies = TrainingData::new(plain.inputs().select_rows(&rows), Targets::new(labels, 3).unwrap()).unwrap();
    let copies = Arc::new(copies);
    let test = Inputs::continuous(Mat::from_fn(4, 2, |i, j| i as f64 - 1.5 + 0.2 * j as f64));
    for (what, model) in models() {
        let (a, b) = (model.infer(&weighted, None).unwrap(), model.infer(&copies, None).unwrap());
        assert!((a.log_evidence() - b.log_evidence()).abs() < 1e-7, "{what}");
        let (a, b) = (a.predict(&test).unwrap(), b.predict(&test).unwrap());
        for (p, q) in a.probability.as_mat().as_slice().iter().zip(b.probability.as_mat().as_slice()) {
            assert!((p - q).abs() < 1e-7, "{what}: {p} is not {q}");
        }
    }
}

fn options() -> FitOptions {
    FitOptions {
        kernel: Some(KernelFamily::SquaredExponential),
        likelihood: Some(LikelihoodFamily::Probit),
        lengthscales: Lengthscales::Single,
        ..FitOptions::default()
    }
}

fn learned(data: &Arc<TrainingData>, options: &FitOptions) -> Result<Selection, LearnError> {
    fit(data, options, &Control::default())
}

#[test]
fn learning_climbs_the_evidence_of_all_classes() {
    let data = data(60, None);
    let start = learned(&data, &FitOptions { direct: still(), ..options() }).unwrap();
    for multiclass in [Multiclass::Joint, Multiclass::OneVsRest] {
        let end = learned(&data, &FitOptions { multiclass, ..options() }).unwrap();
        assert_eq!(end.fitted().model().multiclass, multiclass);
        assert!(end.notes.iter().all(|note| note.kind() != "one_vs_rest"), "{:?}", end.notes);
        let (nlp, first) = (end.chosen().summary.loo_nlp, start.chosen().summary.loo_nlp);
        assert!(nlp < first.min(0.75), "{multiclass}: {nlp} after {first}");
    }
    let joint = learned(&data, &options()).unwrap();
    assert_eq!(joint.fitted().model().multiclass, Multiclass::Joint, "few rows are fitted together");
    let own = learned(&data, &FitOptions { class_kernels: ClassKernels::Own, ..options() }).unwrap();
    assert!(own.fitted().log_evidence() > joint.fitted().log_evidence() - 0.1);
    assert_eq!(own.fitted().model().kernel.own_classes(), Some(3));
}

/// Wrong labels are found against the rest in a stack whose other members are of all classes together.
#[test]
fn the_member_that_doubts_labels_is_against_the_rest() {
    let data = data(44, None);
    let stack = learned(&data, &FitOptions::default()).unwrap();
    for contender in &stack.contenders {
        let doubts = contender.model.likelihood.family() == LikelihoodFamily::Robust;
        let want = if doubts { Multiclass::ExactlyOne } else { Multiclass::Joint };
        assert_eq!(contender.model.multiclass, want, "{}", contender.summary.name);
        assert_eq!(contender.wrong_labels.is_some(), doubts, "{}", contender.summary.name);
    }
    let together = learned(&data, &FitOptions { multiclass: Multiclass::Joint, ..FitOptions::default() }).unwrap();
    assert!(together.contenders.iter().all(|contender| contender.model.multiclass == Multiclass::Joint));
}

fn still() -> gpclass::learn::DirectOptions {
    let mut direct = gpclass::learn::DirectOptions::default();
    direct.search.max_iterations = 0;
    direct
}

#[test]
fn what_cannot_be_done_together_is_done_against_the_rest_and_said() {
    let plain = data(40, None);
    let nlp = Objective::leave_one_out(Criterion::Nlp);
    let weighted = data(40, Some((0..40).map(|i| 0.5 + (i % 2) as f64).collect()));
    let cases = [
        (&plain, FitOptions { objective: nlp, ..options() }),
        (&plain, FitOptions { likelihood: Some(LikelihoodFamily::ProbitBias), ..options() }),
        (&plain, FitOptions { likelihood: Some(LikelihoodFamily::Logistic), ..options() }),
        (&weighted, options()),
    ];
    for (data, options) in cases {
        let selection = learned(data, &options).unwrap();
        assert_eq!(selection.fitted().model().multiclass, Multiclass::ExactlyOne);
        assert!(selection.notes.iter().any(|note| note.kind() == "one_vs_rest"), "{:?}", selection.notes);
        let insisted = learned(data, &FitOptions { multiclass: Multiclass::Joint, ..options });
        let error = insisted.expect_err("cannot be done together").to_string();
        assert!(error.contains("one-vs-rest") || error.contains("one class against the rest"), "{error}");
    }
    let little = Control { memory: Some(1e3), ..Control::default() };
    let selection = fit(&plain, &options(), &little).unwrap();
    assert_eq!(selection.fitted().model().multiclass, Multiclass::ExactlyOne);
    let two_classes_only = learned(&plain, &FitOptions { search: Search::EpCv, ..options() });
    assert!(matches!(two_classes_only, Err(LearnError::TwoClasses { .. })), "{two_classes_only:?}");
}

/// The likelihoods of models that are given decide, not those that the options would compare.
#[test]
fn given_models_are_fitted_together_if_all_of_them_can_be() {
    let data = data(40, None);
    let of = |likelihood: Likelihood| Candidate {
        name: likelihood.name().to_owned(),
        model: Model::new(kernel(), likelihood),
        departure: Default::default(),
        view: Default::default(),
    };
    let fitted = |candidates: Vec<Candidate>, multiclass: Multiclass| {
        let options = FitOptions { multiclass, likelihood: None, direct: still(), ..options() };
        fit_candidates(&data, candidates, &options, &Control::default())
    };
    for (candidates, multiclass) in [
        (vec![of(Likelihood::probit())], Multiclass::Joint),
        (vec![of(Likelihood::logistic())], Multiclass::ExactlyOne),
        (vec![of(Likelihood::probit()), of(Likelihood::logistic())], Multiclass::ExactlyOne),
    ] {
        let selection = fitted(candidates, Multiclass::Auto).unwrap();
        assert!(selection.contenders.iter().all(|c| c.model.multiclass == multiclass));
    }
    let insisted = fitted(vec![of(Likelihood::probit()), of(Likelihood::logistic())], Multiclass::Joint);
    let error = insisted.expect_err("the method does not know the softmax").to_string();
    assert!(error.starts_with("the likelihood logistic with ep inference"), "{error}");
}

fn table(n: usize) -> (Table, LabelValues) {
    let data = data(n, None);
    let column = |j: usize| data.inputs().values().col(j).to_vec();
    let colour = (0..n).map(|i| Some(["red", "green"][usize::from(i % 3 == 0)].to_owned())).collect();
    let columns = vec![
        Column::continuous("x", column(0)),
        Column::continuous("y", column(1)),
        Column::discrete("colour", colour),
    ];
    let names = ["left", "middle", "right"];
    let labels = LabelValues::text(data.labels().iter().map(|class| names[class.position()]));
    (Table::new(columns).unwrap(), labels)
}

#[test]
fn files_give_back_the_same_predictions() {
    let (table, labels) = table(45);
    let own = FitOptions { class_kernels: ClassKernels::Own, ..options() };
    let softmax = FitOptions {
        likelihood: Some(LikelihoodFamily::Logistic),
        method: Method::Laplace(LaplaceOptions::default()),
        ..options()
    };
    let rest = FitOptions { multiclass: Multiclass::OneVsRest, ..options() };
    let one = FitOptions { multiclass: Multiclass::ExactlyOne, ..options() };
    let robust = FitOptions { likelihood: Some(LikelihoodFamily::Robust), ..options() };
    let averaged =
        FitOptions { lengthscales: Lengthscales::Auto, combine: Combine::Evidence, likelihood: None, ..options() };
    for (what, options) in [
        ("plain", options()),
        ("own", own),
        ("softmax", softmax),
        ("rest", rest),
        ("exactly one", one),
        ("stack", FitOptions::default()),
        ("robust", robust),
        ("all", averaged),
    ] {
        let spec = Spec { fit: options, ..Spec::default() };
        let classifier = Classifier::fit(&table, &labels, None, &spec, &Control::default()).unwrap();
        let reread = Classifier::from_bytes(&classifier.to_bytes()).unwrap();
        assert_eq!(reread.predict(&table).unwrap().0, classifier.predict(&table).unwrap().0, "{what}");
        assert_eq!(reread.summary(), classifier.summary(), "{what}");
        assert_eq!(reread.to_bytes(), classifier.to_bytes(), "{what}");
        let fitted: &FittedModel = reread.fitted();
        assert_eq!(fitted.leave_one_out(), classifier.fitted().leave_one_out(), "{what}");
        assert_eq!(reread.classes().names(), ["left", "middle", "right"]);
    }
}
