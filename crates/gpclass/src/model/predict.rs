//! Predictions of new rows.

use super::found::Found;
use super::{FittedModel, ModelError, Predictions, check_rows};
use crate::data::Inputs;
use crate::inference::joint::{JointInferred, RowGaussian};
use crate::inference::{Inferred, Queries};
use crate::interrupt::Interrupt;
use crate::likelihood::{Gaussian, Link};
use gpclass_linalg::{Mat, map_tasks};

/// Test rows predicted at once: bounds the memory of a prediction to this many times the training rows.
const PREDICTION_BLOCK: usize = 512;

impl FittedModel {
    /// Predictions for rows encoded as the training rows were, in bounded memory. The model's own view is applied to them
    /// here.
    pub fn predict(&self, test: &Inputs) -> Result<Predictions, ModelError> {
        let trained = self.data.inputs();
        check_rows(test, trained.features().len(), trained.values().cols())?;
        let seen = self.data.view().apply(test);
        let test = seen.as_ref();
        match &self.found {
            Found::Binary(inferred) => {
                let latents = self.latents(inferred, 0, test)?;
                Ok(self.predictions(inferred, &latents))
            }
            Found::Joint(joint, link) => Ok(self.class_predictions(*link, &self.row_gaussians(joint, test)?)),
            Found::OneVsRest(each, _) => {
                let latents: Vec<Vec<Gaussian>> = each
                    .iter()
                    .enumerate()
                    .map(|(c, inferred)| self.latents(inferred, c, test))
                    .collect::<Result<_, _>>()?;
                Ok(self.rest_predictions(each, |c, row| latents[c][row], test.rows()))
            }
        }
    }

    /// The rows of a prediction, some at a time.
    fn blocks<R: Send>(test: &Inputs, of_block: impl Fn(&Inputs) -> Vec<R> + Sync) -> Vec<R> {
        let blocks = test.rows().div_ceil(PREDICTION_BLOCK);
        let predicted = map_tasks(blocks, |block| {
            let rows: Vec<usize> =
                (block * PREDICTION_BLOCK..test.rows().min((block + 1) * PREDICTION_BLOCK)).collect();
            of_block(&test.select_rows(&rows))
        });
        predicted.into_iter().flatten().collect()
    }

    /// A function's values at test rows as the kernel sees them, refined where that was asked for.
    fn latents(&self, inferred: &Inferred, class: usize, test: &Inputs) -> Result<Vec<Gaussian>, ModelError> {
        match self.refined(inferred, class, Queries::New(test), Interrupt::default()) {
            Some(refined) => Ok(refined?.latents),
            None => self.global_latents(inferred, class, test),
        }
    }

    /// A function's values at test rows as the kernel sees them, from all training rows alike.
    pub(super) fn global_latents(
        &self,
        inferred: &Inferred,
        class: usize,
        test: &Inputs,
    ) -> Result<Vec<Gaussian>, ModelError> {
        let kernel = self.model.kernel.of_class(class);
        let latents = Self::blocks(test, |part| {
            let cross = inferred.posterior.prior().cross(kernel, self.data.inputs(), part);
            inferred.posterior.predict(cross, &kernel.diag(part))
        });
        finite(latents)
    }

    /// All functions' values at test rows as the kernel sees them.
    pub(super) fn row_gaussians(&self, joint: &JointInferred, test: &Inputs) -> Result<Vec<RowGaussian>, ModelError> {
        let kernel = &self.model.kernel;
        let different = kernel.own_classes().unwrap_or(1);
        let rows = Self::blocks(test, |part| {
            let of = |c: usize| kernel.of_class(c);
            let cross: Vec<Mat> =
                (0..different).map(|c| self.prior(c).cross(of(c), self.data.inputs(), part)).collect();
            let diags: Vec<Vec<f64>> = (0..different).map(|c| of(c).diag(part)).collect();
            self.gaussians(joint, &cross, &diags)
        });
        let finite = |row: &RowGaussian| row.mean.iter().chain(row.cov.as_slice()).all(|v| v.is_finite());
        match rows.iter().position(|row| !finite(row)) {
            Some(row) => Err(ModelError::Prediction { row }),
            None => Ok(rows),
        }
    }

    /// All functions' values at rows of which the covariances with the training rows and the variances are known, for each
    /// kernel that differs.
    pub(super) fn gaussians(&self, joint: &JointInferred, cross: &[Mat], diags: &[Vec<f64>]) -> Vec<RowGaussian> {
        let classes = self.data.targets().count();
        let of = |c: usize| &diags[c.min(diags.len() - 1)];
        let prior_var = Mat::from_fn(of(0).len(), classes, |t, c| of(c)[t]);
        let (mean, covs) = joint.factor.predict(&joint.alpha, cross, &prior_var);
        let row = |(t, cov): (usize, Mat)| RowGaussian { mean: (0..classes).map(|c| mean[(t, c)]).collect(), cov };
        covs.into_iter().enumerate().map(row).collect()
    }

    pub(super) fn predictions(&self, inferred: &Inferred, latent: &[Gaussian]) -> Predictions {
        let likelihood = &self.model.likelihood;
        Predictions::binary(latent, |latent| likelihood.class_probabilities(inferred.observed(latent)))
    }

    pub(super) fn class_predictions(&self, link: Link, rows: &[RowGaussian]) -> Predictions {
        let logs = map_tasks(rows.len(), |i| link.log_probabilities(&rows[i].mean, &rows[i].cov));
        Predictions::joint(rows, logs, self.data.targets().count())
    }

    pub(super) fn rest_predictions(
        &self,
        each: &[Inferred],
        latent: impl Fn(usize, usize) -> Gaussian + Sync,
        rows: usize,
    ) -> Predictions {
        let likelihood = &self.model.likelihood;
        let claim =
            |row: usize, c: usize| self.model.multiclass.log_claim(likelihood, each[c].observed(latent(c, row)));
        Predictions::one_vs_rest(rows, each.len(), claim, |row, c| latent(c, row))
    }
}

/// The values at rows, if they are numbers.
pub(super) fn finite(latents: Vec<Gaussian>) -> Result<Vec<Gaussian>, ModelError> {
    match latents.iter().position(|latent| !(latent.mean.is_finite() && latent.var.is_finite())) {
        Some(row) => Err(ModelError::Prediction { row }),
        None => Ok(latents),
    }
}
