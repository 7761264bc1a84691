//! Several classes against reference values from independent implementations (`reference_multiclass/README.md`).

use gpclass::data::{Class, Inputs, Sign};
use gpclass::inference::ep::EpOptions;
use gpclass::inference::joint::{ClassObservations, JointInferred};
use gpclass::inference::{LaplaceOptions, Method};
use gpclass::interrupt::Interrupt;
use gpclass::kernel::{Kernel, Scales};
use gpclass::likelihood::multinomial::class_probabilities;
use gpclass::likelihood::{Likelihood, Link};
use gpclass::linalg::Mat;
use gpclass::model::{Model, TrainingData};
use gpclass::posterior::FunctionPriors;
use gpclass::prior::{Adjoint, Prior};
use serde_json::Value;
use std::sync::Arc;

struct Case {
    name: String,
    count: usize,
    inputs: Inputs,
    classes: Vec<Class>,
    test: Inputs,
    /// One for all classes or one each.
    kernels: Vec<Kernel>,
    reference: Value,
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().expect("a list").iter().map(|v| v.as_f64().expect("a number")).collect()
}

fn matrix(value: &Value) -> Mat {
    let rows: Vec<Vec<f64>> = value.as_array().expect("rows").iter().map(numbers).collect();
    Mat::from_fn(rows.len(), rows.first().map_or(0, Vec::len), |i, j| rows[i][j])
}

/// v0, l_1..l_D (or one l for all), v1.
fn kernel(hyper: &[f64]) -> Kernel {
    let (v0, l, v1) = (hyper[0], &hyper[1..hyper.len() - 1], hyper[hyper.len() - 1]);
    let scales = if l.len() == 1 { Scales::Single(l[0]) } else { Scales::Ard(l.to_vec()) };
    Kernel::squared_exponential(v0, scales) + Kernel::bias(v1)
}

fn cases() -> Vec<Case> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/reference_multiclass");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "json"));
    paths.sort();
    assert_eq!(paths.len(), 9, "every reference problem is there");
    let case = |path: &std::path::PathBuf| {
        let reference: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let hyper = &reference["hyper"];
        let kernels = match hyper[0].is_array() {
            true => hyper.as_array().unwrap().iter().map(|h| kernel(&numbers(h))).collect(),
            false => vec![kernel(&numbers(hyper))],
        };
        Case {
            name: reference["name"].as_str().unwrap().to_owned(),
            count: reference["C"].as_u64().unwrap() as usize,
            inputs: Inputs::continuous(matrix(&reference["X"])),
            classes: numbers(&reference["y"]).iter().map(|&y| Class::from(y as u16)).collect(),
            test: Inputs::continuous(matrix(&reference["Xtest"])),
            kernels,
            reference,
        }
    };
    paths.iter().map(case).collect()
}

impl Case {
    fn priors(&self) -> FunctionPriors {
        let mut priors: Vec<Prior> =
            self.kernels.iter().map(|k| Prior::from_covariance(k.gram(&self.inputs))).collect();
        match priors.len() {
            1 => FunctionPriors::shared(priors.remove(0), self.count),
            _ => FunctionPriors::own(priors),
        }
    }

    fn observations(&self) -> ClassObservations<'_> {
        ClassObservations { classes: &self.classes, count: self.count, link: probit(0.0), weights: None }
    }

    /// Means and covariances of the functions at the test rows.
    fn predict(&self, found: &JointInferred) -> (Mat, Vec<Mat>) {
        let cross: Vec<Mat> = self.kernels.iter().map(|k| k.cross(&self.inputs, &self.test)).collect();
        let diags: Vec<Vec<f64>> = self.kernels.iter().map(|k| k.diag(&self.test)).collect();
        let prior_var = Mat::from_fn(self.test.rows(), self.count, |t, c| diags[c % diags.len()][t]);
        found.factor.predict(&found.alpha, &cross, &prior_var)
    }

    fn infer(&self) -> JointInferred {
        ep(self.priors(), &self.observations())
    }
}

fn probit(label_error: f64) -> Link {
    Link::Probit { label_error }
}

fn ep(priors: FunctionPriors, observations: &ClassObservations<'_>) -> JointInferred {
    Method::Ep(tight()).infer_jointly(priors, observations, None, Interrupt::default()).unwrap()
}

