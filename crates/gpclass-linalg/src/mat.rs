//! The matrix type: a column-major block of numbers, nothing more.

use faer::{MatMut, MatRef};

/// A dense column-major matrix.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mat {
    rows: usize,
    cols: usize,
    data: Vec<f64>,
}

/// There is no memory for a matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// What was asked for; the largest number there is where it cannot be counted.
    pub bytes: usize,
}

impl std::fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "there is no memory for a matrix of {} bytes", self.bytes)
    }
}

impl std::error::Error for OutOfMemory {}

impl Mat {
    /// A matrix of zeros.
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Mat { rows, cols, data: vec![0.0; rows * cols] }
    }

    /// A matrix of zeros, where there is memory for it: for the matrices that grow with the square of the data.
    pub fn try_zeros(rows: usize, cols: usize) -> Result<Self, OutOfMemory> {
        let entries = rows.saturating_mul(cols);
        let mut data = Vec::new();
        data.try_reserve_exact(entries).map_err(|_| OutOfMemory { bytes: entries.saturating_mul(size_of::<f64>()) })?;
        data.resize(entries, 0.0);
        Ok(Mat { rows, cols, data })
    }

    /// The identity.
    pub fn identity(n: usize) -> Self {
        let mut m = Mat::zeros(n, n);
        for i in 0..n {
            m[(i, i)] = 1.0;
        }
        m
    }

    /// Entry by entry.
    pub fn from_fn(rows: usize, cols: usize, mut f: impl FnMut(usize, usize) -> f64) -> Self {
        let mut data = Vec::with_capacity(rows * cols);
        for j in 0..cols {
            data.extend((0..rows).map(|i| f(i, j)));
        }
        Mat { rows, cols, data }
    }

    /// From column-major storage. Panics unless `data.len() == rows * cols`.
    pub fn from_columns(rows: usize, cols: usize, data: Vec<f64>) -> Self {
        assert_eq!(data.len(), rows * cols, "a {rows} x {cols} matrix needs {} numbers", rows * cols);
        Mat { rows, cols, data }
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn cols(&self) -> usize {
        self.cols
    }

    pub fn col(&self, j: usize) -> &[f64] {
        &self.data[j * self.rows..(j + 1) * self.rows]
    }

    pub fn col_mut(&mut self, j: usize) -> &mut [f64] {
        &mut self.data[j * self.rows..(j + 1) * self.rows]
    }

    /// Columns in order.
    pub fn columns(&self) -> impl DoubleEndedIterator<Item = &[f64]> + ExactSizeIterator {
        (0..self.cols).map(|j| self.col(j))
    }

    /// Column-major storage.
    pub fn as_slice(&self) -> &[f64] {
        &self.data
    }

    /// Column-major storage.
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        &mut self.data
    }

    /// The diagonal.
    pub fn diag(&self) -> Vec<f64> {
        (0..self.rows.min(self.cols)).map(|i| self[(i, i)]).collect()
    }

    /// A copy of the given columns, in the order given.
    pub fn select_columns(&self, which: &[usize]) -> Mat {
        let mut data = Vec::with_capacity(self.rows * which.len());
        for &j in which {
            data.extend_from_slice(self.col(j));
        }
        Mat { rows: self.rows, cols: which.len(), data }
    }

    /// A copy of the given rows, in the order given.
    pub fn select_rows(&self, which: &[usize]) -> Mat {
        Mat::from_fn(which.len(), self.cols, |i, j| self[(which[i], j)])
    }

    /// The transpose, as a new matrix.
    pub fn transposed(&self) -> Mat {
        Mat::from_fn(self.cols, self.rows, |i, j| self[(j, i)])
    }

    /// `self * x`.
    pub fn mul_vec(&self, x: &[f64]) -> Vec<f64> {
        assert_eq!(x.len(), self.cols);
        let mut y = vec![0.0; self.rows];
        for (col, &xj) in self.columns().zip(x) {
            crate::vector::add_scaled(&mut y, xj, col);
        }
        y
    }

    /// `selfᵀ * x`.
    pub fn transpose_mul_vec(&self, x: &[f64]) -> Vec<f64> {
        assert_eq!(x.len(), self.rows);
        self.columns().map(|col| crate::vector::dot(col, x)).collect()
    }

    pub(crate) fn view(&self) -> MatRef<'_, f64> {
        MatRef::from_column_major_slice(&self.data, self.rows, self.cols)
    }

    pub(crate) fn view_mut(&mut self) -> MatMut<'_, f64> {
        MatMut::from_column_major_slice_mut(&mut self.data, self.rows, self.cols)
    }
}

impl std::ops::Index<(usize, usize)> for Mat {
    type Output = f64;
    fn index(&self, (i, j): (usize, usize)) -> &f64 {
        &self.data[j * self.rows + i]
    }
}

impl std::ops::IndexMut<(usize, usize)> for Mat {
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut f64 {
        &mut self.data[j * self.rows + i]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_beyond_all_memory_is_an_error() {
        assert_eq!(Mat::try_zeros(3, 2), Ok(Mat::zeros(3, 2)));
        assert_eq!(Mat::try_zeros(1 << 30, 1 << 29), Err(OutOfMemory { bytes: 1 << 62 }));
        assert_eq!(Mat::try_zeros(usize::MAX, 2), Err(OutOfMemory { bytes: usize::MAX }));
    }
}
