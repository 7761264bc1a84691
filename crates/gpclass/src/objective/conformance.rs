//! Gradients of every objective against differences of its value, over every likelihood and kinds of kernel.

use super::*;
use crate::data::{Inputs, Sign};
use crate::inference::ep::{EpOptions, Schedule};
use crate::inference::{LaplaceOptions, LeastSquaresOptions, LeaveOneOutError, Method};
use crate::kernel::{Kernel, Scales};
use crate::likelihood::Likelihood;
use crate::model::{Model, TrainingData};
use crate::param::Param;
use crate::posterior::Sites;
use gpclass_linalg::Mat;
use std::sync::Arc;

const CRITERIA: [Criterion; 4] =
    [Criterion::Nlp, Criterion::FMeasure { zeta: 0.4 }, Criterion::WeightedError { tau: 0.3 }, Criterion::Auc];

/// Every objective. Without a wildcard below: a new one does not compile without a place here.
pub(super) fn objectives() -> Vec<Objective> {
    let modes = [LooGradient::Exact, LooGradient::FixedSites];
    let loo =
        modes.into_iter().flat_map(|gradient| CRITERIA.map(|criterion| Objective::LeaveOneOut { criterion, gradient }));
    [Objective::Evidence].into_iter().chain(loo).collect()
}

/// A number for each kind of objective, counting up without gaps.
fn kind(objective: &Objective) -> usize {
    match objective {
        Objective::Evidence => 0,
        Objective::LeaveOneOut { criterion, gradient } => {
            let criterion = match criterion {
                Criterion::Nlp => 0,
                Criterion::FMeasure { .. } => 1,
                Criterion::WeightedError { .. } => 2,
                Criterion::Auc => 3,
            };
            1 + criterion
                + match gradient {
                    LooGradient::Exact => 0,
                    LooGradient::FixedSites => 4,
                }
        }
    }
}

#[test]
fn every_objective_has_a_case() {
    let mut kinds: Vec<usize> = objectives().iter().map(kind).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, (0..9).collect::<Vec<_>>());
}

