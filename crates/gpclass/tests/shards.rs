//! Rows in shards against the same rows in one place.

use gpclass::classifier::{Classifier, ClassifierError, Spec};
use gpclass::data::{Class, Column, Inputs, LabelValues, Table, Targets};
use gpclass::inference::Method;
use gpclass::inference::ep::EpOptions;
use gpclass::interrupt::Interrupt;
use gpclass::kernel::{Kernel, Scales};
use gpclass::learn::{
    Control, Elsewhere, FitOptions, KernelFamily, LearnError, LikelihoodFamily, ManyRows, ShardPlan, shard_rows,
};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::{Mat, with_threads};
use gpclass::model::{FittedModel, Model, ModelError, Multiclass, Refinement, ShardAnswer, Shards, TrainingData};
use gpclass::prior::{Inducing, SiteSums};
use std::sync::{Arc, Mutex};

fn wave(i: usize, j: usize) -> f64 {
    2.0 * ((i * (7 * j + 5) + 3 * j) as f64 * 0.7391 + (i * i) as f64 * 0.013).sin()
}

/// Classes by a curved border, every ninth of them wrong.
fn class(i: usize, classes: usize) -> usize {
    let side = wave(i, 0) + wave(i, 1) * wave(i, 1) - 1.5;
    let own = if side > 0.0 { classes - 1 } else { usize::from(classes > 2 && side < -1.5) };
    if i % 9 == 4 { (own + 1) % classes } else { own }
}

fn part(rows: &[usize], classes: usize) -> TrainingData {
    let inputs = Inputs::continuous(Mat::from_fn(rows.len(), 2, |i, j| wave(rows[i], j)));
    let labels = rows.iter().map(|&i| Class::from(class(i, classes) as u16)).collect();
    TrainingData::new(inputs, Targets::new(labels, classes).unwrap()).unwrap()
}

fn model(likelihood: Likelihood, variance: f64) -> Model {
    let kernel = Kernel::matern32(variance, Scales::Ard(vec![0.7, 0.4])) + Kernel::bias(0.5);
    let method = Method::Ep(EpOptions { tolerance: 1e-9, ..EpOptions::default() });
    Model { kernel, likelihood, method, multiclass: Multiclass::OneVsRest }
}

struct Held<'a> {
    model: &'a Model,
    inducing: &'a Inducing,
    parts: Vec<TrainingData>,
}

impl Shards for Held<'_> {
    fn rows(&self) -> Vec<usize> {
        self.parts.iter().map(TrainingData::rows).collect()
    }

    fn answers(&self, class: usize, all: &SiteSums, own: &[SiteSums]) -> Result<Vec<ShardAnswer>, ModelError> {
        let each = self.parts.iter().zip(own);
        each.map(|(part, own)| self.model.shard_step(part, class, self.inducing, all, own)).collect()
    }
}

/// Rows here, and in as many shards as there are further ends.
fn spread(model: &Model, ends: &[usize], classes: usize, inducing: &Inducing) -> FittedModel {
    let range = |from: usize, to: usize| (from..to).collect::<Vec<_>>();
    let here = Arc::new(part(&range(0, ends[0]), classes));
    let parts = ends.windows(2).map(|ends| part(&range(ends[0], ends[1]), classes)).collect();
    let refinement = Some(Refinement { neighbours: 12 });
    let held = Held { model, inducing, parts };
    let fit = model.infer_beside(&here, inducing, refinement, &held, Interrupt::default()).unwrap();
    assert!(fit.report().outcome.converged(), "{:?}", fit.report());
    fit
}

fn together(model: &Model, rows: usize, classes: usize, inducing: &Inducing) -> FittedModel {
    let data = Arc::new(part(&(0..rows).collect::<Vec<_>>(), classes));
    let fit = model.infer_sparse(&data, inducing, None, None, Interrupt::default()).unwrap();
    assert!(fit.report().outcome.converged(), "{:?}", fit.report());
    fit
}

fn inducing() -> Inducing {
    Inducing::new(Inputs::continuous(Mat::from_fn(25, 2, |i, j| wave(7 * i, j))), 1e-8)
}

