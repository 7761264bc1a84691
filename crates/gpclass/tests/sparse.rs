//! Inducing rows and local refinement against exact inference, differences and themselves.

use gpclass::data::{Class, Inputs, Sign, Targets};
use gpclass::inference::ep::EpOptions;
use gpclass::inference::{InferenceError, LaplaceOptions, Method, Observations};
use gpclass::interrupt::Interrupt;
use gpclass::kernel::{Kernel, Scales};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::{Mat, with_threads};
use gpclass::model::{FittedModel, Model, ModelError, Multiclass, Refinement, TrainingData};
use gpclass::prior::{Inducing, Prior, Storage, choose_inducing};
use std::sync::Arc;

fn wave(i: usize, j: usize) -> f64 {
    2.0 * ((i * (7 * j + 5) + 3 * j) as f64 * 0.7391 + (i * i) as f64 * 0.013).sin()
}

fn rows(n: usize, d: usize) -> Inputs {
    Inputs::continuous(Mat::from_fn(n, d, wave))
}

/// Labels by a curved border, every ninth of them wrong.
fn labels(inputs: &Inputs) -> Vec<Sign> {
    let x = inputs.values();
    (0..inputs.rows())
        .map(|i| {
            let side = x[(i, 0)] + x[(i, 1)] * x[(i, 1)] - 1.5 > 0.0;
            if side != (i % 9 == 4) { Sign::Positive } else { Sign::Negative }
        })
        .collect()
}

fn data(n: usize, d: usize) -> Arc<TrainingData> {
    let inputs = rows(n, d);
    let labels = labels(&inputs);
    Arc::new(TrainingData::new(inputs, labels).unwrap())
}

fn model(kernel: Kernel, likelihood: Likelihood) -> Model {
    let method = Method::Ep(EpOptions { tolerance: 1e-10, ..EpOptions::default() });
    Model { kernel, likelihood, method, multiclass: Multiclass::Auto }
}

fn smooth() -> Kernel {
    Kernel::matern32(4.0, Scales::Ard(vec![0.7, 0.4])) + Kernel::bias(0.5)
}

fn every(data: &TrainingData, step: usize, jitter: f64) -> Inducing {
    let which: Vec<usize> = (0..data.rows()).step_by(step).collect();
    Inducing::new(data.inputs().select_rows(&which), jitter)
}

fn sparse(model: &Model, data: &Arc<TrainingData>, inducing: &Inducing, neighbours: Option<usize>) -> FittedModel {
    let refinement = neighbours.map(|neighbours| Refinement { neighbours });
    let fit = model.infer_sparse(data, inducing, refinement, None, Interrupt::default()).unwrap();
    assert!(fit.report().outcome.converged(), "{:?}", fit.report());
    fit
}

fn positive(fit: &FittedModel, test: &Inputs) -> Vec<f64> {
    fit.predict(test).unwrap().probability.of_class(Class::POSITIVE).to_vec()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0, |m, (a, b)| m.max((a - b).abs()))
}

#[test]
fn all_rows_as_inducing_rows_are_exact() {
    let (data, test) = (data(60, 2), rows(80, 2));
    for likelihood in [Likelihood::probit(), Likelihood::robust(0.05).unwrap()] {
        let model = model(smooth() + Kernel::noise(0.2), likelihood);
        let dense = model.infer(&data, None).unwrap();
        let all = sparse(&model, &data, &every(&data, 1, 1e-10), None);
        assert!((all.log_evidence() - dense.log_evidence()).abs() < 1e-7);
        assert!(largest_difference(&positive(&all, &test), &positive(&dense, &test)) < 1e-7);
        assert!(largest_difference(&all.label_error(), &dense.label_error()) < 1e-7);
        let (a, b) = (all.leave_one_out_log_probability(), dense.leave_one_out_log_probability());
        assert!(largest_difference(&a, &b) < 1e-6);
        let (a, b) = (all.evidence_gradient().unwrap(), dense.evidence_gradient().unwrap());
        assert!(largest_difference(&a.kernel, &b.kernel) < 1e-5);
        assert!(largest_difference(&a.likelihood, &b.likelihood) < 1e-5);
    }
}

