//! The fitted models that a classifier predicts with.

use super::ClassifierError;
use crate::data::Inputs;
use crate::explain::{Together, Weighed};
use crate::learn::{Selection, Share};
use crate::model::{FittedModel, Mixture, Predictions};

/// A model and its share in the predictions.
#[derive(Clone, Debug)]
pub struct Member {
    pub(super) name: String,
    pub(super) weight: f64,
    pub(super) fitted: FittedModel,
}

impl Member {
    /// The candidate's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its share, positive; the shares of all members sum to one.
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The model with its posterior.
    pub fn fitted(&self) -> &FittedModel {
        &self.fitted
    }
}

/// The models that predict together, at least one.
#[derive(Clone, Debug)]
pub(super) struct Members {
    each: Vec<Member>,
    sharpness: f64,
}

impl Members {
    pub fn new(each: Vec<Member>, sharpness: f64) -> Self {
        Members { each, sharpness }
    }

    /// Those of a selection, the chosen one first, which it gives up.
    pub fn of(selection: &mut Selection) -> Self {
        let contenders = &selection.contenders;
        let member = |Share { contender, weight, fitted }: Share| {
            let name = contenders[contender].summary.name.clone();
            Member { name, weight, fitted }
        };
        let each = std::mem::take(&mut selection.members).into_iter().map(member).collect();
        Members { each, sharpness: selection.sharpness }
    }

    pub fn each(&self) -> &[Member] {
        &self.each
    }

    pub fn sharpness(&self) -> f64 {
        self.sharpness
    }

    /// The model of the first, which is the heaviest.
    pub fn first(&self) -> &FittedModel {
        self.each[0].fitted()
    }

    /// The same models as `changed` makes them.
    pub fn map(&self, changed: impl Fn(&FittedModel) -> FittedModel) -> Self {
        let each = self.each.iter().map(|member| Member { fitted: changed(member.fitted()), ..member.clone() });
        Members { each: each.collect(), sharpness: self.sharpness }
    }

    /// What they say together; each is asked with its position.
    pub fn mixed(
        &self,
        predictions: impl Fn(usize, &FittedModel) -> Result<Predictions, ClassifierError>,
    ) -> Result<Predictions, ClassifierError> {
        let weights = self.each.iter().map(Member::weight).collect();
        let mixture = Mixture { weights, sharpness: self.sharpness };
        mixture.of(|k| predictions(k, self.each[k].fitted()))
    }

    /// Rows as they together predict them.
    pub fn predict(&self, inputs: &Inputs) -> Result<Predictions, ClassifierError> {
        self.mixed(|_, fitted| Ok(fitted.predict(inputs)?))
    }

    /// Every training row as they together predict it from those that do not belong to it.
    pub fn left_out(&self) -> Result<Predictions, ClassifierError> {
        self.mixed(|_, fitted| Ok(fitted.left_out()))
    }

    /// The same for what explains them.
    pub fn together(&self) -> Together<'_> {
        let models = self.each.iter().map(|member| Weighed { weight: member.weight(), fit: member.fitted() }).collect();
        Together { models, sharpness: self.sharpness }
    }
}
