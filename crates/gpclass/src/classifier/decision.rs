//! The threshold by which a classifier of two classes decides, and how one of several does.

use super::{Classifier, ClassifierError, CostMatrix, ErrorCost};
use crate::data::{Class, ClassNames};
use crate::evaluate::decision::{Costs, Judged};
use crate::model::{Predictions, Probabilities, TrainingData};
use serde::{Deserialize, Serialize};

/// How rows are to be decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecisionRule {
    /// By what errors cost: the threshold that costs left-out rows least.
    Cost(Costs),
    /// By this probability of the positive class.
    Threshold(f64),
    /// By what errors cost, of any number of classes: what is not named costs one.
    Errors(Vec<ErrorCost>),
}

impl DecisionRule {
    /// Refuses what does not decide between these classes.
    pub(super) fn check(&self, classes: &ClassNames) -> Result<(), ClassifierError> {
        match self {
            DecisionRule::Errors(errors) => CostMatrix::new(errors, classes).map(|_| ()),
            DecisionRule::Cost(_) | DecisionRule::Threshold(_) if classes.len() > 2 => {
                Err(ClassifierError::DecisionOfSeveral { classes: classes.len() })
            }
            DecisionRule::Cost(_) | DecisionRule::Threshold(_) => Ok(()),
        }
    }
}

/// Which of the two thresholds that costs give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecideBy {
    /// That of least cost among left-out rows.
    #[default]
    Learned,
    /// `fp / (fp + fn)`, which is best where probabilities are right.
    Bayes,
}

crate::named::named!(DecideBy, "decide", {
    Learned = "learned": "The threshold that cost left-out rows least";
    Bayes = "bayes": "The threshold fp / (fp + fn), best where probabilities are right";
});

/// A threshold with what is known about it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decision {
    /// A row is positive where its probability of that is at least this.
    pub threshold: f64,
    /// What was asked for.
    pub rule: DecisionRule,
    /// By costs: where nine in ten thresholds of resampled rows lie.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<(f64, f64)>,
    /// By costs: the threshold that is best where probabilities are right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bayes: Option<f64>,
    /// By costs: mean cost of a left-out row at the threshold, which was chosen on the same rows and so flatters a little.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// By costs: the same at Bayes's threshold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bayes_cost: Option<f64>,
}

impl Decision {
    /// By left-out rows of two classes; refused for numbers that are no costs or no probability.
    pub(super) fn of(
        rule: DecisionRule,
        left_out: &Probabilities,
        data: &TrainingData,
        classes: &ClassNames,
        seed: u64,
    ) -> Result<Self, ClassifierError> {
        let by_costs = |costs: Costs| {
            let judged = Judged {
                probability: left_out.of_class(Class::POSITIVE),
                labels: data.labels(),
                weights: data.scoring_weights(),
                groups: data.groups(),
            };
            let found = judged.cheapest(costs, seed)?;
            let bayes = costs.bayes_threshold();
            Ok(Decision {
                threshold: found.threshold,
                rule: DecisionRule::Cost(costs),
                interval: Some(found.interval),
                bayes: Some(bayes),
                cost: Some(found.cost),
                bayes_cost: Some(judged.cost_at(bayes, costs)),
            })
        };
        match &rule {
            &DecisionRule::Threshold(threshold) if !(0.0..=1.0).contains(&threshold) => {
                Err(ClassifierError::Threshold { threshold })
            }
            &DecisionRule::Threshold(threshold) => {
                Ok(Decision { threshold, rule, interval: None, bayes: None, cost: None, bayes_cost: None })
            }
            &DecisionRule::Cost(costs) => by_costs(costs),
            DecisionRule::Errors(errors) => by_costs(CostMatrix::new(errors, classes)?.of_two()),
        }
    }

    /// The threshold to decide by: Bayes's where that is asked for and there is one.
    pub fn threshold_by(&self, by: DecideBy) -> f64 {
        match by {
            DecideBy::Learned => self.threshold,
            DecideBy::Bayes => self.bayes.unwrap_or(self.threshold),
        }
    }
}

/// What rows are decided by.
#[derive(Clone, Debug, PartialEq)]
pub enum Decider {
    /// Two classes, by the probability of the positive one.
    Threshold(f64),
    /// Any number, by the least expected cost.
    Costs(CostMatrix),
}

impl Decider {
    /// The class that a row is decided to be of.
    pub fn class(&self, probability: &Probabilities, row: usize) -> Class {
        match self {
            Decider::Threshold(threshold) if probability.at(row, Class::POSITIVE) >= *threshold => Class::POSITIVE,
            Decider::Threshold(_) => Class::NEGATIVE,
            Decider::Costs(matrix) => matrix.cheapest(probability, row),
        }
    }
}

impl Classifier {
    /// What rows are decided by; refused where the fit was given neither costs nor a threshold.
    pub fn decider(&self, by: DecideBy) -> Result<Decider, ClassifierError> {
        let summary = self.summary();
        match (&summary.decision, &summary.costs) {
            (Some(decision), _) => Ok(Decider::Threshold(decision.threshold_by(by))),
            (None, Some(costs)) => Ok(Decider::Costs(costs.matrix.clone())),
            (None, None) => Err(ClassifierError::NoDecision),
        }
    }

    /// The class that every predicted row is decided to be of.
    pub fn decide(&self, predicted: &Predictions, by: DecideBy) -> Result<Vec<Class>, ClassifierError> {
        let decider = self.decider(by)?;
        Ok((0..predicted.rows()).map(|row| decider.class(&predicted.probability, row)).collect())
    }
}
