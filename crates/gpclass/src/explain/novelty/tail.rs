//! How rare a value is among others: by counting, and beyond most of them by an exponential tail.

/// Share of the values that the tail is fitted to.
const SHARE: f64 = 0.1;
/// Values that it is fitted to at least, where there are as many.
const LEAST: usize = 10;
/// Least scale of the tail, as a share of where it starts: values that agree up to rounding are equally rare.
const LEAST_SCALE: f64 = 1e-2;

/// The distribution of some values.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    /// In increasing order.
    values: Vec<f64>,
    /// Where the tail starts, and how many values are beyond.
    start: f64,
    beyond: usize,
    scale: f64,
}

impl Tail {
    pub fn new(mut values: Vec<f64>) -> Self {
        values.sort_by(f64::total_cmp);
        let n = values.len();
        let beyond = ((SHARE * n as f64).ceil() as usize).max(LEAST).min(n / 2).max(1);
        let start = values[n.saturating_sub(beyond + 1)];
        let excess = values[n.saturating_sub(beyond)..].iter().map(|v| v - start).sum::<f64>() / beyond as f64;
        let scale = excess.max(LEAST_SCALE * start).max(f64::MIN_POSITIVE);
        Tail { values, start, beyond, scale }
    }

    /// Minus the logarithm of the share of values that are as large.
    pub fn rarity(&self, value: f64) -> f64 {
        let n = self.values.len() as f64;
        if value > self.start {
            return (n / self.beyond as f64).ln() + (value - self.start) / self.scale;
        }
        let smaller = self.values.partition_point(|v| *v < value);
        (n / (n - smaller as f64).max(self.beyond as f64)).ln()
    }

    /// The share of values that are smaller.
    pub fn below(&self, value: f64) -> f64 {
        -(-self.rarity(value)).exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_within_and_extrapolates_beyond() {
        let tail = Tail::new((0..1000).rev().map(|i| -(1.0 - (f64::from(i) + 0.5) / 1000.0).ln()).collect());
        for (value, share) in [(0.5_f64.ln().abs(), 0.5), (3.0, 1.0 - (-3.0_f64).exp()), (8.0, 1.0 - (-8.0_f64).exp())]
        {
            assert!((tail.below(value) - share).abs() < 0.02 * (1.0 - share) + 0.002, "{value}: {}", tail.below(value));
        }
        let grid: Vec<f64> = (0..200).map(|i| tail.rarity(0.05 * f64::from(i))).collect();
        assert!(grid.windows(2).all(|w| w[0] <= w[1]), "it never falls");
        assert_eq!(tail.below(0.0), 0.0);
    }

    #[test]
    fn equal_values_are_not_rare() {
        let tail = Tail::new(vec![0.25; 40]);
        assert_eq!(tail.below(0.25), 0.0);
        assert!(tail.below(0.25 * (1.0 + 1e-12)) < 0.8, "{}", tail.below(0.25 * (1.0 + 1e-12)));
        assert!(tail.below(0.5) > 0.999);
        let one = Tail::new(vec![0.0]);
        assert!(one.below(0.0) < 0.5 && one.below(1.0) > 0.99);
    }
}
