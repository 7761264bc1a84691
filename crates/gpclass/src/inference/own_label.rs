//! What a row's own label did to the latent value somewhere else, so that it can be taken out again.
//!
//! With `c` the posterior covariance of a value `f` and the row's own, and the site of one copy of the row, of precision `t`, taken
//! out: `E f <- E f - c alpha / gap`, `var f <- var f + c² t / gap`, `gap = 1 - t v` (math 3, at another place than the row's).

use super::{Inferred, Observations};
use crate::likelihood::Gaussian;
use gpclass_linalg::{map_tasks, vector};

/// One copy of a row's site, ready to be taken out.
pub struct OwnLabel {
    /// `(I + T K)⁻¹ e_i`: the covariance of `f` and the row's value is its product with that of `f` and all rows under the prior.
    weights: Vec<f64>,
    /// What a unit of covariance adds to the mean.
    shift: f64,
    /// What a unit of squared covariance adds to the variance.
    widening: f64,
}

impl Inferred {
    /// The labels of these training rows. Of a posterior of all pairs of rows.
    pub fn own_labels(&self, observations: &Observations<'_>, rows: &[usize]) -> Vec<OwnLabel> {
        let posterior = &self.posterior;
        map_tasks(rows.len(), |k| {
            let (row, tau) = (rows[k], posterior.sites().tau[rows[k]]);
            let mut unit = vec![0.0; posterior.mean().len()];
            unit[row] = 1.0;
            let copies = observations.copies(row);
            // A row of no weight has no site to take out.
            let (shift, widening) = if copies == 0.0 {
                (0.0, 0.0)
            } else {
                let gap = posterior.marginals().gap(row, tau, copies);
                (-posterior.alpha()[row] / copies / gap, tau / copies / gap)
            };
            OwnLabel { weights: posterior.solve_site(&unit), shift, widening }
        })
    }
}

impl OwnLabel {
    /// A latent value without the label, from the prior covariances of that value and all training rows.
    pub fn taken_out(&self, latent: Gaussian, cross: &[f64]) -> Gaussian {
        let covariance = vector::dot(cross, &self.weights);
        Gaussian {
            mean: latent.mean + covariance * self.shift,
            var: (latent.var + covariance * covariance * self.widening).max(0.0),
        }
    }
}
