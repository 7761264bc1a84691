//! Genz's separation of variables: the probability as a product of one-dimensional ones, in a favourable order.

use crate::exact::ExactError;
use crate::special::hazard;
use gpclass_linalg::{Mat, vector};

/// `g = L x` with `x` standard normal, turned into bounds on one `x` after the other (Genz 1992, eq. 3-5):
/// `x_k <= upper_k - rows_k . (x_0 .. x_{k-1})`.
pub(super) struct Separated {
    /// Which variable comes when.
    pub order: Vec<usize>,
    /// Row k of `L` over its diagonal entry, for the variables that have one; as it is for those determined by them.
    pub rows: Vec<Vec<f64>>,
    pub upper: Vec<f64>,
    /// Diagonal of `L`.
    pub deviations: Vec<f64>,
    /// By how much a determined variable may exceed its bound: the deviation lost to rounding.
    pub slack: f64,
}

impl Separated {
    /// Number of variables with variation of their own; the others come last.
    pub fn rank(&self) -> usize {
        self.deviations.len()
    }

    /// Of the covariance `cov` (lower triangle) and the bounds `g <= upper`.
    pub fn new(cov: &Mat, upper: &[f64]) -> Result<Separated, ExactError> {
        let n = cov.rows();
        let largest = cov.diag().into_iter().fold(0.0, f64::max);
        let tolerance = n as f64 * f64::EPSILON * largest;
        let mut build = Build {
            rows: vec![Vec::new(); n],
            variance: cov.diag(),
            shift: vec![0.0; n],
            waiting: (0..n).collect(),
            order: Vec::with_capacity(n),
            deviations: Vec::new(),
        };
        while let Some(p) = build.least_likely(upper, tolerance) {
            build.take(cov, upper, p);
        }
        if let Some(&row) = build.waiting.iter().find(|&&i| build.variance[i] < -4.0 * tolerance) {
            return Err(ExactError::NotPositiveSemidefinite { row, variance: build.variance[row] });
        }
        Ok(build.finish(upper, tolerance.sqrt()))
    }

    /// Whether the variables that are functions of the others keep their bounds.
    pub fn determined_hold(&self, x: &[f64]) -> bool {
        let rank = self.rank();
        (rank..self.rows.len()).all(|k| vector::dot(&self.rows[k], x) <= self.upper[k] + self.slack)
    }

    /// The bound of `x_k` given the earlier ones.
    pub fn bound(&self, k: usize, x: &[f64]) -> f64 {
        self.upper[k] - vector::dot(&self.rows[k], &x[..k])
    }

    /// `g` in its original order.
    pub fn variables(&self, x: &[f64]) -> Vec<f64> {
        let mut g = vec![0.0; self.order.len()];
        for (k, &i) in self.order.iter().enumerate() {
            g[i] = match self.deviations.get(k) {
                Some(deviation) => deviation * (x[k] + vector::dot(&self.rows[k], &x[..k])),
                None => vector::dot(&self.rows[k], x),
            };
        }
        g
    }
}

/// The factorisation under way. All vectors are by original variable.
struct Build {
    rows: Vec<Vec<f64>>,
    /// Variance given the variables taken.
    variance: Vec<f64>,
    /// Expectation given the expected values of the variables taken.
    shift: Vec<f64>,
    waiting: Vec<usize>,
    order: Vec<usize>,
    deviations: Vec<f64>,
}

impl Build {
    /// The waiting variable least likely to keep its bound: taken first, it leaves the others less to decide
    /// (Gibson, Glasbey and Elston 1994).
    fn least_likely(&self, upper: &[f64], tolerance: f64) -> Option<usize> {
        let room = |i: usize| (upper[i] - self.shift[i]) / self.variance[i].sqrt();
        let free = self.waiting.iter().copied().filter(|&i| self.variance[i] > tolerance);
        free.min_by(|&a, &b| room(a).total_cmp(&room(b)))
    }

    fn take(&mut self, cov: &Mat, upper: &[f64], p: usize) {
        let deviation = self.variance[p].sqrt();
        let room = (upper[p] - self.shift[p]) / deviation;
        let expected = -hazard(room); // E[x | x <= room]
        self.waiting.retain(|&i| i != p);
        for &i in &self.waiting {
            let entry = (cov[(i.max(p), i.min(p))] - vector::dot(&self.rows[i], &self.rows[p])) / deviation;
            self.rows[i].push(entry);
            self.variance[i] -= entry * entry;
            self.shift[i] += entry * expected;
        }
        self.order.push(p);
        self.deviations.push(deviation);
    }

    fn finish(mut self, upper: &[f64], slack: f64) -> Separated {
        self.order.append(&mut self.waiting);
        let scale = |k: usize| self.deviations.get(k).copied().unwrap_or(1.0);
        let in_order = self.order.iter().enumerate();
        let rows = in_order.clone().map(|(k, &i)| self.rows[i].iter().map(|e| e / scale(k)).collect()).collect();
        let upper = in_order.map(|(k, &i)| upper[i] / scale(k)).collect();
        Separated { rows, upper, order: self.order, deviations: self.deviations, slack }
    }
}
