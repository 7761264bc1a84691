//! Every inference method and schedule against direct integration, and its symmetries.

#[path = "support/brute_force.rs"]
mod brute_force;
#[path = "support/fixtures.rs"]
mod fixtures;

use brute_force::{Exact, integrate, lower_factor, whiten};
use fixtures::{
    allowed, curved, everything, infer, label, laplace, likelihoods, methods, normals, smooth_kernel, title, training,
};
use gpclass::data::{Class, Inputs, Sign};
use gpclass::inference::Method;
use gpclass::inference::ep::Schedule;
use gpclass::kernel::{Kernel, Scales};
use gpclass::likelihood::{Gaussian, Likelihood};
use gpclass::linalg::Mat;
use gpclass::model::{FittedModel, TrainingData};
use std::f64::consts::TAU;
use std::sync::Arc;

/// How far a method may be from the truth at one to three rows.
struct Error {
    log_z: f64,
    moments: f64,
    probability: f64,
}

/// The methods' own errors on benign problems. One row leaves EP nothing to approximate but the shape of the posterior,
/// and least squares is exact for its own likelihood at any number of rows.
fn error(method: &Method, rows: usize) -> Error {
    match method {
        Method::Ep(_) if rows == 1 => Error { log_z: 1e-9, moments: 1e-9, probability: 0.03 },
        Method::Ep(options) => match options.schedule {
            Schedule::TwoLevel | Schedule::Sequential => Error { log_z: 0.01, moments: 0.05, probability: 0.03 },
            Schedule::OnePass => Error { log_z: 0.05, moments: 0.2, probability: 0.05 },
        },
        Method::Laplace(_) => Error { log_z: 0.15, moments: 0.5, probability: 0.1 },
        Method::LeastSquares(_) => Error { log_z: 1e-9, moments: 1e-9, probability: 1e-9 },
    }
}

/// The logarithm of p(y|f), for the least-squares classifier a normal density about the label.
fn log_p(noise: Option<f64>, likelihood: &Likelihood, y: Sign, f: f64) -> f64 {
    match (noise, likelihood) {
        (Some(noise), _) => -0.5 * (y.sign() - f).powi(2) / noise - 0.5 * (TAU * noise).ln(),
        (None, Likelihood::Logistic) => -(-y.sign() * f).exp().ln_1p(),
        (None, Likelihood::Probit(_)) => likelihood.log_p(y, f),
    }
}

fn small(rows: usize) -> Arc<TrainingData> {
    training(normals(3, rows, 2), (0..rows).map(|i| label(i != 1)).collect())
}

/// The step has no smooth integrand: it is integrated with its noise v2 as sigma, which is the same model.
fn softened(likelihood: &Likelihood, v2: f64) -> Likelihood {
    if likelihood.name() == "step" {
        Likelihood::full(likelihood.eps(), 0.0, v2.sqrt()).expect("valid")
    } else {
        likelihood.clone()
    }
}

/// The truth for one likelihood, or for least squares where its noise is given, by integration.
fn truth(data: &TrainingData, likelihood: &Likelihood, noise: Option<f64>, test: &Inputs) -> Exact {
    let kernel = smooth_kernel();
    let k = kernel.gram(data.inputs());
    let across = whiten(&lower_factor(&k), kernel.cross(data.inputs(), test).as_slice());
    let var = kernel.diag(test)[0] - across.iter().map(|c| c * c).sum::<f64>() + noise.unwrap_or(0.0);
    let predict = |u: &[f64]| {
        let mean = u.iter().zip(&across).map(|(u, c)| u * c).sum();
        likelihood.predict(Gaussian { mean, var })
    };
    integrate(&k, |i, f| log_p(noise, likelihood, data.signs()[i], f), predict)
}

