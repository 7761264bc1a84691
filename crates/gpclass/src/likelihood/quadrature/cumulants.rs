//! Derivatives of ln Z as cumulants of the tilted distribution.
//!
//! Each derivative has up to three forms that agree exactly and round differently: by parts, averages of derivatives of
//! l = power ln p (best when the Gaussian is narrow); cumulants of f (best when it is wide and the tilted distribution is
//! not); and Z^(k)/Z by parts once, E l' He_(k-1) (best when it is wide and little is cut off). Each is summed together with
//! the sum of its absolute terms, and the one with the smallest such sum loses the fewest digits.

/// Nodes with normalised weights and what the forms need at each of them.
pub(super) struct Nodes<'a> {
    weights: &'a [f64],
    /// f minus its tilted mean.
    centred: Vec<f64>,
    /// f minus the cavity mean, in cavity standard deviations.
    standard: Vec<f64>,
    /// The first four derivatives of l.
    slopes: Vec<[f64; 4]>,
    /// The first and second derivative minus their means.
    deviations: Vec<[f64; 2]>,
    /// The size of the mean of l', to whose last digit its deviations are known.
    level: f64,
    var: f64,
}

/// A value and the sum of the sizes of the terms it was summed from.
#[derive(Clone, Copy, Debug)]
struct Sum {
    value: f64,
    size: f64,
}

impl Sum {
    fn plus(self, factor: f64, other: Sum) -> Sum {
        Sum { value: self.value + factor * other.value, size: self.size + factor.abs() * other.size }
    }

    fn exact(value: f64) -> Sum {
        Sum { value, size: value.abs() }
    }

    fn times(self, other: Sum) -> Sum {
        Sum { value: self.value * other.value, size: self.size * other.size }
    }

    fn over(self, divisor: f64) -> Sum {
        Sum { value: self.value / divisor, size: self.size / divisor }
    }
}

/// The form that cancels least; the first stands unless another is certainly better.
fn best_of(forms: &[Sum]) -> f64 {
    forms
        .iter()
        .copied()
        .reduce(|best, form| if form.size < best.size { form } else { best })
        .map_or(0.0, |sum| sum.value)
}

impl<'a> Nodes<'a> {
    pub fn new(offsets: &[f64], weights: &'a [f64], slopes: Vec<[f64; 4]>, shift: f64, var: f64) -> Self {
        let average = |values: &mut dyn Iterator<Item = f64>| -> f64 { values.zip(weights).map(|(v, w)| v * w).sum() };
        let mean = average(&mut offsets.iter().copied());
        let means = [0, 1].map(|k| average(&mut slopes.iter().map(|slope| slope[k])));
        let deviation = var.sqrt();
        Nodes {
            weights,
            centred: offsets.iter().map(|t| t - mean).collect(),
            standard: offsets.iter().map(|t| (t + shift) / deviation).collect(),
            deviations: slopes.iter().map(|slope| [slope[0] - means[0], slope[1] - means[1]]).collect(),
            level: means[0].abs(),
            slopes,
            var,
        }
    }

    fn expect(&self, value: impl Fn(usize) -> f64) -> Sum {
        self.weights.iter().enumerate().fold(Sum { value: 0.0, size: 0.0 }, |sum, (i, &weight)| {
            let term = weight * value(i);
            Sum { value: sum.value + term, size: sum.size + term.abs() }
        })
    }

    /// E (l' - E l')^k with the rounding of the differences counted in its size.
    fn central(&self, k: i32) -> Sum {
        let Sum { value, size } = self.expect(|i| self.deviations[i][0].powi(k));
        let lower = self.expect(|i| self.deviations[i][0].powi(k - 1)).size;
        Sum { value, size: size + f64::from(k) * self.level * lower }
    }

    /// E l'.
    pub fn first(&self) -> f64 {
        self.expect(|i| self.slopes[i][0]).value
    }

