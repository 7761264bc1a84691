//! What an objective says about the covariances with the inducing rows, and the way from there to the kernel (scale 3).

use super::Sparse;
use crate::data::Inputs;
use crate::kernel::Kernel;
use gpclass_linalg::{Mat, Op, multiply, multiply_add};

/// The derivatives of an objective in `c(Z, Z)`, in `c(Z, X)` and in the variances of the training rows. The second is as large
/// as the projections and is made block by block:
/// `dJ/dc(Z, X) = L⁻ᵀ [ (A b) bᵀ - (B⁻¹ A) diag(tau) - 2 A diag(h) ]`.
#[derive(Clone, Debug)]
pub struct SparseAdjoint {
    /// `dJ/dc(Z, Z)`, symmetric.
    pub(crate) inducing: Mat,
    /// `L⁻ᵀ A b`.
    pub(crate) level: Vec<f64>,
    /// `L⁻ᵀ B⁻¹`.
    pub(crate) by_tau: Mat,
    /// `L⁻ᵀ`.
    pub(crate) by_residual: Mat,
    pub(crate) alpha: Vec<f64>,
    pub(crate) tau: Vec<f64>,
    /// `h`, `dJ/dc(x_i, x_i)`.
    pub(crate) residual: Vec<f64>,
}

impl SparseAdjoint {
    /// `dJ/dc(Z, X)` of some rows.
    fn cross(&self, rows: std::ops::Range<usize>, a: &Mat) -> Mat {
        let scaled = |weights: &[f64]| {
            let mut out = a.clone();
            for (j, w) in weights.iter().enumerate() {
                out.col_mut(j).iter_mut().for_each(|v| *v *= w);
            }
            out
        };
        let alpha = Mat::from_columns(rows.len(), 1, self.alpha[rows.clone()].to_vec());
        let level = Mat::from_columns(self.level.len(), 1, self.level.clone());
        let mut out = multiply(&level, Op::Plain, &alpha, Op::Transpose);
        multiply_add(&mut out, -1.0, &self.by_tau, Op::Plain, &scaled(&self.tau[rows.clone()]), Op::Plain);
        multiply_add(&mut out, -2.0, &self.by_residual, Op::Plain, &scaled(&self.residual[rows]), Op::Plain);
        out
    }
}

impl Sparse {
    /// The gradient in the logarithm of every parameter of the kernel; the jitter follows the signal's variance.
    pub(in crate::prior) fn pull_back(&self, kernel: &Kernel, inputs: &Inputs, adjoint: &SparseAdjoint) -> Vec<f64> {
        let z = &self.inducing().rows;
        let mut gradient = kernel.pull_back_cross(z, z, &adjoint.inducing);
        let mut add = |part: Vec<f64>, scale: f64| {
            gradient.iter_mut().zip(part).for_each(|(sum, g)| *sum += scale * g);
        };
        add(kernel.pull_back_diag(inputs, &adjoint.residual), 1.0);
        let trace: f64 = adjoint.inducing.diag().iter().sum();
        add(kernel.mean_signal_gradient(z), self.inducing().jitter * trace);
        let params = kernel.params().len();
        let by_cross = self.projections().sum(params, 1, |sum, rows, a| {
            let part = inputs.select_rows(&rows.clone().collect::<Vec<_>>());
            let slopes = kernel.pull_back_cross(z, &part, &adjoint.cross(rows, a));
            sum.as_mut_slice().iter_mut().zip(slopes).for_each(|(sum, g)| *sum += g);
        });
        add(by_cross.col(0).to_vec(), 1.0);
        gradient
    }
}
