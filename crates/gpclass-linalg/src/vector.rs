//! Functions on slices, compiled for the vector width of the machine they run on.
//!
//! Only additions and multiplications in a fixed order, never fused, so that every machine gives the same bits.

use pulp::Arch;

/// Lanes of the partial sums in a reduction. Fixed, so that a sum does not depend on the machine's vector width.
const LANES: usize = 8;

/// `xᵀ y`.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    Arch::new().dispatch(
        #[inline(always)]
        || dot_body(x, y),
    )
}

#[inline(always)]
pub(crate) fn dot_body(x: &[f64], y: &[f64]) -> f64 {
    let n = x.len().min(y.len());
    let (x, y) = (&x[..n], &y[..n]);
    let mut lanes = [0.0; LANES];
    let (xc, yc) = (x.chunks_exact(LANES), y.chunks_exact(LANES));
    let mut tail = 0.0;
    for (a, b) in xc.remainder().iter().zip(yc.remainder()) {
        tail += a * b;
    }
    for (a, b) in xc.zip(yc) {
        for k in 0..LANES {
            lanes[k] += a[k] * b[k];
        }
    }
    lanes.iter().sum::<f64>() + tail
}

/// The sum of the entries.
#[inline(always)]
pub fn sum(x: &[f64]) -> f64 {
    let (chunks, rest) = x.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for chunk in chunks {
        for k in 0..LANES {
            lanes[k] += chunk[k];
        }
    }
    lanes.iter().sum::<f64>() + rest.iter().sum::<f64>()
}

/// `y += a x`.
pub fn add_scaled(y: &mut [f64], a: f64, x: &[f64]) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for (y, x) in y.iter_mut().zip(x) {
                *y += a * x;
            }
        },
    )
}

/// Runs `work` compiled for the machine's vector instructions: for loops that this module does not have. The closure,
/// and what it calls, must be `#[inline(always)]` to profit.
#[inline(always)]
pub fn vectorised<R>(work: impl FnOnce() -> R) -> R {
    Arch::new().dispatch(work)
}

/// `x[i] <- f(x[i])` with the machine's vector instructions where `f` allows them.
#[inline]
pub fn map_in_place(x: &mut [f64], f: impl Fn(f64) -> f64) {
    Arch::new().dispatch(
        #[inline(always)]
        || {
            for x in x.iter_mut() {
                *x = f(*x);
            }
        },
    )
}

/// Sum of squares of each lower-triangular column of `x`: `out[j] = sum_{i >= j} x_ij²`.
pub fn lower_column_norms(x: &crate::Mat) -> Vec<f64> {
    (0..x.cols()).map(|j| dot(&x.col(j)[j..], &x.col(j)[j..])).collect()
}

/// `exp(x)` for `x <= 709`, within 1 ulp; 0 below -708 (no subnormals). Branch-free, so it vectorises where inlined.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    let (rest, power) = exp_parts(x);
    if x < -708.0 { 0.0 } else { (1.0 + rest) * power }
}

/// `exp(x) - 1` for `x <= 709`, within 2 ulp. Branch-free, so it vectorises where inlined.
#[inline(always)]
pub fn exp_m1(x: f64) -> f64 {
    let (rest, power) = exp_parts(x);
    if x < -708.0 { -1.0 } else { power * rest + (power - 1.0) }
}

/// `exp(x) = (1 + rest) power` with a power of two.
#[inline(always)]
fn exp_parts(x: f64) -> (f64, f64) {
    const LOG2_E: f64 = std::f64::consts::LOG2_E;
    // Split so that k * LN2_HIGH is exact for |k| < 2^11.
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    // Adding and subtracting 1.5 * 2^52 rounds to an integer, left in the low bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;

    let shifted = x * LOG2_E + ROUND;
    let k = shifted - ROUND;
    let r = (x - k * LN2_HIGH) - k * LN2_LOW; // |r| <= ln(2)/2
    // Taylor to degree 13: the remainder is below 2^-57 there.
    let mut p = 1.0 / 6_227_020_800.0;
    for inverse_factorial in [
        1.0 / 479_001_600.0,
        1.0 / 39_916_800.0,
        1.0 / 3_628_800.0,
        1.0 / 362_880.0,
        1.0 / 40_320.0,
        1.0 / 5_040.0,
        1.0 / 720.0,
        1.0 / 120.0,
        1.0 / 24.0,
        1.0 / 6.0,
        0.5,
    ] {
        p = p * r + inverse_factorial;
    }
    (r + r * r * p, f64::from_bits((shifted.to_bits().wrapping_add(1023)) << 52))
}

/// `ln(1 + x)` for `-1 < x <= 1e300`, within 2 ulp. Branch-free, so it vectorises where inlined.
#[inline(always)]
pub fn ln_1p(x: f64) -> f64 {
    let w = 1.0 + x;
    ln_of(w, (x - (w - 1.0)) / w)
}

