//! A posterior that was inferred from some of the rows, as one of all: the others have no sites, and it says about each of
//! them what it says about a new row.

use super::{Inferred, Kept, KeptSparse, Refinement};
use crate::data::Inputs;
use crate::interrupt::{Interrupt, Interrupted};
use crate::kernel::Kernel;
use crate::posterior::{Factor, Sites, SparseFactor};
use gpclass_linalg::{Mat, map_tasks, solve_lower_in_place, vector};

/// Rows that are looked at in one go.
const WIDTH: usize = 256;

/// Mean and variance of a row's projection, and what is left of its variance.
type Seen = (f64, f64, f64);

impl Inferred {
    /// What is kept of a posterior by inducing rows of `rows`, as one of all rows of `inputs`; `None` where it is of another
    /// form.
    pub(crate) fn keep_among(
        &self,
        kernel: &Kernel,
        inputs: &Inputs,
        rows: &[usize],
        refinement: Option<Refinement>,
        interrupt: Interrupt<'_>,
    ) -> Result<Option<Kept>, Interrupted> {
        let Factor::Sparse(factor) = self.posterior.factor() else { return Ok(None) };
        let own = self.keep(refinement, None);
        let Some(sparse) = own.sparse.clone() else { return Ok(None) };
        let (n, weights) = (inputs.rows(), self.posterior.weights());
        let seen = map_tasks(n.div_ceil(WIDTH), |block| {
            interrupt.check()?;
            let part: Vec<usize> = (block * WIDTH..n.min((block + 1) * WIDTH)).collect();
            Ok(seen(factor, kernel, &inputs.select_rows(&part), weights))
        });
        let seen = seen.into_iter().collect::<Result<Vec<Vec<Seen>>, Interrupted>>()?.concat();
        let among = |others: Vec<f64>, own: &[f64]| {
            let mut all = others;
            rows.iter().zip(own).for_each(|(&row, value)| all[row] = *value);
            all
        };
        let nothing = || vec![0.0; n];
        let residual = sparse.residual.as_deref().unwrap_or_default();
        let residual = among(seen.iter().map(|seen| seen.2).collect(), residual);
        Ok(Some(Kept {
            sites: Sites { tau: among(nothing(), &own.sites.tau), nu: among(nothing(), &own.sites.nu) },
            alpha: among(nothing(), &own.alpha),
            mean: among(seen.iter().map(|seen| seen.0).collect(), &own.mean),
            var: among(seen.iter().map(|seen| seen.1).collect(), &own.var),
            slack: among(vec![1.0; n], &own.slack),
            sparse: Some(KeptSparse { residual: Some(residual), ..sparse }),
            ..own
        }))
    }
}

/// What the posterior says about rows.
fn seen(factor: &SparseFactor, kernel: &Kernel, rows: &Inputs, weights: &[f64]) -> Vec<Seen> {
    let squares = |a: &Mat| a.columns().map(|a| vector::dot(a, a)).collect::<Vec<f64>>();
    let mut a = factor.prior().project(kernel, rows);
    let (mean, explained) = (a.transpose_mul_vec(weights), squares(&a));
    solve_lower_in_place(factor.chol(), &mut a);
    let left = kernel.diag(rows).into_iter().zip(explained).map(|(c, q)| (c - q).max(0.0));
    mean.into_iter().zip(squares(&a)).zip(left).map(|((mean, var), left)| (mean, var, left)).collect()
}