    /// Z''/Z, Z'''/Z and Z''''/Z by parts once, after Z'/Z.
    fn ratios(&self) -> [Sum; 4] {
        let deviation = self.var.sqrt();
        let hermite = |k: usize, x: f64| match k {
            0 => 1.0,
            1 => x,
            2 => x * x - 1.0,
            _ => x * (x * x - 3.0),
        };
        [0, 1, 2, 3]
            .map(|k| self.expect(|i| self.slopes[i][0] * hermite(k, self.standard[i])).over(deviation.powi(k as i32)))
    }

    /// d2 ln Z/dm2, given the tilted variance over the cavity's.
    pub fn second(&self, shrink: f64) -> f64 {
        let by_parts = self.expect(|i| self.slopes[i][1]).plus(1.0, self.central(2));
        let cumulant = Sum::exact(shrink).plus(-1.0, Sum::exact(1.0)).over(self.var);
        let [p1, p2, ..] = self.ratios();
        best_of(&[by_parts, cumulant, p2.plus(-1.0, p1.times(p1))])
    }

    /// d3 ln Z/dm3.
    pub fn third(&self) -> f64 {
        let deviations = &self.deviations;
        let by_parts = self
            .expect(|i| self.slopes[i][2])
            .plus(3.0, self.expect(|i| deviations[i][0] * deviations[i][1]))
            .plus(1.0, self.central(3));
        let cumulant = self.expect(|i| self.centred[i].powi(3)).over(self.var.powi(3));
        let [p1, p2, p3, _] = self.ratios();
        let ratios = p3.plus(-3.0, p2.times(p1)).plus(2.0, p1.times(p1).times(p1));
        best_of(&[by_parts, cumulant, ratios])
    }

    /// d4 ln Z/dm4.
    pub fn fourth(&self) -> f64 {
        let deviations = &self.deviations;
        let variance = self.central(2);
        let by_parts = self
            .expect(|i| self.slopes[i][3])
            .plus(4.0, self.expect(|i| deviations[i][0] * self.slopes[i][2]))
            .plus(3.0, self.expect(|i| deviations[i][1].powi(2)))
            .plus(6.0, self.expect(|i| deviations[i][0].powi(2) * deviations[i][1]))
            .plus(1.0, self.central(4))
            .plus(-3.0, variance.times(variance));
        let spread = self.expect(|i| self.centred[i].powi(2));
        let cumulant = self.expect(|i| self.centred[i].powi(4)).plus(-3.0, spread.times(spread)).over(self.var.powi(4));
        let [p1, p2, p3, p4] = self.ratios();
        let square = p1.times(p1);
        let ratios = p4
            .plus(-4.0, p3.times(p1))
            .plus(-3.0, p2.times(p2))
            .plus(12.0, p2.times(square))
            .plus(-6.0, square.times(square));
        best_of(&[by_parts, cumulant, ratios])
    }

    /// Given (dl/dp, its first and second derivative in f) at each node, the derivative in p of (ln Z, d1, d2).
    pub fn by_param(&self, rows: &[[f64; 3]]) -> [f64; 3] {
        let deviations = &self.deviations;
        let value = self.expect(|i| rows[i][0]).value;
        let slope_mean = self.expect(|i| rows[i][1]).value;
        let centred = |i: usize| rows[i][0] - value;
        let first = self.expect(|i| rows[i][1]).plus(1.0, self.expect(|i| centred(i) * deviations[i][0]));
        let first_cumulant = self.expect(|i| centred(i) * self.centred[i]).over(self.var);
        let second = self
            .expect(|i| rows[i][2])
            .plus(2.0, self.expect(|i| (rows[i][1] - slope_mean) * deviations[i][0]))
            .plus(1.0, self.expect(|i| centred(i) * deviations[i][1]))
            .plus(1.0, self.expect(|i| centred(i) * deviations[i][0].powi(2)));
        let second_cumulant = self.expect(|i| centred(i) * self.centred[i].powi(2)).over(self.var.powi(2));
        [value, best_of(&[first, first_cumulant]), best_of(&[second, second_cumulant])]
    }
}