#[test]
fn all_rows_as_neighbours_are_exact() {
    let (data, test) = (data(45, 2), rows(52, 2));
    for likelihood in [Likelihood::probit(), Likelihood::robust(0.05).unwrap()] {
        let model = model(smooth() + Kernel::noise(0.1), likelihood);
        let dense = model.infer(&data, None).unwrap();
        let refined = sparse(&model, &data, &every(&data, 6, 1e-8), Some(45));
        assert!(largest_difference(&positive(&refined, &test), &positive(&dense, &test)) < 1e-8);
        let unrefined = refined.with_refinement(None);
        assert!(largest_difference(&positive(&unrefined, &test), &positive(&dense, &test)) > 1e-3);

        // Left out: the posterior of all others, found again.
        let which = [0, 13, 31, 40];
        let (left_out, unsettled) = refined.refined_leave_one_out(&which, Interrupt::default()).unwrap();
        assert_eq!(unsettled, 0);
        let wrong = refined.refined_label_error(&which, Interrupt::default()).unwrap();
        for (at, &row) in which.iter().enumerate() {
            let others: Vec<usize> = (0..45).filter(|&i| i != row).collect();
            let signs: Vec<Sign> = others.iter().map(|&i| data.signs()[i]).collect();
            let rest = Arc::new(TrainingData::new(data.inputs().select_rows(&others), signs).unwrap());
            let again = model.infer(&rest, None).unwrap().predict(&data.inputs().select_rows(&[row])).unwrap();
            assert!((left_out.probability(at, Class::POSITIVE) - again.probability(0, Class::POSITIVE)).abs() < 1e-8);
            let flipped = model.likelihood.flip_probability(data.signs()[row], again.latent(0, 0));
            assert!((wrong[at] - flipped).abs() < 1e-8);
        }
    }
}

#[test]
fn all_rows_are_left_out_one_by_one() {
    let data = data(90, 2);
    for likelihood in [Likelihood::probit(), Likelihood::robust(0.05).unwrap()] {
        let model = model(smooth() + Kernel::noise(0.1), likelihood);
        let dense = model.infer(&data, None).unwrap();
        // With as many neighbours as there are rows each is refitted to all others, of which cavities are a foretaste.
        let whole = sparse(&model, &data, &every(&data, 9, 1e-8), Some(90));
        let (refined, unsettled) = whole.clone().with_refined_left_out(&|_, _| {}, Interrupt::default()).unwrap();
        assert_eq!(unsettled, 0);
        let logs = FittedModel::leave_one_out_log_probability;
        let (alone, _) = whole.refined_leave_one_out(&(0..90).collect::<Vec<_>>(), Interrupt::default()).unwrap();
        let of_label = |i: usize| alone.log_probability[(i, data.labels()[i].position())];
        assert_eq!(logs(&refined), (0..90).map(of_label).collect::<Vec<f64>>());
        assert!(largest_difference(&logs(&whole), &logs(&dense)) > 1e-2);
        assert_eq!(positive(&refined, &rows(20, 2)), positive(&whole, &rows(20, 2)));
        // Fewer come close, and what is kept is what was found.
        let (some, _) = sparse(&model, &data, &every(&data, 9, 1e-8), Some(20))
            .with_refined_left_out(&|_, _| {}, Interrupt::default())
            .unwrap();
        let mean = |fit: &FittedModel| {
            logs(fit).iter().zip(logs(&dense)).map(|(a, b)| (a.exp() - b.exp()).abs()).sum::<f64>() / 90.0
        };
        for fit in [&refined, &some] {
            assert!(mean(fit) < 0.4 * mean(&whole), "{} {}", mean(fit), mean(&whole));
        }
        let again = model.restore(&data, some.keep());
        // Inducing rows that are no training rows are kept with their numbers.
        assert_eq!(logs(&again.unwrap()), logs(&some));
    }
}

/// Where there is no posterior of all rows yet: the nearest rows alone, which with all rows is exact.
#[test]
fn rows_left_out_locally_are_exact_with_all_others_as_neighbours() {
    let data = data(45, 2);
    let model = model(smooth() + Kernel::noise(0.1), Likelihood::robust(0.05).unwrap());
    let which = [0, 13, 31];
    let local = model.locally_left_out(&data, &which, 44, Interrupt::default()).unwrap();
    let all = sparse(&model, &data, &every(&data, 6, 1e-8), Some(45));
    let (refined, _) = all.refined_leave_one_out(&which, Interrupt::default()).unwrap();
    assert!(largest_difference(local.log_probability.as_slice(), refined.log_probability.as_slice()) < 1e-7);
    let few = model.locally_left_out(&data, &which, 5, Interrupt::default()).unwrap();
    assert!(largest_difference(few.log_probability.as_slice(), local.log_probability.as_slice()) > 1e-3);
}

