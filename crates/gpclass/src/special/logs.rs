//! Logarithms of sums, without overflow and without losing small terms.

/// ln(e^a + e^b); -inf stands for an absent term.
pub fn log_add_exp(a: f64, b: f64) -> f64 {
    let (high, low) = if a >= b { (a, b) } else { (b, a) };
    if high.is_infinite() { high } else { high + (low - high).exp().ln_1p() }
}

/// ln(1 - e^a) for a <= 0, accurate both for a near 0 and for a very negative.
pub fn log1m_exp(a: f64) -> f64 {
    if a > -std::f64::consts::LN_2 { (-a.exp_m1()).ln() } else { (-a.exp()).ln_1p() }
}

/// ln(1 + e^a), accurate in both tails.
pub fn log1p_exp(a: f64) -> f64 {
    if a > 0.0 { a + (-a).exp().ln_1p() } else { a.exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_exponentials_keep_small_and_large_terms() {
        assert_eq!(log_add_exp(f64::NEG_INFINITY, -3.0), -3.0);
        assert_eq!(log_add_exp(f64::NEG_INFINITY, f64::NEG_INFINITY), f64::NEG_INFINITY);
        assert!((log_add_exp(1000.0, 1000.0) - 1000.0 - std::f64::consts::LN_2).abs() < 1e-12);
        assert_eq!(log_add_exp(-5.0, 2.0), log_add_exp(2.0, -5.0));
    }

    #[test]
    fn complements_are_accurate_at_both_ends() {
        // ln(1 - e^-1e-20) = ln(1e-20) to first order; ln(1 - e^-50) = -e^-50.
        assert!((log1m_exp(-1e-20) / 1e-20_f64.ln() - 1.0).abs() < 1e-15);
        assert!((log1m_exp(-50.0) / -(-50.0_f64).exp() - 1.0).abs() < 1e-15);
        assert!((log1p_exp(-50.0) / (-50.0_f64).exp() - 1.0).abs() < 1e-15);
        assert_eq!(log1p_exp(800.0), 800.0);
    }
}
