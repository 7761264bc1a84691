//! The gradient of the log evidence, and the way from covariances to hyperparameters.

use super::found::Found;
use super::{FittedModel, Gradient, ModelError};
use crate::inference::Sensitivity;
use crate::prior::Adjoint;
use gpclass_linalg::map_tasks;

impl FittedModel {
    /// The gradient of the log evidence.
    pub fn evidence_gradient(&self) -> Result<Gradient, ModelError> {
        if self.is_beside_others() {
            return Err(ModelError::GradientElsewhere);
        }
        let method = &self.model.method;
        match &self.found {
            Found::Binary(inferred) => self.pull_back(method.evidence_sensitivity(&self.observations(), inferred)?),
            Found::Joint(joint, link) => {
                let classes = self.data.targets().count();
                let found = joint.evidence_sensitivity(&self.data.under(*link));
                // eps is the share of all wrong labels together.
                let by_eps = found.label_error / (classes - 1) as f64;
                let likelihood = vec![by_eps; self.model.likelihood.params().len()];
                self.pull_back_classes(&found.adjoints, likelihood)
            }
            Found::OneVsRest(each, _) => {
                let one = |c: usize| {
                    method.evidence_sensitivity(&self.data.against_rest(c, &self.model.likelihood), &each[c])
                };
                self.pull_back_each(map_tasks(each.len(), one).into_iter().collect::<Result<_, _>>()?)
            }
        }
    }

    /// Derivatives in the hyperparameters from those in the prior.
    pub(crate) fn pull_back(&self, found: Sensitivity) -> Result<Gradient, ModelError> {
        self.pull_back_classes(&[found.adjoint], found.likelihood)
    }

    /// The same for every class against the rest.
    pub(crate) fn pull_back_each(&self, found: Vec<Sensitivity>) -> Result<Gradient, ModelError> {
        let mut likelihood = vec![0.0; self.model.likelihood.params().len()];
        let mut adjoints: Vec<Adjoint> = Vec::new();
        for one in found {
            likelihood.iter_mut().zip(&one.likelihood).for_each(|(sum, part)| *sum += part);
            match adjoints.last_mut() {
                Some(sum) if self.model.kernel.own_classes().is_none() => sum.add(&one.adjoint),
                _ => adjoints.push(one.adjoint),
            }
        }
        self.pull_back_classes(&adjoints, likelihood)
    }

    /// The same from adjoints of all functions' covariance, or of each one's.
    fn pull_back_classes(&self, adjoints: &[Adjoint], likelihood: Vec<f64>) -> Result<Gradient, ModelError> {
        let kernel = &self.model.kernel;
        let of_class =
            |(c, adjoint): (usize, &Adjoint)| self.prior(c).pull_back(kernel.of_class(c), self.data.inputs(), adjoint);
        let by_kernel = adjoints.iter().enumerate().flat_map(of_class).collect();
        Gradient { kernel: by_kernel, likelihood }.finite(kernel, &self.model.likelihood)
    }
}