#[test]
fn the_gradient_is_that_of_differences_with_negative_sites_and_all_kinds_of_terms() {
    let data = data(70, 2);
    let product = Kernel::matern52(1.5, Scales::Single(0.3)) * Kernel::linear(Scales::Ard(vec![0.4, 0.6]));
    let kernel = Kernel::rational_quadratic(3.0, 1.3, Scales::Ard(vec![0.8, 0.3]))
        + product
        + Kernel::additive(Scales::Ard(vec![0.9, 0.5]), 0.8)
        + Kernel::bias(0.4)
        + Kernel::noise(0.15);
    // A jitter as large as this shows in the derivatives.
    let inducing = every(&data, 7, 1e-2);
    let at = |kernel: &Kernel, likelihood: &Likelihood| {
        sparse(&model(kernel.clone(), likelihood.clone()), &data, &inducing, None)
    };
    let likelihood = Likelihood::full(0.04, 0.2, 0.9).unwrap();
    let fit = at(&kernel, &likelihood);
    assert!(fit.report().negative_sites > 0, "no site is negative");
    let gradient = fit.evidence_gradient().unwrap();
    let step = 1e-5;
    for (i, param) in kernel.params().iter().enumerate() {
        let moved = |sign: f64| {
            let mut kernel = kernel.clone();
            kernel.set_value(&param.name, param.value * (sign * step).exp()).unwrap();
            at(&kernel, &likelihood).log_evidence()
        };
        let slope = (moved(1.0) - moved(-1.0)) / (2.0 * step);
        assert!((gradient.kernel[i] - slope).abs() < 2e-6, "{}: {} and {slope}", param.name, gradient.kernel[i]);
    }
    let values: Vec<f64> = likelihood.params().iter().map(|p| p.value).collect();
    for (i, param) in likelihood.params().iter().enumerate() {
        let moved = |sign: f64| {
            let (mut likelihood, mut values) = (likelihood.clone(), values.clone());
            values[i] += sign * step;
            likelihood.set_values(&values);
            at(&kernel, &likelihood).log_evidence()
        };
        let slope = (moved(1.0) - moved(-1.0)) / (2.0 * step);
        assert!(
            (gradient.likelihood[i] - slope).abs() < 2e-5,
            "{}: {} and {slope}",
            param.name,
            gradient.likelihood[i]
        );
    }
}

#[test]
fn kept_and_streamed_projections_and_any_number_of_threads_give_the_same_bits() {
    let data = data(1100, 2);
    let (kernel, likelihood) = (smooth(), Likelihood::robust(0.03).unwrap());
    let inducing = every(&data, 28, 1e-8);
    let numbers = |storage: Storage, threads: usize| {
        with_threads(threads, || {
            let prior = Prior::sparse(&kernel, data.inputs(), &inducing, storage, Interrupt::default()).unwrap();
            let observations = Observations::new(data.signs(), &likelihood);
            let method = Method::default();
            let found = method.infer(prior.clone(), &observations, None, Interrupt::default()).unwrap();
            assert!(found.report.outcome.converged());
            let sensitivity = method.evidence_sensitivity(&observations, &found).unwrap();
            let gradient = prior.pull_back(&kernel, data.inputs(), &sensitivity.adjoint);
            let model = Model::new(kernel.clone(), likelihood.clone());
            let fit = model
                .infer_sparse(&data, &inducing, Some(Refinement { neighbours: 20 }), None, Interrupt::default())
                .unwrap();
            (found.log_z, found.posterior.sites().clone(), gradient, positive(&fit, &rows(70, 2)))
        })
    };
    let one = numbers(Storage::Kept, 1);
    assert_eq!(one, numbers(Storage::Kept, 3));
    assert_eq!(one, numbers(Storage::Streamed, 2));
}