fn compare(context: &str, fit: &FittedModel, exact: &Exact, test: &Inputs) {
    let error = error(&fit.model().method, exact.mean.len());
    close(context, "log Z", fit.log_evidence(), exact.log_z, error.log_z);
    let posterior = &fit.binary().unwrap().posterior;
    for i in 0..exact.mean.len() {
        close(context, "mean", posterior.mean()[i], exact.mean[i], error.moments);
        close(context, "variance", posterior.var()[i], exact.var[i], error.moments);
    }
    let probability = fit.predict(test).expect("finite").probability(0, Class::POSITIVE);
    close(context, "probability", probability, exact.probability, error.probability);
}

#[test]
fn one_row_exactly_and_two_and_three_rows_closely() {
    const V2: f64 = 0.5;
    let test = Inputs::continuous(Mat::from_fn(1, 2, |_, j| 0.3 - j as f64));
    for rows in 1..=3 {
        let data = small(rows);
        for likelihood in likelihoods().iter().map(|likelihood| softened(likelihood, V2)) {
            let exact = truth(&data, &likelihood, None, &test);
            for method in methods().iter().filter(|m| allowed(m, &likelihood)) {
                let context = format!("{rows} rows, {}, {likelihood:?}", title(method));
                let fit = infer(&smooth_kernel(), &likelihood, method, &data);
                match method {
                    Method::Ep(_) | Method::Laplace(_) => compare(&context, &fit, &exact, &test),
                    // The labels are regressed on whatever the likelihood, so one likelihood is enough.
                    Method::LeastSquares(options) if likelihood == Likelihood::probit() => {
                        let exact = truth(&data, &likelihood, Some(options.noise), &test);
                        compare(&context, &fit, &exact, &test);
                    }
                    Method::LeastSquares(_) => (),
                }
            }
        }
    }
}

/// Laplace's method from its definition: the mode by exact maximisation along one coordinate after another, the
/// evidence from the curvature there (GPML 3.32).
#[test]
fn laplace_is_the_mode_and_its_curvature() {
    for rows in 1..=3 {
        let data = small(rows);
        let k = smooth_kernel().gram(data.inputs());
        let l = lower_factor(&k);
        let unit = |i: usize| (0..rows).map(|j| f64::from(i == j)).collect::<Vec<_>>();
        let columns: Vec<Vec<f64>> = (0..rows).map(|i| whiten(&l, &unit(i))).collect();
        let inner = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let precision = Mat::from_fn(rows, rows, |i, j| inner(&columns[i], &columns[j]));
        for likelihood in likelihoods().iter().filter(|l| allowed(&laplace(), l)) {
            let smooth = likelihood.smooth().expect("allowed");
            let slope = |i: usize, f: f64| smooth.derivatives(data.signs()[i], f);
            let mut mode = vec![0.0; rows];
            for _ in 0..400 {
                for i in 0..rows {
                    let rest: f64 = (0..rows).filter(|&j| j != i).map(|j| precision[(i, j)] * mode[j]).sum();
                    mode[i] = root(|f| slope(i, f)[1] - precision[(i, i)] * f - rest);
                }
            }
            let quadratic = inner(&mode, &precision.mul_vec(&mode));
            let log_p: f64 = (0..rows).map(|i| slope(i, mode[i])[0]).sum();
            let curved = |i: usize, j: usize| if i == j { -slope(i, mode[i])[2] } else { 0.0 };
            let hessian = lower_factor(&Mat::from_fn(rows, rows, |i, j| precision[(i, j)] + curved(i, j)));
            let log_det: f64 = (0..rows).map(|i| 2.0 * (hessian[(i, i)] * l[(i, i)]).ln()).sum();
            let fit = infer(&smooth_kernel(), likelihood, &laplace(), &data);
            let context = format!("{rows} rows, {}", likelihood.name());
            close(&context, "log Z", fit.log_evidence(), log_p - 0.5 * quadratic - 0.5 * log_det, 1e-10);
            for (&got, &want) in fit.binary().unwrap().posterior.mean().iter().zip(&mode) {
                close(&context, "mode", got, want, 1e-9);
            }
        }
    }
}

