//! Predictions of training rows that have one feature of another row.

use super::found::Found;
use super::predict::finite;
use super::{FittedModel, ModelError, Predictions};
use crate::kernel::{Exchange, Exchanged};
use gpclass_linalg::Mat;

/// Some training rows of a model, ready for exchanges of features with others.
pub struct Exchanging<'a> {
    fit: &'a FittedModel,
    /// For each kernel that differs between functions.
    kernels: Vec<Exchange<'a>>,
}

impl FittedModel {
    /// Whether features can be exchanged by their own terms of the covariance: not where predictions go by way of inducing rows.
    pub fn exchanges(&self) -> bool {
        self.inducing().is_none()
    }

    /// Makes training rows ready for exchanges, each of which then costs the same however many columns there are. Nothing
    /// where that cannot be done.
    pub fn exchanging<'a>(&'a self, rows: &'a [usize]) -> Option<Exchanging<'a>> {
        let kernels = 0..self.model.kernel.own_classes().unwrap_or(1);
        let exchange = |c: usize| self.model.kernel.of_class(c).exchange(self.data.inputs(), rows);
        self.exchanges().then(|| Exchanging { fit: self, kernels: kernels.map(exchange).collect() })
    }
}

impl Exchanging<'_> {
    /// Predictions of rows that have `feature` of another row.
    pub fn predict(&self, feature: usize, exchanged: &[Exchanged]) -> Result<Predictions, ModelError> {
        let (cross, diags): (Vec<Mat>, Vec<Vec<f64>>) =
            self.kernels.iter().map(|kernel| kernel.covariances(feature, exchanged)).unzip();
        let last = self.kernels.len() - 1;
        match &self.fit.found {
            Found::Binary(inferred) => {
                let latents = finite(inferred.posterior.predict(cross[0].clone(), &diags[0]))?;
                Ok(self.fit.predictions(inferred, &latents))
            }
            Found::Joint(joint, link) => {
                Ok(self.fit.class_predictions(*link, &self.fit.gaussians(joint, &cross, &diags)))
            }
            Found::OneVsRest(each, _) => {
                let own = |c: usize| c.min(last);
                let latents = each
                    .iter()
                    .enumerate()
                    .map(|(c, inferred)| finite(inferred.posterior.predict(cross[own(c)].clone(), &diags[own(c)])));
                let latents = latents.collect::<Result<Vec<_>, _>>()?;
                Ok(self.fit.rest_predictions(each, |c, row| latents[c][row], exchanged.len()))
            }
        }
    }
}
