//! The mean of a latent function as a sum over rows.

use super::found::Found;
use super::{FittedModel, ModelError, check_rows};
use crate::data::Inputs;
use crate::posterior::Posterior;
use crate::prior::Prior;
use gpclass_linalg::{Mat, lower_transpose_solve, map_tasks};
use std::borrow::Cow;

/// The mean of a function as `m(x) = sum_i w_i c(x, z_i)`.
#[derive(Clone, Debug)]
pub struct Expansion<'a> {
    /// `z_i`: the training rows, or the inducing ones, as the kernel sees them.
    pub centres: Cow<'a, Inputs>,
    /// `w_i`.
    pub weights: Cow<'a, [f64]>,
}

impl FittedModel {
    /// The mean of a class's function as a sum of covariances; of two classes there is one function.
    pub fn expansion(&self, class: usize) -> Expansion<'_> {
        let inputs = || Cow::Borrowed(self.data.inputs());
        match &self.found {
            Found::Binary(inferred) => self.expanded(&inferred.posterior),
            Found::OneVsRest(each, _) => self.expanded(&each[class].posterior),
            Found::Joint(joint, _) => Expansion { centres: inputs(), weights: Cow::Borrowed(joint.alpha.col(class)) },
        }
    }

    fn expanded<'a>(&'a self, posterior: &'a Posterior) -> Expansion<'a> {
        match posterior.prior() {
            Prior::Dense(_) => {
                Expansion { centres: Cow::Borrowed(self.data.inputs()), weights: Cow::Borrowed(posterior.weights()) }
            }
            // aᵀ A alpha with a = L⁻¹ c(Z, x): the weights of c(Z, x) are L⁻ᵀ A alpha. // math 12.3
            Prior::Sparse(sparse) => {
                let mut weights = posterior.weights().to_vec();
                lower_transpose_solve(sparse.chol(), &mut weights);
                Expansion { centres: Cow::Owned((*sparse.inducing().rows).clone()), weights: Cow::Owned(weights) }
            }
        }
    }

    /// What each training row contributes to the mean of a class's function at rows as the encoder gives them: training rows x
    /// rows, each column summing to the mean. `c(x_i, x) alpha_i`, with inducing rows the covariance by way of them. What rows elsewhere add is
    /// not among them.
    pub fn contributions(&self, class: usize, rows: &Inputs) -> Result<Mat, ModelError> {
        let trained = self.data.inputs();
        check_rows(rows, trained.features().len(), trained.values().cols())?;
        let seen = self.data.view().apply(rows);
        let kernel = self.model.kernel.of_class(class);
        let prior = self.prior(class);
        let cross = prior.cross(kernel, trained, &seen);
        let mut shares = match &prior {
            Prior::Dense(_) => cross,
            Prior::Sparse(sparse) => {
                let share =
                    |j: usize| sparse.projections().transposed_times(&sparse.given_others(cross.col(j).to_vec()));
                let columns = map_tasks(cross.cols(), share);
                Mat::from_columns(trained.rows(), cross.cols(), columns.concat())
            }
        };
        let alpha = self.alpha(class);
        for j in 0..shares.cols() {
            shares.col_mut(j).iter_mut().zip(alpha).for_each(|(share, alpha)| *share *= alpha);
        }
        Ok(shares)
    }

    /// `K⁻¹ mu` of a class's function.
    fn alpha(&self, class: usize) -> &[f64] {
        match &self.found {
            Found::Binary(inferred) => inferred.posterior.alpha(),
            Found::OneVsRest(each, _) => each[class].posterior.alpha(),
            Found::Joint(joint, _) => joint.alpha.col(class),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Class, InputView, Sign, Targets};
    use crate::interrupt::Interrupt;
    use crate::kernel::{Kernel, Scales};
    use crate::likelihood::Likelihood;
    use crate::model::{Model, Multiclass, TrainingData};
    use crate::prior::Inducing;
    use std::sync::Arc;

    fn inputs() -> Inputs {
        Inputs::continuous(Mat::from_fn(40, 2, |i, j| ((i * (2 * j + 3)) as f64 * 0.7).sin()))
    }

    fn check(fit: &FittedModel) {
        let rows = Inputs::continuous(Mat::from_fn(3, 2, |i, j| 0.4 * (i + 2 * j) as f64 - 0.5));
        let seen = fit.data().view().apply(&rows);
        let predicted = fit.predict(&rows).unwrap();
        for class in 0..fit.functions() {
            let Expansion { centres, weights } = fit.expansion(class);
            let sums = fit.model().kernel.of_class(class).cross(&centres, &seen).transpose_mul_vec(&weights);
            let contributions = fit.contributions(class, &rows).unwrap();
            assert_eq!(contributions.rows(), 40);
            for (row, sum) in sums.iter().enumerate() {
                let mean = predicted.mean[(row, class)];
                assert!((sum - mean).abs() < 1e-9, "{sum} {mean}");
                let total: f64 = contributions.col(row).iter().sum();
                assert!((total - mean).abs() < 1e-9, "{total} {mean}");
            }
        }
    }

    #[test]
    fn sums_are_the_predicted_means_of_every_form() {
        let kernel = Kernel::matern32(2.0, Scales::Ard(vec![1.0, 0.3])) + Kernel::bias(0.5) + Kernel::noise(0.1);
        let signs: Vec<Sign> = (0..40).map(|i| if i % 3 == 0 { Sign::Positive } else { Sign::Negative }).collect();
        let data = Arc::new(TrainingData::new(inputs(), signs).unwrap());
        let model = Model::new(kernel.clone(), Likelihood::probit());
        check(&model.infer(&data, None).unwrap());
        check(&model.infer(&data.viewed(InputView::Ranked), None).unwrap());
        let inducing = Inducing::of_training(&inputs(), (0..12).map(|i| 3 * i).collect());
        check(&model.infer_sparse(&data, &inducing, None, None, Interrupt::default()).unwrap());
        let classes = (0..40).map(|i| Class::first(3).nth(i % 3).unwrap()).collect();
        let data = Arc::new(TrainingData::new(inputs(), Targets::new(classes, 3).unwrap()).unwrap());
        for multiclass in [Multiclass::Joint, Multiclass::OneVsRest] {
            check(&Model { multiclass, ..model.clone() }.infer(&data, None).unwrap());
        }
    }
}
