//! EP on a few rows: what a local search sees, and its answer for a query.

use super::Refined;
use super::around::Around;
use crate::data::{Inputs, Sign};
use crate::inference::{Inferred, Method, Observations};
use crate::interrupt::{Interrupt, Interrupted};
use crate::kernel::Kernel;
use crate::likelihood::Gaussian;
use crate::posterior::Sites;
use crate::prior::Prior;
use gpclass_linalg::{Mat, map_tasks};

/// Labels and weights of the rows of a local search.
pub(super) struct Local<'a> {
    all: &'a Observations<'a>,
    labels: Vec<Sign>,
    weights: Option<Vec<f64>>,
}

impl<'a> Local<'a> {
    pub fn new(all: &'a Observations<'a>, rows: &[usize]) -> Self {
        Local {
            all,
            labels: rows.iter().map(|&row| all.labels[row]).collect(),
            weights: all.weights.map(|weights| rows.iter().map(|&row| weights[row]).collect()),
        }
    }

    /// The posterior of the rows under a prior of them, counted from its means.
    fn search(
        &self,
        around: &Around,
        start: Option<&Sites>,
        method: &Method,
        interrupt: Interrupt<'_>,
    ) -> Option<Inferred> {
        let m = self.labels.len();
        let (weights, offset) = (self.weights.as_deref(), Some(&around.mean[..m]));
        let observations = Observations { weights, offset, ..Observations::new(&self.labels, self.all.likelihood) };
        let prior = Prior::from_covariance(Mat::from_fn(m, m, |i, j| around.covariance[(i, j)]));
        method.infer(prior, &observations, start, interrupt).ok()
    }

    /// The latent value of the query behind the rows, and whether the search settled.
    pub fn latent(
        &self,
        around: &Around,
        start: Option<&Sites>,
        method: &Method,
        interrupt: Interrupt<'_>,
    ) -> Option<(Gaussian, bool)> {
        let m = self.labels.len();
        let found = self.search(around, start, method, interrupt)?;
        let cross = Mat::from_fn(m, 1, |i, _| around.covariance[(i, m)]);
        let latent = found.posterior.predict(cross, &[around.covariance[(m, m)]])[0];
        let latent = Gaussian { mean: around.mean[m] + latent.mean, var: latent.var };
        is_proper(latent).then_some((latent, found.report.outcome.converged()))
    }
}

fn is_proper(latent: Gaussian) -> bool {
    latent.mean.is_finite() && latent.var.is_finite()
}

/// Some training rows as predicted by the rows nearest to each alone: refinement of a posterior that knows nothing, which
/// tells what hyperparameters are worth before there is any other.
pub(crate) fn locally_left_out(
    kernel: &Kernel,
    inputs: &Inputs,
    observations: &Observations<'_>,
    method: &Method,
    rows: &[usize],
    neighbours: usize,
    interrupt: Interrupt<'_>,
) -> Result<Refined, Interrupted> {
    let nearest = kernel.nearest(inputs, &inputs.select_rows(rows), neighbours, |q| Some(rows[q]));
    let found = map_tasks(rows.len(), |q| {
        interrupt.check()?;
        let together: Vec<usize> = nearest[q].iter().copied().chain([rows[q]]).collect();
        let covariance = kernel.gram(&inputs.select_rows(&together));
        let own = covariance[(nearest[q].len(), nearest[q].len())];
        let around = Around { mean: vec![0.0; together.len()], covariance };
        let found = Local::new(observations, &nearest[q]).latent(&around, None, method, interrupt);
        Ok(found.unwrap_or((Gaussian { mean: 0.0, var: own }, false)))
    });
    let found = found.into_iter().collect::<Result<Vec<_>, Interrupted>>()?;
    let unsettled = found.iter().filter(|(_, settled)| !settled).count();
    Ok(Refined { latents: found.into_iter().map(|(latent, _)| latent).collect(), unsettled })
}
