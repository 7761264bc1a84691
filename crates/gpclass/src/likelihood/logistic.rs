//! p(y|f) = 1/(1 + exp(-y f)).

use super::quadrature::log_minority;
use super::{ClassProbabilities, Gaussian};
use crate::data::Sign;
use crate::special::log1p_exp;

/// ln p(y|f).
pub(super) fn log_p(y: Sign, f: f64) -> f64 {
    -log1p_exp(-y.sign() * f)
}

/// Both classes from the integral of the rarer one, which the sign of the mean tells because the sigmoid is odd about 1/2:
/// its logarithm keeps all digits, and what it leaves to 1 loses none.
pub(super) fn class_probabilities(f: Gaussian) -> ClassProbabilities {
    let log_rare = if f.var > 0.0 { log_minority(f) } else { -log1p_exp(f.mean.abs()) };
    let share = log_rare.exp();
    let log_common = (-share).ln_1p();
    if f.mean > 0.0 {
        ClassProbabilities { positive: 1.0 - share, logs: [log_rare, log_common] }
    } else {
        ClassProbabilities { positive: share, logs: [log_common, log_rare] }
    }
}

/// ln p(+|v) - ln p(+|u) = linear (v - u) + rest, as [linear, 0, rest], the rest small where both are far below 0.
pub(super) fn log_increment(u: f64, v: f64) -> [f64; 3] {
    if u < 0.0 && v < 0.0 {
        [1.0, 0.0, log1p_exp(u) - log1p_exp(v)]
    } else {
        [0.0, 0.0, log_p(Sign::Positive, v) - log_p(Sign::Positive, u)]
    }
}

/// The first four derivatives of ln p(y|f) in f.
pub(super) fn derivatives(y: Sign, f: f64) -> [f64; 4] {
    let margin = y.sign() * f;
    let small = (-margin.abs()).exp();
    let (minor, major) = (small / (1.0 + small), 1.0 / (1.0 + small));
    let (p, q) = if margin > 0.0 { (major, minor) } else { (minor, major) };
    let pq = p * q;
    [y.sign() * q, -pq, y.sign() * pq * (p - q), pq * (6.0 * pq - 1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log_derivatives(y: Sign, f: f64) -> [f64; 5] {
        let [d1, d2, d3, d4] = derivatives(y, f);
        [log_p(y, f), d1, d2, d3, d4]
    }

    #[test]
    fn each_derivative_is_the_slope_of_the_one_before() {
        let h = 1e-4;
        for y in [Sign::Negative, Sign::Positive] {
            for f in [-30.0, -3.0, -0.4, 0.0, 0.7, 5.0, 30.0] {
                let [high, low, here] = [f + h, f - h, f].map(|f| log_derivatives(y, f));
                for k in 1..5 {
                    let slope = (high[k - 1] - low[k - 1]) / (2.0 * h);
                    assert!((slope - here[k]).abs() < 1e-7 * here[1].abs(), "{y:?} {f} {k}: {slope} {}", here[k]);
                }
            }
        }
    }

    #[test]
    fn far_tails_are_exact() {
        assert_eq!(log_derivatives(Sign::Positive, -1e5)[..3], [-1e5, 1.0, 0.0]);
        let [value, first, ..] = log_derivatives(Sign::Positive, 700.0);
        assert!((value / -(-700.0_f64).exp() - 1.0).abs() < 1e-13 && (first / (-700.0_f64).exp() - 1.0).abs() < 1e-13);
    }
}