fn probabilities(fit: &FittedModel) -> Vec<f64> {
    let test = Inputs::continuous(Mat::from_fn(40, 2, |i, j| wave(1000 + i, j)));
    let predicted = fit.predict(&test).unwrap();
    predicted.probability.as_mat().as_slice().to_vec()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

#[test]
fn rows_in_shards_have_the_posterior_of_all_together() {
    let inducing = inducing();
    let robust = Likelihood::robust(0.05).unwrap();
    let cases = [
        (Likelihood::probit(), 4.0, 2),
        (robust, 4.0, 2),
        (Likelihood::probit(), 1e4, 2),
        (Likelihood::probit(), 4.0, 3),
    ];
    for (likelihood, variance, classes) in cases {
        let model = model(likelihood, variance);
        let all = together(&model, 500, classes, &inducing);
        for ends in [&[100, 500][..], &[60, 200, 201, 400, 500]] {
            let fit = spread(&model, ends, classes, &inducing);
            let (got, want) = (fit.log_evidence(), all.log_evidence());
            assert!((got - want).abs() < 1e-6 * want.abs(), "{got} and {want}");
            let plain = fit.with_refinement(None);
            let difference = largest_difference(&probabilities(&plain), &probabilities(&all));
            assert!(difference < 1e-6, "{variance} {classes} {ends:?}: {difference:e}");
            let first: Vec<usize> = (0..ends[0]).collect();
            let (got, _) = plain.refined_leave_one_out(&first, Interrupt::default()).unwrap();
            let (want, _) = all.refined_leave_one_out(&first, Interrupt::default()).unwrap();
            assert!(
                largest_difference(got.probability.as_mat().as_slice(), want.probability.as_mat().as_slice()) < 1e-6
            );
        }
    }
}

#[test]
fn refinement_uses_the_rows_that_are_here() {
    let (inducing, model) = (inducing(), model(Likelihood::probit(), 4.0));
    // All but one row are here: refined predictions are nearly those of all rows in one place.
    let data = Arc::new(part(&(0..300).collect::<Vec<_>>(), 2));
    let refinement = Some(Refinement { neighbours: 12 });
    let all = model.infer_sparse(&data, &inducing, refinement, None, Interrupt::default()).unwrap();
    let near = spread(&model, &[299, 300], 2, &inducing);
    let few = spread(&model, &[40, 300], 2, &inducing);
    let (want, near, few) = (probabilities(&all), probabilities(&near), probabilities(&few));
    assert!(largest_difference(&near, &want) < 0.1, "{:e}", largest_difference(&near, &want));
    assert!(largest_difference(&few, &want) > largest_difference(&near, &want));
}

#[test]
fn any_number_of_threads_gives_the_same_bits_and_a_gradient_is_refused() {
    let (inducing, model) = (inducing(), model(Likelihood::robust(0.05).unwrap(), 4.0));
    let of = |threads: usize| with_threads(threads, || spread(&model, &[60, 200, 350], 2, &inducing));
    let (one, three) = (of(1), of(3));
    assert_eq!(one.log_evidence().to_bits(), three.log_evidence().to_bits());
    assert_eq!(probabilities(&one), probabilities(&three));
    assert!(one.is_beside_others());
    assert_eq!(one.evidence_gradient().unwrap_err(), ModelError::GradientElsewhere);
}

#[test]
fn a_shard_of_one_class_and_of_one_row_are_shards() {
    let (inducing, model) = (inducing(), model(Likelihood::probit(), 4.0));
    let positive: Vec<usize> = (0..400).filter(|&i| class(i, 2) == 1).collect();
    let negative: Vec<usize> = (0..400).filter(|&i| class(i, 2) == 0).collect();
    let here = Arc::new(part(&negative[..1], 2));
    let parts = vec![part(&positive, 2), part(&negative[1..], 2)];
    let held = Held { model: &model, inducing: &inducing, parts };
    let fit = model.infer_beside(&here, &inducing, None, &held, Interrupt::default()).unwrap();
    assert!(fit.report().outcome.converged(), "{:?}", fit.report());
    let all = together(&model, 400, 2, &inducing);
    assert!((fit.log_evidence() - all.log_evidence()).abs() < 1e-6 * all.log_evidence().abs());
    assert!(largest_difference(&probabilities(&fit), &probabilities(&all)) < 1e-6);
}

/// Shards as a cluster has them: tables that were never here, asked by bytes and numbers alone.
struct Cluster {
    parts: Vec<Vec<usize>>,
    classes: usize,
    encoder: Mutex<Vec<u8>>,
    failing: bool,
}

fn table(rows: &[usize]) -> Table {
    let numbers = |j: usize| rows.iter().map(|&i| wave(i, j)).collect();
    let colours = rows.iter().map(|&i| Some(["red", "green", "blue"][i % 3].to_owned())).collect();
    let columns = vec![
        Column::continuous("a", numbers(0)),
        Column::continuous("b", numbers(1)),
        Column::discrete("colour", colours),
    ];
    Table::new(columns).unwrap()
}

impl Elsewhere for Cluster {
    fn encoded_by(&self, encoder: &[u8]) -> Result<(), String> {
        *self.encoder.lock().unwrap() = encoder.to_vec();
        Ok(())
    }

    fn rows(&self) -> Vec<usize> {
        self.parts.iter().map(Vec::len).collect()
    }

    fn answers(&self, plan: &[u8], all: &SiteSums, own: &[SiteSums]) -> Result<Vec<ShardAnswer>, String> {
        if self.failing {
            return Err("the cluster has no workers".to_owned());
        }
        let encoder = self.encoder.lock().unwrap().clone();
        let one = |(rows, own): (&Vec<usize>, &SiteSums)| {
            let classes = rows.iter().map(|&i| Class::from(class(i, self.classes) as u16)).collect();
            let targets = Targets::new(classes, self.classes).unwrap();
            let rows = shard_rows(&encoder, &table(rows), targets, None).unwrap();
            let plan = ShardPlan::from_bytes(plan).unwrap();
            plan.step(&rows, &all.numbers(), &own.numbers()).map_err(|error| error.to_string())
        };
        self.parts.iter().zip(own).map(one).collect()
    }
}

fn fit(
    here: usize,
    cluster: Cluster,
    likelihood: LikelihoodFamily,
    exact: bool,
) -> Result<Classifier, ClassifierError> {
    let rows: Vec<usize> = (0..here).collect();
    let labels = LabelValues::text(rows.iter().map(|&i| format!("c{}", class(i, cluster.classes))));
    let many_rows = ManyRows { exact, inducing: Some(30), neighbours: Some(20) };
    let (kernel, likelihood) = (Some(KernelFamily::Matern32), Some(likelihood));
    let spec = Spec { fit: FitOptions { kernel, likelihood, many_rows, ..FitOptions::default() }, ..Spec::default() };
    let control = Control { elsewhere: Some(Arc::new(cluster)), ..Control::default() };
    Classifier::fit(table(&rows), &labels, None, &spec, &control)
}

fn cluster(ends: &[usize], classes: usize) -> Cluster {
    let parts = ends.windows(2).map(|ends| (ends[0]..ends[1]).collect()).collect();
    Cluster { parts, classes, encoder: Mutex::default(), failing: false }
}

#[test]
fn a_classifier_beside_shards_keeps_what_they_said_in_its_file() {
    for classes in [2, 3] {
        let fitted = fit(200, cluster(&[200, 500, 900], classes), LikelihoodFamily::Probit, false).unwrap();
        assert!(fitted.fitted().is_beside_others());
        let note = fitted.summary().fit_notes.iter().find(|note| note.kind == "elsewhere").expect("a note");
        assert!(note.text.contains("900 rows") && note.text.contains("200 are kept"), "{}", note.text);
        let new = table(&(2000..2040).collect::<Vec<_>>());
        let bytes = fitted.to_bytes();
        let reread = Classifier::from_bytes(&bytes).unwrap();
        assert_eq!(reread.predict(&new).unwrap().0, fitted.predict(&new).unwrap().0);
        assert_eq!(reread.fitted().log_evidence().to_bits(), fitted.fitted().log_evidence().to_bits());
        assert_eq!(reread.to_bytes(), bytes);
        // The rows elsewhere matter: without them the evidence is that of fewer labels.
        let alone = fit(200, cluster(&[200], classes), LikelihoodFamily::Probit, false).unwrap();
        assert!(alone.fitted().log_evidence() > fitted.fitted().log_evidence());
    }
}

#[test]
fn what_cannot_be_done_beside_shards_is_refused() {
    let of = |failing: bool, exact: bool| {
        let cluster = Cluster { failing, ..cluster(&[150, 300], 2) };
        fit(150, cluster, LikelihoodFamily::Probit, exact).unwrap_err()
    };
    assert_eq!(of(false, true), ClassifierError::Learn(LearnError::NotElsewhere));
    assert!(of(true, false).to_string().contains("the cluster has no workers"));
    assert!(ShardPlan::from_bytes(b"nothing").unwrap_err().to_string().contains("cannot be read"));
}
