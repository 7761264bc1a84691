//! The normal quantile, also of a probability given as its logarithm, fast enough for the inner loop of a simulation.

use super::normal::{hazard, log_phi};

/// The z with `Phi(z) = p`: relative error about 1e-15 (absolute near 0); -inf at 0 and inf at 1.
pub fn normal_quantile(p: f64) -> f64 {
    let q = p - 0.5;
    if q.abs() <= CENTRE {
        return q * ratio(&CENTRAL, CENTRE * CENTRE - q * q);
    }
    tail_quantile(if q < 0.0 { p } else { 1.0 - p }.ln()).copysign(q)
}

/// The z with `ln Phi(z) = log_p`, for `log_p < ln(0.075)`, however far out.
pub fn normal_quantile_of_log(log_p: f64) -> f64 {
    -tail_quantile(log_p)
}

/// How far out the tail of that log probability begins.
fn tail_quantile(log_p: f64) -> f64 {
    let r = (-log_p).sqrt();
    if r <= 5.0 {
        ratio(&TAIL, r - 1.6)
    } else if r <= 27.0 {
        ratio(&FAR_TAIL, r - 5.0)
    } else {
        -beyond_the_fit(log_p)
    }
}

/// Newton's method where probabilities underflow.
fn beyond_the_fit(log_p: f64) -> f64 {
    if log_p == f64::NEG_INFINITY {
        return log_p;
    }
    let mut z = -(-2.0 * log_p - (-4.0 * std::f64::consts::PI * log_p).ln()).sqrt();
    for _ in 0..NEWTON_STEPS {
        z += (log_p - log_phi(z)) / hazard(z);
    }
    z
}

/// The start is right to 1e-3 relative there and the digits double.
const NEWTON_STEPS: usize = 3;

/// Wichura's algorithm AS 241 (PPND16, Applied Statistics 37, 1988): the range of `p - 1/2` of its central fit.
const CENTRE: f64 = 0.425;

/// Numerator and denominator, constant term first.
type Rational = [[f64; 8]; 2];

fn ratio([numerator, denominator]: &Rational, x: f64) -> f64 {
    let horner = |c: &[f64; 8]| c.iter().rev().fold(0.0, |sum, c| sum * x + c);
    horner(numerator) / horner(denominator)
}

const CENTRAL: Rational = [
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ],
];

const TAIL: Rational = [
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        0.022_723_844_989_269_184,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        0.015_198_666_563_616_457,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
];

const FAR_TAIL: Rational = [
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        0.026_532_189_526_576_124,
        1.242_660_947_388_078_4e-3,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        0.014_875_361_290_850_615,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_8e-15,
    ],
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::special::phi_cdf;

    #[test]
    fn quantiles_at_every_scale() {
        // mpmath with 40 digits; the asymptotic series of ln Phi below -1000.
        for (log_p, z) in [
            (-3.0, -1.646_921_720_527_715),
            (-10.0, -3.913_946_240_531_893),
            (-26.0, -6.803_395_271_632_252),
            (-100.0, -13.888_476_033_003_886),
            (-700.0, -37.295_079_632_647_417),
            (-800.0, -39.884_694_838_256_68),
            (-1e4, -141.379_839_873_127_16),
            (-1e8, -14_142.134_882_976_3),
        ] {
            let ours = normal_quantile_of_log(log_p);
            assert!((ours / z - 1.0).abs() < 3e-15, "{log_p}: {ours} instead of {z}");
        }
        // mpmath with 40 digits
        for (p, z) in [
            (1e-300, -37.0470962993612),
            (1e-20, -9.262340089798407),
            (0.01, -2.326347874040841),
            (0.075, -1.439531470938456),
            (0.3, -0.5244005127080408),
            (0.51, 0.025068908258711057),
            (0.93, 1.475791028179171),
            (0.999, 3.090232306167813),
        ] {
            let ours = normal_quantile(p);
            assert!((ours / z - 1.0).abs() < 3e-15, "{p}: {ours} instead of {z}");
        }
        assert_eq!(normal_quantile(0.5), 0.0);
    }

    #[test]
    fn the_quantile_inverts_the_distribution_function() {
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
        assert_eq!(normal_quantile(1.0), f64::INFINITY);
        for p in [1e-310, 1e-300, 1e-12, 1e-3, 0.3, 0.49999, 0.7, 0.999] {
            let z = normal_quantile(p);
            assert!((phi_cdf(z) / p - 1.0).abs() < 1e-14 * (1.0 + z * z), "{p}: {z}");
        }
        // mpmath with 40 digits, from erfc
        for (tail, z) in [(0.025, 1.959963984540054), (6.220960574271784e-16, 8.0), (0.9772498680518208, -2.0)] {
            assert!((-normal_quantile(tail) / z - 1.0).abs() < 1e-14, "{tail}");
        }
    }
}
