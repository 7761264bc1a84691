//! The gradient of the log evidence against finite differences of the evidence found anew.

#[path = "support/fixtures.rs"]
mod fixtures;

use fixtures::{
    allowed, curved, ep, infer, label, likelihoods, normals, settling_methods, smooth_kernel, title, training, weighted,
};
use gpclass::data::{Feature, FeatureKind, Inputs};
use gpclass::inference::Method;
use gpclass::inference::ep::Schedule;
use gpclass::kernel::{Kernel, Profile, Scales};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::{FittedModel, Model, TrainingData};
use std::sync::Arc;

const STEP: f64 = 2e-3;

/// The central difference of fourth order.
fn difference(log_z: impl Fn(f64) -> f64) -> f64 {
    (8.0 * (log_z(STEP) - log_z(-STEP)) - (log_z(2.0 * STEP) - log_z(-2.0 * STEP))) / (12.0 * STEP)
}

fn moved(model: &Model, data: &Arc<TrainingData>, change: impl Fn(&mut Model)) -> f64 {
    let mut model = model.clone();
    change(&mut model);
    model.infer(data, None).expect("a posterior").log_evidence()
}

fn check(context: &str, fit: &FittedModel) {
    assert!(fit.report().outcome.converged(), "{context}: {:?}", fit.report());
    let (model, data) = (fit.model(), fit.data());
    let gradient = fit.evidence_gradient().expect("a gradient");
    let kernel = |i: usize, h: f64| {
        moved(model, data, |m| {
            let mut values: Vec<f64> = m.kernel.params().iter().map(|p| p.value).collect();
            values[i] *= h.exp();
            m.kernel.set_values(&values);
        })
    };
    let likelihood = |i: usize, h: f64| {
        moved(model, data, |m| {
            let mut values: Vec<f64> = m.likelihood.params().iter().map(|p| p.value).collect();
            values[i] += h;
            m.likelihood.set_values(&values);
        })
    };
    let close = |name: &str, got: f64, want: f64| {
        let off = (got - want).abs();
        assert!(
            off <= 1e-6 * want.abs().max(0.01),
            "{context}, {name}: {got}, by differences {want}, off by {off:.1e}"
        );
    };
    for (i, param) in model.kernel.params().iter().enumerate() {
        close(&param.name, gradient.kernel[i], difference(|h| kernel(i, h)));
    }
    for (i, param) in model.likelihood.params().iter().enumerate() {
        close(&param.name, gradient.likelihood[i], difference(|h| likelihood(i, h)));
    }
}

/// One kernel around each kind of leaf, alone or in a sum or product. The matches are exhaustive: a new leaf or profile
/// has to be given its place in the chain.
fn kernels() -> Vec<Kernel> {
    let ard = || Scales::Ard(vec![0.8, 0.3, 0.6]);
    let after = |kernel: &Kernel| match kernel {
        Kernel::Stationary(leaf) => Some(match leaf.profile() {
            Profile::SquaredExponential => Kernel::matern12(1.1, ard()),
            Profile::Matern12 => Kernel::matern32(1.2, Scales::Single(0.5)),
            Profile::Matern32 => Kernel::matern52(1.3, ard()),
            Profile::Matern52 => Kernel::rational_quadratic(1.5, 0.7, ard()),
            Profile::RationalQuadratic { .. } => Kernel::l1_product(1.4, ard()),
        }),
        Kernel::L1Product(_) => Some(Kernel::additive(ard(), 0.9)),
        Kernel::Additive(_) => Some(Kernel::linear(ard())),
        Kernel::Linear(_) => Some(Kernel::bias(0.9)),
        Kernel::Bias(_) => Some(Kernel::noise(0.8)),
        Kernel::Noise(_) => Some(smooth_kernel() + Kernel::noise(0.3)),
        Kernel::Sum(_) => Some(Kernel::linear(Scales::Single(0.7)) * smooth_kernel()),
        // Kernels of single classes are for several classes: tests/multiclass_models.rs.
        Kernel::Product(_) | Kernel::PerClass(_) => None,
    };
    std::iter::successors(Some(Kernel::squared_exponential(1.6, ard())), after).collect()
}

/// Two continuous features and a discrete one of three levels.
fn mixed(rows: usize) -> Arc<TrainingData> {
    let x = normals(31, rows, 2);
    let y = curved(&x, 6);
    let level = |i: usize, j: usize| if i % 3 == j - 2 { 0.5_f64.sqrt() } else { 0.0 };
    let values = Mat::from_fn(rows, 5, |i, j| if j < 2 { x[(i, j)] } else { level(i, j) });
    let feature = |name: &str, kind, columns| Feature { name: name.to_owned(), kind, columns };
    let features = vec![
        feature("x1", FeatureKind::Continuous, 0..1),
        feature("x2", FeatureKind::Continuous, 1..2),
        feature("x3", FeatureKind::Discrete, 2..5),
    ];
    Arc::new(TrainingData::new(Inputs::new(features, values), y).expect("valid"))
}

#[test]
fn of_every_kernel_under_every_method() {
    let data = mixed(18);
    for kernel in kernels() {
        for method in settling_methods() {
            let fit = infer(&kernel, &Likelihood::probit(), &method, &data);
            check(&format!("{}, {}", kernel.describe(), title(&method)), &fit);
        }
    }
}

#[test]
fn of_every_likelihood_under_every_method() {
    let data = mixed(18);
    for likelihood in likelihoods() {
        let kernel = smooth_kernel() + Kernel::noise(0.3);
        for method in settling_methods().iter().filter(|m| allowed(m, &likelihood)) {
            let fit = infer(&kernel, &likelihood, method, &data);
            check(&format!("{}, {}", likelihood.name(), title(method)), &fit);
        }
    }
}

#[test]
fn with_weights_below_and_above_one() {
    let x = normals(32, 10, 2);
    let y = curved(&x, 5);
    let data = weighted(x, y, vec![0.0, 0.3, 1.0, 2.0, 2.7, 1.0, 0.9, 40.0, 1.0, 0.05]);
    for likelihood in likelihoods() {
        // Fractional powers are integrated numerically, for which the slow schedule takes long to reach the same point.
        let quick = |m: &&Method| allowed(m, &likelihood) && **m != ep(Schedule::Sequential);
        for method in settling_methods().iter().filter(quick) {
            let fit = infer(&(smooth_kernel() + Kernel::noise(0.3)), &likelihood, method, &data);
            check(&format!("weights, {}, {}", likelihood.name(), title(method)), &fit);
        }
    }
}

#[test]
fn at_negative_sites() {
    let x = normals(33, 30, 2);
    let y = (0..30).map(|i| label((x[(i, 0)] > 0.0) != (i % 10 == 4))).collect();
    let data = training(x, y);
    let likelihood = Likelihood::full(0.1, 0.2, 0.3).expect("valid");
    for method in settling_methods().iter().filter(|m| matches!(m, Method::Ep(_))) {
        let fit = infer(&Kernel::squared_exponential(9.0, Scales::Single(0.2)), &likelihood, method, &data);
        assert!(fit.report().negative_sites > 0, "the case is meant to have negative sites");
        check(&format!("negative sites, {}", title(method)), &fit);
    }
}