/// `ln(x)` for `x` from the smallest normal number to 1e300, within 2 ulp. Branch-free, so it vectorises where inlined.
#[inline(always)]
pub fn ln(x: f64) -> f64 {
    ln_of(x, 0.0)
}

/// `ln(w) + lost`, the rest being small. (The polynomial and the way back from the rounding of 1 + x are those of FDLIBM's log.)
#[inline(always)]
fn ln_of(w: f64, lost: f64) -> f64 {
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const HALF_ROOT_BITS: u64 = 0x3FE6_A09E_667F_3BCD; // sqrt(1/2)
    const EXPONENT: u64 = 0xFFF << 52;
    // Exponents are counted from here, so that none is negative.
    const LOWEST: u64 = 1024 << 52;
    const TWO_52: f64 = 4_503_599_627_370_496.0;

    // w = 2^k m with m in [sqrt(1/2), sqrt(2)).
    let above = w.to_bits().wrapping_add(LOWEST - HALF_ROOT_BITS);
    let k = (f64::from_bits((above >> 52) | TWO_52.to_bits()) - TWO_52) - 1024.0;
    let f = f64::from_bits(w.to_bits().wrapping_sub((above & EXPONENT).wrapping_sub(LOWEST))) - 1.0;
    // ln(1 + f) = f - f²/2 + s (f²/2 + s² P(s²)) with s = f / (2 + f).
    let s = f / (2.0 + f);
    let z = s * s;
    let mut p = 1.479_819_860_511_658_6e-1;
    for coefficient in [
        1.531_383_769_920_937_3e-1,
        1.818_357_216_161_805e-1,
        2.222_219_843_214_978_4e-1,
        2.857_142_874_366_239e-1,
        3.999_999_999_940_942e-1,
        6.666_666_666_666_735e-1,
    ] {
        p = p * z + coefficient;
    }
    let half_square = 0.5 * f * f;
    let low = s * (half_square + z * p) + (k * LN2_LOW + lost);
    k * LN2_HIGH - ((half_square - low) - f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ln_1p_is_within_two_ulp_of_libm() {
        let mut x = 1e-300;
        while x < 1e300 {
            let (ours, libm) = (ln_1p(x), x.ln_1p());
            assert!((ours - libm).abs() <= 2.0 * f64::EPSILON * libm, "ln_1p({x:e}) = {ours:e}, libm says {libm:e}");
            x *= if x > 1e-17 && x < 1e3 { 1.000_37 } else { 1.37 };
        }
        assert_eq!(ln_1p(0.0), 0.0);
        assert!(ln_1p(f64::NAN).is_nan());
        let mut y: f64 = 1.0;
        while y > 1e-15 {
            for x in [-y * 0.999, y - 1.0] {
                let (ours, libm) = (ln_1p(x), x.ln_1p());
                assert!(
                    (ours - libm).abs() <= 2.0 * f64::EPSILON * libm.abs(),
                    "ln_1p({x:e}) = {ours:e}, not {libm:e}"
                );
            }
            y *= 0.987;
        }
    }

    #[test]
    fn ln_is_within_two_ulp_of_libm() {
        let mut x = 1e-305;
        while x < 1e300 {
            let (ours, libm) = (ln(x), x.ln());
            assert!((ours - libm).abs() <= 2.0 * f64::EPSILON * libm.abs(), "ln({x:e}) = {ours:e}, libm says {libm:e}");
            x *= 1.0137;
        }
        assert_eq!(ln(1.0), 0.0);
    }

    #[test]
    fn exp_m1_is_within_two_ulp_of_libm() {
        for sign in [-1.0, 1.0] {
            let mut x = 1e-300;
            while x < 700.0 {
                let (ours, libm) = (exp_m1(sign * x), (sign * x).exp_m1());
                assert!(
                    (ours - libm).abs() <= 2.0 * f64::EPSILON * libm.abs(),
                    "exp_m1({x:e}) = {ours:e}, not {libm:e}"
                );
                x *= 1.0137;
            }
        }
        assert_eq!((exp_m1(0.0), exp_m1(-1e300)), (0.0, -1.0));
    }

    #[test]
    fn exp_is_within_one_ulp_of_libm() {
        let mut x = -708.0;
        while x < 709.0 {
            let (ours, libm) = (exp(x), x.exp());
            let ulp = libm * f64::EPSILON;
            assert!((ours - libm).abs() <= ulp, "exp({x}) = {ours:e}, libm says {libm:e}");
            x += 0.0137;
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(-1e300), 0.0);
        assert_eq!(exp(f64::NEG_INFINITY), 0.0);
        assert!(exp(f64::NAN).is_nan());
    }

    #[test]
    fn dot_and_sum_take_every_length() {
        for n in 0..40 {
            let x: Vec<f64> = (0..n).map(|i| i as f64).collect();
            let want: f64 = x.iter().map(|v| v * v).sum();
            assert_eq!(dot(&x, &x), want);
            assert_eq!(sum(&x), x.iter().sum::<f64>());
        }
    }
}
