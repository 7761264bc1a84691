//! Local refinement: around a row, the covariance that inducing rows left out is put back, and EP is run again on the rows
//! nearest to it (scale 4).
//!
//! With `G` the nearest rows `N` and the row itself, `S` the posterior covariance of their projections and `R` the rows whose
//! sites are taken out (`N`, and the row where it is left out of its own prediction),
//!
//! ```text
//! S₋ = S without the sites of R,  μ₋ = μ - S₋[·R] b_R,  P = S₋ + K_GG - A_GᵀA_G
//! ```
//!
//! is the prior of EP on `N`, exact inside of `G`. All rows as neighbours give EP on the exact covariance.

mod sites_removed;

use super::{Inferred, Method, Observations};
use crate::data::{Inputs, Sign};
use crate::interrupt::{Interrupt, Interrupted};
use crate::kernel::Kernel;
use crate::likelihood::Gaussian;
use crate::posterior::{Factor, Sites, SparseFactor};
use crate::prior::Prior;
use gpclass_linalg::{Mat, Op, map_tasks, self_product, solve_lower_in_place, vector};
use serde::{Deserialize, Serialize};
use sites_removed::without_sites;

/// Queries whose neighbours' coordinates are computed together.
const BATCH: usize = 32;

/// How predictions by inducing rows are refined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refinement {
    /// Rows around each one whose covariances are taken exactly.
    pub neighbours: usize,
}

/// A posterior by inducing rows with what it was inferred from.
#[derive(Clone, Copy)]
pub(crate) struct Global<'a> {
    pub kernel: &'a Kernel,
    pub inputs: &'a Inputs,
    pub observations: &'a Observations<'a>,
    pub inferred: &'a Inferred,
    pub method: &'a Method,
}

/// The rows whose latent values are wanted.
#[derive(Clone, Copy)]
pub(crate) enum Queries<'a> {
    /// Rows that are not training rows.
    New(&'a Inputs),
    /// Training rows, each without its own label.
    LeftOut(&'a [usize]),
}

/// Latent values by refinement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Refined {
    pub latents: Vec<Gaussian>,
    /// How many local searches did not reach their fixed point; where there was no posterior at all the global one is given.
    pub unsettled: usize,
}

impl Global<'_> {
    /// The latent values of the queries, each from its `neighbours` nearest rows and the global posterior of all others.
    pub fn refine(
        self,
        queries: Queries<'_>,
        neighbours: usize,
        interrupt: Interrupt<'_>,
    ) -> Result<Refined, Interrupted> {
        let Factor::Sparse(factor) = self.inferred.posterior.factor() else {
            return Ok(Refined { latents: Vec::new(), unsettled: 0 });
        };
        let selected;
        let (rows, own): (&Inputs, Option<&[usize]>) = match queries {
            Queries::New(rows) => (rows, None),
            Queries::LeftOut(own) => {
                selected = self.inputs.select_rows(own);
                (&selected, Some(own))
            }
        };
        let nearest = self.kernel.nearest(self.inputs, rows, neighbours, |q| own.map(|own| own[q]));
        let found = map_tasks(rows.rows().div_ceil(BATCH), |batch| {
            interrupt.check()?;
            let which: Vec<usize> = (batch * BATCH..rows.rows().min((batch + 1) * BATCH)).collect();
            let batch = Batch::new(self, factor, rows.select_rows(&which), which.iter().map(|&q| &*nearest[q]));
            let one = |(t, &q): (usize, &usize)| batch.latent(t, &nearest[q], own.map(|own| own[q]), interrupt);
            Ok(which.iter().enumerate().map(one).collect::<Vec<_>>())
        });
        let mut refined = Refined { latents: Vec::with_capacity(rows.rows()), unsettled: 0 };
        for part in found {
            for (latent, settled) in part? {
                refined.latents.push(latent);
                refined.unsettled += usize::from(!settled);
            }
        }
        interrupt.check()?;
        Ok(refined)
    }
}

/// Queries with the coordinates of all rows near any of them.
struct Batch<'a> {
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

