//! Tail probabilities and quantiles of the distributions the tests and bands need.
//!
//! Every upper tail is computed directly where it is small, so p-values keep their relative accuracy far out.

mod beta;
mod gamma;
mod studentised_range;

pub use beta::{beta_quantile, regularised_beta};
pub use gamma::{regularised_gamma_lower, regularised_gamma_upper};
pub use studentised_range::{studentised_range_quantile, studentised_range_upper};

/// P(X > x) for X ~ chi-square with `df` degrees of freedom.
pub fn chi_square_upper(x: f64, df: f64) -> f64 {
    if x <= 0.0 { 1.0 } else { regularised_gamma_upper(0.5 * df, 0.5 * x) }
}

/// P(X > x) for X ~ F with `df1` and `df2` degrees of freedom.
pub fn f_upper(x: f64, df1: f64, df2: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let total = df2 + df1 * x;
    regularised_beta(0.5 * df2, 0.5 * df1, df2 / total, df1 * x / total).0
}

/// P(|T| > |t|) for T ~ Student's t with `df` degrees of freedom.
pub fn student_two_sided(t: f64, df: f64) -> f64 {
    let total = df + t * t;
    regularised_beta(0.5 * df, 0.5, df / total, t * t / total).0
}

/// The smallest float in (low, high] at which `reached`, false then true, has become true.
fn bisect(mut low: f64, mut high: f64, reached: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return high;
        }
        if reached(middle) { high = middle } else { low = middle }
    }
}

#[cfg(test)]
pub(crate) fn assert_close(actual: f64, expected: f64, relative: f64) {
    let error = (actual - expected).abs();
    assert!(
        error <= relative * expected.abs(),
        "{actual:e} is not {expected:e} (relative error {:e})",
        error / expected
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    // Golden values of this file: mpmath 1.4 at 40 digits, from gammainc and betainc.

    #[test]
    fn chi_square_tail() {
        assert_close(chi_square_upper(3.841458820694124, 1.0), 0.05000000000000006, 1e-14);
        assert_close(chi_square_upper(0.1, 3.0), 0.9918374237318764, 1e-14);
        assert_close(chi_square_upper(50.0, 4.0), 3.610865404890645e-10, 1e-14);
        assert_close(chi_square_upper(7.3, 7.0), 0.3983264579760524, 1e-14);
        assert_close(chi_square_upper(1000.0, 2.0), 7.124576406741286e-218, 1e-12);
        assert_close(chi_square_upper(1050.0, 1000.0), 0.1324740568214771, 1e-13);
        assert_eq!(chi_square_upper(0.0, 2.0), 1.0);
    }

    #[test]
    fn f_tail() {
        assert_close(f_upper(3.5, 2.0, 24.0), 0.04636546017878199, 1e-14);
        assert_close(f_upper(0.2, 5.0, 10.0), 0.9551917702464295, 1e-14);
        assert_close(f_upper(80.0, 3.0, 39.0), 1.0260699865392727e-16, 1e-13);
        assert_close(f_upper(1.02, 1000.0, 2000.0), 0.3564503452934551, 1e-13);
        assert_close(f_upper(1.0, 1.0, 1.0), 0.5, 1e-14);
        assert_eq!(f_upper(0.0, 3.0, 3.0), 1.0);
    }

    #[test]
    fn student_tails() {
        assert_close(student_two_sided(2.262157162740992, 9.0), 0.050000000004675686, 1e-14);
        assert_close(student_two_sided(0.01, 3.0), 0.992649111412852, 1e-14);
        assert_close(student_two_sided(-40.0, 99.0), 6.385085160287227e-63, 1e-13);
        assert_close(student_two_sided(1.5, 1.0), 0.37433408362199766, 1e-14);
        // With df this large x is close to 1 and the continued fraction loses four digits to cancellation.
        assert_close(student_two_sided(3.0, 100000.0), 0.002700460884064719, 1e-11);
        assert_eq!(student_two_sided(0.0, 5.0), 1.0);
    }
}
