//! What a factor holds its matrices in: double precision, or single where later steps correct it.

use gpclass_linalg::{Mat, OutOfMemory, PackedSymmetric, SingleMat, lower_solve, lower_transpose_solve};
use std::fmt::Debug;

/// One `E_c`, and through [`Square`](Held::Square) what `L` is beside it.
pub trait Held: Clone + Debug + Send + Sync {
    /// A square matrix.
    type Square: Square;

    /// Entry `i` of the diagonal.
    fn diagonal(&self, i: usize) -> f64;

    /// `E_c x`.
    fn times(&self, x: &[f64]) -> Vec<f64>;
}

/// A square matrix whose lower triangle can be `L`.
pub trait Square: Clone + Debug + Send + Sync + Sized {
    /// A matrix of `n` rows and columns with anything in it.
    fn of_size(n: usize) -> Result<Self, OutOfMemory>;

    /// Rows and columns.
    fn size(&self) -> usize;

    /// `(L Lᵀ)⁻¹ x`.
    fn solve(&self, x: Vec<f64>) -> Vec<f64>;
}

impl Held for PackedSymmetric {
    type Square = Mat;

    fn diagonal(&self, i: usize) -> f64 {
        self.column(i)[0]
    }

    fn times(&self, x: &[f64]) -> Vec<f64> {
        self.mul(x)
    }
}

impl Square for Mat {
    fn of_size(n: usize) -> Result<Self, OutOfMemory> {
        Mat::try_zeros(n, n)
    }

    fn size(&self) -> usize {
        self.rows()
    }

    fn solve(&self, mut x: Vec<f64>) -> Vec<f64> {
        lower_solve(self, &mut x);
        lower_transpose_solve(self, &mut x);
        x
    }
}

/// The lower triangle counts.
impl Held for SingleMat {
    type Square = SingleMat;

    fn diagonal(&self, i: usize) -> f64 {
        f64::from(self.lower(i)[0])
    }

    fn times(&self, x: &[f64]) -> Vec<f64> {
        self.symmetric_mul(x)
    }
}

impl Square for SingleMat {
    fn of_size(n: usize) -> Result<Self, OutOfMemory> {
        SingleMat::try_zeros(n)
    }

    fn size(&self) -> usize {
        SingleMat::size(self)
    }

    fn solve(&self, x: Vec<f64>) -> Vec<f64> {
        SingleMat::solve(self, &x)
    }
}
