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

mod around;
mod local;
mod sites_removed;

pub(crate) use local::locally_left_out;

use super::{Inferred, Method, Observations};
use crate::data::Inputs;
use crate::interrupt::{Interrupt, Interrupted};
use crate::kernel::{Kernel, Neighbourhood};
use crate::likelihood::Gaussian;
use crate::posterior::{Factor, SparseFactor};
use around::Batch;
use gpclass_linalg::map_tasks;
use serde::{Deserialize, Serialize};

/// Queries near each other whose neighbours' coordinates are computed together.
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
    pub near: &'a Neighbourhood,
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

impl Refined {
    /// What was found for rows in another order, put into theirs.
    fn in_order(found: impl Iterator<Item = (usize, Gaussian)>, rows: usize, unsettled: usize) -> Self {
        let mut latents = vec![Gaussian { mean: 0.0, var: 0.0 }; rows];
        found.for_each(|(row, latent)| latents[row] = latent);
        Refined { latents, unsettled }
    }
}

impl<'a> Global<'a> {
    /// None where there are no inducing rows.
    fn factor(&self) -> Option<&'a SparseFactor> {
        if let Factor::Sparse(factor) = self.inferred.posterior.factor() { Some(factor) } else { None }
    }

    /// The latent values of the queries, each from its `neighbours` nearest rows and the global posterior of all others.
    pub fn refine(
        self,
        queries: Queries<'_>,
        neighbours: usize,
        interrupt: Interrupt<'_>,
    ) -> Result<Refined, Interrupted> {
        let Some(factor) = self.factor() else { return Ok(Refined { latents: Vec::new(), unsettled: 0 }) };
        let selected;
        let (rows, own): (&Inputs, Option<&[usize]>) = match queries {
            Queries::New(rows) => (rows, None),
            Queries::LeftOut(own) => {
                selected = self.inputs.select_rows(own);
                (&selected, Some(own))
            }
        };
        let nearest = self.near.nearest(self.kernel, self.inputs, rows, neighbours, |q| own.map(|own| own[q]));
        let batches = self.kernel.near_parts(rows, BATCH);
        let found = map_tasks(batches.len(), |batch| {
            interrupt.check()?;
            let which = &batches[batch];
            let near = which.iter().flat_map(|&q| nearest[q].iter().copied());
            let batch = Batch::new(self, factor, rows.select_rows(which), near);
            let one = |(t, &q): (usize, &usize)| batch.latent(t, &nearest[q], own.map(|own| own[q]), interrupt);
            Ok(which.iter().enumerate().map(one).collect::<Vec<_>>())
        });
        let found = found.into_iter().collect::<Result<Vec<_>, Interrupted>>()?.concat();
        interrupt.check()?;
        let unsettled = found.iter().filter(|(_, settled)| !settled).count();
        let latents = batches.concat().into_iter().zip(found).map(|(query, (latent, _))| (query, latent));
        Ok(Refined::in_order(latents, rows.rows(), unsettled))
    }
}