/// Where a falling function crosses zero, by bisection.
fn root(falling: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-50.0, 50.0);
    for _ in 0..70 {
        let middle = 0.5 * (low + high);
        if falling(middle) > 0.0 { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

fn close(context: &str, what: &str, got: f64, want: f64, tolerance: f64) {
    assert!((got - want).abs() <= tolerance, "{context}: {what} is {got}, exactly {want}, off by {:.1e}", got - want);
}

/// Both lists of numbers agree, each to `tolerance` of the larger of 1 and the largest entry.
fn agree(context: &str, a: &[(&'static str, Vec<f64>)], b: &[(&'static str, Vec<f64>)], tolerance: f64) {
    for ((name, a), (_, b)) in a.iter().zip(b).filter(|((name, _), _)| *name != "residual") {
        assert_eq!(a.len(), b.len(), "{context}: {name}");
        let scale = b.iter().fold(1.0_f64, |m, v| m.max(v.abs()));
        for i in 0..a.len() {
            close(context, &format!("{name}[{i}]"), a[i], b[i], tolerance * scale);
        }
    }
}

/// A problem of moderate size for each likelihood and method that allows it.
fn each_moderate(mut visit: impl FnMut(&str, &FittedModel)) {
    let x = normals(21, 26, 2);
    let y = curved(&x, 6);
    let data = training(x, y);
    for likelihood in likelihoods() {
        let kernel = noisy_kernel();
        for method in methods().iter().filter(|m| allowed(m, &likelihood)) {
            let fit = infer(&kernel, &likelihood, method, &data);
            visit(&format!("{}, {}", title(method), likelihood.name()), &fit);
        }
    }
}

fn noisy_kernel() -> Kernel {
    smooth_kernel() + Kernel::noise(0.2)
}

fn test_rows() -> Inputs {
    Inputs::continuous(normals(22, 5, 2))
}

#[test]
fn flipped_labels_mirror_the_posterior() {
    each_moderate(|context, fit| {
        let flipped: Vec<Sign> = fit.data().signs().iter().map(|y| y.flipped()).collect();
        let data = Arc::new(TrainingData::new(fit.data().inputs().clone(), flipped).expect("valid"));
        let mut model = fit.model().clone();
        let mut values: Vec<f64> =
            model.likelihood.params().iter().map(|p| if p.name == "b" { -p.value } else { p.value }).collect();
        // What is the label error of one class is that of the other.
        let of = |name: &str| model.likelihood.params().iter().position(|p| p.name == name);
        let each = of("eps_negative").zip(of("eps_positive"));
        each.into_iter().for_each(|(negative, positive)| values.swap(negative, positive));
        model.likelihood.set_values(&values);
        let mirrored = model.infer(&data, None).expect("a posterior");
        let mut there = everything(&mirrored, &test_rows());
        let b = model.likelihood.params().iter().position(|p| p.name == "b");
        for (name, values) in &mut there {
            match *name {
                "nu" | "alpha" | "mean" | "cavity mean" | "test mean" => values.iter_mut().for_each(|v| *v = -*v),
                "left-out probability" | "test probability" => values.iter_mut().for_each(|v| *v = 1.0 - *v),
                "gradient of the likelihood" => {
                    b.into_iter().for_each(|b| values[b] = -values[b]);
                    each.into_iter().for_each(|(negative, positive)| values.swap(negative, positive));
                }
                _ => (),
            }
        }
        agree(context, &there, &everything(fit, &test_rows()), 1e-9);
    });
}

#[test]
fn the_order_of_rows_does_not_matter() {
    each_moderate(|context, fit| {
        if context.starts_with("ep OnePass") {
            return; // One pass depends on the order, as it must.
        }
        let n = fit.data().rows();
        let order: Vec<usize> = (0..n).map(|i| (7 * i + 3) % n).collect();
        let labels: Vec<Sign> = order.iter().map(|&i| fit.data().signs()[i]).collect();
        let data = Arc::new(TrainingData::new(fit.data().inputs().select_rows(&order), labels).expect("valid"));
        let permuted = fit.model().infer(&data, None).expect("a posterior");
        let mut here = everything(fit, &test_rows());
        for (_, values) in here.iter_mut().filter(|(_, values)| values.len() == n) {
            *values = order.iter().map(|&i| values[i]).collect();
        }
        agree(context, &everything(&permuted, &test_rows()), &here, 1e-9);
    });
}

#[test]
fn a_warm_start_reaches_the_same_fixed_point() {
    each_moderate(|context, fit| {
        let mut near = fit.model().clone();
        near.kernel.set_value("v0", 1.2).expect("v0 exists");
        let start = near.infer(fit.data(), None).expect("a posterior").start();
        let warm = fit.model().infer(fit.data(), Some(&start)).expect("a posterior");
        agree(context, &everything(&warm, &test_rows()), &everything(fit, &test_rows()), 1e-8);
    });
}

#[test]
fn both_ep_schedules_end_in_one_fixed_point_and_one_pass_does_not() {
    let mut fixed_point = Vec::new();
    each_moderate(|context, fit| {
        let here = everything(fit, &test_rows());
        if context.starts_with("ep TwoLevel") {
            fixed_point = here;
        } else if context.starts_with("ep Sequential") {
            assert!(fit.report().outcome.converged(), "{context}");
            agree(context, &here, &fixed_point, 1e-8);
        } else if context.starts_with("ep OnePass") {
            assert!(here.iter().flat_map(|(_, values)| values).all(|v| v.is_finite()), "{context}");
            let apart = (fit.log_evidence() - fixed_point[0].1[0]).abs();
            assert!((1e-6..2.0).contains(&apart), "{context}: {apart} from the fixed point");
        }
    });
}

#[test]
fn a_step_with_v2_is_a_probit_with_sigma() {
    let x = normals(21, 26, 2);
    let y = curved(&x, 6);
    let data = training(x, y);
    for (v2, eps) in [(0.01, 0.0), (0.5, 0.0), (0.5, 0.05), (4.0, 0.2)] {
        let step = Likelihood::step(eps).expect("valid");
        let soft = Likelihood::full(eps, 0.0, f64::sqrt(v2)).expect("valid");
        for method in methods().iter().filter(|m| matches!(m, Method::Ep(_))) {
            let hard = infer(&(smooth_kernel() + Kernel::noise(v2)), &step, method, &data);
            let soft = infer(&smooth_kernel(), &soft, method, &data);
            let context = format!("{}, v2 = {v2}, eps = {eps}", title(method));
            let mut with_noise = everything(&hard, &test_rows());
            for (name, values) in &mut with_noise {
                if name.ends_with("variance") && *name != "variance" {
                    values.iter_mut().for_each(|v| *v -= v2); // the latent value without its noise
                }
            }
            let comparable = |(name, _): &(&str, Vec<f64>)| {
                !["tau", "nu", "mean", "variance"].contains(name) && !name.starts_with("gradient")
            };
            let only = |list: Vec<(&'static str, Vec<f64>)>| list.into_iter().filter(comparable).collect::<Vec<_>>();
            agree(&context, &only(with_noise), &only(everything(&soft, &test_rows())), 1e-8);
        }
    }
}

#[test]
fn one_factor_on_every_variance_leaves_the_step_unchanged() {
    let x = normals(21, 26, 2);
    let y = curved(&x, 6);
    let data = training(x, y);
    for eps in [0.0, 0.05] {
        let likelihood = Likelihood::step(eps).expect("valid");
        for method in methods().iter().filter(|m| matches!(m, Method::Ep(_))) {
            let log_z = |factor: f64| {
                let kernel = Kernel::squared_exponential(1.7 * factor, Scales::Single(0.8))
                    + Kernel::bias(0.4 * factor)
                    + Kernel::noise(0.2 * factor);
                infer(&kernel, &likelihood, method, &data).log_evidence()
            };
            for factor in [1e-6, 0.1, 37.0, 1e6] {
                close(&title(method), "log Z", log_z(factor), log_z(1.0), 1e-9);
            }
        }
    }
}
