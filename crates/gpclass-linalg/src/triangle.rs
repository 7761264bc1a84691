//! Matrix-vector work on one triangle: half the memory traffic of the full matrix, which is what bounds it.
//!
//! Every function walks over strips of [`STRIP`] columns: a small triangle on the diagonal, done entry by entry,
//! and the rectangle below it, done by the two passes [`add_columns`] and [`dot_columns`].

use crate::Mat;
use pulp::Arch;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub};

/// Columns handled in one pass over a vector.
const STRIP: usize = 4;
type Strip<'a, T> = [&'a [T]; STRIP];

/// What the entries of a triangle are.
pub(crate) trait Number:
    Copy
    + Default
    + AddAssign
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// `stripᵀ x`, with as many partial sums for each column as a vector register holds.
    fn dot_columns(strip: Strip<'_, Self>, x: &[Self]) -> [Self; STRIP];
}

impl Number for f64 {
    #[inline(always)]
    fn dot_columns(strip: Strip<'_, f64>, x: &[f64]) -> [f64; STRIP] {
        dot_columns::<f64, 4>(strip, x)
    }
}

impl Number for f32 {
    #[inline(always)]
    fn dot_columns(strip: Strip<'_, f32>, x: &[f32]) -> [f32; STRIP] {
        dot_columns::<f32, 8>(strip, x)
    }
}

/// Copies the lower triangle onto the upper one.
pub fn mirror_lower(a: &mut Mat) {
    let n = a.rows();
    assert_eq!(n, a.cols());
    mirror_columns(n, a.as_mut_slice());
}

/// The same for a square matrix given as its columns.
pub(crate) fn mirror_columns<T: Copy>(n: usize, a: &mut [T]) {
    // Tiles, so that both the reads and the strided writes stay in cache.
    const TILE: usize = 32;
    for j0 in (0..n).step_by(TILE) {
        for i0 in (j0..n).step_by(TILE) {
            for j in j0..(j0 + TILE).min(n) {
                for i in i0.max(j + 1)..(i0 + TILE).min(n) {
                    a[j + i * n] = a[i + j * n];
                }
            }
        }
    }
}

/// A lower triangle, column by column, however it is stored.
pub(crate) trait Lower {
    type Number: Number;

    /// Rows and columns.
    fn size(&self) -> usize;

    /// Column `j` from row `i >= j` down.
    fn below_row(&self, j: usize, i: usize) -> &[Self::Number];
}

impl Lower for Mat {
    type Number = f64;

    fn size(&self) -> usize {
        self.rows()
    }

    #[inline(always)]
    fn below_row(&self, j: usize, i: usize) -> &[f64] {
        &self.col(j)[i..]
    }
}

/// `A x` for the symmetric matrix whose lower triangle is that of `a`.
pub fn symmetric_mul(a: &Mat, x: &[f64]) -> Vec<f64> {
    square(a, x);
    symmetric_product(a, x)
}

/// `A x` for the symmetric matrix with the given lower triangle.
pub(crate) fn symmetric_product<A: Lower>(a: &A, x: &[A::Number]) -> Vec<A::Number> {
    let n = a.size();
    assert_eq!(n, x.len(), "a square matrix and a vector of its size");
    let mut y = vec![A::Number::default(); n];
    vectorised(|| {
        for j0 in (0..n).step_by(STRIP) {
            let j1 = (j0 + STRIP).min(n);
            for j in j0..j1 {
                let column = a.below_row(j, j);
                y[j] += column[0] * x[j];
                for i in j + 1..j1 {
                    y[i] += column[i - j] * x[j];
                    y[j] += column[i - j] * x[i];
                }
            }
            if j1 < n {
                let strip = below(a, j0, j1);
                let sums = A::Number::dot_columns(strip, &x[j1..]);
                add_columns(&mut y[j1..], strip, weights(x, j0));
                for (y, s) in y[j0..j1].iter_mut().zip(sums) {
                    *y += s;
                }
            }
        }
    });
    y
}

