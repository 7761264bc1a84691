//! What the posterior says about the covariances (multiclass 3, 5).

use super::CoupledFactor;
use crate::prior::Adjoint;
use gpclass_linalg::{Mat, Op, add_self_product, map_tasks, mirror_lower, solve_lower_in_place, vector};

/// Contrasts solved for at once, a matrix of all rows each.
const CONTRASTS_AT_ONCE: usize = 2;

impl CoupledFactor {
    /// `½ Σ_c (alpha_c alpha_cᵀ - R_cc) + ½ Σ_c (w_c alpha_cᵀ + alpha_c w_cᵀ)`, the lower triangle: summed over all functions
    /// where they share their prior, else for each.
    pub fn adjoints(&self, alpha: &Mat, implicit: Option<&Mat>) -> Vec<Adjoint> {
        let functions = self.functions();
        let mut out = match self.prior.is_shared() {
            true => vec![self.shared_adjoint()],
            false => map_tasks(functions, |c| self.own_adjoint(c)),
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

    /// `-½ Σ_c R_cc = -½ P + ½ Σ_c E_c P⁻¹ E_c`.
    ///
    /// The sum of `E_c P⁻¹ E_c` does not change when the `E_c` are mixed by a rotation. One that makes `P / √C` the first of them leaves
    /// `P / C` and one product fewer.
    fn shared_adjoint(&self) -> Mat {
        let functions = self.functions();
        let mut out = Mat::zeros(self.rows(), self.rows());
        let first = 0.5 / functions as f64 - 0.5;
        self.information.iter().for_each(|e| e.add_to_lower(first, &mut out));
        for k in (1..functions).step_by(CONTRASTS_AT_ONCE) {
            let solved = map_tasks(CONTRASTS_AT_ONCE.min(functions - k), |next| self.solved_contrast(k + next));
            solved.iter().for_each(|solved| add_self_product(&mut out, 0.5, solved, Op::Transpose));
        }
        out
    }

    /// `L⁻¹ (Σ_{d<k} E_d - k E_k) / √(k (k + 1))`.
    fn solved_contrast(&self, k: usize) -> Mat {
        let scale = 1.0 / ((k * (k + 1)) as f64).sqrt();
        let mut out = Mat::zeros(self.rows(), self.rows());
        self.information[..k].iter().for_each(|e| e.add_to_lower(scale, &mut out));
        self.information[k].add_to_lower(-scale * k as f64, &mut out);
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