/// Pseudo-random numbers in (-1, 1).
fn noise_at(k: usize) -> f64 {
    let mut h = (k as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    h = (h ^ (h >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    h = (h ^ (h >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((h ^ (h >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

/// Rows of two features whose sum decides the label, with a little noise; every seventh label is flipped.
fn rows(n: usize) -> (Mat, Vec<Sign>) {
    let x = Mat::from_fn(n, 2, |i, j| 1.8 * noise_at(17 * i + j));
    let label = |i: usize| {
        let margin = x[(i, 0)] + 0.6 * x[(i, 1)] + 0.4 * noise_at(5000 + i);
        let clean = if margin > 0.0 { Sign::Positive } else { Sign::Negative };
        if i % 7 == 3 { clean.flipped() } else { clean }
    };
    let labels = (0..n).map(label).collect();
    (x, labels)
}

pub(super) fn data(n: usize, weights: Option<Vec<f64>>) -> Arc<TrainingData> {
    let (x, labels) = rows(n);
    Arc::new(TrainingData::weighted(Inputs::continuous(x), labels, weights).unwrap())
}

pub(super) fn kernels() -> Vec<Kernel> {
    vec![
        Kernel::squared_exponential(1.4, Scales::Ard(vec![0.9, 0.3])) + Kernel::bias(0.5) + Kernel::noise(0.3),
        Kernel::linear(Scales::Ard(vec![0.8, 0.4])) + Kernel::bias(0.3) + Kernel::noise(0.2),
        Kernel::matern32(1.1, Scales::Single(0.6)) + Kernel::noise(0.4),
    ]
}

pub(super) fn likelihoods() -> Vec<Likelihood> {
    vec![
        Likelihood::step(0.08).unwrap(),
        Likelihood::probit(),
        Likelihood::probit_bias(-0.3).unwrap(),
        Likelihood::probit_noise(0.6).unwrap(),
        Likelihood::full(0.05, 0.2, 0.5).unwrap(),
        Likelihood::logistic(),
    ]
}

pub(super) fn tight() -> Method {
    Method::Ep(EpOptions { tolerance: 1e-11, ..EpOptions::default() })
}

/// A function of the hyperparameters differentiated by the fourth-order difference along each transformed coordinate,
/// for several functions at once.
pub(super) fn differences(model: &Model, values: impl Fn(&Model) -> Vec<f64>) -> Vec<Gradient> {
    const STEP: f64 = 2e-3;
    let (kernel, likelihood) = (model.kernel.params(), model.likelihood.params());
    let moved = |index: usize, step: f64| {
        let mut model = model.clone();
        if index < kernel.len() {
            let value = |(i, v): (usize, f64)| if i == index { v * step.exp() } else { v };
            let all: Vec<f64> = kernel.iter().map(|p| p.value).enumerate().map(value).collect();
            model.kernel.set_values(&all);
        } else {
            let along = |p: &Param| p.transform().inverse(p.transform().forward(p.value) + step);
            let value = |(i, p): (usize, &Param)| if i + kernel.len() == index { along(p) } else { p.value };
            let all: Vec<f64> = likelihood.iter().enumerate().map(value).collect();
            model.likelihood.set_values(&all);
        }
        values(&model)
    };
    let mut gradients: Vec<Gradient> =
        values(model).iter().map(|_| Gradient { kernel: Vec::new(), likelihood: Vec::new() }).collect();
    for index in 0..kernel.len() + likelihood.len() {
        let at = [-2.0, -1.0, 1.0, 2.0].map(|k| moved(index, k * STEP));
        for (f, gradient) in gradients.iter_mut().enumerate() {
            let slope = (8.0 * (at[2][f] - at[1][f]) - (at[3][f] - at[0][f])) / (12.0 * STEP);
            match index.checked_sub(kernel.len()).map(|i| &likelihood[i]) {
                None => gradient.kernel.push(slope),
                Some(param) => gradient.likelihood.push(slope / param.transform().slope(param.value)),
            }
        }
    }
    gradients
}

pub(super) fn distance(a: &Gradient, b: &Gradient) -> f64 {
    assert_eq!((a.kernel.len(), a.likelihood.len()), (b.kernel.len(), b.likelihood.len()));
    let pairs = a.kernel.iter().zip(&b.kernel).chain(a.likelihood.iter().zip(&b.likelihood));
    pairs.map(|(a, b)| if a.is_nan() || b.is_nan() { f64::INFINITY } else { (a - b).abs() }).fold(0.0, f64::max)
}

/// The value's differences: for the fixed-site gradient those at the sites of `fit`, elsewhere those of new fits.
fn check_all(model: &Model, data: &Arc<TrainingData>, tolerance: f64) {
    let fit = model.infer(data, None).unwrap();
    assert!(fit.report().outcome.converged(), "{:?}", fit.report());
    let start = fit.start();
    let sites: &Sites = fit.binary().unwrap().posterior.sites();
    let held = |o: &Objective| matches!(o, Objective::LeaveOneOut { gradient: LooGradient::FixedSites, .. });
    let (fixed, free): (Vec<Objective>, Vec<Objective>) = objectives().into_iter().partition(held);
    let refitted = differences(model, |m| {
        let fit = m.infer(data, Some(&start)).unwrap();
        free.iter().map(|o| o.value(&fit).unwrap()).collect()
    });
    let at_sites = differences(model, |m| {
        let fit = m.at_sites(data, sites).unwrap();
        fixed.iter().map(|o| o.value(&fit).unwrap()).collect()
    });
    for (objective, want) in free.iter().zip(refitted).chain(fixed.iter().zip(at_sites)) {
        let got = objective.gradient(&fit).unwrap();
        let error = distance(&got, &want);
        let what = (model.method.name(), model.likelihood.name(), model.kernel.describe());
        assert!(error < tolerance, "{objective:?} {what:?}: off by {error:e}\n{got:?}\n{want:?}");
    }
}

#[test]
fn gradients_under_ep_are_derivatives() {
    let data = data(20, None);
    for kernel in kernels() {
        for likelihood in likelihoods() {
            check_all(&Model { method: tight(), ..Model::new(kernel.clone(), likelihood) }, &data, 1e-6);
        }
    }
}

#[test]
fn gradients_under_laplace_and_least_squares_are_derivatives() {
    let data = data(20, Some((0..20).map(|i| [1.0, 2.0, 0.5, 0.0, 3.5][i % 5]).collect()));
    let laplace = Method::Laplace(LaplaceOptions { tolerance: 1e-13, ..LaplaceOptions::default() });
    let squares = Method::LeastSquares(LeastSquaresOptions { noise: 0.3 });
    for kernel in kernels() {
        for likelihood in likelihoods() {
            if likelihood.smooth().is_ok() {
                let model = Model { method: laplace.clone(), ..Model::new(kernel.clone(), likelihood.clone()) };
                check_all(&model, &data, 1e-6);
            }
            check_all(&Model { method: squares.clone(), ..Model::new(kernel.clone(), likelihood) }, &data, 1e-6);
        }
    }
}

#[test]
fn gradients_with_weighted_rows_are_derivatives() {
    let data = data(12, Some((0..12).map(|i| [1.0, 2.0, 0.5, 0.0, 3.5][i % 5]).collect()));
    for likelihood in likelihoods() {
        check_all(&Model { method: tight(), ..Model::new(kernels().remove(0), likelihood) }, &data, 1e-6);
    }
}

#[test]
fn the_fixed_site_gradient_is_another_one() {
    let data = data(20, None);
    for likelihood in likelihoods() {
        let fit = Model { method: tight(), ..Model::new(kernels().remove(0), likelihood) }.infer(&data, None).unwrap();
        for criterion in CRITERIA {
            let [exact, fixed] = [LooGradient::Exact, LooGradient::FixedSites]
                .map(|gradient| Objective::LeaveOneOut { criterion, gradient }.gradient(&fit).unwrap());
            let size = exact.kernel.iter().fold(0.0_f64, |m, g| m.max(g.abs()));
            assert!(distance(&exact, &fixed) > 0.02 * size, "{criterion:?}: {exact:?} {fixed:?}");
        }
    }
}

#[test]
fn a_whole_weight_is_a_repeated_row() {
    let (x, labels) = rows(12);
    let copies: Vec<usize> = (0..12).map(|i| [1, 2, 1, 3][i % 4]).collect();
    let repeat: Vec<usize> = (0..12).flat_map(|i| vec![i; copies[i]]).collect();
    let weights = copies.iter().map(|&c| c as f64).collect();
    let weighted =
        Arc::new(TrainingData::weighted(Inputs::continuous(x.clone()), labels.clone(), Some(weights)).unwrap());
    let labels: Vec<Sign> = repeat.iter().map(|&i| labels[i]).collect();
    let repeated = Arc::new(TrainingData::new(Inputs::continuous(x.select_rows(&repeat)), labels).unwrap());
    // Noise in the covariance would be drawn for each repetition separately: leave it out.
    let kernel = Kernel::squared_exponential(1.4, Scales::Ard(vec![0.9, 0.3])) + Kernel::bias(0.5);
    for likelihood in likelihoods().into_iter().filter(|l| l.name() != "step") {
        let model = Model { method: tight(), ..Model::new(kernel.clone(), likelihood) };
        let [a, b] = [&weighted, &repeated].map(|data| model.infer(data, None).unwrap());
        for objective in objectives() {
            let (va, vb) = (objective.value(&a).unwrap(), objective.value(&b).unwrap());
            assert!((va - vb).abs() < 1e-9 * (1.0 + va.abs()), "{objective:?}: {va} {vb}");
            let error = distance(&objective.gradient(&a).unwrap(), &objective.gradient(&b).unwrap());
            assert!(error < 1e-7, "{objective:?} {}: off by {error:e}", model.likelihood.name());
        }
    }
}

#[test]
fn negative_sites_take_part() {
    let data = data(24, None);
    let kernel = Kernel::squared_exponential(2.0, Scales::Single(0.5)) + Kernel::bias(0.2);
    let model = Model { method: tight(), ..Model::new(kernel, Likelihood::full(0.05, 0.1, 0.3).unwrap()) };
    let fit = model.infer(&data, None).unwrap();
    assert!(fit.report().negative_sites > 0);
    check_all(&model, &data, 1e-6);
}

#[test]
fn a_row_of_weight_zero_changes_nothing() {
    let all = data(20, Some((0..20).map(|i| f64::from(i != 4)).collect()));
    let keep: Vec<usize> = (0..20).filter(|&i| i != 4).collect();
    let labels = keep.iter().map(|&i| all.signs()[i]).collect::<Vec<Sign>>();
    let without = Arc::new(TrainingData::new(all.inputs().select_rows(&keep), labels).unwrap());
    let model = Model { method: tight(), ..Model::new(kernels().remove(0), likelihoods().remove(4)) };
    let [a, b] = [&all, &without].map(|data| model.infer(data, None).unwrap());
    for objective in objectives() {
        assert!((objective.value(&a).unwrap() - objective.value(&b).unwrap()).abs() < 1e-9);
        assert!(distance(&objective.gradient(&a).unwrap(), &objective.gradient(&b).unwrap()) < 1e-8);
    }
}

#[test]
fn strong_sites_and_weak_ones_keep_their_digits() {
    // Large prior variances make sites of every strength; a far row of its own class has next to none.
    let (x, labels) = rows(20);
    let x = Mat::from_fn(20, 2, |i, j| if i == 0 { 30.0 * labels[0].sign() } else { x[(i, j)] });
    let data = Arc::new(TrainingData::new(Inputs::continuous(x), labels).unwrap());
    let kernel = Kernel::linear(Scales::Single(4.0))
        + Kernel::squared_exponential(60.0, Scales::Single(0.5))
        + Kernel::noise(1e-3);
    let model = Model { method: tight(), ..Model::new(kernel, Likelihood::probit_bias(0.1).unwrap()) };
    check_all(&model, &data, 1e-6);
}

#[test]
fn what_has_no_fixed_point_has_no_exact_gradient() {
    let data = data(15, None);
    let one_pass = Method::Ep(EpOptions { schedule: Schedule::OnePass, ..EpOptions::default() });
    let mut model = Model { method: one_pass, ..Model::new(kernels().remove(0), Likelihood::probit()) };
    let nlp = Objective::leave_one_out(Criterion::Nlp);
    let fit = model.infer(&data, None).unwrap();
    assert!(matches!(nlp.gradient(&fit), Err(ObjectiveError::LeaveOneOut(LeaveOneOutError::NoFixedPoint { .. }))));
    model.method = tight();
    let held = model.at_sites(&data, fit.binary().unwrap().posterior.sites()).unwrap();
    assert!(matches!(nlp.gradient(&held), Err(ObjectiveError::LeaveOneOut(LeaveOneOutError::NoFixedPoint { .. }))));
    let fixed = Objective::LeaveOneOut { criterion: Criterion::Nlp, gradient: LooGradient::FixedSites };
    assert!(fixed.gradient(&held).is_ok());
}

#[test]
fn the_posterior_at_the_sites_of_a_fit_is_that_fit() {
    let data = data(20, None);
    for method in
        [tight(), Method::Laplace(LaplaceOptions::default()), Method::LeastSquares(LeastSquaresOptions::default())]
    {
        let model = Model { method, ..Model::new(kernels().remove(0), Likelihood::probit()) };
        let fit = model.infer(&data, None).unwrap();
        let again = model.at_sites(&data, fit.binary().unwrap().posterior.sites()).unwrap();
        assert!((fit.log_evidence() - again.log_evidence()).abs() < 1e-10);
        for (a, b) in fit.binary().unwrap().cavities.iter().zip(&again.binary().unwrap().cavities) {
            assert!((a.mean - b.mean).abs() < 1e-9 && (a.var - b.var).abs() < 1e-9);
        }
    }
}

#[test]
fn no_derivative_is_infinite_where_the_label_error_is_zero() {
    let model = Model { method: tight(), ..Model::new(kernels().remove(0), Likelihood::full(0.0, 0.3, 0.01).unwrap()) };
    let fit = model.infer(&data(20, None), None).unwrap();
    for objective in objectives() {
        let gradient = objective.gradient(&fit).unwrap();
        let eps = &model.likelihood.params()[0];
        assert!((gradient.likelihood[0] * eps.transform().slope(eps.value)).is_finite(), "{objective:?} {gradient:?}");
    }
}
