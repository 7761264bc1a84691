//! Predictions of training rows that have one feature of another row, by all labels and without the row's own.

use super::found::Found;
use super::predict::finite;
use super::{FittedModel, ModelError, Predictions};
use crate::inference::joint::{JointInferred, OwnLabels};
use crate::inference::{Inferred, OwnLabel};
use crate::kernel::{Exchange, Exchanged};
use crate::likelihood::{Gaussian, Link};
use gpclass_linalg::Mat;

/// Some training rows of a model, ready for exchanges of features with others.
pub struct Exchanging<'a> {
    fit: &'a FittedModel,
    /// For each kernel that differs between functions.
    kernels: Vec<Exchange<'a>>,
    posterior: Prepared<'a>,
}

/// What is predicted of rows that have a feature of another one.
pub struct ExchangedPredictions {
    /// By all labels.
    pub by_all: Predictions,
    /// Without the label of the row that has all other features.
    pub left_out: Predictions,
}

/// A posterior with the labels of the rows, ready to be taken out of it.
enum Prepared<'a> {
    Binary(&'a Inferred, Vec<OwnLabel>),
    Joint(&'a JointInferred, Link, Vec<OwnLabels>),
    OneVsRest(&'a [Inferred], Vec<Vec<OwnLabel>>),
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
        self.exchanges().then(|| Exchanging {
            fit: self,
            kernels: kernels.map(exchange).collect(),
            posterior: self.prepared(rows),
        })
    }

    fn prepared(&self, rows: &[usize]) -> Prepared<'_> {
        match &self.found {
            Found::Binary(inferred) => Prepared::Binary(inferred, inferred.own_labels(&self.observations(), rows)),
            Found::Joint(joint, link) => Prepared::Joint(joint, *link, joint.own_labels(&self.data.under(*link), rows)),
            Found::OneVsRest(each, _) => {
                let of_class = |(c, inferred): (usize, &Inferred)| {
                    inferred.own_labels(&self.data.against_rest(c, &self.model.likelihood), rows)
                };
                Prepared::OneVsRest(each, each.iter().enumerate().map(of_class).collect())
            }
        }
    }
}

impl Exchanging<'_> {
    /// Predictions of rows that have `feature` of another row.
    pub fn predict(&self, feature: usize, exchanged: &[Exchanged]) -> Result<ExchangedPredictions, ModelError> {
        let (cross, diags): (Vec<Mat>, Vec<Vec<f64>>) =
            self.kernels.iter().map(|kernel| kernel.covariances(feature, exchanged)).unzip();
        let last = self.kernels.len() - 1;
        let latents = |c: usize, inferred: &Inferred, labels: &[OwnLabel]| {
            let (cross, diag) = (&cross[c.min(last)], &diags[c.min(last)]);
            let by_all = finite(inferred.posterior.predict(cross.clone(), diag))?;
            let without = |(t, &(at, _)): (usize, &Exchanged)| labels[at].taken_out(by_all[t], cross.col(t));
            let left_out: Vec<Gaussian> = exchanged.iter().enumerate().map(without).collect();
            Ok((by_all, left_out))
        };
        match &self.posterior {
            Prepared::Binary(inferred, labels) => {
                let (by_all, left_out) = latents(0, inferred, labels)?;
                let told = |latents: &[Gaussian]| self.fit.predictions(inferred, latents);
                Ok(ExchangedPredictions { by_all: told(&by_all), left_out: told(&left_out) })
            }
            Prepared::Joint(joint, link, labels) => {
                let by_all = self.fit.gaussians(joint, &cross, &diags);
                let without = |(t, &(at, _)): (usize, &Exchanged)| labels[at].taken_out(&by_all[t], &cross, t);
                let left_out: Vec<_> = exchanged.iter().enumerate().map(without).collect();
                let told = |rows: &[_]| self.fit.class_predictions(*link, rows);
                Ok(ExchangedPredictions { by_all: told(&by_all), left_out: told(&left_out) })
            }
            Prepared::OneVsRest(each, labels) => {
                let of_class = |(c, inferred): (usize, &Inferred)| latents(c, inferred, &labels[c]);
                let both = each.iter().enumerate().map(of_class).collect::<Result<Vec<_>, ModelError>>()?;
                let (by_all, left_out): (Vec<_>, Vec<_>) = both.into_iter().unzip();
                let told = |latents: &[Vec<Gaussian>]| {
                    self.fit.rest_predictions(each, |c, row| latents[c][row], exchanged.len())
                };
                Ok(ExchangedPredictions { by_all: told(&by_all), left_out: told(&left_out) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Class, Inputs, Targets};
    use crate::kernel::{Kernel, Scales};
    use crate::likelihood::Likelihood;
    use crate::model::{Model, Multiclass, TrainingData};
    use std::sync::Arc;

    const ROWS: usize = 24;

    fn data(classes: usize, left_out: Option<usize>) -> Arc<TrainingData> {
        let x = Mat::from_fn(ROWS, 2, |i, j| ((i * (3 + 2 * j)) as f64 * 0.7).sin());
        let label = |i: usize| Class::from(((2.0 * (x[(i, 0)] + 1.0)) as usize % classes) as u16);
        let targets = Targets::new((0..ROWS).map(label).collect(), classes).unwrap();
        let weights = left_out.map(|row| (0..ROWS).map(|i| f64::from(u8::from(i != row))).collect());
        Arc::new(TrainingData::weighted(Inputs::continuous(x.clone()), targets, weights).unwrap())
    }

    fn model(multiclass: Multiclass) -> Model {
        let kernel = Kernel::squared_exponential(3.0, Scales::Ard(vec![0.8, 0.3])) + Kernel::bias(0.5);
        Model { multiclass, ..Model::new(kernel, Likelihood::probit()) }
    }

    /// A row that keeps its own feature is the row as leave-one-out has it, and one that gets another's is nearly what a posterior
    /// says that never saw the row's label: the sites of the others stay where its label had put them.
    #[test]
    fn the_rows_own_label_is_taken_out() {
        let rows = [1, 8, 15];
        for (classes, multiclass) in [(2, Multiclass::Auto), (3, Multiclass::Joint), (3, Multiclass::OneVsRest)] {
            let fitted = model(multiclass).infer(&data(classes, None), None).unwrap();
            let ready = fitted.exchanging(&rows).unwrap();
            let (themselves, left_out) = ([(0, 1), (1, 8), (2, 15)], fitted.leave_one_out());
            let found = ready.predict(1, &themselves).unwrap();
            for (k, &row) in rows.iter().enumerate() {
                for class in Class::first(classes) {
                    let (got, want) = (found.left_out.probability(k, class), left_out.probability(row, class));
                    assert!((got - want).abs() < 1e-7, "{classes} {multiclass:?} row {row}: {got} and {want}");
                }
                let unseen = model(multiclass).infer(&data(classes, Some(row)), None).unwrap();
                let moved = ready.predict(0, &[(k, 20)]).unwrap();
                let values = fitted.data().inputs().values();
                let there = Mat::from_fn(1, 2, |_, c| values[(if c == 0 { 20 } else { row }, c)]);
                let want = unseen.predict(&Inputs::continuous(there)).unwrap();
                for class in Class::first(classes) {
                    let want = want.probability(0, class);
                    let away = |p: f64| (p - want).abs();
                    let (got, by_all) = (moved.left_out.probability(0, class), moved.by_all.probability(0, class));
                    assert!(away(got) < 0.03, "{classes} {multiclass:?} row {row}: {got}, {by_all} and {want}");
                    assert!(away(got) <= away(by_all) + 1e-3);
                }
            }
        }
    }
}
