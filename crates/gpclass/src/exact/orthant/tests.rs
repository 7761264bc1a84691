use super::*;
use std::f64::consts::PI;

fn equicorrelated(n: usize, rho: f64) -> Mat {
    Mat::from_fn(n, n, |i, j| if i == j { 1.0 } else { rho })
}

fn assert_known(cov: &Mat, upper: &[f64], truth: f64) {
    assert_known_within(cov, upper, truth, 1e-4);
}

fn assert_known_within(cov: &Mat, upper: &[f64], truth: f64, largest_se: f64) {
    let p = log_orthant(cov, upper, &OrthantOptions { points: 1024, ..Default::default() }).unwrap();
    assert!((p.value - truth).abs() < 4.0 * p.standard_error + 1e-12, "{p:?} instead of {truth}");
    assert!(p.standard_error < largest_se, "{p:?}");
}

#[test]
fn one_two_and_three_variables_have_closed_forms() {
    assert_known(&equicorrelated(1, 0.0), &[-3.0], log_phi(-3.0));
    for rho in [-0.45_f64, 0.0, 0.3, 0.9] {
        let pair = 0.25 + rho.asin() / (2.0 * PI);
        assert_known(&equicorrelated(2, rho), &[0.0; 2], pair.ln());
        let triple = 0.125 + 3.0 * rho.asin() / (4.0 * PI);
        assert_known(&equicorrelated(3, rho), &[0.0; 3], triple.ln());
    }
}

#[test]
fn equal_correlations_of_one_half_give_one_over_n_plus_one() {
    // Every one of n + 1 independent variables is equally likely to be the largest.
    for n in [5, 20, 40] {
        assert_known_within(&equicorrelated(n, 0.5), &vec![0.0; n], -(n as f64 + 1.0).ln(), 3e-3);
    }
}

#[test]
fn independent_variables_multiply_even_where_products_underflow() {
    let upper = [-30.0, 2.0, -45.0, 0.0, 50.0];
    assert_known(&Mat::identity(5), &upper, upper.iter().map(|&u| log_phi(u)).sum());
}

#[test]
fn a_bound_on_equal_variables_is_the_tightest_one() {
    // Rows 0, 1 and 3 are one variable.
    let cov = Mat::from_fn(4, 4, |i, j| if (i == 2) == (j == 2) { 2.0 } else { 0.6 });
    let pair = Mat::from_columns(2, 2, vec![2.0, 0.6, 0.6, 2.0]);
    let options = OrthantOptions { points: 1024, ..Default::default() };
    let with_copies = log_orthant(&cov, &[0.5, 0.1, -0.3, 0.1], &options).unwrap();
    let without = log_orthant(&pair, &[0.1, -0.3], &options).unwrap();
    assert!((with_copies.value - without.value).abs() < 1e-6, "{with_copies:?} {without:?}");
    // A variable and its negative cannot both be negative.
    let opposite = Mat::from_columns(2, 2, vec![1.0, -1.0, -1.0, 1.0]);
    assert!(matches!(log_orthant(&opposite, &[-0.5, 0.0], &options), Err(ExactError::ZeroEvidence { .. })));
}

#[test]
fn the_answer_depends_on_the_seed_only() {
    let cov = equicorrelated(12, 0.3);
    let run = |threads, seed| {
        let options = OrthantOptions { seed, points: 200, ..Default::default() };
        gpclass_linalg::with_threads(threads, || log_orthant(&cov, &[0.2; 12], &options).unwrap())
    };
    assert_eq!(run(1, 7), run(2, 7));
    assert_ne!(run(1, 7), run(1, 8));
}
