//! Cholesky factorisation and the inverses built on it.

use crate::parallel::parallelism;
use crate::state::guarded;
use crate::{Mat, mirror_lower};
use faer::Accum;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor as llt;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_inverse::invert_lower_triangular;

/// The matrix has no Cholesky factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotPositiveDefinite;

impl std::fmt::Display for NotPositiveDefinite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the matrix is not positive definite")
    }
}

impl std::error::Error for NotPositiveDefinite {}

/// Replaces the lower triangle of `a` by its Cholesky factor. The strict upper triangle is neither read nor written.
pub fn cholesky_in_place(a: &mut Mat) -> Result<(), NotPositiveDefinite> {
    let n = a.rows();
    assert_eq!(n, a.cols());
    let par = parallelism(n);
    let mut scratch = MemBuffer::new(llt::cholesky_in_place_scratch::<f64>(n, par, Default::default()));
    let stack = MemStack::new(&mut scratch);
    guarded(|| llt::cholesky_in_place(a.view_mut(), Default::default(), par, stack, Default::default()))
        .map_err(|_| NotPositiveDefinite)?;
    // The backend's pivot test lets NaN and infinity through.
    if (0..n).all(|i| a[(i, i)].is_finite()) { Ok(()) } else { Err(NotPositiveDefinite) }
}

/// The inverse of the lower triangle of `l`, itself lower triangular with zeros above, written to `out`.
pub fn invert_lower(l: &Mat, out: &mut Mat) {
    assert_eq!((l.rows(), l.rows()), (out.rows(), out.cols()));
    let par = parallelism(l.rows());
    out.as_mut_slice().fill(0.0);
    guarded(|| invert_lower_triangular(out.view_mut(), l.view(), par));
}

/// `(L Lᵀ)⁻¹ = XᵀX` in full, from `X = L⁻¹` with zeros above its diagonal.
pub fn inverse_from_lower_inverse(x: &Mat) -> Mat {
    let mut out = Mat::zeros(x.rows(), x.rows());
    lower_inverse_from_lower_inverse(x, &mut out);
    mirror_lower(&mut out);
    out
}

/// The lower triangle of `(L Lᵀ)⁻¹ = XᵀX`, from `X = L⁻¹` with zeros above its diagonal, written to that of `out`.
pub fn lower_inverse_from_lower_inverse(x: &Mat, out: &mut Mat) {
    assert_eq!((x.rows(), x.rows()), (out.rows(), out.cols()));
    let par = parallelism(x.rows());
    guarded(|| {
        triangular::matmul(
            out.view_mut(),
            BlockStructure::TriangularLower,
            Accum::Replace,
            x.view().transpose(),
            BlockStructure::TriangularUpper,
            x.view(),
            BlockStructure::TriangularLower,
            1.0,
            par,
        )
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_in_used_memory_is_the_inverse() {
        let n = 41;
        let a = Mat::from_fn(n, n, |i, j| f64::from(i == j) + (-(i as f64 - j as f64).powi(2) / 30.0).exp());
        let (mut l, mut x) = (a.clone(), Mat::zeros(n, n));
        cholesky_in_place(&mut l).unwrap();
        invert_lower(&l, &mut x);
        let mut used = Mat::from_fn(n, n, |i, j| (i * j) as f64);
        lower_inverse_from_lower_inverse(&x, &mut used);
        let whole = inverse_from_lower_inverse(&x);
        for j in 0..n {
            assert!((j..n).all(|i| used[(i, j)] == whole[(i, j)]));
            let image = a.mul_vec(whole.col(j));
            assert!((0..n).all(|i| (image[i] - f64::from(i == j)).abs() < 1e-12));
        }
    }
}