fn assert_matrix(what: &str, got: &Mat, want: &Mat, tolerance: f64) {
    assert_eq!((got.rows(), got.cols()), (want.rows(), want.cols()), "{what}");
    let scale = want.as_slice().iter().fold(1.0_f64, |m, v| m.max(v.abs()));
    for i in 0..got.rows() {
        for j in 0..got.cols() {
            let error = (got[(i, j)] - want[(i, j)]).abs();
            assert!(error <= tolerance * scale, "{what} ({i}, {j}): {} is not {}", got[(i, j)], want[(i, j)]);
        }
    }
}

#[test]
fn evidence_sites_and_means_are_those_of_the_reference() {
    for case in cases() {
        let found = case.infer();
        let (name, ep) = (&case.name, &case.reference["ep"]);
        assert!(found.report.outcome.converged(), "{name}: {:?}", found.report);
        let want = ep["logZ"].as_f64().unwrap();
        assert!((found.log_z - want).abs() <= 1e-8 * want.abs().max(1.0), "{name}: {} is not {want}", found.log_z);
        for (field, got) in [("pi", &found.pi), ("alpha", &found.alpha), ("mean", &found.mean)] {
            assert_matrix(&format!("{name} {field}"), got, &matrix(&ep[field]), 1e-6);
        }
        let var = found.factor.marginals().var;
        assert_matrix(&format!("{name} var"), &var, &matrix(&ep["var"]), 1e-6);
        println!("{name}: {} sweeps, log Z off by {:e}", found.report.sweeps, found.log_z - want);
    }
}

#[test]
fn the_gradient_is_that_of_the_reference() {
    for case in cases() {
        let found = case.infer();
        let adjoints = found.evidence_sensitivity(&case.observations()).adjoints;
        assert_gradient(&case, &adjoints, &case.reference["ep"]["grad_log"]);
    }
}

fn assert_gradient(case: &Case, adjoints: &[Adjoint], grad: &Value) {
    let priors = case.priors();
    let pulled = case.kernels.iter().zip(adjoints).enumerate();
    let pulled = pulled.flat_map(|(c, (kernel, adjoint))| priors.of(c).pull_back(kernel, &case.inputs, adjoint));
    let got: Vec<f64> = pulled.collect();
    let want: Vec<f64> = match grad[0].is_array() {
        true => grad.as_array().unwrap().iter().flat_map(numbers).collect(),
        false => numbers(grad),
    };
    assert_eq!(got.len(), want.len(), "{}", case.name);
    for (g, w) in got.iter().zip(&want) {
        assert!((g - w).abs() <= 1e-6 * w.abs().max(1.0), "{}: {got:?} is not {want:?}", case.name);
    }
}

#[test]
fn left_out_rows_and_test_rows_get_the_probabilities_of_the_reference() {
    for case in cases() {
        let (found, ep) = (case.infer(), &case.reference["ep"]);
        let cavities = found.cavities(&case.observations());
        let rows = |rows: Vec<Vec<f64>>| Mat::from_fn(rows.len(), case.count, |i, c| rows[i][c]);
        let means = rows(cavities.iter().map(|cavity| cavity.mean.clone()).collect());
        assert_matrix(&format!("{} cavity", case.name), &means, &matrix(&ep["row_cavity_mean"]), 1e-6);
        assert_matrix(&format!("{} cavity 0", case.name), &cavities[0].cov, &matrix(&ep["row_cavity_cov0"]), 1e-6);
        let left_out = rows(cavities.iter().map(|cavity| class_probabilities(&cavity.mean, &cavity.cov)).collect());
        let (mean, covs) = case.predict(&found);
        assert_matrix(&format!("{} test mean", case.name), &mean, &matrix(&ep["test_mean"]), 1e-6);
        for (t, cov) in covs.iter().enumerate() {
            assert_matrix(&format!("{} test cov {t}", case.name), cov, &matrix(&ep["test_cov"][t]), 1e-6);
        }
        let row = |t: usize| (0..case.count).map(|c| mean[(t, c)]).collect::<Vec<f64>>();
        let predicted = rows((0..mean.rows()).map(|t| class_probabilities(&row(t), &covs[t])).collect());
        // Two and three classes are exact here; above, the same small EP as the reference's.
        let way = if case.count <= 3 && ep["test_prob_exact"].is_array() { "exact" } else { "inner_ep" };
        for (got, what) in [(&left_out, "loo_prob"), (&predicted, "test_prob")] {
            let want = normalised(&matrix(&ep[&format!("{what}_{way}")]));
            assert_matrix(&format!("{} {what}", case.name), got, &want, 1e-6);
        }
    }
}

