use super::*;
use crate::special::{log_phi, phi_cdf};

const QUICK: AnnealedOptions = AnnealedOptions { seed: 0, runs: 100, pilot_runs: 10, temperatures: 300, steps: 1 };

fn evidence(k: &Mat, log_p: &(dyn Fn(usize, &[f64]) -> f64 + Sync), options: &AnnealedOptions) -> AnnealedEvidence {
    let terms = Terms { rows: k.rows(), width: 1, log_p, threshold: None };
    annealed_evidence(k, &terms, options).unwrap()
}

#[test]
fn one_row_has_a_closed_form() {
    // E[Phi(f + b)] = Phi(b / sqrt(1 + v)) under f ~ N(0, v).
    for (v, b) in [(1.0_f64, 0.0), (25.0, -3.0), (1e4, 1.0)] {
        let k = Mat::from_columns(1, 1, vec![v]);
        let found = evidence(&k, &|_, f| log_phi(f[0] + b), &QUICK);
        let truth = log_phi(b / (1.0 + v).sqrt());
        assert!((found.log_z.value - truth).abs() < 4.0 * found.log_z.standard_error, "{found:?} instead of {truth}");
        assert!(found.log_z.standard_error < 0.05, "{found:?}");
    }
}

#[test]
fn copies_of_one_row_have_a_known_evidence() {
    // Under a step with label error eps, n copies of one input with equal labels: (eps^n + (1 - eps)^n) / 2.
    let (n, eps) = (6, 0.1_f64);
    let k = Mat::from_fn(n, n, |_, _| 3.0);
    let log_p = |_: usize, f: &[f64]| if f[0] > 0.0 { (1.0 - eps).ln() } else { eps.ln() };
    let found = evidence(&k, &log_p, &QUICK);
    let truth = (0.5 * (eps.powi(n as i32) + (1.0 - eps).powi(n as i32))).ln();
    assert!((found.log_z.value - truth).abs() < 4.0 * found.log_z.standard_error, "{found:?} instead of {truth}");
}

#[test]
fn an_impossible_observation_is_an_error_not_a_number() {
    let k = Mat::identity(2);
    let terms = Terms { rows: 2, width: 1, log_p: &|_, _| f64::NEG_INFINITY, threshold: None };
    let outcome = annealed_evidence(&k, &terms, &QUICK);
    assert_eq!(outcome.unwrap_err(), ExactError::ZeroEvidence { runs: 100 });
}

#[test]
fn the_answer_depends_on_the_seed_only() {
    let k = Mat::from_fn(5, 5, |i, j| (-(i as f64 - j as f64).powi(2)).exp());
    let run = |threads, seed| {
        let options = AnnealedOptions { seed, runs: 8, temperatures: 20, ..Default::default() };
        gpclass_linalg::with_threads(threads, || evidence(&k, &|_, f| (0.1 + 0.8 * phi_cdf(f[0])).ln(), &options))
    };
    assert_eq!(run(1, 5), run(2, 5));
    assert_ne!(run(1, 5), run(1, 6));
}

#[test]
fn balanced_powers_rise_to_one() {
    let crude = crude_powers(50);
    let spread: Vec<f64> = crude.iter().map(|b| 1.0 / (0.1 + b)).collect();
    let powers = equal_arcs(&crude, &spread);
    assert_eq!((powers.len(), powers[49]), (50, 1.0));
    assert!(powers[0] > 0.0 && powers.windows(2).all(|w| w[0] < w[1]), "{powers:?}");
    assert_eq!(equal_arcs(&crude, &[0.0; 50]), crude);
}
