//! The posterior covariance of all functions at some rows (multiclass 2.3).

use super::CoupledFactor;
use gpclass_linalg::{Mat, Op, map_tasks, multiply};

impl CoupledFactor {
    /// `Sigma` between all functions at these rows: entry `(a + g c, b + g d)` is that of function `c` at the a-th row and
    /// function `d` at the b-th, of `g` rows. `Sigma_cd = [c = d] (K_c - K_c E_c K_c) + G_cᵀ G_d`, `G_c = L⁻¹ E_c K_c`.
    pub(crate) fn block(&self, rows: &[usize]) -> Mat {
        let (g, functions) = (rows.len(), self.functions());
        let each = map_tasks(functions, |c| {
            let k = self.prior.of(c).covariance().select_columns(rows);
            let explained = multiply(&k, Op::Transpose, &self.information[c].mul_columns(&k), Op::Plain);
            let held = Mat::from_fn(g, g, |a, b| k[(rows[a], b)] - 0.5 * (explained[(a, b)] + explained[(b, a)]));
            let mut response = Mat::zeros(self.rows(), g);
            for (a, &row) in rows.iter().enumerate() {
                response.col_mut(a).copy_from_slice(self.response(c, row..row + 1).col(0));
            }
            (held, response)
        });
        let mut out = Mat::zeros(g * functions, g * functions);
        for c in 0..functions {
            for d in 0..=c {
                let shared = multiply(&each[c].1, Op::Transpose, &each[d].1, Op::Plain);
                for (a, b) in (0..g).flat_map(|a| (0..g).map(move |b| (a, b))) {
                    let value = shared[(a, b)] + if c == d { each[c].0[(a, b)] } else { 0.0 };
                    (out[(a + g * c, b + g * d)], out[(b + g * d, a + g * c)]) = (value, value);
                }
            }
        }
        out
    }
}