/// `L x` for the lower triangle of `l`.
pub fn lower_mul(l: &Mat, x: &[f64]) -> Vec<f64> {
    let n = square(l, x);
    let mut y = vec![0.0; n];
    vectorised(|| {
        for j0 in (0..n).step_by(STRIP) {
            let j1 = (j0 + STRIP).min(n);
            for j in j0..j1 {
                for i in j..j1 {
                    y[i] += l[(i, j)] * x[j];
                }
            }
            if j1 < n {
                add_columns(&mut y[j1..], below(l, j0, j1), weights(x, j0));
            }
        }
    });
    y
}

/// `Lᵀ x` for the lower triangle of `l`.
pub fn lower_transpose_mul(l: &Mat, x: &[f64]) -> Vec<f64> {
    let n = square(l, x);
    let mut y = vec![0.0; n];
    vectorised(|| {
        for j0 in (0..n).step_by(STRIP) {
            let j1 = (j0 + STRIP).min(n);
            let sums = if j1 < n { f64::dot_columns(below(l, j0, j1), &x[j1..]) } else { [0.0; STRIP] };
            for j in j0..j1 {
                y[j] = (j..j1).fold(sums[j - j0], |sum, i| sum + l[(i, j)] * x[i]);
            }
        }
    });
    y
}

/// `x <- L⁻¹ x` for the lower triangle of `l`.
pub fn lower_solve(l: &Mat, x: &mut [f64]) {
    square(l, x);
    solve_forwards(l, x);
}

/// `x <- L⁻ᵀ x` for the lower triangle of `l`.
pub fn lower_transpose_solve(l: &Mat, x: &mut [f64]) {
    square(l, x);
    solve_backwards(l, x);
}

/// `x <- L⁻¹ x`.
pub(crate) fn solve_forwards<L: Lower>(l: &L, x: &mut [L::Number]) {
    let n = l.size();
    vectorised(|| {
        for j0 in (0..n).step_by(STRIP) {
            let j1 = (j0 + STRIP).min(n);
            for j in j0..j1 {
                x[j] = (j0..j).fold(x[j], |rest, k| rest - entry(l, j, k) * x[k]) / entry(l, j, j);
            }
            if j1 < n {
                let minus = weights(x, j0).map(|w| -w);
                add_columns(&mut x[j1..], below(l, j0, j1), minus);
            }
        }
    });
}

/// `x <- L⁻ᵀ x`.
pub(crate) fn solve_backwards<L: Lower>(l: &L, x: &mut [L::Number]) {
    let n = l.size();
    vectorised(|| {
        for j0 in (0..n).step_by(STRIP).rev() {
            let j1 = (j0 + STRIP).min(n);
            let sums = if j1 < n { L::Number::dot_columns(below(l, j0, j1), &x[j1..]) } else { Default::default() };
            for j in (j0..j1).rev() {
                x[j] = (j + 1..j1).fold(x[j] - sums[j - j0], |rest, i| rest - entry(l, i, j) * x[i]) / entry(l, j, j);
            }
        }
    });
}

fn square(a: &Mat, x: &[f64]) -> usize {
    let n = a.rows();
    assert_eq!((n, n), (a.cols(), x.len()), "a square matrix and a vector of its size");
    n
}

#[inline(always)]
fn vectorised(work: impl FnOnce()) {
    Arch::new().dispatch(work)
}

/// The entry in row `i`, on the diagonal or below.
#[inline(always)]
fn entry<L: Lower>(l: &L, i: usize, j: usize) -> L::Number {
    l.below_row(j, i)[0]
}

#[inline(always)]
fn weights<T: Number>(x: &[T], j0: usize) -> [T; STRIP] {
    [x[j0], x[j0 + 1], x[j0 + 2], x[j0 + 3]]
}

