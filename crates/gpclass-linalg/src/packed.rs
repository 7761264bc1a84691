//! A symmetric matrix in half the memory.

use crate::parallel::parallelism;
use crate::state::guarded;
use crate::triangle::{Lower, symmetric_product};
use crate::{Mat, OutOfMemory};
use faer::Accum;
use faer::linalg::matmul::matmul;
use faer::reborrow::*;

/// Columns unpacked at once in a product with a matrix.
const PANEL: usize = 64;

/// A symmetric matrix stored as the columns of its lower triangle, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackedSymmetric {
    n: usize,
    data: Vec<f64>,
}

impl PackedSymmetric {
    /// Of the lower triangle of `a`, in the memory of `spare` where that is enough.
    pub fn from_lower(a: &Mat, spare: Option<PackedSymmetric>) -> Result<Self, OutOfMemory> {
        let n = a.rows();
        assert_eq!(n, a.cols(), "a square matrix");
        let mut data = spare.map_or_else(Vec::new, |old| old.data);
        data.clear();
        let entries = n * (n + 1) / 2;
        data.try_reserve_exact(entries).map_err(|_| OutOfMemory { bytes: entries * size_of::<f64>() })?;
        for (j, column) in a.columns().enumerate() {
            data.extend_from_slice(&column[j..]);
        }
        Ok(PackedSymmetric { n, data })
    }

    /// Rows and columns.
    pub fn size(&self) -> usize {
        self.n
    }

    /// Column `j` from the diagonal down.
    pub fn column(&self, j: usize) -> &[f64] {
        let start = j * self.n - j * j.saturating_sub(1) / 2;
        &self.data[start..start + self.n - j]
    }

    /// The lower triangle of `out += scale * self`; what is above stays as it is.
    pub fn add_to_lower(&self, scale: f64, out: &mut Mat) {
        for j in 0..self.n {
            crate::vector::add_scaled(&mut out.col_mut(j)[j..], scale, self.column(j));
        }
    }

    /// The whole matrix, both triangles, written to `out`.
    pub fn unpack(&self, out: &mut Mat) {
        for j in 0..self.n {
            out.col_mut(j)[j..].copy_from_slice(self.column(j));
        }
        crate::mirror_lower(out);
    }

    /// `A x`.
    pub fn mul(&self, x: &[f64]) -> Vec<f64> {
        symmetric_product(self, x)
    }

    /// `A B`.
    pub fn mul_columns(&self, b: &Mat) -> Mat {
        assert_eq!(self.n, b.rows(), "as many rows as the matrix has columns");
        let mut out = Mat::zeros(self.n, b.cols());
        for first in (0..self.n).step_by(PANEL) {
            let last = (first + PANEL).min(self.n);
            let (panel, below) = (self.panel(first, last), self.n - last);
            let par = parallelism(self.n.min(b.cols()));
            guarded(|| {
                let (out, b) = (out.view_mut(), b.view());
                let (mut upper, mut lower) = out.subrows_mut(first, self.n - first).split_at_row_mut(last - first);
                let (square, rest) = panel.view().split_at_row(last - first);
                matmul(upper.rb_mut(), Accum::Add, square, b.subrows(first, last - first), 1.0, par);
                matmul(lower.rb_mut(), Accum::Add, rest, b.subrows(first, last - first), 1.0, par);
                matmul(upper.rb_mut(), Accum::Add, rest.transpose(), b.subrows(last, below), 1.0, par);
            });
        }
        out
    }

    /// Columns `first..last` from row `first` down, those above the diagonal included.
    fn panel(&self, first: usize, last: usize) -> Mat {
        let mut out = Mat::zeros(self.n - first, last - first);
        for (k, j) in (first..last).enumerate() {
            out.col_mut(k)[k..].copy_from_slice(self.column(j));
            (0..k).for_each(|above| out[(above, k)] = out[(k, above)]);
        }
        out
    }

    /// The entries of columns `which`, all rows of them.
    pub fn columns(&self, which: std::ops::Range<usize>) -> Mat {
        let mut out = Mat::zeros(self.n, which.len());
        for i in 0..which.end {
            // What lies above the diagonal is read along the rows, where it is stored next to each other.
            let from = which.start.max(i + 1);
            let right = &self.column(i)[from - i..(which.end - i).max(from - i)];
            right.iter().enumerate().for_each(|(k, value)| out[(i, from - which.start + k)] = *value);
        }
        for (k, j) in which.enumerate() {
            out.col_mut(k)[j..].copy_from_slice(self.column(j));
        }
        out
    }
}

impl Lower for PackedSymmetric {
    type Number = f64;

    fn size(&self) -> usize {
        self.n
    }

    fn below_row(&self, j: usize, i: usize) -> &[f64] {
        &self.column(j)[i - j..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packing_keeps_every_entry_and_product() {
        for n in [0, 1, 5, 12, 150] {
            let mut a = Mat::from_fn(n, n, |i, j| ((2 * i + 3 * j + i * j) as f64).sin());
            crate::mirror_lower(&mut a);
            let packed = PackedSymmetric::from_lower(&a, None).unwrap();
            let mut back = Mat::zeros(n, n);
            packed.unpack(&mut back);
            assert_eq!(back, a);
            packed.add_to_lower(2.0, &mut back);
            assert!((0..n).all(|j| (0..n).all(|i| back[(i, j)] == if i >= j { 3.0 * a[(i, j)] } else { a[(i, j)] })));
            let x: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
            assert_eq!(packed.mul(&x), crate::symmetric_mul(&a, &x));
            for some in [n / 3..n, 0..n / 2, n / 4..n / 2] {
                assert_eq!(packed.columns(some.clone()), a.select_columns(&some.collect::<Vec<_>>()));
            }
            let b = Mat::from_fn(n, 7, |i, j| ((i + 4 * j) as f64).sin());
            let product = packed.mul_columns(&b);
            let close = |i: usize, want: f64, got: &[f64]| assert!((got[i] - want).abs() < 1e-12, "{n} {i}");
            for (column, got) in b.columns().zip(product.columns()) {
                a.mul_vec(column).iter().enumerate().for_each(|(i, want)| close(i, *want, got));
            }
        }
    }
}
