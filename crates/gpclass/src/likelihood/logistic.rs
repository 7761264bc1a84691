//! p(y|f) = 1/(1 + exp(-y f)).

use crate::data::Label;
use crate::special::log1p_exp;

/// ln p(y|f) and its first four derivatives in f.
pub(super) fn log_derivatives(y: Label, f: f64) -> [f64; 5] {
    let margin = y.sign() * f;
    let log_p = -log1p_exp(-margin);
    let log_q = -log1p_exp(margin);
    let (p, q) = (log_p.exp(), log_q.exp());
    let pq = p * q;
    [log_p, y.sign() * q, -pq, y.sign() * pq * (p - q), pq * (6.0 * pq - 1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_derivative_is_the_slope_of_the_one_before() {
        let h = 1e-4;
        for y in [Label::Negative, Label::Positive] {
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
        assert_eq!(log_derivatives(Label::Positive, -1e5)[..3], [-1e5, 1.0, 0.0]);
        let [value, first, ..] = log_derivatives(Label::Positive, 700.0);
        assert!((value / -(-700.0_f64).exp() - 1.0).abs() < 1e-13 && (first / (-700.0_f64).exp() - 1.0).abs() < 1e-13);
    }
}
