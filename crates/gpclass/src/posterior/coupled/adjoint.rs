//! What the posterior says about the covariances (multiclass 3, 5).

use super::CoupledFactor;
use crate::prior::Adjoint;
use gpclass_linalg::{
    Mat, Op, PackedSymmetric, add_self_product, map_tasks, mirror_lower, solve_lower_in_place, vector,
};

/// Contrasts solved for at once, a matrix of all rows each.
const CONTRASTS_AT_ONCE: usize = 2;

impl CoupledFactor {
    /// `½ Σ_c (alpha_c alpha_cᵀ - R_cc) + ½ Σ_c (w_c alpha_cᵀ + alpha_c w_cᵀ)`, the lower triangle: summed over all functions
    /// where they share their prior, else for each.
    pub fn adjoints(&self, alpha: &Mat, implicit: Option<&Mat>) -> Vec<Adjoint> {
        self.adjoints_with(alpha, implicit, self.square.as_ref())
    }

    /// The same, where the lower triangle of `Σ_c E_c P⁻¹ E_c` may be known.
    pub(crate) fn adjoints_with(&self, alpha: &Mat, implicit: Option<&Mat>, square: Option<&Mat>) -> Vec<Adjoint> {
        let functions = self.functions();
        let mut out = match (self.prior.is_shared(), square) {
            (true, Some(square)) => vec![self.adjoint_of(square)],
            (true, None) => vec![self.shared_adjoint()],
            (false, _) => map_tasks(functions, |c| self.own_adjoint(c)),
        };
        for c in 0..functions {
            let adjoint = if self.prior.is_shared() { &mut out[0] } else { &mut out[c] };
            add_outer(adjoint, alpha.col(c), implicit.map(|w| w.col(c)));
        }
        out.into_iter().map(Adjoint::Dense).collect()
    }

    /// `-½ R_cc = -½ E_c + ½ E_c P⁻¹ E_c`.
    fn own_adjoint(&self, c: usize) -> Mat {
        let mut out = Mat::zeros(self.rows(), self.rows());
        self.information[c].add_to_lower(-0.5, &mut out);
        let mut solved = Mat::zeros(self.rows(), self.rows());
        self.information[c].unpack(&mut solved);
        solve_lower_in_place(&self.chol, &mut solved);
        add_self_product(&mut out, 0.5, &solved, Op::Transpose);
        out
    }

    /// `-½ Σ_c R_cc = -½ P + ½ Σ_c E_c P⁻¹ E_c`, the last sum being known.
    fn adjoint_of(&self, square: &Mat) -> Mat {
        let mut out = square.clone();
        (0..self.rows()).for_each(|j| out.col_mut(j)[j..].iter_mut().for_each(|value| *value *= 0.5));
        self.information.iter().for_each(|e| e.add_to_lower(-0.5, &mut out));
        out
    }

    /// The same where it is not.
    ///
    /// The sum of `E_c P⁻¹ E_c` does not change when the `E_c` are mixed by a reflection. The one that makes `P / √C` the first of them leaves
    /// `P / C`, and `E_c - M` in place of each of the others, with the same `M = (P / √C - E_0) / (√C - 1)` for all.
    fn shared_adjoint(&self) -> Mat {
        let functions = self.functions();
        let mut out = Mat::zeros(self.rows(), self.rows());
        let first = 0.5 / functions as f64 - 0.5;
        self.information.iter().for_each(|e| e.add_to_lower(first, &mut out));
        if functions > 1 {
            let common = self.common();
            for c in (1..functions).step_by(CONTRASTS_AT_ONCE) {
                let at_once = CONTRASTS_AT_ONCE.min(functions - c);
                let solved = map_tasks(at_once, |next| self.solved_contrast(c + next, &common));
                solved.iter().for_each(|solved| add_self_product(&mut out, 0.5, solved, Op::Transpose));
            }
        }
        out
    }

    /// `M` of several functions.
    fn common(&self) -> PackedSymmetric {
        let root = (self.functions() as f64).sqrt();
        let mut common = Mat::zeros(self.rows(), self.rows());
        self.information.iter().for_each(|e| e.add_to_lower(1.0 / (root * (root - 1.0)), &mut common));
        self.information[0].add_to_lower(-1.0 / (root - 1.0), &mut common);
        PackedSymmetric::from_lower(&common, None).expect("memory for half a matrix")
    }

    /// `L⁻¹ (E_c - M)`.
    fn solved_contrast(&self, c: usize, common: &PackedSymmetric) -> Mat {
        let mut out = Mat::zeros(self.rows(), self.rows());
        self.information[c].add_to_lower(1.0, &mut out);
        common.add_to_lower(-1.0, &mut out);
        mirror_lower(&mut out);
        solve_lower_in_place(&self.chol, &mut out);
        out
    }
}

/// `out += ½ a aᵀ + ½ (w aᵀ + a wᵀ)`, the lower triangle.
fn add_outer(out: &mut Mat, a: &[f64], w: Option<&[f64]>) {
    for j in 0..a.len() {
        let (aj, wj) = (0.5 * a[j], w.map_or(0.0, |w| 0.5 * w[j]));
        let column = &mut out.col_mut(j)[j..];
        vector::add_scaled(column, aj + wj, &a[j..]);
        if let Some(w) = w {
            vector::add_scaled(column, aj, &w[j..]);
        }
    }
}
