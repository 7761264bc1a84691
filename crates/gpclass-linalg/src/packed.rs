//! A symmetric matrix in half the memory.

use crate::Mat;
use crate::triangle::{Lower, symmetric_product};

/// A symmetric matrix stored as the columns of its lower triangle, one after the other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackedSymmetric {
    n: usize,
    data: Vec<f64>,
}

impl PackedSymmetric {
    /// Of the lower triangle of `a`, in the memory of `spare`.
    pub fn from_lower(a: &Mat, spare: Option<PackedSymmetric>) -> Self {
        let n = a.rows();
        assert_eq!(n, a.cols(), "a square matrix");
        let mut data = spare.map_or_else(Vec::new, |old| old.data);
        data.clear();
        data.reserve_exact(n * (n + 1) / 2);
        for (j, column) in a.columns().enumerate() {
            data.extend_from_slice(&column[j..]);
        }
        PackedSymmetric { n, data }
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

    /// The entries of columns `which`, all rows of them.
    pub fn columns(&self, which: std::ops::Range<usize>) -> Mat {
        let mut out = Mat::zeros(self.n, which.len());
        for (k, j) in which.enumerate() {
            let column = out.col_mut(k);
            column[j..].copy_from_slice(self.column(j));
            for (i, value) in column[..j].iter_mut().enumerate() {
                *value = self.column(i)[j - i];
            }
        }
        out
    }
}

impl Lower for PackedSymmetric {
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
        for n in [0, 1, 5, 12] {
            let mut a = Mat::from_fn(n, n, |i, j| ((2 * i + 3 * j + i * j) as f64).sin());
            crate::mirror_lower(&mut a);
            let packed = PackedSymmetric::from_lower(&a, None);
            let mut back = Mat::zeros(n, n);
            packed.unpack(&mut back);
            assert_eq!(back, a);
            let x: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
            assert_eq!(packed.mul(&x), crate::symmetric_mul(&a, &x));
            let some = n / 3..n;
            assert_eq!(packed.columns(some.clone()), a.select_columns(&some.collect::<Vec<_>>()));
        }
    }
}
