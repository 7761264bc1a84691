//! Round numbers along an axis.

use crate::text;

/// About `wanted` multiples of 1, 2 or 5 times a power of ten within [low, high].
pub(super) fn ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let span = high - low;
    if !(span.is_finite() && span > 0.0) {
        return Vec::new();
    }
    let rough = span / wanted.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= rough * 0.999).unwrap_or(rough);
    // Counting in steps keeps the multiples exact; beyond 2^53 of them, or an underflow, there is nothing to mark.
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    if !(step > 0.0 && first.abs() < 9e15 && last.abs() < 9e15) {
        return Vec::new();
    }
    (0..=(last - first).max(0.0) as usize).map(|k| (first + k as f64) * step).map(|v| v + 0.0).collect()
}

/// Numbers from ten of a unit on are told in it: beside an upright axis there is room for five signs.
const UNITS: [(f64, &str); 3] = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
/// Beyond, powers of ten are shorter.
const LARGEST: f64 = 1e12;

/// Labels that tell the ticks apart, all with the same number of decimals.
pub(super) fn labels(ticks: &[f64]) -> Vec<String> {
    let largest = ticks.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
    let step = if ticks.len() > 1 { (ticks[1] - ticks[0]).abs() } else { largest };
    let (unit, sign) = UNITS.into_iter().find(|(unit, _)| largest >= 10.0 * unit).unwrap_or((1.0, ""));
    if !(1e-4..LARGEST).contains(&largest) || step < 1e-4 * unit {
        return ticks.iter().map(|&v| text::number(v)).collect();
    }
    let decimals = (-((step / unit).log10() + 1e-9).floor()).clamp(0.0, 6.0) as usize;
    let label = |v: &f64| format!("{:.decimals$}{}", v / unit, if *v == 0.0 { "" } else { sign }).replace('-', "−");
    ticks.iter().map(label).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(labels(&ticks(0.0, 1.0, 5)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(ticks(-3.2, 7.9, 5), [0.0, 5.0]);
        assert_eq!(ticks(-3.2, 7.9, 6), [-2.0, 0.0, 2.0, 4.0, 6.0]);
        assert_eq!(labels(&ticks(1.0e7, 1.4e7, 4)), ["10M", "11M", "12M", "13M", "14M"]);
        assert_eq!(labels(&ticks(-4000.0, 1.04e5, 3)), ["0", "50k", "100k"]);
        assert_eq!(labels(&ticks(0.0, 5000.0, 2)), ["0", "5000"]);
        assert_eq!(labels(&ticks(1e12, 3e12, 2)), ["1.00e12", "2.00e12", "3.00e12"]);
        assert_eq!(labels(&ticks(-0.03, 0.03, 3)), ["−0.02", "0.00", "0.02"]);
    }

    #[test]
    fn ranges_without_room_have_no_ticks() {
        for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (-f64::MAX, f64::MAX)] {
            assert!(ticks(low, high, 5).is_empty(), "{low} {high}");
        }
        // One unit in the last place of a large number apart: no multiples to count.
        assert!(ticks(1e300, 1e300 * (1.0 + f64::EPSILON), 5).len() < 10);
        assert!(ticks(0.0, 5e-324, 5).len() < 10);
    }

    #[test]
    fn many_ranges_get_a_sensible_number() {
        for k in -12..12 {
            for span in [1.0, 1.7, 3.3, 6.1, 9.9] {
                let high = span * 10f64.powi(k);
                let marks = ticks(0.0, high, 5);
                assert!((3..=7).contains(&marks.len()), "{high}: {marks:?}");
                assert!(marks.iter().all(|m| *m >= 0.0 && *m <= high * (1.0 + 1e-9)));
            }
        }
    }
}
