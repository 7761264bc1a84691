//! The range of k independent standard normals (the studentised range with infinite degrees of freedom).

use super::bisect;
use crate::special::phi_cdf;

/// Half the width of the integration window: the integrand is below rounding outside it.
const HALF_WINDOW: f64 = 10.0;
/// Step of the trapezoidal rule, which converges faster than any power on an entire, Gaussian-like integrand.
const STEP: f64 = 1.0 / 16.0;

/// P(max - min > q) for `k` >= 2 independent standard normals.
///
/// k int phi(z) (Phi(z)^(k-1) - (Phi(z) - Phi(z-q))^(k-1)) dz: the tail itself, never 1 minus the distribution.
pub fn studentised_range_upper(q: f64, k: usize) -> f64 {
    if q <= 0.0 {
        return 1.0;
    }
    let others = (k - 1) as f64;
    let steps = (2.0 * HALF_WINDOW / STEP) as usize;
    let start = 0.5 * q - HALF_WINDOW;
    let sum: f64 = (0..=steps).map(|i| tail_density(start + i as f64 * STEP, q, others)).sum();
    (k as f64 * sum * STEP).min(1.0)
}

/// phi(z) times the probability that the `others` all lie below z, but not all within q of it.
fn tail_density(z: f64, q: f64, others: f64) -> f64 {
    let below = phi_cdf(z);
    let too_far = phi_cdf(z - q);
    if below == 0.0 {
        return 0.0;
    }
    let all_within = (others * (-too_far / below).ln_1p()).exp_m1();
    let density = (-0.5 * z * z).exp() / std::f64::consts::TAU.sqrt();
    -density * below.powf(others) * all_within
}

/// The q with P(max - min > q) = `tail`, 0 < `tail` < 1, for `k` >= 2 independent standard normals.
pub fn studentised_range_quantile(tail: f64, k: usize) -> f64 {
    let mut high = 1.0;
    while studentised_range_upper(high, k) > tail {
        high *= 2.0;
    }
    bisect(0.0, high, |q| studentised_range_upper(q, k) <= tail)
}

#[cfg(test)]
mod tests {
    use super::super::assert_close;
    use super::*;

    // Golden values: the defining integral by mpmath.quad, 30 digits.
    #[test]
    fn upper_tail() {
        assert_close(studentised_range_upper(3.3, 3), 0.051310906418189875, 1e-13);
        assert_close(studentised_range_upper(1.0, 2), 0.4795001221869535, 1e-13);
        assert_close(studentised_range_upper(5.0, 10), 0.014857437887783705, 1e-13);
        assert_close(studentised_range_upper(12.0, 4), 1.2911823485653215e-16, 1e-12);
        assert_close(studentised_range_upper(0.3, 6), 0.9999413332770632, 1e-13);
        assert_close(studentised_range_upper(4.0, 50), 0.7709711020799679, 1e-13);
    }

    // Two normals: the range is sqrt(2) |z|.
    #[test]
    fn two_normals_have_a_closed_form() {
        for q in [0.1, 2.0, 7.0, 20.0] {
            assert_close(studentised_range_upper(q, 2), 2.0 * phi_cdf(-q / 2f64.sqrt()), 1e-12);
        }
    }

    // scipy.stats.studentized_range.ppf(.95, k, inf) / sqrt(2); k = 2 is the normal quantile.
    #[test]
    fn quantiles() {
        let golden = [(2, 1.959963984540054), (3, 2.343700586), (5, 2.727774371), (10, 3.163683577), (20, 3.543799132)];
        for (k, expected) in golden {
            assert_close(studentised_range_quantile(0.05, k) / 2f64.sqrt(), expected, 1e-9);
        }
    }

    // Demsar 2006, table 5a, for k = 2..10.
    #[test]
    fn demsar_table() {
        let five = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164];
        let ten = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920];
        for (tail, row) in [(0.05, five), (0.10, ten)] {
            for (i, expected) in row.into_iter().enumerate() {
                let q = studentised_range_quantile(tail, i + 2) / 2f64.sqrt();
                assert!((q - expected).abs() < 1.1e-3, "k = {}: {q} against {expected}", i + 2);
            }
        }
    }
}
