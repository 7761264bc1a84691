use super::*;
use crate::exact::Warning;
use crate::exact::slice::tests::brute_force;
use std::f64::consts::PI;

const Y: [Sign; 2] = [Sign::Positive, Sign::Negative];
const K: [f64; 3] = [2.0, 1.2, 1.5];

fn run(k: &Mat, labels: &[Sign], likelihood: &Likelihood, options: &CheckOptions) -> ExactPosterior {
    // One new point, the same as row 0 but for noise of its own.
    let (cross, diag) = (k.select_columns(&[0]), [k[(0, 0)] + 0.5]);
    check(k, labels, likelihood, &cross, &diag, options).unwrap()
}

fn near(found: Simulated, truth: f64) {
    assert!((found.value - truth).abs() <= 4.0 * found.standard_error + 1e-12, "{found:?} instead of {truth}");
}

#[test]
fn latent_moments_include_the_noise_that_was_averaged_over() {
    let k = Mat::from_columns(2, 2, vec![K[0], K[1], K[1], K[2]]);
    for eps in [0.0, 0.1] {
        let likelihood = Likelihood::step(eps).unwrap();
        let exact = run(&k, &Y, &likelihood, &CheckOptions::default());
        assert!(exact.diagnostics.averaged_noise > 0.3, "{:?}", exact.diagnostics);
        let truth = brute_force(K, &|i, f| likelihood.log_p(Y[i], f[0]));
        for (found, [mean, var]) in exact.train.iter().zip(truth) {
            near(found.mean, mean);
            near(found.var, var);
        }
    }
}

#[test]
fn evidence_of_two_rows_is_a_closed_form() {
    let k = Mat::from_columns(2, 2, vec![K[0], K[1], K[1], K[2]]);
    // Opposite signs: 1/4 - asin(rho) / (2 pi); with label error both, one or none of the labels may be flipped.
    let apart = 0.25 - (K[1] / (K[0] * K[2]).sqrt()).asin() / (2.0 * PI);
    let together = 0.5 - apart;
    for (eps, method) in [(0.0, EvidenceMethod::Orthant), (0.1, EvidenceMethod::Annealed)] {
        let exact = run(&k, &Y, &Likelihood::step(eps).unwrap(), &CheckOptions::with_seed(3));
        let hit = 1.0 - eps;
        near(exact.log_z, ((hit * hit + eps * eps) * apart + 2.0 * hit * eps * together).ln());
        assert_eq!(exact.method, method);
    }
}

/// The orthant probability of three standard normals, and of two: closed forms in the correlations.
fn all_positive(rho: &[f64]) -> f64 {
    let angles: f64 = rho.iter().map(|r| r.asin()).sum();
    if rho.len() == 3 { 0.125 + angles / (4.0 * PI) } else { 0.25 + angles / (2.0 * PI) }
}

#[test]
fn probabilities_are_ratios_of_orthants_whether_or_not_a_new_point_is_a_training_row() {
    let k = Mat::from_columns(2, 2, vec![K[0], K[1], K[1], K[2]]);
    for (cross, d) in [([K[0], K[1]], K[0]), ([K[0], K[1]], K[0] + 0.5), ([0.9, 0.1], 1.0), ([0.0, 0.0], 2.0)] {
        let cross_covariance = Mat::from_columns(2, 1, cross.to_vec());
        let exact = check(&k, &Y, &Likelihood::probit(), &cross_covariance, &[d], &CheckOptions::default()).unwrap();
        let sd = [K[0] + 1.0, K[2] + 1.0, d + 1.0].map(f64::sqrt); // with the probit's own noise
        let rho = [-K[1] / (sd[0] * sd[1]), cross[0] / (sd[0] * sd[2]), -cross[1] / (sd[1] * sd[2])];
        near(exact.test[0].probability, all_positive(&rho) / all_positive(&rho[..1]));
        assert!(exact.test[0].probability.standard_error < 0.01, "{:?}", exact.test);
    }
}

#[test]
fn one_row_under_a_step_is_a_half_normal() {
    let k = Mat::from_columns(1, 1, vec![3.0]);
    let exact = run(&k, &Y[..1], &Likelihood::step(0.0).unwrap(), &CheckOptions::default());
    near(exact.log_z, 0.5_f64.ln());
    near(exact.train[0].mean, (2.0 * 3.0 / PI).sqrt());
    near(exact.train[0].var, 3.0 * (1.0 - 2.0 / PI));
}

