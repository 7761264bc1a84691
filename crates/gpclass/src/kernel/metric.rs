//! r²_ij = sum_c w_c (x_ic - x_jc)² over encoded columns, and its pull-back to the columns.
//!
//! Few columns: differences, entry by entry. Many: z = sqrt(w) (x - centre) and |z_i|² + |z_j|² - 2 z_i'z_j, which is a
//! matrix product, with close pairs, where that cancels, done by differences.

use super::blocks::{Block, Pairs};
use super::columns::{LANES, add_terms, squared, weighted_terms};
use super::hyper::Weights;
use super::kept::Kept;
use gpclass_linalg::vector::{dot, sum, vectorised};
use gpclass_linalg::{Mat, Op, multiply};
use std::borrow::Cow;
use std::ops::Range;

/// Encoded columns up to which differences are faster than a product (measured).
pub(super) const DIRECT_COLUMNS: usize = 16;
/// A pair is close if r² is below this share of |z_i|² + |z_j|². The others lose less than 4 of 16 digits of r².
const CLOSE: f64 = 1e-4;

/// Squared distances between two sets of points, ready to be asked for block by block.
pub(super) struct Distances<'a> {
    left: &'a Mat,
    right: &'a Mat,
    weights: Vec<f64>,
    /// Present where products are used.
    scaled: Option<Scaled>,
    /// Present where distances are known but for their one weight.
    kept: Option<Kept<'a>>,
}

/// Points as contiguous columns: the values (for differences), scaled and centred (for products), and their norms.
struct Points {
    values: Mat,
    z: Mat,
    norms: Vec<f64>,
}

struct Scaled {
    left: Points,
    /// `None` where the two sets are one.
    right: Option<Points>,
}

impl Scaled {
    fn right(&self) -> &Points {
        self.right.as_ref().unwrap_or(&self.left)
    }
}

/// Squared distances of a block, with the close pairs (as positions in the block) where products were used.
pub(super) struct DistanceBlock {
    pub r2: Mat,
    close: Vec<(usize, usize)>,
}

impl<'a> Distances<'a> {
    /// Distances with these weights of features.
    pub fn of(pairs: Pairs<'a>, weights: &Weights) -> Self {
        let unit = || -> Box<dyn Fn(&Block) -> Mat + Sync + 'a> {
            let unit = Distances::new(pairs, vec![1.0; pairs.left().values().cols()]);
            Box::new(move |block| unit.block(block).r2)
        };
        match Kept::of(pairs, weights, |sums| &sums.squared, unit) {
            Some(kept) => Distances { kept: Some(kept), ..Distances::with_products(pairs, Vec::new(), false) },
            None => Distances::new(pairs, weights.per_column(pairs.left().features())),
        }
    }

    /// Distances with weight `weights[c]` for encoded column c.
    pub fn new(pairs: Pairs<'a>, weights: Vec<f64>) -> Self {
        let products = weights.len() > DIRECT_COLUMNS;
        Distances::with_products(pairs, weights, products)
    }

    /// As `new`, with the choice between differences and products made by the caller.
    pub fn with_products(pairs: Pairs<'a>, weights: Vec<f64>, products: bool) -> Self {
        let (left, right) = (pairs.left().values(), pairs.right().values());
        let scaled = products.then(|| {
            let centre: Vec<f64> = right.columns().map(|c| c.iter().sum::<f64>() / c.len().max(1) as f64).collect();
            let points = |x: &Mat| Points::new(x, &centre, &weights);
            Scaled { left: points(left), right: matches!(pairs, Pairs::Between(..)).then(|| points(right)) }
        });
        Distances { left, right, weights, scaled, kept: None }
    }

    /// The squared distances of a block.
    pub fn block(&self, block: &Block) -> DistanceBlock {
        match (&self.kept, &self.scaled) {
            (Some(kept), _) => DistanceBlock { r2: kept.block(block), close: Vec::new() },
            (None, None) => DistanceBlock { r2: self.by_differences(block), close: Vec::new() },
            (None, Some(scaled)) => self.by_products(scaled, block),
        }
    }

    fn by_differences(&self, block: &Block) -> Mat {
        let mut r2 = Mat::zeros(block.rows.len(), block.cols.len());
        vectorised(
            #[inline(always)]
            || {
                let mut point = vec![0.0; self.weights.len()];
                for (k, j) in block.cols.clone().enumerate() {
                    for (p, column) in point.iter_mut().zip(self.right.columns()) {
                        *p = column[j];
                    }
                    distances_to_point(self.left, block.rows.clone(), &point, &self.weights, r2.col_mut(k));
                }
            },
        );
        r2
    }

    fn by_products(&self, scaled: &Scaled, block: &Block) -> DistanceBlock {
        let (left, right) = (&scaled.left, scaled.right());
        let row_points = columns_of(&left.z, block.rows.clone());
        let col_points = columns_of(&right.z, block.cols.clone());
        let mut r2 = multiply(&row_points, Op::Transpose, &col_points, Op::Plain);
        let mut close = Vec::new();
        for (k, j) in block.cols.clone().enumerate() {
            let column = r2.col_mut(k);
            let first = close.len();
            expand(column, &left.norms[block.rows.clone()], right.norms[j], |i| close.push((i, k)));
            for &(i, _) in &close[first..] {
                if block.is_diagonal(i, k) {
                    column[i] = 0.0;
                    continue;
                }
                let (a, b) = (left.values.col(block.rows.start + i), right.values.col(j));
                column[i] = a.iter().zip(b).zip(&self.weights).map(|((a, b), w)| w * ((a - b) * (a - b))).sum();
            }
        }
        DistanceBlock { r2, close }
    }

    /// For every column c: w_c sum_ij q_ij (x_ic - x_jc)² over the block, of which `distances` came, where columns have weights
    /// of their own. Spends `q`.
    pub fn pull_back(&self, block: &Block, distances: &DistanceBlock, q: &mut Mat) -> Vec<f64> {
        match &self.scaled {
            None => self.pull_back_differences(block, q),
            Some(scaled) => self.pull_back_products(scaled, block, &distances.close, q),
        }
    }

    fn pull_back_differences(&self, block: &Block, q: &Mat) -> Vec<f64> {
        let mut sums = vec![0.0; self.weights.len()];
        vectorised(
            #[inline(always)]
            || {
                // One column of q at a time: it stays in the nearest cache while the features pass by.
                for (j, q) in block.cols.clone().zip(q.columns()) {
                    for ((sum, left), right) in sums.iter_mut().zip(self.left.columns()).zip(self.right.columns()) {
                        *sum += weighted_terms(q, &left[block.rows.clone()], right[j], squared);
                    }
                }
            },
        );
        sums.iter().zip(&self.weights).map(|(sum, w)| w * sum).collect()
    }

    fn pull_back_products(&self, scaled: &Scaled, block: &Block, close: &[(usize, usize)], q: &mut Mat) -> Vec<f64> {
        let (left, right) = (&scaled.left, scaled.right());
        let mut sums = vec![0.0; self.weights.len()];
        for &(i, k) in close {
            let q_ij = std::mem::replace(&mut q[(i, k)], 0.0);
            if q_ij != 0.0 && !block.is_diagonal(i, k) {
                let (a, b) = (left.values.col(block.rows.start + i), right.values.col(block.cols.start + k));
                for (((sum, a), b), w) in sums.iter_mut().zip(a).zip(b).zip(&self.weights) {
                    *sum += q_ij * (w * ((a - b) * (a - b)));
                }
            }
        }
        // sum_ij q_ij (z_ic - z_jc)² = sum_i (Q1)_i z_ic² + sum_j (Q'1)_j z_jc² - 2 sum_j z_jc (Q'Z)_jc, math 4.
        let row_points = columns_of(&left.z, block.rows.clone());
        let row_sums = q.mul_vec(&vec![1.0; q.cols()]);
        for (z, s) in row_points.columns().zip(&row_sums) {
            add_scaled_squares(&mut sums, *s, z);
        }
        let inner = multiply(&row_points, Op::Plain, q, Op::Plain);
        for (k, j) in block.cols.clone().enumerate() {
            let (z, column_sum) = (right.z.col(j), sum(q.col(k)));
            for ((total, z), p) in sums.iter_mut().zip(z).zip(inner.col(k)) {
                *total += z * (column_sum * z - 2.0 * p);
            }
        }
        sums
    }
}