/// The small EPs of the reference are as they come out; together they fall short of one by up to two percent.
fn normalised(p: &Mat) -> Mat {
    let total = |i: usize| (0..p.cols()).map(|c| p[(i, c)]).sum::<f64>();
    Mat::from_fn(p.rows(), p.cols(), |i, c| p[(i, c)] / total(i))
}

#[test]
fn softmax_laplace_is_that_of_the_reference() {
    for case in cases() {
        let options = LaplaceOptions { tolerance: 1e-11, ..LaplaceOptions::default() };
        let observations = ClassObservations { link: Link::Softmax { averaged: false }, ..case.observations() };
        let laplace = Method::Laplace(options);
        let found = laplace.infer_jointly(case.priors(), &observations, None, Interrupt::default()).unwrap();
        let (name, want) = (&case.name, &case.reference["softmax_laplace"]);
        assert!(found.report.outcome.converged(), "{name}: {:?}", found.report);
        let log_z = want["logZ"].as_f64().unwrap();
        assert!((found.log_z - log_z).abs() <= 1e-8 * log_z.abs().max(1.0), "{name}: {} is not {log_z}", found.log_z);
        for (field, got) in [("pi", &found.pi), ("alpha", &found.alpha), ("f", &found.mean)] {
            assert_matrix(&format!("{name} {field}"), got, &matrix(&want[field]), 1e-6);
        }
        assert_gradient(&case, &found.evidence_sensitivity(&observations).adjoints, &want["grad_log"]);
        let (mean, covs) = case.predict(&found);
        assert_matrix(&format!("{name} test mean"), &mean, &matrix(&want["test_mean"]), 1e-6);
        if want["test_prob"].is_array() {
            let row = |t: usize| (0..case.count).map(|c| mean[(t, c)]).collect::<Vec<f64>>();
            let averaged = Link::Softmax { averaged: true };
            let logs: Vec<Vec<f64>> = (0..mean.rows()).map(|t| averaged.log_probabilities(&row(t), &covs[t])).collect();
            let got = Mat::from_fn(mean.rows(), case.count, |t, c| logs[t][c].exp());
            // By quadrature up to four classes, over a lattice above; the reference has an error of its own.
            let own = want["test_prob_quadrature_error"].as_f64().unwrap();
            let allowed = if case.count <= 4 { 1e-6 } else { 1e-3 };
            assert_matrix(&format!("{name} test probability"), &got, &matrix(&want["test_prob"]), allowed + 10.0 * own);
            let gap = |(a, b): (&f64, &f64)| (a - b).abs();
            let want = matrix(&want["test_prob"]);
            let most = got.as_slice().iter().zip(want.as_slice()).map(gap).fold(0.0, f64::max);
            println!("{name}: softmax averages off by {most:e}");
        }
    }
}

fn tight() -> EpOptions {
    EpOptions { tolerance: 1e-9, max_inner: 8, ..EpOptions::default() }
}

fn case(name: &str) -> Case {
    cases().into_iter().find(|case| case.name.starts_with(name)).expect("a reference problem")
}

#[test]
fn two_classes_are_binary_ep_with_and_without_label_error() {
    let case = case("02a");
    let signs: Vec<Sign> =
        case.classes.iter().map(|&c| if c == Class::POSITIVE { Sign::Positive } else { Sign::Negative }).collect();
    let data = Arc::new(TrainingData::new(case.inputs.clone(), signs).unwrap());
    for label_error in [0.0, 0.05] {
        let likelihood = Likelihood::robust(label_error).unwrap();
        let model = Model { method: Method::Ep(tight()), ..Model::new(case.kernels[0].clone(), likelihood) };
        let binary = model.infer(&data, None).unwrap();
        let observations = ClassObservations { link: probit(label_error), ..case.observations() };
        let joint = ep(case.priors(), &observations);
        assert!(joint.report.outcome.converged(), "{:?}", joint.report);
        let gap = joint.log_z - binary.log_evidence();
        assert!(gap.abs() < 1e-9, "label error {label_error}: off by {gap:e}");
        for (i, mu) in binary.binary().unwrap().posterior.mean().iter().enumerate() {
            // f_1 - f_0 has twice the covariance and twice the noise.
            let difference = (joint.mean[(i, 1)] - joint.mean[(i, 0)]) / 2.0_f64.sqrt();
            assert!((difference - mu).abs() < 1e-8, "row {i}: {difference} is not {mu}");
        }
    }
}

