//! The regularised incomplete gamma function, and the pieces it shares with the beta function.

use std::f64::consts::TAU;

/// Terms after which a series or continued fraction is taken as it stands: it needs about sqrt(a) of them, so this
/// covers shape parameters up to 1e9.
pub(super) const MAX_TERMS: usize = 500_000;

/// Smallest denominator in Lentz's algorithm: keeps a vanishing partial denominator from dividing by zero.
pub(super) const LENTZ_TINY: f64 = 1e-300;

/// P(a, x) = 1/Gamma(a) int_0^x t^(a-1) e^-t dt, for a > 0 and x >= 0.
pub fn regularised_gamma_lower(a: f64, x: f64) -> f64 {
    tails(a, x).0
}

/// Q(a, x) = 1 - P(a, x), accurate where it is tiny.
pub fn regularised_gamma_upper(a: f64, x: f64) -> f64 {
    tails(a, x).1
}

fn tails(a: f64, x: f64) -> (f64, f64) {
    if x <= 0.0 {
        return (0.0, 1.0);
    }
    // x^a e^-x / Gamma(a + 1), by Loader's saddle-point form: no cancellation for large a.
    let density = (-stirling_error(a) - deviance(a, x)).exp() / (TAU * a).sqrt();
    if x < a + 1.0 {
        let lower = density * lower_series(a, x);
        (lower, 1.0 - lower)
    } else {
        let upper = density * a * upper_fraction(a, x);
        (1.0 - upper, upper)
    }
}

/// sum_k x^k / ((a + 1) ... (a + k)), Abramowitz & Stegun 6.5.29.
fn lower_series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..MAX_TERMS {
        term *= x / (a + k as f64);
        sum += term;
        if term < sum * (0.5 * f64::EPSILON) {
            break;
        }
    }
    sum
}

/// Gamma(a, x) e^x x^-a by Lentz's algorithm, Abramowitz & Stegun 6.5.31 (even part).
fn upper_fraction(a: f64, x: f64) -> f64 {
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / LENTZ_TINY;
    let mut d = 1.0 / b;
    let mut value = d;
    for k in 1..MAX_TERMS {
        let numerator = -(k as f64) * (k as f64 - a);
        b += 2.0;
        d = 1.0 / away_from_zero(numerator * d + b);
        c = away_from_zero(b + numerator / c);
        value *= c * d;
        if (c * d - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    value
}

pub(super) fn away_from_zero(x: f64) -> f64 {
    if x.abs() < LENTZ_TINY { LENTZ_TINY } else { x }
}

/// ln Gamma(a + 1) - [ln(2 pi a)/2 + a ln a - a]: what Stirling's formula leaves out.
pub(super) fn stirling_error(a: f64) -> f64 {
    /// From here on the asymptotic series below is exact to rounding.
    const ASYMPTOTIC_FROM: f64 = 16.0;
    let (mut shifted, mut error) = (a, 0.0);
    while shifted < ASYMPTOTIC_FROM {
        error += (shifted + 0.5) * shifted.recip().ln_1p() - 1.0;
        shifted += 1.0;
    }
    let r = shifted.recip().powi(2);
    let series = 1.0 / 12.0
        - r * (1.0 / 360.0
            - r * (1.0 / 1260.0 - r * (1.0 / 1680.0 - r * (1.0 / 1188.0 - r * (691.0 / 360_360.0 - r / 156.0)))));
    error + series / shifted
}

/// a ln(a/x) + x - a >= 0, without cancellation at x near a (Loader 2000).
pub(super) fn deviance(a: f64, x: f64) -> f64 {
    /// Below this relative difference the series is both exact and short.
    const SERIES_BELOW: f64 = 0.1;
    let difference = x - a;
    if difference.abs() >= SERIES_BELOW * (x + a) {
        return a * (a / x).ln() + difference;
    }
    // With v = (x-a)/(x+a): ln(a/x) = -2 (v + v^3/3 + v^5/5 + ...), and x - a - 2 a v = v (x - a).
    let v = difference / (x + a);
    let mut power = 2.0 * a * v;
    let mut sum = difference * v;
    let mut odd = 3.0;
    loop {
        power *= v * v;
        let next = sum - power / odd;
        if next == sum {
            return sum;
        }
        sum = next;
        odd += 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::assert_close;
    use super::*;

    // Golden values: mpmath.gammainc(a, 0, x, regularized=True), 40 digits.
    #[test]
    fn lower_gamma() {
        assert_close(regularised_gamma_lower(0.5, 0.3), 0.5614219739190002, 1e-14);
        assert_close(regularised_gamma_lower(3.0, 10.0), 0.9972306042844884, 1e-14);
        assert_close(regularised_gamma_lower(2.5, 0.01), 2.987601531906594e-6, 1e-14);
        assert_eq!(regularised_gamma_lower(2.0, 0.0), 0.0);
    }

    #[test]
    fn stirling_error_of_integers_and_halves() {
        // ln 1! and ln Gamma(3/2) are known in closed form.
        assert_close(stirling_error(1.0), 1.0 - 0.5 * TAU.ln(), 1e-14);
        let half = (std::f64::consts::PI.sqrt() / 2.0).ln() - 0.5 * (TAU * 0.5).ln() + 0.5 * 2f64.ln() + 0.5;
        assert_close(stirling_error(0.5), half, 1e-14);
    }

    #[test]
    fn deviance_is_continuous_where_the_series_takes_over() {
        for x in [120.0, 122.2, 122.3, 100.000_001, 82.0, 81.7] {
            let a = 100.0f64;
            let direct = a * (-((x - a) / a).ln_1p()) + (x - a);
            assert!((deviance(a, x) - direct).abs() < 1e-13);
        }
        assert_eq!(deviance(7.0, 7.0), 0.0);
    }
}