impl Points {
    fn new(x: &Mat, centre: &[f64], weights: &[f64]) -> Self {
        let values = x.transposed();
        let mut z = values.clone();
        let roots: Vec<f64> = weights.iter().map(|w| w.sqrt()).collect();
        for i in 0..z.cols() {
            for ((z, centre), root) in z.col_mut(i).iter_mut().zip(centre).zip(&roots) {
                *z = root * (*z - centre);
            }
        }
        let norms = z.columns().map(|z| dot(z, z)).collect();
        Points { values, z, norms }
    }
}

/// Contiguous columns as a matrix of their own; the matrix itself where they are all of it.
pub(super) fn columns_of(m: &Mat, which: Range<usize>) -> Cow<'_, Mat> {
    if which == (0..m.cols()) {
        return Cow::Borrowed(m);
    }
    let rows = m.rows();
    let data = m.as_slice()[which.start * rows..which.end * rows].to_vec();
    Cow::Owned(Mat::from_columns(rows, which.len(), data))
}

/// out_i = sum_c w_c (x_ic - point_c)² for the given rows of x.
#[inline(always)]
fn distances_to_point(x: &Mat, rows: Range<usize>, point: &[f64], weights: &[f64], out: &mut [f64]) {
    let start = rows.start;
    for (chunk, out) in out.chunks_mut(LANES).enumerate() {
        let from = start + chunk * LANES;
        let mut sums = [0.0; LANES];
        for ((column, p), w) in x.columns().zip(point).zip(weights) {
            add_terms(&mut sums, &column[from..], *p, *w, squared);
        }
        out.copy_from_slice(&sums[..out.len()]);
    }
}

/// sums_c += s z_c².
fn add_scaled_squares(sums: &mut [f64], s: f64, z: &[f64]) {
    for (sum, z) in sums.iter_mut().zip(z) {
        *sum += s * (z * z);
    }
}

/// Turns inner products z_i'z into |z_i|² + |z|² - 2 z_i'z, and calls `close` where too few digits are left.
fn expand(column: &mut [f64], norms: &[f64], norm: f64, mut close: impl FnMut(usize)) {
    vectorised(
        #[inline(always)]
        || {
            for (c, (r2, norms)) in column.chunks_mut(LANES).zip(norms.chunks(LANES)).enumerate() {
                let mut lost = false;
                for (r2, n) in r2.iter_mut().zip(norms) {
                    let both = n + norm;
                    *r2 = both - 2.0 * *r2;
                    lost |= *r2 < CLOSE * both;
                }
                if lost {
                    for (i, (r2, n)) in r2.iter().zip(norms).enumerate() {
                        if *r2 < CLOSE * (n + norm) {
                            close(c * LANES + i);
                        }
                    }
                }
            }
        },
    );
}
