//! Square matrices in single precision: half the time and half the memory, for the early steps of an iteration that forgets their errors.

use crate::parallel::parallelism;
use crate::state::guarded;
use crate::triangle::{Lower, mirror_columns, solve_backwards, solve_forwards, symmetric_product};
use crate::{NotPositiveDefinite, OutOfMemory};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor as llt;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_inverse::invert_lower_triangular;
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::{Accum, MatMut, MatRef};

/// A square matrix of `f32`, by columns. Vectors go in and come out as `f64`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SingleMat {
    n: usize,
    data: Vec<f32>,
}

impl SingleMat {
    /// A matrix of zeros.
    pub fn zeros(n: usize) -> Self {
        SingleMat { n, data: vec![0.0; n * n] }
    }

    /// A matrix of zeros, where there is memory for it.
    pub fn try_zeros(n: usize) -> Result<Self, OutOfMemory> {
        let entries = n.saturating_mul(n);
        let mut data = Vec::new();
        data.try_reserve_exact(entries).map_err(|_| OutOfMemory { bytes: entries.saturating_mul(size_of::<f32>()) })?;
        data.resize(entries, 0.0);
        Ok(SingleMat { n, data })
    }

    /// Rows and columns.
    pub fn size(&self) -> usize {
        self.n
    }

    /// Column `j`.
    pub fn column(&self, j: usize) -> &[f32] {
        &self.data[j * self.n..(j + 1) * self.n]
    }

    /// Column `j`, to be changed.
    pub fn column_mut(&mut self, j: usize) -> &mut [f32] {
        &mut self.data[j * self.n..(j + 1) * self.n]
    }

    /// Column `j` from the diagonal down.
    pub fn lower(&self, j: usize) -> &[f32] {
        &self.column(j)[j..]
    }

    /// Column `j` from the diagonal down, to be changed.
    pub fn lower_mut(&mut self, j: usize) -> &mut [f32] {
        &mut self.column_mut(j)[j..]
    }

    fn view(&self) -> MatRef<'_, f32> {
        MatRef::from_column_major_slice(&self.data, self.n, self.n)
    }

    fn view_mut(&mut self) -> MatMut<'_, f32> {
        MatMut::from_column_major_slice_mut(&mut self.data, self.n, self.n)
    }

    /// Copies the lower triangle onto the upper one.
    pub fn mirror_lower(&mut self) {
        mirror_columns(self.n, &mut self.data);
    }

    /// Replaces the lower triangle by its Cholesky factor. The strict upper triangle is neither read nor written.
    pub fn cholesky_in_place(&mut self) -> Result<(), NotPositiveDefinite> {
        let n = self.n;
        let par = parallelism(n);
        let mut scratch = MemBuffer::new(llt::cholesky_in_place_scratch::<f32>(n, par, Default::default()));
        let stack = MemStack::new(&mut scratch);
        guarded(|| llt::cholesky_in_place(self.view_mut(), Default::default(), par, stack, Default::default()))
            .map_err(|_| NotPositiveDefinite)?;
        // The backend's pivot test lets NaN and infinity through.
        if (0..n).all(|i| self.lower(i)[0].is_finite()) { Ok(()) } else { Err(NotPositiveDefinite) }
    }

    /// The inverse of the lower triangle, written to that of `out`.
    pub fn invert_lower(&self, out: &mut SingleMat) {
        let par = parallelism(self.n);
        guarded(|| invert_lower_triangular(out.view_mut(), self.view(), par));
    }

    /// The lower triangle of `XᵀX`, `X` being the lower triangle of this matrix, written to that of `out`.
    pub fn lower_gram(&self, out: &mut SingleMat) {
        let par = parallelism(self.n);
        let (lower, upper) = (BlockStructure::TriangularLower, BlockStructure::TriangularUpper);
        let x = self.view();
        guarded(|| {
            triangular::matmul(out.view_mut(), lower, Accum::Replace, x.transpose(), upper, x, lower, 1.0, par);
        });
    }

    /// `x <- L⁻¹ x`, with `L` the lower triangle.
    pub fn solve_lower_in_place(&self, x: &mut SingleMat) {
        let par = parallelism(self.n);
        guarded(|| solve_lower_triangular_in_place(self.view(), x.view_mut(), par));
    }

    /// `A x` for the symmetric matrix of the lower triangle.
    pub fn symmetric_mul(&self, x: &[f64]) -> Vec<f64> {
        doubled(&symmetric_product(self, &halved(x)))
    }

    /// `(L Lᵀ)⁻¹ x`, with `L` the lower triangle.
    pub fn solve(&self, x: &[f64]) -> Vec<f64> {
        let mut x = halved(x);
        solve_forwards(self, &mut x);
        solve_backwards(self, &mut x);
        doubled(&x)
    }
}

impl Lower for SingleMat {
    type Number = f32;

    fn size(&self) -> usize {
        self.n
    }

    #[inline(always)]
    fn below_row(&self, j: usize, i: usize) -> &[f32] {
        &self.column(j)[i..]
    }
}

fn halved(x: &[f64]) -> Vec<f32> {
    x.iter().map(|x| *x as f32).collect()
}

fn doubled(x: &[f32]) -> Vec<f64> {
    x.iter().map(|x| f64::from(*x)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Mat, cholesky_in_place, inverse_from_lower_inverse, invert_lower, solve_lower_in_place};

    fn single(a: &Mat) -> SingleMat {
        let mut out = SingleMat::zeros(a.rows());
        (0..a.rows()).for_each(|j| out.column_mut(j).iter_mut().zip(a.col(j)).for_each(|(out, a)| *out = *a as f32));
        out
    }

    #[test]
    fn every_operation_is_that_of_double_precision_to_six_digits() {
        for n in [1, 7, 77] {
            let a = Mat::from_fn(n, n, |i, j| f64::from(i == j) + (-(i as f64 - j as f64).powi(2) / 30.0).exp());
            let mut rough = single(&a);
            let x: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
            let close =
                |got: f64, want: f64, what: &str| assert!((got - want).abs() < 1e-5, "{n} {what}: {got} {want}");
            let vectors =
                |got: &[f64], want: &[f64], what: &str| got.iter().zip(want).for_each(|(g, w)| close(*g, *w, what));
            vectors(&rough.symmetric_mul(&x), &a.mul_vec(&x), "product");
            let (mut l, mut inverse) = (a.clone(), Mat::zeros(n, n));
            cholesky_in_place(&mut l).unwrap();
            invert_lower(&l, &mut inverse);
            let whole = inverse_from_lower_inverse(&inverse);
            rough.cholesky_in_place().unwrap();
            vectors(&rough.solve(&x), &whole.mul_vec(&x), "solve");
            let (mut rough_inverse, mut gram) = (SingleMat::zeros(n), SingleMat::zeros(n));
            rough.invert_lower(&mut rough_inverse);
            rough_inverse.lower_gram(&mut gram);
            gram.mirror_lower();
            let (mut solved, mut want) = (single(&a), a.clone());
            rough.solve_lower_in_place(&mut solved);
            solve_lower_in_place(&l, &mut want);
            for j in 0..n {
                vectors(&doubled(gram.column(j)), whole.col(j), "inverse");
                vectors(&doubled(solved.column(j)), want.col(j), "many solves");
            }
        }
    }

    #[test]
    fn what_has_no_factor_or_no_memory_is_an_error() {
        let mut indefinite = single(&Mat::identity(3));
        indefinite.column_mut(2)[2] = -1.0;
        assert!(indefinite.cholesky_in_place().is_err());
        assert!(SingleMat::try_zeros(usize::MAX).is_err());
    }
}