#[test]
fn refinement_comes_closer_to_exact_inference() {
    let (data, test) = (data(400, 2), rows(460, 2));
    let kernel = Kernel::matern32(6.0, Scales::Ard(vec![4.0, 4.0]));
    let model = model(kernel.clone(), Likelihood::probit());
    let dense = positive(&model.infer(&data, None).unwrap(), &test);
    let chosen = choose_inducing(&kernel, data.inputs(), 40, Interrupt::default()).unwrap();
    assert_eq!(chosen.len(), 40);
    let inducing = Inducing::of_training(data.inputs(), chosen);
    let mean_error = |neighbours: Option<usize>| {
        let p = positive(&sparse(&model, &data, &inducing, neighbours), &test);
        p.iter().zip(&dense).map(|(a, b)| (a - b).abs()).sum::<f64>() / p.len() as f64
    };
    let (global, few, many) = (mean_error(None), mean_error(Some(20)), mean_error(Some(80)));
    assert!(few < 0.5 * global && many < 0.5 * few, "{global} {few} {many}");
}

#[test]
fn several_classes_stand_each_against_the_rest() {
    let inputs = rows(80, 2);
    let x = inputs.values().clone();
    let all: Vec<Class> = Class::first(3).collect();
    let class = |i: usize| all[if x[(i, 0)] > 0.8 { 2 } else { usize::from(x[(i, 1)] > 0.0) }];
    let targets = Targets::new((0..80).map(class).collect(), 3).unwrap();
    let data = Arc::new(TrainingData::new(inputs, targets).unwrap());
    let model = model(smooth(), Likelihood::probit());
    let inducing = every(&data, 1, 1e-10);
    let fit = sparse(&model, &data, &inducing, Some(80));
    let rest = Model { multiclass: Multiclass::OneVsRest, ..model.clone() }.infer(&data, None).unwrap();
    let test = rows(95, 2);
    let (a, b) = (fit.predict(&test).unwrap(), rest.predict(&test).unwrap());
    assert!(largest_difference(a.log_probability.as_slice(), b.log_probability.as_slice()) < 1e-6);
    assert!((fit.log_evidence() - rest.log_evidence()).abs() < 1e-6);
    let (a, b) = (fit.evidence_gradient().unwrap(), rest.evidence_gradient().unwrap());
    assert!(largest_difference(&a.kernel, &b.kernel) < 1e-5);

    let joint = Model { multiclass: Multiclass::Joint, ..model };
    let refused = joint.infer_sparse(&data, &inducing, None, None, Interrupt::default()).unwrap_err();
    assert_eq!(refused, ModelError::JointSparse);
}

#[test]
fn odd_inducing_rows_are_used_or_refused() {
    let data = data(50, 2);
    let model = model(smooth(), Likelihood::probit());
    let with = |rows: Inputs, jitter: f64| {
        let inducing = Inducing::new(rows, jitter);
        model.infer_sparse(&data, &inducing, None, None, Interrupt::default())
    };
    // Copies among them, and more of them than rows, say nothing new.
    let few: Vec<usize> = (0..50).step_by(5).collect();
    let copies: Vec<usize> = few.iter().chain(&few).copied().collect();
    let (once, twice) = (with(data.inputs().select_rows(&few), 1e-8), with(data.inputs().select_rows(&copies), 1e-8));
    assert!((once.unwrap().log_evidence() - twice.unwrap().log_evidence()).abs() < 1e-5);
    let more: Vec<usize> = (0..50).chain(0..50).collect();
    let exact = model.infer(&data, None).unwrap().log_evidence();
    assert!((with(data.inputs().select_rows(&more), 1e-9).unwrap().log_evidence() - exact).abs() < 1e-5);

    assert_eq!(with(data.inputs().select_rows(&[]), 1e-8).unwrap_err(), ModelError::NoInducing);
    assert_eq!(with(data.inputs().select_rows(&[0]), -1.0).unwrap_err(), ModelError::Jitter(-1.0));
    assert_eq!(with(rows(4, 3), 1e-8).unwrap_err(), ModelError::Features { given: 3, trained: 2 });
    let laplace = Model { method: Method::Laplace(LaplaceOptions::default()), ..model.clone() };
    let refused = laplace.infer_sparse(&data, &every(&data, 5, 1e-8), None, None, Interrupt::default()).unwrap_err();
    assert_eq!(refused, ModelError::Inference(InferenceError::NotSparse { method: "laplace" }));
}
