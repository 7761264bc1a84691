//! What the other rows say about the rows around a place: the prior of a local search.

use super::Global;
use super::local::Local;
use super::sites_removed::without_sites;
use crate::data::Inputs;
use crate::interrupt::Interrupt;
use crate::likelihood::Gaussian;
use crate::posterior::{Sites, SparseFactor};
use gpclass_linalg::{Mat, Op, self_product, solve_lower_in_place, vector};

/// Queries with the coordinates of all rows near any of them.
pub(super) struct Batch<'a> {
    global: Global<'a>,
    factor: &'a SparseFactor,
    queries: Inputs,
    /// Training rows near a query, in order.
    near: Vec<usize>,
    /// `A` and `L_B⁻¹ A` of these.
    of_near: [Mat; 2],
    /// The same of the queries.
    of_queries: [Mat; 2],
}

/// Mean and covariance of some rows, and of a query behind them.
pub(super) struct Around {
    pub mean: Vec<f64>,
    pub covariance: Mat,
}

impl<'a> Batch<'a> {
    pub fn new(
        global: Global<'a>,
        factor: &'a SparseFactor,
        queries: Inputs,
        near: impl Iterator<Item = usize>,
    ) -> Self {
        let mut near: Vec<usize> = near.collect();
        near.sort_unstable();
        near.dedup();
        let both = |a: Mat| {
            let mut c = a.clone();
            solve_lower_in_place(factor.chol(), &mut c);
            [a, c]
        };
        let of_near = both(factor.prior().projections().of_rows(&near));
        let of_queries = both(factor.prior().project(global.kernel, &queries));
        Batch { global, factor, queries, near, of_near, of_queries }
    }

    /// The latent value of a query, and whether its search settled.
    pub fn latent(
        &self,
        query: usize,
        rows: &[usize],
        own: Option<usize>,
        interrupt: Interrupt<'_>,
    ) -> (Gaussian, bool) {
        match self.refined(query, rows, own, interrupt) {
            Some(found) => found,
            None => (self.global_latent(query, own), false),
        }
    }

    /// What the inducing rows alone say.
    fn global_latent(&self, query: usize, own: Option<usize>) -> Gaussian {
        let inferred = self.global.inferred;
        match own {
            Some(row) => inferred.cavities[row],
            None => {
                let cross = self.of_queries[0].select_columns(&[query]);
                let own = self.global.kernel.diag(&self.queries.select_rows(&[query]));
                inferred.posterior.predict(cross, &own)[0]
            }
        }
    }

    fn refined(
        &self,
        query: usize,
        rows: &[usize],
        own: Option<usize>,
        interrupt: Interrupt<'_>,
    ) -> Option<(Gaussian, bool)> {
        let around = self.around(rows, query, own)?;
        Local::new(self.global.observations, rows).latent(
            &around,
            self.start(rows, &around).as_ref(),
            self.global.method,
            interrupt,
        )
    }

    /// What the rows that are not near say about those that are, and about a query behind them: `S₋ + K - AᵀA`, around `μ₋`.
    /// `own` is the query's own row where it is left out.
    fn around(&self, rows: &[usize], query: usize, own: Option<usize>) -> Option<Around> {
        let posterior = &self.global.inferred.posterior;
        let at: Vec<usize> = rows.iter().filter_map(|row| self.near.binary_search(row).ok()).collect();
        let joined = |which: usize| {
            let mut data = self.of_near[which].select_columns(&at).as_slice().to_vec();
            data.extend_from_slice(self.of_queries[which].col(query));
            Mat::from_columns(self.of_near[which].rows(), rows.len() + 1, data)
        };
        let (a, c) = (joined(0), joined(1));
        let removed: Vec<usize> = rows.iter().copied().chain(own).collect();
        let of_removed = |values: &[f64]| removed.iter().map(|&row| values[row]).collect::<Vec<f64>>();
        let (tau, b) = (of_removed(&posterior.sites().tau), of_removed(posterior.alpha()));

        let mut covariance = self_product(&c, Op::Transpose);
        without_sites(&mut covariance, &tau).ok()?;
        let own_mean = vector::dot(a.col(rows.len()), posterior.weights());
        let mut mean: Vec<f64> = rows.iter().map(|&row| posterior.mean()[row]).chain([own_mean]).collect();
        for (column, b) in covariance.columns().zip(&b) {
            vector::add_scaled(&mut mean, -b, column);
        }
        let explained = self_product(&a, Op::Transpose);
        let together = self.global.inputs.select_rows(rows).followed_by(&self.queries.select_rows(&[query]));
        let gram = self.global.kernel.gram(&together);
        vector::add_scaled(covariance.as_mut_slice(), 1.0, gram.as_slice());
        vector::add_scaled(covariance.as_mut_slice(), -1.0, explained.as_slice());
        Some(Around { mean, covariance })
    }

    /// The global sites as sites of the whole latent values: `tau / (1 - tau D)`, and the weights as they are.
    fn start(&self, rows: &[usize], around: &Around) -> Option<Sites> {
        let posterior = &self.global.inferred.posterior;
        let residual = self.factor.prior().residual();
        let b: Vec<f64> = rows.iter().map(|&row| posterior.alpha()[row]).collect();
        let mut mean = vec![0.0; rows.len()];
        for (column, b) in around.covariance.columns().zip(&b) {
            vector::add_scaled(&mut mean, *b, &column[..rows.len()]);
        }
        let whole = |&row: &usize| {
            let copies = self.global.observations.copies(row);
            let tau = posterior.sites().tau[row] / copies;
            copies * tau / (1.0 - tau * residual[row])
        };
        let tau: Vec<f64> = rows.iter().map(whole).collect();
        let nu = (0..rows.len()).map(|i| b[i] + tau[i] * mean[i]).collect();
        let sites = Sites { tau, nu };
        (sites.is_finite() && sites.negative() == 0).then_some(sites)
    }
}
