//! The latent functions of a model at rows together, for what looks at more than one row at once.

use super::found::Found;
use super::predictions::shares;
use super::{FittedModel, ModelError};
use crate::data::{Class, Inputs, Sign};
use crate::inference::Inferred;
use crate::inference::joint::RowGaussian;
use crate::likelihood::Gaussian;
use gpclass_linalg::Mat;

impl FittedModel {
    /// How many latent functions there are: one for two classes, else one for each.
    pub fn functions(&self) -> usize {
        if self.binary().is_some() { 1 } else { self.data().targets().count() }
    }

    /// The distribution of all functions at each row as the encoder gives it, without the refinement that inducing rows allow: for
    /// many rows at once.
    pub(crate) fn functions_at(&self, test: &Inputs) -> Result<Vec<RowGaussian>, ModelError> {
        let seen = self.data.view().apply(test);
        let test = seen.as_ref();
        let independent = |latents: &[&Gaussian]| RowGaussian {
            mean: latents.iter().map(|latent| latent.mean).collect(),
            cov: Mat::from_fn(latents.len(), latents.len(), |c, d| if c == d { latents[c].var } else { 0.0 }),
        };
        match &self.found {
            Found::Binary(inferred) => {
                Ok(self.global_latents(inferred, 0, test)?.iter().map(|latent| independent(&[latent])).collect())
            }
            Found::Joint(joint, _) => self.row_gaussians(joint, test),
            Found::OneVsRest(each, _) => {
                let numbered = each.iter().enumerate();
                let all: Vec<Vec<Gaussian>> =
                    numbered.map(|(c, inferred)| self.global_latents(inferred, c, test)).collect::<Result<_, _>>()?;
                let row = |i: usize| independent(&all.iter().map(|latents| &latents[i]).collect::<Vec<_>>());
                Ok((0..test.rows()).map(row).collect())
            }
        }
    }

    /// The probabilities of all classes where the functions have this distribution.
    pub(crate) fn class_probabilities(&self, row: &RowGaussian) -> Vec<f64> {
        match &self.found {
            Found::Joint(_, link) => link.log_probabilities(&row.mean, &row.cov).iter().map(|log| log.exp()).collect(),
            Found::Binary(_) => Class::first(2).map(|class| self.class_probability(class, row)).collect(),
            Found::OneVsRest(each, _) => self.shares_of_claims(each, row).iter().map(|log| log.exp()).collect(),
        }
    }

    /// The probability of a class alone, which for many classes that are inferred together costs a part of that of all.
    pub(crate) fn class_probability(&self, class: Class, row: &RowGaussian) -> f64 {
        let likelihood = &self.model.likelihood;
        match &self.found {
            Found::Binary(inferred) => {
                let latent = Gaussian { mean: row.mean[0], var: row.cov[(0, 0)] };
                let positive = likelihood.predict(inferred.observed(latent));
                if class == Class::POSITIVE { positive } else { 1.0 - positive }
            }
            Found::Joint(_, link) => link.probability(class.position(), &row.mean, &row.cov),
            Found::OneVsRest(each, _) => self.shares_of_claims(each, row)[class.position()].exp(),
        }
    }

    /// The log-probabilities of classes against the rest.
    fn shares_of_claims(&self, each: &[Inferred], row: &RowGaussian) -> Vec<f64> {
        let latent = |c: usize| each[c].observed(Gaussian { mean: row.mean[c], var: row.cov[(c, c)] });
        shares((0..each.len()).map(|c| self.model.multiclass.log_claim(&self.model.likelihood, latent(c))).collect())
    }

    /// How the probability of a class moves with the mean of each function, given those of all. For two classes exactly: by
    /// Stein's lemma it is the coefficient of f in the best linear approximation of p(class | f). For more,
    /// `p_c ([c = k] - p_k)`: right in sign and nearly in proportion, which is what a direction to move in needs.
    pub(crate) fn class_slopes(&self, class: Class, row: &RowGaussian, probabilities: &[f64]) -> Vec<f64> {
        if let Found::Binary(inferred) = &self.found {
            let observed = inferred.observed(Gaussian { mean: row.mean[0], var: row.cov[(0, 0)] });
            let moments = self.model.likelihood.moments(Sign::Positive, observed, 1.0);
            let slope = moments.d1 * self.model.likelihood.predict(observed);
            return vec![if class == Class::POSITIVE { slope } else { -slope }];
        }
        let own = probabilities[class.position()];
        let slope = |(k, p): (usize, &f64)| own * (f64::from(u8::from(k == class.position())) - p);
        probabilities.iter().enumerate().map(slope).collect()
    }

    /// `R y` for every function, `R = (K + T⁻¹)⁻¹`: as many rows as [`Prior::cross`](crate::prior::Prior::cross) has.
    pub(crate) fn information_times(&self, y: &Mat) -> Mat {
        let scalar = |inferred: &Inferred, column: &[f64]| inferred.posterior.information_times(column);
        match &self.found {
            Found::Binary(inferred) => Mat::from_columns(y.rows(), 1, scalar(inferred, y.col(0))),
            Found::Joint(joint, _) => joint.factor.information_times(y),
            Found::OneVsRest(each, _) => {
                let columns = each.iter().enumerate().flat_map(|(c, inferred)| scalar(inferred, y.col(c)));
                Mat::from_columns(y.rows(), each.len(), columns.collect())
            }
        }
    }
}
