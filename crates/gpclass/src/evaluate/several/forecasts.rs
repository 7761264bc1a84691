//! What a model said about all classes of rows whose labels are known.

use super::Confusion;
use crate::data::Class;
use crate::evaluate::error::check_length;
use crate::evaluate::estimate::mean;
use crate::evaluate::forecasts::{Row, check_log_prob, check_prob, check_weight};
use crate::evaluate::recalibration::LogRow;
use crate::evaluate::skill::Losses;
use crate::evaluate::{Estimate, EvaluateError, Forecasts};
use crate::model::Probabilities;

/// Rounding allowed in the sum of a row's class probabilities, which may have passed through single precision.
const SUM_SLACK: f64 = 1e-5;

/// Probabilities of every class beside the labels that were observed.
#[derive(Clone, Copy, Debug)]
pub struct ClassForecasts<'a> {
    probability: &'a Probabilities,
    labels: &'a [Class],
    log_prob_label: Option<&'a [f64]>,
    weights: Option<&'a [f64]>,
}

impl<'a> ClassForecasts<'a> {
    /// Class probabilities and labels, one per row.
    pub fn new(probability: &'a Probabilities, labels: &'a [Class]) -> Self {
        ClassForecasts { probability, labels, log_prob_label: None, weights: None }
    }

    /// Adds log p(y_i), so that probabilities too small for f64 score exactly.
    pub fn with_log_probs(self, log_prob_label: &'a [f64]) -> Self {
        ClassForecasts { log_prob_label: Some(log_prob_label), ..self }
    }

    /// Adds row weights. Rows of weight zero count as absent.
    pub fn with_weights(self, weights: &'a [f64]) -> Self {
        ClassForecasts { weights: Some(weights), ..self }
    }

    /// How many rows there are.
    pub(in crate::evaluate) fn len(&self) -> usize {
        self.labels.len()
    }

    /// The weights of the rows that are chosen, and zero for the others.
    pub(in crate::evaluate) fn weights_where(&self, chosen: impl Fn(usize) -> bool) -> Vec<f64> {
        let weight = |row: usize| self.weights.map_or(1.0, |weights| weights[row]);
        (0..self.labels.len()).map(|row| if chosen(row) { weight(row) } else { 0.0 }).collect()
    }

    /// The log-probabilities of the classes for every row of positive weight, none below that of `floor`.
    pub(in crate::evaluate) fn log_rows(&self, floor: f64) -> Result<Vec<LogRow>, EvaluateError> {
        let rows = self.rows()?;
        let log = |row: &CheckedRow, class: Class| self.probability.at(row.row, class).max(floor).ln();
        let of_row = |row: &CheckedRow| LogRow {
            logs: rows.classes().map(|class| log(row, class)).collect(),
            own: log(row, row.label),
            weight: row.weight,
        };
        Ok(rows.rows.iter().map(of_row).collect())
    }

    /// What every row of positive weight loses by its forecast and by the shares of the classes.
    pub(in crate::evaluate) fn losses(&self, floor: f64) -> Result<Vec<Losses>, EvaluateError> {
        let rows = self.rows()?;
        let share = rows.shares();
        let own = rows.own();
        let of_row = |(row, own): (&CheckedRow, &Row)| Losses {
            nlp: (-own.log_prob(floor), -share[row.label.position()].ln()),
            brier: (rows.squared_distance(row), half_squared_distance(share.iter().copied(), row.label)),
            weight: row.weight,
        };
        Ok(rows.rows.iter().zip(&own).map(of_row).collect())
    }

