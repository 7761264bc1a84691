//! Matrix products.

use crate::parallel::parallelism;
use crate::state::guarded;
use crate::{Mat, mirror_lower};
use faer::linalg::matmul::matmul;
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::{Accum, MatRef};

/// How an operand enters a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Plain,
    Transpose,
}

impl Op {
    fn view(self, m: &Mat) -> MatRef<'_, f64> {
        match self {
            Op::Plain => m.view(),
            Op::Transpose => m.view().transpose(),
        }
    }

    fn rows(self, m: &Mat) -> usize {
        if self == Op::Plain { m.rows() } else { m.cols() }
    }
}

/// `op(a) op(b)`.
pub fn multiply(a: &Mat, op_a: Op, b: &Mat, op_b: Op) -> Mat {
    let cols = if op_b == Op::Plain { b.cols() } else { b.rows() };
    let mut out = Mat::zeros(op_a.rows(a), cols);
    product(&mut out, Accum::Replace, a, op_a, b, op_b, 1.0);
    out
}

/// `out += scale * op(a) op(b)`.
pub fn multiply_add(out: &mut Mat, scale: f64, a: &Mat, op_a: Op, b: &Mat, op_b: Op) {
    product(out, Accum::Add, a, op_a, b, op_b, scale);
}

fn product(out: &mut Mat, accum: Accum, a: &Mat, op_a: Op, b: &Mat, op_b: Op, scale: f64) {
    let par = parallelism(out.rows().min(out.cols()));
    guarded(|| matmul(out.view_mut(), accum, op_a.view(a), op_b.view(b), scale, par));
}

/// The lower triangle of `a bᵀ`, zeros above, for a product known to be symmetric: half the work of all of it.
pub fn lower_of_product(a: &Mat, b: &Mat) -> Mat {
    let n = a.rows();
    assert_eq!(n, b.rows());
    let mut out = Mat::zeros(n, n);
    lower_product(&mut out, Accum::Replace, a.view(), b.view().transpose(), 1.0);
    out
}

/// The lower triangle of `out += a bᵀ`, for a product known to be symmetric; what is above stays as it is.
pub fn add_lower_of_product(out: &mut Mat, a: &Mat, b: &Mat) {
    lower_product(out, Accum::Add, a.view(), b.view().transpose(), 1.0);
}

/// The lower triangle of `out += scale * op(a) op(a)ᵀ`; what is above stays as it is.
pub fn add_self_product(out: &mut Mat, scale: f64, a: &Mat, op: Op) {
    let view = op.view(a);
    lower_product(out, Accum::Add, view, view.transpose(), scale);
}

fn lower_product(out: &mut Mat, accum: Accum, a: MatRef<'_, f64>, b: MatRef<'_, f64>, scale: f64) {
    let par = parallelism(out.rows());
    guarded(|| {
        triangular::matmul(
            out.view_mut(),
            BlockStructure::TriangularLower,
            accum,
            a,
            BlockStructure::Rectangular,
            b,
            BlockStructure::Rectangular,
            scale,
            par,
        )
    });
}

/// `a aᵀ`, computed as one triangle and mirrored, so exactly symmetric.
pub fn self_product(a: &Mat, op: Op) -> Mat {
    let n = op.rows(a);
    let mut out = Mat::zeros(n, n);
    let view = op.view(a);
    lower_product(&mut out, Accum::Replace, view, view.transpose(), 1.0);
    mirror_lower(&mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_a_product_is_half_of_the_product() {
        let a = Mat::from_fn(37, 20, |i, j| ((3 * i + 7 * j) as f64).sin());
        let b = Mat::from_fn(37, 20, |i, j| a[(i, j)] * (1.0 - 0.2 * j as f64));
        let (half, whole) = (lower_of_product(&a, &b), multiply(&a, Op::Plain, &b, Op::Transpose));
        for j in 0..37 {
            assert!((0..j).all(|i| half[(i, j)] == 0.0));
            assert!((j..37).all(|i| (half[(i, j)] - whole[(i, j)]).abs() < 1e-12));
        }
        let mut twice = half.clone();
        add_lower_of_product(&mut twice, &a, &b);
        assert!(twice.as_slice().iter().zip(half.as_slice()).all(|(two, one)| (two - 2.0 * one).abs() < 1e-12));
    }

    #[test]
    fn a_self_product_is_added_to_the_lower_triangle_only() {
        let a = Mat::from_fn(23, 31, |i, j| ((5 * i + 2 * j) as f64).cos());
        for (op, n) in [(Op::Plain, 23), (Op::Transpose, 31)] {
            let mut sum = Mat::from_fn(n, n, |i, j| (i + 2 * j) as f64);
            let product = self_product(&a, op);
            add_self_product(&mut sum, -0.5, &a, op);
            for j in 0..n {
                assert!((0..j).all(|i| sum[(i, j)] == (i + 2 * j) as f64));
                assert!((j..n).all(|i| (sum[(i, j)] - ((i + 2 * j) as f64 - 0.5 * product[(i, j)])).abs() < 1e-12));
            }
        }
    }
}
