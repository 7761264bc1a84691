//! From numbers to places on the canvas.

/// A straight map of [low, high] to [from, to].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scale {
    pub low: f64,
    pub high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// A range without extent is widened, one that is not finite replaced, so that every place is finite.
    pub fn new((low, high): (f64, f64), from: f64, to: f64) -> Self {
        let (low, high) = match (low.is_finite() && high.is_finite(), high - low) {
            (true, span) if span > 0.0 && span.is_finite() => (low, high),
            (true, _) => (low - 0.5 * low.abs().clamp(1.0, 1e300), low + 0.5 * low.abs().clamp(1.0, 1e300)),
            (false, _) => (0.0, 1.0),
        };
        Scale { low, high, from, to }
    }

    /// The place of a value; values outside the range go to its ends.
    pub fn at(&self, value: f64) -> f64 {
        let share = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + (self.to - self.from) * if share.is_nan() { 0.0 } else { share }
    }
}

/// The least and largest finite values, widened by a share of their distance at both ends.
pub(crate) fn padded(values: impl Iterator<Item = f64>, share: f64) -> (f64, f64) {
    let finite = values.filter(|v| v.is_finite());
    let (low, high) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    let pad = share * (high - low);
    (low - pad, high + pad)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_always_finite() {
        let plain = Scale::new((0.0, 4.0), 10.0, 50.0);
        assert_eq!([plain.at(0.0), plain.at(1.0), plain.at(9.0)], [10.0, 20.0, 50.0]);
        for (low, high) in [(3.0, 3.0), (f64::NAN, 1.0), (f64::INFINITY, f64::NEG_INFINITY), (1e308, 1e308), (0.0, 0.0)]
        {
            let scale = Scale::new((low, high), 0.0, 1.0);
            for value in [low, high, 0.0, f64::NAN, f64::INFINITY, 1e308] {
                assert!(scale.at(value).is_finite(), "{low} {high} {value}");
            }
        }
        assert_eq!(Scale::new((3.0, 3.0), 0.0, 1.0).at(3.0), 0.5);
    }

    #[test]
    fn padding_ignores_what_is_not_finite() {
        assert_eq!(padded([1.0, f64::NAN, 3.0, f64::INFINITY].into_iter(), 0.5), (0.0, 4.0));
    }
}