/// Rows `j1..` of columns `j0..j0 + STRIP`.
#[inline(always)]
fn below<L: Lower>(a: &L, j0: usize, j1: usize) -> Strip<'_, L::Number> {
    [a.below_row(j0, j1), a.below_row(j0 + 1, j1), a.below_row(j0 + 2, j1), a.below_row(j0 + 3, j1)]
}

/// `y += strip * w`.
#[inline(always)]
fn add_columns<T: Number>(y: &mut [T], strip: Strip<'_, T>, w: [T; STRIP]) {
    let n = y.len();
    let [a, b, c, d] = strip.map(|col| &col[..n]);
    for i in 0..n {
        y[i] += (a[i] * w[0] + b[i] * w[1]) + (c[i] * w[2] + d[i] * w[3]);
    }
}

/// `stripᵀ x`, in this many partial sums for each column, a power of two.
#[inline(always)]
fn dot_columns<T: Number, const LANES: usize>(strip: Strip<'_, T>, x: &[T]) -> [T; STRIP] {
    let n = x.len();
    let cols = strip.map(|col| &col[..n]);
    let mut lanes = [[T::default(); LANES]; STRIP];
    let whole = n - n % LANES;
    for i in (0..whole).step_by(LANES) {
        for (lane, col) in lanes.iter_mut().zip(cols) {
            for (k, sum) in lane.iter_mut().enumerate() {
                *sum += col[i + k] * x[i + k];
            }
        }
    }
    let mut sums = lanes.map(pairwise_sum);
    for i in whole..n {
        for (sum, col) in sums.iter_mut().zip(cols) {
            *sum += col[i] * x[i];
        }
    }
    sums
}

/// Neighbours added until one number is left.
#[inline(always)]
fn pairwise_sum<T: Number, const LANES: usize>(mut lanes: [T; LANES]) -> T {
    let mut left = LANES;
    while left > 1 {
        left /= 2;
        for k in 0..left {
            lanes[k] = lanes[2 * k] + lanes[2 * k + 1];
        }
    }
    lanes[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lower(n: usize) -> Mat {
        Mat::from_fn(n, n, |i, j| match i.cmp(&j) {
            std::cmp::Ordering::Less => f64::NAN, // must never be read
            std::cmp::Ordering::Equal => 2.0 + i as f64 / 7.0,
            std::cmp::Ordering::Greater => ((3 * i + 5 * j) as f64).sin() / n as f64,
        })
    }

    fn naive(n: usize, entry: impl Fn(usize, usize) -> f64, x: &[f64]) -> Vec<f64> {
        (0..n).map(|i| (0..n).map(|j| entry(i, j) * x[j]).sum()).collect()
    }

    fn assert_close(a: &[f64], b: &[f64]) {
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-13, "{a} and {b}");
        }
    }

    #[test]
    fn products_and_solves_agree_with_the_definitions_at_every_size() {
        for n in 0..23 {
            let l = lower(n);
            let x: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
            let tri = |i, j| if i >= j { l[(i, j)] } else { 0.0 };
            assert_close(&lower_mul(&l, &x), &naive(n, tri, &x));
            assert_close(&lower_transpose_mul(&l, &x), &naive(n, |i, j| tri(j, i), &x));
            assert_close(&symmetric_mul(&l, &x), &naive(n, |i, j| l[(i.max(j), i.min(j))], &x));
            let mut z = lower_mul(&l, &x);
            lower_solve(&l, &mut z);
            assert_close(&z, &x);
            let mut z = lower_transpose_mul(&l, &x);
            lower_transpose_solve(&l, &mut z);
            assert_close(&z, &x);
        }
    }

    #[test]
    fn mirroring_makes_symmetric() {
        for n in [0, 1, 31, 32, 33, 70] {
            let mut a = lower(n);
            mirror_lower(&mut a);
            assert!((0..n).all(|i| (0..n).all(|j| a[(i, j)] == a[(j, i)])));
        }
    }
}