#[test]
fn wrong_sizes_and_bad_covariances_are_refused() {
    let k = Mat::identity(2);
    let (probit, options) = (Likelihood::probit(), CheckOptions::default());
    let outcome = check(&k, &Y[..1], &probit, &k, &[1.0; 2], &options);
    assert!(matches!(outcome, Err(ExactError::Size { expected: 2, found: 1, .. })));
    let outcome = check(&k, &Y, &probit, &Mat::zeros(3, 1), &[1.0], &options);
    assert!(matches!(outcome, Err(ExactError::Size { expected: 2, found: 3, .. })));
    let indefinite = Mat::from_columns(2, 2, vec![1.0, 2.0, 2.0, 1.0]);
    let outcome = check(&indefinite, &Y, &probit, &k, &[1.0; 2], &options);
    assert!(matches!(outcome, Err(ExactError::NotPositiveSemidefinite { .. })));
}

#[test]
fn the_answer_is_right_under_any_guide() {
    let k = Mat::from_columns(2, 2, vec![K[0], K[1], K[1], K[2]]);
    let guides = [
        Sites { tau: vec![0.5, 0.6], nu: vec![0.8, -0.7] },   // about right
        Sites { tau: vec![0.3, 0.0], nu: vec![-0.5, -0.2] },  // wrong side
        Sites { tau: vec![-0.2, 2.0], nu: vec![0.5, -1.0] },  // a negative one
        Sites { tau: vec![f64::NAN, 1.0], nu: vec![0.0; 2] }, // of no use
    ];
    let mut options = CheckOptions::default();
    options.slice.samples = 1000;
    options.annealed.temperatures = 300;
    for likelihood in [Likelihood::step(0.1).unwrap(), Likelihood::logistic(), Likelihood::probit()] {
        let truth = brute_force(K, &|i, f| likelihood.log_p(Y[i], f[0]));
        let (cross, diag) = (k.select_columns(&[0]), [k[(0, 0)]]);
        let plain = check(&k, &Y, &likelihood, &cross, &diag, &CheckOptions::with_seed(5)).unwrap();
        for guide in &guides {
            let control = CheckControl { guide: Some(guide), ..Default::default() };
            let exact = check_with(&k, &Y, &likelihood, &cross, &diag, &options, control).unwrap();
            for (found, [mean, var]) in exact.train.iter().zip(truth) {
                near(found.mean, mean);
                near(found.var, var);
            }
            let standard_error = exact.log_z.standard_error.hypot(plain.log_z.standard_error);
            near(Simulated { value: exact.log_z.value, standard_error }, plain.log_z.value);
            let (p, q) = (exact.test[0].probability, plain.test[0].probability);
            near(Simulated { value: p.value, standard_error: p.standard_error.hypot(q.standard_error) }, q.value);
        }
    }
}

#[test]
fn a_flag_ends_it() {
    let flag = std::sync::atomic::AtomicBool::new(true);
    let k = Mat::identity(2);
    for likelihood in [Likelihood::probit(), Likelihood::logistic()] {
        let interrupt = Interrupt { flag: Some(&flag), ..Interrupt::default() };
        let control = CheckControl { interrupt, guide: None };
        let outcome = check_with(&k, &Y, &likelihood, &k, &[1.0; 2], &CheckOptions::default(), control);
        assert_eq!(outcome.unwrap_err(), ExactError::Interrupted);
    }
}

#[test]
fn slow_mixing_is_reported() {
    let k = Mat::from_fn(30, 30, |i, j| 1e4 * (-0.5 * (i as f64 - j as f64).powi(2)).exp());
    let labels: Vec<Sign> = (0..30).map(|i| if i % 2 == 0 { Sign::Positive } else { Sign::Negative }).collect();
    let mut options = CheckOptions::default();
    options.slice = SliceOptions { burn_in: 0, samples: 20, thin: 1, ..options.slice };
    options.orthant.points = 16;
    let exact = run(&k, &labels, &Likelihood::probit(), &options);
    assert!(matches!(exact.diagnostics.warnings[..], [Warning::Unmixed { .. }, Warning::FewSamples { .. }]));
}