    /// A class against all others, for curves. Log-probabilities, which are of the labels, stay behind.
    pub fn of_class(&self, class: Class) -> Forecasts<'a> {
        let forecasts = Forecasts::of_class(class, self.probability.of_class(class), self.labels);
        self.weights.map_or(forecasts, |weights| forecasts.with_weights(weights))
    }

    /// If there are two classes, the same as forecasts of the positive one.
    pub(super) fn as_two_classes(&self) -> Option<Forecasts<'a>> {
        let forecasts = (self.probability.classes().len() == 2).then(|| self.of_class(Class::POSITIVE))?;
        Some(self.log_prob_label.map_or(forecasts, |logs| forecasts.with_log_probs(logs)))
    }

    /// The rows of positive weight, every number checked.
    pub(super) fn rows(&self) -> Result<CheckedRows<'a>, EvaluateError> {
        let rows = self.labels.len();
        check_length("probabilities", rows, self.probability.rows())?;
        check_length("log probabilities", rows, self.log_prob_label.map_or(rows, <[f64]>::len))?;
        check_length("weights", rows, self.weights.map_or(rows, <[f64]>::len))?;
        let checked = (0..rows).map(|i| self.row(i)).collect::<Result<Vec<_>, _>>()?;
        let present: Vec<CheckedRow> = checked.into_iter().filter(|row| row.weight > 0.0).collect();
        if present.is_empty() {
            return Err(EvaluateError::NoRows);
        }
        Ok(CheckedRows { probability: self.probability, rows: present })
    }

    fn row(&self, row: usize) -> Result<CheckedRow, EvaluateError> {
        let label = self.labels[row];
        let classes = self.probability.classes();
        if label.position() >= classes.len() {
            return Err(EvaluateError::Label { row, position: label.position(), classes: classes.len() });
        }
        let mut sum = 0.0;
        for class in classes {
            let prob = self.probability.at(row, class);
            check_prob(row, prob)?;
            sum += prob;
        }
        if (sum - 1.0).abs() > SUM_SLACK {
            return Err(EvaluateError::Value { what: "the sum of class probabilities", row, value: sum, wanted: "1" });
        }
        let log_prob_label = self.log_prob_label.map(|logs| logs[row]);
        check_log_prob(row, log_prob_label)?;
        let weight = self.weights.map_or(1.0, |weights| weights[row]);
        check_weight(row, weight)?;
        Ok(CheckedRow { row, label, called: self.probability.most_probable(row), log_prob_label, weight })
    }
}

/// A row of positive weight.
struct CheckedRow {
    /// Its position among all rows.
    row: usize,
    label: Class,
    /// The most probable class.
    called: Class,
    log_prob_label: Option<f64>,
    weight: f64,
}

/// Checked rows, each of which can be looked at as a forecast of one event.
pub(super) struct CheckedRows<'a> {
    probability: &'a Probabilities,
    rows: Vec<CheckedRow>,
}

impl CheckedRows<'_> {
    pub fn classes(&self) -> impl ExactSizeIterator<Item = Class> + Clone {
        self.probability.classes()
    }

    /// That the row has its label, which it always does.
    pub fn own(&self) -> Vec<Row> {
        self.events(|row| (self.probability.at(row.row, row.label), true))
    }

    /// That the row has the class that is called.
    pub fn called(&self) -> Vec<Row> {
        self.events(|row| (self.probability.at(row.row, row.called), row.called == row.label))
    }

    /// That the row has this class.
    pub fn against_rest(&self, class: Class) -> Vec<Row> {
        self.events(|row| (self.probability.at(row.row, class), row.label == class))
    }

    /// That the row has this class, by hard decisions: probability one for the class that is called.
    pub fn decided(&self, class: Class) -> Vec<Row> {
        self.events(|row| (f64::from(u8::from(row.called == class)), row.label == class))
    }

    fn events(&self, event: impl Fn(&CheckedRow) -> (f64, bool)) -> Vec<Row> {
        let as_event = |row: &CheckedRow| {
            let (prob, positive) = event(row);
            Row { prob, positive, log_prob_label: row.log_prob_label, weight: row.weight }
        };
        self.rows.iter().map(as_event).collect()
    }

    /// Mean of half the squared distance between probabilities and label.
    pub fn brier(&self) -> Option<Estimate> {
        mean(self.rows.iter().map(|row| (row.weight, self.squared_distance(row))))
    }

    fn squared_distance(&self, row: &CheckedRow) -> f64 {
        half_squared_distance(self.classes().map(|class| self.probability.at(row.row, class)), row.label)
    }

    /// The share of each class in the weight of all rows.
    fn shares(&self) -> Vec<f64> {
        let mut weights = vec![0.0; self.classes().len()];
        self.rows.iter().for_each(|row| weights[row.label.position()] += row.weight);
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / total).collect()
    }

    pub fn confusion(&self) -> Confusion {
        Confusion::count(self.classes().len(), self.rows.iter().map(|row| (row.label, row.called, row.weight)))
    }
}

/// Half the squared distance between probabilities and a label.
fn half_squared_distance(probability: impl Iterator<Item = f64>, label: Class) -> f64 {
    let square = |(class, p): (usize, f64)| (p - f64::from(u8::from(class == label.position()))).powi(2);
    0.5 * probability.enumerate().map(square).sum::<f64>()
}
