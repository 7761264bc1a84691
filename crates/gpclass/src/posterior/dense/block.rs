//! The posterior covariance of some rows.

use super::DenseFactor;
use crate::posterior::blocks::{Block, minus_scaled, minus_square};
use gpclass_linalg::{Mat, Op, self_product, solve_lower_in_place, vector};

impl DenseFactor {
    /// `Sigma_GG = K_GG - VᵀV`, `V = L⁻¹ S K_G`, and `I - S Sigma S` as `(B⁻¹)_GG`, the negative sites added to both.
    pub(in crate::posterior) fn block(&self, rows: &[usize]) -> Block {
        let (k, n) = (self.k(), self.tau.len());
        let mut v = k.select_columns(rows);
        self.scale_rows(&mut v);
        solve_lower_in_place(&self.chol, &mut v);
        let mut covariance = minus_square(&k.select_columns(rows).select_rows(rows), &v);
        let mut unit = Mat::zeros(n, rows.len());
        rows.iter().enumerate().for_each(|(j, &row)| unit[(row, j)] = 1.0);
        solve_lower_in_place(&self.chol, &mut unit);
        let mut slack = self_product(&unit, Op::Transpose);
        if let Some(neg) = &self.negative {
            let spread = neg.spread.select_rows(rows);
            let widened = self_product(&spread, Op::Plain);
            vector::add_scaled(covariance.as_mut_slice(), 1.0, widened.as_slice());
            let root: Vec<f64> = rows.iter().map(|&row| self.root[row]).collect();
            slack = minus_scaled(&slack, &root, &widened);
        }
        Block { covariance, slack }
    }
}
