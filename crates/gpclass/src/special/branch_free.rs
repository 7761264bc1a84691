//! Logarithms of sigmoids without branches, for loops that are compiled for vector instructions. To a few roundings the same as their
//! namesakes with branches.

use super::erfcx::upper;
use gpclass_linalg::vector;
use std::f64::consts::FRAC_1_SQRT_2;

/// 1/sqrt(2 pi).
const DENSITY_AT_ZERO: f64 = 0.398_942_280_401_432_7;

/// The logarithm of a sigmoid with its first two derivatives.
#[derive(Clone, Copy, Debug)]
pub struct LogSigmoid {
    /// ln p.
    pub log: f64,
    /// Its first derivative.
    pub first: f64,
    /// Its second derivative.
    pub second: f64,
}

/// Of Phi(z), |z| up to 1e100.
#[inline(always)]
pub fn log_phi_branch_free(z: f64) -> LogSigmoid {
    let tail = 0.5 * upper(z.abs() * FRAC_1_SQRT_2); // e^(z^2/2) Phi(-|z|)
    let exponent = -0.5 * z * z;
    let density = vector::exp(exponent);
    let rare = tail * density;
    let positive = z > 0.0;
    let log = if positive { vector::ln_1p(-rare) } else { exponent + vector::ln(tail) };
    let (above, below) = if positive { (density, 1.0 - rare) } else { (1.0, tail) };
    let first = DENSITY_AT_ZERO * above / below;
    LogSigmoid { log, first, second: -first * (z + first) }
}

/// Of 1/(1 + e^-u).
#[inline(always)]
pub fn logistic_branch_free(u: f64) -> LogSigmoid {
    let small = vector::exp(-u.abs());
    let (minor, major) = (small / (1.0 + small), 1.0 / (1.0 + small));
    let positive = u > 0.0;
    let log = (if positive { 0.0 } else { u }) - vector::ln_1p(small);
    LogSigmoid { log, first: if positive { minor } else { major }, second: -minor * major }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::{log_phi, log_phi_derivatives, log1p_exp};

    #[test]
    fn they_agree_with_their_namesakes() {
        let near = |got: f64, want: f64, what: &str| {
            assert!((got - want).abs() <= 2e-14 * want.abs() + 1e-300, "{what}: {got}, not {want}");
        };
        for k in -2400..3000 {
            let z = f64::from(k) * 0.0101;
            let ([first, second, ..], _) = log_phi_derivatives(z);
            let got = log_phi_branch_free(z);
            // e^(-z^2/2) has the rounding of z^2, and z + h(z) cancels as much.
            let rounding = 2e-15 * (1.0 + z * z);
            for (got, want) in [(got.log, log_phi(z)), (got.first, first), (got.second, second)] {
                assert!((got - want).abs() <= rounding * want.abs(), "Phi at {z}: {got}, not {want}");
            }
            let got = logistic_branch_free(z);
            let small = (-z.abs()).exp();
            near(got.log, -log1p_exp(-z), &format!("ln of the logistic at {z}"));
            near(got.first, 1.0 / (1.0 + z.exp()), &format!("its slope at {z}"));
            near(got.second, -small / (1.0 + small).powi(2), &format!("its bend at {z}"));
        }
    }
}
