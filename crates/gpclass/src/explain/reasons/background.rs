//! The training rows that a prediction is compared with.

use crate::data::Inputs;
use crate::model::{TrainingData, evenly};

/// Training rows as the encoder gives them, each with its share in a mean over them.
#[derive(Clone, Debug)]
pub struct Background {
    rows: Inputs,
    /// Summing to one.
    share: Vec<f64>,
}

impl Background {
    /// At most `most` training rows, evenly spaced in their order, which count by their weights.
    pub fn new(data: &TrainingData, most: usize) -> Self {
        let weight = |row: usize| data.weights().map_or(1.0, |weights| weights[row]);
        let weighty: Vec<usize> = (0..data.rows()).filter(|&row| weight(row) > 0.0).collect();
        let which: Vec<usize> = evenly(weighty.len(), most).into_iter().map(|k| weighty[k]).collect();
        let total: f64 = which.iter().map(|&row| weight(row)).sum();
        let share = which.iter().map(|&row| weight(row) / total).collect();
        Background { rows: data.given().select_rows(&which), share }
    }

    /// The rows.
    pub fn rows(&self) -> &Inputs {
        &self.rows
    }

    pub(super) fn share(&self, row: usize) -> f64 {
        self.share[row]
    }

    pub(super) fn shares(&self) -> &[f64] {
        &self.share
    }

    /// The mean of what each row has.
    pub(super) fn mean(&self, values: &[f64]) -> f64 {
        self.share.iter().zip(values).map(|(share, value)| share * value).sum()
    }
}
