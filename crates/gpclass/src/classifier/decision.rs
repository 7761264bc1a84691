//! The threshold by which a classifier of two classes decides.

use super::{Classifier, ClassifierError};
use crate::data::Class;
use crate::evaluate::decision::{Costs, Judged};
use crate::model::{Predictions, Probabilities, TrainingData};
use serde::{Deserialize, Serialize};

/// How rows are to be decided.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DecisionRule {
    /// By what errors cost: the threshold that costs left-out rows least.
    Cost(Costs),
    /// By this probability of the positive class.
    Threshold(f64),
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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
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
    /// By left-out rows; refused for more than two classes and for numbers that are no costs or no probability.
    pub(super) fn of(
        rule: DecisionRule,
        left_out: &Probabilities,
        data: &TrainingData,
        seed: u64,
    ) -> Result<Self, ClassifierError> {
        let classes = left_out.classes().len();
        if classes != 2 {
            return Err(ClassifierError::DecisionOfSeveral { classes });
        }
        match rule {
            DecisionRule::Threshold(threshold) if !(0.0..=1.0).contains(&threshold) => {
                Err(ClassifierError::Threshold { threshold })
            }
            DecisionRule::Threshold(threshold) => {
                Ok(Decision { threshold, rule, interval: None, bayes: None, cost: None, bayes_cost: None })
            }
            DecisionRule::Cost(costs) => {
                let judged = Judged {
                    probability: left_out.of_class(Class::POSITIVE),
                    labels: data.labels(),
                    weights: data.weights(),
                    groups: data.groups(),
                };
                let found = judged.cheapest(costs, seed)?;
                let bayes = costs.bayes_threshold();
                Ok(Decision {
                    threshold: found.threshold,
                    rule,
                    interval: Some(found.interval),
                    bayes: Some(bayes),
                    cost: Some(found.cost),
                    bayes_cost: Some(judged.cost_at(bayes, costs)),
                })
            }
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

impl Classifier {
    /// The threshold that rows are decided by; refused where the fit was given neither costs nor a threshold.
    pub fn decision_threshold(&self, by: DecideBy) -> Result<f64, ClassifierError> {
        let decision = self.summary().decision.as_ref().ok_or(ClassifierError::NoDecision)?;
        Ok(decision.threshold_by(by))
    }

    /// The class that every predicted row is decided to be of.
    pub fn decide(&self, predicted: &Predictions, by: DecideBy) -> Result<Vec<Class>, ClassifierError> {
        let threshold = self.decision_threshold(by)?;
        let decided = |p: &f64| if *p >= threshold { Class::POSITIVE } else { Class::NEGATIVE };
        Ok(predicted.probability.of_class(Class::POSITIVE).iter().map(decided).collect())
    }
}
