use super::*;
use crate::data::Sign;
use crate::exact::Threshold;
use crate::special::{log_phi, phi_cdf};

/// Mean and variance of two latent values by a fine grid over the plane.
pub(in crate::exact) fn brute_force(k: [f64; 3], log_p: &dyn Fn(usize, &[f64]) -> f64) -> [[f64; 2]; 2] {
    let determinant = k[0] * k[2] - k[1] * k[1];
    let (points, reach) = (1200, 7.0);
    let node = |i: i32, var: f64| f64::from(2 * i + 1 - points) / f64::from(points) * reach * var.sqrt();
    let mut sums = [0.0; 5];
    for i in 0..points {
        for j in 0..points {
            let (a, b) = (node(i, k[0]), node(j, k[2]));
            let quadratic = (k[2] * a * a - 2.0 * k[1] * a * b + k[0] * b * b) / determinant;
            let weight = (-0.5 * quadratic + log_p(0, &[a]) + log_p(1, &[b])).exp();
            for (sum, value) in sums.iter_mut().zip([1.0, a, b, a * a, b * b]) {
                *sum += weight * value;
            }
        }
    }
    let [mass, a, b, aa, bb] = sums;
    let (a, b) = (a / mass, b / mass);
    [[a, aa / mass - a * a], [b, bb / mass - b * b]]
}

fn covariance([a, b, c]: [f64; 3]) -> Mat {
    Mat::from_columns(2, 2, vec![a, b, b, c])
}

type LogP<'a> = &'a (dyn Fn(usize, &[f64]) -> f64 + Sync);

fn terms(rows: usize, log_p: LogP<'_>) -> Terms<'_> {
    Terms { rows, width: 1, log_p, threshold: None }
}

fn assert_moments(samples: &SliceSamples, truth: [[f64; 2]; 2]) {
    for (summary, [mean, var]) in samples.latent_summaries().iter().zip(truth) {
        assert!(
            (summary.mean.value - mean).abs() < 4.0 * summary.mean.standard_error,
            "{summary:?} instead of mean {mean}"
        );
        assert!(
            (summary.var.value - var).abs() < 4.0 * summary.var.standard_error,
            "{summary:?} instead of variance {var}"
        );
        assert!(summary.r_hat < 1.01 && summary.effective_samples > 1000.0, "{summary:?}");
    }
}

const K: [f64; 3] = [2.0, 1.2, 1.5];

#[test]
fn moments_of_two_latent_values_agree_with_brute_force() {
    let robust = |i: usize, f: &[f64]| (0.05 + 0.9 * phi_cdf(if i == 0 { 2.0 * f[0] } else { -f[0] })).ln();
    let logistic = |i: usize, f: &[f64]| -(if i == 0 { -f[0] } else { f[0] }).exp().ln_1p();
    for log_p in [&robust as LogP, &logistic] {
        let samples = elliptical_slice(&covariance(K), &terms(2, log_p), &SliceOptions::default()).unwrap();
        assert_moments(&samples, brute_force(K, log_p));
    }
}

#[test]
fn a_step_starts_from_the_right_signs_and_keeps_them() {
    let step = |i: usize, f: &[f64]| if (f[0] > 0.0) == (i == 0) { 0.0 } else { f64::NEG_INFINITY };
    let threshold = Threshold { labels: vec![Sign::Positive, Sign::Negative], bias: 0.0, sigma: 0.0 };
    let terms = Terms { threshold: Some(threshold), ..terms(2, &step) };
    let samples = elliptical_slice(&covariance(K), &terms, &SliceOptions::default()).unwrap();
    assert!(samples.latent.columns().all(|f| f[0] > 0.0 && f[1] < 0.0));
    assert_moments(&samples, brute_force(K, &step));
}

#[test]
fn contradictory_copies_have_no_feasible_start() {
    let step = |i: usize, f: &[f64]| if (f[0] > 0.0) == (i == 0) { 0.0 } else { f64::NEG_INFINITY };
    let threshold = Threshold { labels: vec![Sign::Positive, Sign::Negative], bias: 0.0, sigma: 0.0 };
    let terms = Terms { threshold: Some(threshold), ..terms(2, &step) };
    let outcome = elliptical_slice(&covariance([1.0, 1.0, 1.0]), &terms, &SliceOptions::default());
    assert_eq!(outcome.unwrap_err(), ExactError::NoFeasibleStart);
}

#[test]
fn equal_rows_keep_equal_values_under_a_singular_prior() {
    let k = Mat::from_fn(3, 3, |i, j| if (i == 1) == (j == 1) { 2.0 } else { 1.2 });
    let log_p = |i: usize, f: &[f64]| log_phi(if i == 1 { -f[0] } else { f[0] });
    let samples = elliptical_slice(&k, &terms(3, &log_p), &SliceOptions::default()).unwrap();
    assert!(samples.latent.columns().all(|f| f[0] == f[2]));
    let both = |i: usize, f: &[f64]| if i == 0 { 2.0 * log_phi(f[0]) } else { log_phi(-f[0]) };
    let truth = brute_force([2.0, 1.2, 2.0], &both);
    let summaries = samples.latent_summaries();
    for (i, [mean, _]) in truth.into_iter().enumerate() {
        assert!((summaries[i].mean.value - mean).abs() < 4.0 * summaries[i].mean.standard_error, "{:?}", summaries[i]);
    }
}

#[test]
fn samples_depend_on_the_seed_only() {
    let log_p = |_: usize, f: &[f64]| log_phi(f[0]);
    let run = |threads, seed| {
        let options = SliceOptions { seed, samples: 50, ..Default::default() };
        gpclass_linalg::with_threads(threads, || elliptical_slice(&covariance(K), &terms(2, &log_p), &options).unwrap())
    };
    assert_eq!(run(1, 3).latent, run(2, 3).latent);
    assert_ne!(run(1, 3).latent, run(1, 4).latent);
}

#[test]
fn sizes_and_options_are_checked() {
    let log_p = |_: usize, f: &[f64]| log_phi(f[0]);
    let k = covariance(K);
    let wrong_rows = elliptical_slice(&k, &terms(3, &log_p), &SliceOptions::default());
    assert!(matches!(wrong_rows, Err(ExactError::Size { expected: 2, found: 3, .. })));
    let no_samples = elliptical_slice(&k, &terms(2, &log_p), &SliceOptions { samples: 0, ..Default::default() });
    assert!(matches!(no_samples, Err(ExactError::Option { name: "samples", .. })));
}
