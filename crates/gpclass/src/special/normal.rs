//! The normal distribution function Phi, its logarithm and the derivatives of that logarithm.
//!
//! With h = N(z)/Phi(z) and r = z + h, the derivatives of ln Phi are h, -h r, ... For z -> -inf they are differences of
//! nearly equal numbers; there they come from the cumulants of the cut normal instead.

use super::cut_normal;
use super::erfcx::{erfcx, square};
use std::f64::consts::FRAC_1_SQRT_2;

/// 1/sqrt(2 pi).
const DENSITY_AT_ZERO: f64 = 0.398_942_280_401_432_7;
/// sqrt(2/pi).
const SQRT_2_OVER_PI: f64 = 0.797_884_560_802_865_4;
/// z^2 must stay finite.
const LARGEST: f64 = 1e150;

/// The normal density, with the rounding of z^2 carried along.
pub fn normal_density(z: f64) -> f64 {
    let (high, low) = square(z.clamp(-LARGEST.sqrt(), LARGEST.sqrt()));
    (-0.5 * high).exp() * (1.0 - 0.5 * low) * DENSITY_AT_ZERO
}

/// e^(z^2/2) Phi(z) for z <= 0.
fn scaled_lower_tail(z: f64) -> f64 {
    0.5 * erfcx(-z * FRAC_1_SQRT_2)
}

/// Phi(z) for z <= 0; the upper tail is its mirror image.
fn lower_tail(z: f64) -> f64 {
    scaled_lower_tail(z) * normal_density(z) / DENSITY_AT_ZERO
}

/// Phi(z), to full relative accuracy until it underflows below about -38.5.
pub fn phi_cdf(z: f64) -> f64 {
    if z <= 0.0 { lower_tail(z) } else { 1.0 - lower_tail(-z) }
}

/// ln Phi(z), to full relative accuracy on both sides; finite for every |z| up to 1e150, beyond which z is held there.
pub fn log_phi(z: f64) -> f64 {
    let z = z.clamp(-LARGEST, LARGEST);
    if z <= 0.0 { -0.5 * z * z + scaled_lower_tail(z).ln() } else { (-lower_tail(-z)).ln_1p() }
}

/// ln Phi(w) - ln Phi(z), w = z + d, = linear d - quadratic d^2/2 + rest, as [linear, quadratic, rest]: below 0 the first two are
/// those of -z^2/2 and the rest is small, so that a caller can cancel them against its own exactly.
pub fn log_phi_increment(z: f64, w: f64) -> [f64; 3] {
    if z <= 0.0 && w <= 0.0 {
        [-z, 1.0, (scaled_lower_tail(w) / scaled_lower_tail(z)).ln()]
    } else {
        [0.0, 0.0, log_phi(w) - log_phi(z)]
    }
}

/// h(z) = N(z)/Phi(z), the slope of ln Phi.
pub fn hazard(z: f64) -> f64 {
    let z = z.clamp(-LARGEST, LARGEST);
    if z <= 0.0 { SQRT_2_OVER_PI / erfcx(-z * FRAC_1_SQRT_2) } else { normal_density(z) / (1.0 - lower_tail(-z)) }
}

/// 1 - h(z) (z + h(z)) = 1 + (ln Phi)''(z), the variance of a normal cut at -z: 1 for z -> inf, 1/z^2 for z -> -inf.
pub fn hazard_gap(z: f64) -> f64 {
    let z = z.clamp(-LARGEST, LARGEST);
    if z <= 0.0 {
        cut_normal::variance(-z)
    } else {
        let h = hazard(z);
        1.0 - h * (z + h)
    }
}

/// The first four derivatives of ln Phi at z, and 1 + the second one (`hazard_gap`), which does not survive rounding.
pub fn log_phi_derivatives(z: f64) -> ([f64; 4], f64) {
    let z = z.clamp(-LARGEST, LARGEST);
    let h = hazard(z);
    if z <= 0.0 {
        let [gap, third, fourth] = cut_normal::cumulants(-z);
        return ([h, gap - 1.0, third, fourth], gap);
    }
    let r = z + h;
    let gap = 1.0 - h * r;
    let third = h * (r * r - gap);
    let fourth = 2.0 * h * r * gap - (r + h) * third;
    ([h, -h * r, third, fourth], gap)
}

#[cfg(test)]
#[path = "normal_tests.rs"]
mod tests;
