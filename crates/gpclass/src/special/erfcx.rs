//! The scaled complementary error function, the one primitive behind every tail.

/// Chebyshev coefficients of (1 + 2x) erfcx(x) in t = (x - 3.75)/(x + 3.75), x >= 0, computed with 50 digits; the first
/// one left out is below 3e-18.
#[allow(clippy::excessive_precision)]
const COEFFICIENTS: [f64; 26] = [
    1.17757893456740175408,
    -4.590054580646477330853e-3,
    -8.424913336651791558351e-2,
    5.920993999819189049808e-2,
    -2.665866843530575227739e-2,
    9.074997670705265093879e-3,
    -2.413163540417608190943e-3,
    4.907758365258086322859e-4,
    -6.916973302501206367096e-5,
    4.139027986073010167534e-6,
    7.740383066198490668633e-7,
    -2.188640104923439566149e-7,
    1.076499946567091037714e-8,
    4.521959811218286897931e-9,
    -7.754400208831351106474e-10,
    -6.318088340886684494385e-11,
    2.868795010930669898142e-11,
    1.945586854577734722953e-13,
    -9.654696748433438905851e-13,
    3.252548148148739841542e-14,
    3.347811948286805387827e-14,
    -1.864562880419313101544e-15,
    -1.250795053068864708532e-15,
    7.418235256624043463048e-17,
    5.068148904796111316807e-17,
    -2.237056659435999597369e-18,
];
const CENTRE: f64 = 3.75;

/// erfcx(x) = e^(x^2) erfc(x). Overflows to infinity below about -26.6, as the function itself does.
pub fn erfcx(x: f64) -> f64 {
    if x >= 0.0 { upper(x) } else { 2.0 * exp_square(x) - upper(-x) }
}

/// The same for x >= 0. Branch-free, so it vectorises where inlined.
#[inline(always)]
pub(super) fn upper(x: f64) -> f64 {
    // Written so that an infinite x gives t = 1, not infinity over infinity.
    let t = 1.0 - 2.0 * CENTRE / (x + CENTRE);
    let (mut b1, mut b2) = (0.0, 0.0);
    for &c in COEFFICIENTS[1..].iter().rev() {
        (b1, b2) = (2.0 * t * b1 - b2 + c, b1);
    }
    (t * b1 - b2 + COEFFICIENTS[0]) / (1.0 + 2.0 * x)
}

/// e^(x^2) with the rounding of x^2 carried along: exp turns an absolute error of its argument into a relative one.
fn exp_square(x: f64) -> f64 {
    let (high, low) = square(x);
    if high > 709.0 { high.exp() } else { high.exp() * (1.0 + low) }
}

/// x^2 as a rounded value and the rest (Veltkamp's splitting).
pub(super) fn square(x: f64) -> (f64, f64) {
    const SPLIT: f64 = 134_217_729.0; // 2^27 + 1
    let big = SPLIT * x;
    let head = big - (big - x);
    let tail = x - head;
    let product = x * x;
    (product, ((head * head - product) + 2.0 * head * tail) + tail * tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_forty_digits() {
        // mpmath, 50 digits: exp(x^2) erfc(x).
        #[allow(clippy::excessive_precision)]
        let golden = [
            (0.0, 1.0),
            (1e-10, 0.9999999998871620833),
            (0.125, 0.8732218450821508096),
            (0.5, 0.61569034419292587487),
            (1.0, 0.42758357615580700441),
            (2.5, 0.21080636406114358065),
            (3.75, 0.14558972127503853905),
            (6.0, 0.092776567800538354389),
            (20.0, 0.028174348741051319319),
            (700.0, 8.0598429692265993529e-4),
            (1e10, 5.6418958354775628695e-11),
            (-0.5, 1.9523604891825570933),
            (-3.0, 16205.988853999586625),
            (-20.0, 1.0442939379528287901e+174),
        ];
        for (x, want) in golden {
            let got = erfcx(x);
            assert!((got / want - 1.0).abs() < 1e-15, "erfcx({x}) = {got}, not {want}");
        }
    }

    #[test]
    fn the_ends_are_limits() {
        assert_eq!(erfcx(f64::INFINITY), 0.0);
        assert_eq!(erfcx(-40.0), f64::INFINITY);
    }
}
