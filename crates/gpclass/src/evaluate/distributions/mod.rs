//! Tail probabilities and quantiles of the distributions the tests and bands need.
//!
//! Every upper tail is computed directly where it is small, so p-values keep their relative accuracy far out.

mod beta;
mod gamma;
mod studentised_range;

pub use beta::{beta_quantile, regularised_beta};
pub use gamma::{regularised_gamma_lower, regularised_gamma_upper};
pub use studentised_range::{studentised_range_quantile, studentised_range_upper};

/// P(X > x) for X ~ N(0, 1).
pub fn normal_upper(x: f64) -> f64 {
    let tail = 0.5 * regularised_gamma_upper(0.5, 0.5 * x * x);
    if x >= 0.0 { tail } else { 1.0 - tail }
}

/// The x with P(X > x) = `tail` for X ~ N(0, 1). `tail` must lie strictly between 0 and 1.
pub fn normal_upper_quantile(tail: f64) -> f64 {
    /// Beyond 39 standard deviations the tail is below the smallest f64.
    const FARTHEST: f64 = 39.0;
    if tail > 0.5 {
        return -normal_upper_quantile(1.0 - tail);
    }
    bisect(0.0, FARTHEST, |x| normal_upper(x) <= tail)
}

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

    // Golden values of this file: mpmath 1.4 at 40 digits, from gammainc, betainc and erfc.

    #[test]
    fn normal_tail() {
        assert_close(normal_upper(0.5), 0.308537538725986896, 1e-14);
        assert_close(normal_upper(1.959963984540054), 0.0250000000000000109, 1e-14);
        assert_close(normal_upper(8.0), 6.22096057427178412e-16, 1e-13);
        assert_close(normal_upper(30.0), 4.90671392714818706e-198, 1e-12);
        assert_close(normal_upper(-2.0), 0.977249868051820793, 1e-14);
        assert_eq!(normal_upper(0.0), 0.5);
    }

    #[test]
    fn normal_quantile_inverts_the_tail() {
        assert_close(normal_upper_quantile(0.025), 1.959963984540054, 1e-14);
        assert_close(normal_upper_quantile(6.22096057427178412e-16), 8.0, 1e-14);
        assert_close(normal_upper_quantile(0.977249868051820793), -2.0, 1e-14);
        assert!(normal_upper_quantile(0.5).abs() < 1e-15);
    }

    #[test]
    fn chi_square_tail() {
        assert_close(chi_square_upper(3.841458820694124, 1.0), 0.0500000000000000574, 1e-14);
        assert_close(chi_square_upper(0.1, 3.0), 0.991837423731876478, 1e-14);
        assert_close(chi_square_upper(50.0, 4.0), 3.61086540489064535e-10, 1e-14);
        assert_close(chi_square_upper(7.3, 7.0), 0.398326457976052377, 1e-14);
        assert_close(chi_square_upper(1000.0, 2.0), 7.12457640674128553e-218, 1e-12);
        assert_close(chi_square_upper(1050.0, 1000.0), 0.132474056821477077, 1e-13);
        assert_eq!(chi_square_upper(0.0, 2.0), 1.0);
    }

    #[test]
    fn f_tail() {
        assert_close(f_upper(3.5, 2.0, 24.0), 0.0463654601787819947, 1e-14);
        assert_close(f_upper(0.2, 5.0, 10.0), 0.955191770246429593, 1e-14);
        assert_close(f_upper(80.0, 3.0, 39.0), 1.02606998653927271e-16, 1e-13);
        assert_close(f_upper(1.02, 1000.0, 2000.0), 0.356450345293455068, 1e-13);
        assert_close(f_upper(1.0, 1.0, 1.0), 0.5, 1e-14);
        assert_eq!(f_upper(0.0, 3.0, 3.0), 1.0);
    }

    #[test]
    fn student_tails() {
        assert_close(student_two_sided(2.262157162740992, 9.0), 0.0500000000046756886, 1e-14);
        assert_close(student_two_sided(0.01, 3.0), 0.992649111412851981, 1e-14);
        assert_close(student_two_sided(-40.0, 99.0), 6.3850851602872268e-63, 1e-13);
        assert_close(student_two_sided(1.5, 1.0), 0.374334083621997632, 1e-14);
        // The continued fraction cancels about a/n of its digits when df is this large.
        assert_close(student_two_sided(3.0, 100000.0), 0.00270046088406471919, 1e-11);
        assert_eq!(student_two_sided(0.0, 5.0), 1.0);
    }
}