impl<'a> Batch<'a> {
    fn new<'n>(
        global: Global<'a>,
        factor: &'a SparseFactor,
        queries: Inputs,
        nearest: impl Iterator<Item = &'n [usize]>,
    ) -> Self {
        let mut near: Vec<usize> = nearest.flatten().copied().collect();
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
    fn latent(&self, query: usize, rows: &[usize], own: Option<usize>, interrupt: Interrupt<'_>) -> (Gaussian, bool) {
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
                let variance = self.global.kernel.diag(&self.queries.select_rows(&[query]));
                inferred.posterior.predict(cross, &variance)[0]
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
        let (m, posterior) = (rows.len(), &self.global.inferred.posterior);
        let at: Vec<usize> = rows.iter().filter_map(|row| self.near.binary_search(row).ok()).collect();
        let joined = |which: usize| {
            let mut data = self.of_near[which].select_columns(&at).as_slice().to_vec();
            data.extend_from_slice(self.of_queries[which].col(query));
            Mat::from_columns(self.of_near[which].rows(), m + 1, data)
        };
        let (a, c) = (joined(0), joined(1));
        let removed: Vec<usize> = rows.iter().copied().chain(own).collect();
        let of_removed = |values: &[f64]| removed.iter().map(|&row| values[row]).collect::<Vec<f64>>();
        let (tau, b) = (of_removed(&posterior.sites().tau), of_removed(posterior.alpha()));

        // The prior of the local search: S₋ + K - AᵀA, around μ₋.
        let mut p = self_product(&c, Op::Transpose);
        without_sites(&mut p, &tau).ok()?;
        let own_mean = vector::dot(a.col(m), posterior.weights());
        let mut mean: Vec<f64> = rows.iter().map(|&row| posterior.mean()[row]).chain([own_mean]).collect();
        for (column, b) in p.columns().zip(&b) {
            vector::add_scaled(&mut mean, -b, column);
        }
        let explained = self_product(&a, Op::Transpose);
        let gram = self.global.kernel.gram(&self.together(query, rows));
        vector::add_scaled(p.as_mut_slice(), 1.0, gram.as_slice());
        vector::add_scaled(p.as_mut_slice(), -1.0, explained.as_slice());

        let prior = Mat::from_fn(m, m, |i, j| p[(i, j)]);
        let cross = Mat::from_fn(m, 1, |i, _| p[(i, m)]);
        let start = self.start(rows, &prior);
        let local = Local::new(self.global.observations, rows);
        let observations = local.observations(self.global.observations, &mean[..m]);
        let found =
            self.global.method.infer(Prior::from_covariance(prior), &observations, start.as_ref(), interrupt).ok()?;
        let latent = found.posterior.predict(cross, &[p[(m, m)]])[0];
        let latent = Gaussian { mean: mean[m] + latent.mean, var: latent.var };
        (latent.mean.is_finite() && latent.var.is_finite()).then_some((latent, found.report.outcome.converged()))
    }

    /// The rows with the query behind them.
    fn together(&self, query: usize, rows: &[usize]) -> Inputs {
        let (x, q) = (self.global.inputs, &self.queries);
        let value = |i: usize, j: usize| if i < rows.len() { x.values()[(rows[i], j)] } else { q.values()[(query, j)] };
        Inputs::new(x.features().to_vec(), Mat::from_fn(rows.len() + 1, x.values().cols(), value))
    }

    /// The global sites as sites of the whole latent values: `tau / (1 - tau D)`, and the weights as they are.
    fn start(&self, rows: &[usize], prior: &Mat) -> Option<Sites> {
        let posterior = &self.global.inferred.posterior;
        let residual = self.factor.prior().residual();
        let b: Vec<f64> = rows.iter().map(|&row| posterior.alpha()[row]).collect();
        let mean = prior.mul_vec(&b);
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

/// Labels and weights of the rows of a local search.
struct Local {
    labels: Vec<Sign>,
    weights: Option<Vec<f64>>,
}

impl Local {
    fn new(all: &Observations<'_>, rows: &[usize]) -> Self {
        Local {
            labels: rows.iter().map(|&row| all.labels[row]).collect(),
            weights: all.weights.map(|weights| rows.iter().map(|&row| weights[row]).collect()),
        }
    }

    fn observations<'a>(&'a self, all: &'a Observations<'_>, mean: &'a [f64]) -> Observations<'a> {
        let weights = self.weights.as_deref();
        Observations { weights, offset: Some(mean), ..Observations::new(&self.labels, all.likelihood) }
    }
}
