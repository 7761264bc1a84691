//! Covariances of the functions within rows (multiclass 2.3, 4).

use super::{CoupledFactor, VANISHING};
use gpclass_linalg::{Mat, map_tasks, solve_lower_in_place, vector};
use std::ops::Range;

/// Columns made at once for all functions, where the covariances within rows are wanted: bounds the memory.
const BLOCK: usize = 128;
/// Test rows predicted at once.
const TEST_BLOCK: usize = 256;

/// Variances within the rows.
#[derive(Clone, Debug)]
pub struct RowMarginals {
    /// `Sigma_i,cc`, rows x functions.
    pub var: Mat,
}

impl CoupledFactor {
    /// Variances within the rows, a few functions at a time and never all of them.
    pub fn marginals(&self) -> RowMarginals {
        let blocks = self.blocks();
        let squares = map_tasks(self.functions(), |c| {
            let block = |rows: &Range<usize>| {
                let g = self.response(c, rows.clone());
                g.columns().map(|g| vector::dot(g, g)).collect::<Vec<f64>>()
            };
            blocks.iter().flat_map(block).collect::<Vec<f64>>()
        });
        let mut var = self.held.clone();
        for (c, squares) in squares.iter().enumerate() {
            vector::add_scaled(var.col_mut(c), 1.0, squares);
        }
        RowMarginals { var }
    }

    /// The covariance of the functions within each row, functions x functions.
    pub fn row_covariances(&self) -> Vec<Mat> {
        self.blocks().into_iter().flat_map(|rows| self.covariances_within(rows)).collect()
    }

    /// The same for some rows.
    pub(crate) fn covariances_within(&self, rows: Range<usize>) -> Vec<Mat> {
        let functions = self.functions();
        let responses = map_tasks(functions, |c| self.response(c, rows.clone()));
        let of_row = |i: usize| covariance(functions, |c| self.held[(i, c)], |c| responses[c].col(i - rows.start));
        rows.clone().map(of_row).collect()
    }

    fn blocks(&self) -> Vec<Range<usize>> {
        (0..self.rows()).step_by(BLOCK).map(|first| first..(first + BLOCK).min(self.rows())).collect()
    }

    /// The columns `rows` of `G_c = L⁻¹ E_c K_c`, with `E K = I - E D⁻¹` since `E (K + D⁻¹) = I`.
    pub(super) fn response(&self, c: usize, rows: Range<usize>) -> Mat {
        let mut columns = self.information[c].columns(rows.clone());
        for (local, j) in rows.enumerate() {
            let pi = self.pi[(j, c)];
            if pi.abs() > VANISHING {
                columns.col_mut(local).iter_mut().for_each(|value| *value /= -pi);
                columns[(j, local)] += 1.0;
            } else {
                let product = self.information[c].mul(self.prior.of(c).covariance().col(j));
                columns.col_mut(local).copy_from_slice(&product);
            }
        }
        solve_lower_in_place(&self.chol, &mut columns);
        columns
    }

    /// Means and covariances of the functions at test rows: `cross` holds their covariances with the training rows
    /// (training x test) for each prior that differs, `prior_var` their variances (test x functions).
    pub fn predict(&self, alpha: &Mat, cross: &[Mat], prior_var: &Mat) -> (Mat, Vec<Mat>) {
        let functions = self.functions();
        let of = |c: usize| &cross[if cross.len() == 1 { 0 } else { c }];
        let test = of(0).cols();
        let mean = Mat::from_columns(
            test,
            functions,
            (0..functions).flat_map(|c| of(c).transpose_mul_vec(alpha.col(c))).collect(),
        );
        let mut covariances = Vec::with_capacity(test);
        for first in (0..test).step_by(TEST_BLOCK) {
            let block: Vec<usize> = (first..(first + TEST_BLOCK).min(test)).collect();
            let explained = map_tasks(functions, |c| self.explained(c, &of(c).select_columns(&block)));
            covariances.extend(block.iter().enumerate().map(|(local, &t)| {
                let left = |c: usize| (prior_var[(t, c)] - explained[c].0[local]).max(0.0);
                covariance(functions, left, |c| explained[c].1.col(local))
            }));
        }
        (mean, covariances)
    }

    /// `k*ᵀ E_c k*` for each column `k*` of `cross`, and `L⁻¹ E_c k*`.
    fn explained(&self, c: usize, cross: &Mat) -> (Vec<f64>, Mat) {
        let mut e = self.information[c].mul_columns(cross);
        let own = e.columns().zip(cross.columns()).map(|(e, k)| vector::dot(e, k)).collect();
        solve_lower_in_place(&self.chol, &mut e);
        (own, e)
    }
}

/// `diag(own) + AᵀA`, with `columns` of `A`.
fn covariance<'a>(functions: usize, own: impl Fn(usize) -> f64, column: impl Fn(usize) -> &'a [f64]) -> Mat {
    let mut out = Mat::zeros(functions, functions);
    for c in 0..functions {
        for d in 0..=c {
            let value = vector::dot(column(c), column(d)) + if c == d { own(c) } else { 0.0 };
            (out[(c, d)], out[(d, c)]) = (value, value);
        }
    }
    out
}
