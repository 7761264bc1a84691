//! Predictions of a classifier: one model's, or a mixture.

use super::{ClassifierError, Member};
use crate::data::{Inputs, Sign};
use crate::likelihood::Gaussian;
use crate::model::Prediction;
use crate::special::log_add_exp;
use serde::{Deserialize, Serialize};

/// What is predicted for one row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClassPrediction {
    /// The more probable class; the negative one at exactly one half.
    pub label: Sign,
    /// The probability of the positive class.
    pub probability: f64,
    /// The logarithms of the probabilities of the negative and the positive class, accurate where one is tiny.
    pub log_probabilities: [f64; 2],
    /// Mean and variance of the latent value; of the mixture where several models are averaged.
    pub latent: Gaussian,
}

pub(super) fn predict(members: &[Member], inputs: &Inputs) -> Result<Vec<ClassPrediction>, ClassifierError> {
    let mut mixed: Vec<ClassPrediction> = Vec::new();
    for member in members {
        let rows = member.fit().predict(inputs)?;
        if mixed.is_empty() {
            mixed = rows.into_iter().map(|row| one(member, row)).collect();
        } else {
            mixed.iter_mut().zip(rows).for_each(|(sum, row)| add(sum, &one(member, row)));
        }
    }
    if members.len() > 1 {
        mixed.iter_mut().for_each(finish);
    }
    Ok(mixed)
}

/// A member's share in the prediction of a row; the whole of it if its weight is one.
fn one(member: &Member, row: Prediction) -> ClassPrediction {
    let (weight, latent) = (member.weight(), row.latent);
    let second_moment = latent.var + latent.mean * latent.mean;
    let latent = if weight == 1.0 {
        latent
    } else {
        // Moments add up; `finish` turns them into a variance.
        Gaussian { mean: weight * latent.mean, var: weight * second_moment }
    };
    let probability = weight * row.probability;
    let log_probabilities = row.log_probabilities.map(|log| log + weight.ln());
    ClassPrediction { label: decide(probability), probability, log_probabilities, latent }
}

fn add(sum: &mut ClassPrediction, part: &ClassPrediction) {
    sum.probability += part.probability;
    sum.latent.mean += part.latent.mean;
    sum.latent.var += part.latent.var;
    for (log, add) in sum.log_probabilities.iter_mut().zip(part.log_probabilities) {
        *log = log_add_exp(*log, add);
    }
}

fn finish(row: &mut ClassPrediction) {
    row.probability = row.probability.clamp(0.0, 1.0);
    row.label = decide(row.probability);
    row.latent.var = (row.latent.var - row.latent.mean * row.latent.mean).max(0.0);
}

fn decide(probability: f64) -> Sign {
    if probability > 0.5 { Sign::Positive } else { Sign::Negative }
}