#[test]
fn weights_are_copies() {
    let case = case("01a");
    let n = case.classes.len();
    let weights: Vec<f64> = (0..n).map(|i| [1.0, 3.0, 0.0, 2.0][i % 4]).collect();
    let rows: Vec<usize> = (0..n).flat_map(|i| std::iter::repeat_n(i, weights[i] as usize)).collect();
    let copied = case.inputs.select_rows(&rows);
    let classes: Vec<Class> = rows.iter().map(|&i| case.classes[i]).collect();
    let prior =
        |inputs: &Inputs| FunctionPriors::shared(Prior::from_covariance(case.kernels[0].gram(inputs)), case.count);
    for label_error in [0.0, 0.03] {
        let link = probit(label_error);
        let weighted = ClassObservations { weights: Some(&weights), link, ..case.observations() };
        let copies = ClassObservations { classes: &classes, count: case.count, link, weights: None };
        let (weighted, copies) = (ep(prior(&case.inputs), &weighted), ep(prior(&copied), &copies));
        let gap = weighted.log_z - copies.log_z;
        assert!(gap.abs() < 1e-8, "label error {label_error}: log Z off by {gap:e}");
        for (row, &i) in rows.iter().enumerate() {
            for c in 0..case.count {
                assert!((weighted.mean[(i, c)] - copies.mean[(row, c)]).abs() < 1e-7, "row {i} class {c}");
            }
        }
    }
}

#[test]
fn the_order_of_the_classes_does_not_matter() {
    let case = case("03a");
    let turn = |c: &Class| Class::at((c.position() + 1) % case.count).unwrap();
    let turned: Vec<Class> = case.classes.iter().map(turn).collect();
    let found = case.infer();
    let observations = ClassObservations { classes: &turned, ..case.observations() };
    let other = ep(case.priors(), &observations);
    assert!((found.log_z - other.log_z).abs() < 1e-10);
    for i in 0..turned.len() {
        for c in 0..case.count {
            assert!((found.mean[(i, c)] - other.mean[(i, (c + 1) % case.count)]).abs() < 1e-8, "row {i} class {c}");
        }
    }
}

#[test]
fn gradients_with_label_error_are_derivatives() {
    let case = case("01a");
    let log_z = |label_error: f64, kernel: &Kernel| {
        let prior = FunctionPriors::shared(Prior::from_covariance(kernel.gram(&case.inputs)), case.count);
        ep(prior, &ClassObservations { link: probit(label_error), ..case.observations() })
    };
    let (rho, step) = (0.04, 1e-5);
    let kernel = &case.kernels[0];
    let found = log_z(rho, kernel);
    assert!(found.report.outcome.converged(), "{:?}", found.report);
    let slope = (log_z(rho + step, kernel).log_z - log_z(rho - step, kernel).log_z) / (2.0 * step);
    assert!((found.by_label_error - slope).abs() < 1e-5 * slope.abs().max(1.0), "{} {slope}", found.by_label_error);
    let adjoints = found.factor.adjoints(&found.alpha, None);
    let gradient = case.priors().of(0).pull_back(kernel, &case.inputs, &adjoints[0]);
    let values: Vec<f64> = kernel.params().iter().map(|p| p.value).collect();
    for (p, derivative) in gradient.iter().enumerate() {
        let moved = |by: f64| {
            let mut kernel = kernel.clone();
            kernel.set_values(
                &values.iter().enumerate().map(|(q, v)| if q == p { v * by.exp() } else { *v }).collect::<Vec<_>>(),
            );
            log_z(rho, &kernel).log_z
        };
        let want = (moved(step) - moved(-step)) / (2.0 * step);
        assert!((derivative - want).abs() < 1e-5, "parameter {p}: {derivative} is not {want}");
    }
}
