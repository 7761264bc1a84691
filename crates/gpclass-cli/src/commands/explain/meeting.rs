//! How a model meets a table.

use crate::commands::predict;
use crate::error::CliError;
use crate::session::Session;
use crate::show::printable::name;
use gpclass::classifier::Classifier;
use gpclass::data::{Class, ClassNames, Inputs, Table};
use gpclass::model::Predictions;
use gpclass_table::{Limits, TableOptions};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Rows of a table that are looked at, at a time.
const BLOCK: usize = 2_000;

/// What a model predicts for a table, and how much of what it says comes from data near by.
pub struct Meeting {
    rows: usize,
    /// Rows predicted to be of each class.
    predicted: Vec<usize>,
    /// Mean probability of each class.
    probability: Vec<f64>,
    /// Mean share of the prior variance of the latent values that training has not removed: 1 means nothing is known there.
    unexplained: f64,
}

pub fn meet(
    path: &Path,
    options: TableOptions,
    classifier: &Classifier,
    session: &Session,
) -> Result<Meeting, CliError> {
    let mut reader = session.open(path, TableOptions { limits: Limits::streaming(), ..options })?;
    let selection = reader.select(&predict::requests(classifier, &[]), "used in training")?;
    let classes = classifier.classes().len();
    let (predicted, probability) = (vec![0; classes], vec![0.0; classes]);
    let mut meeting = Meeting { rows: 0, predicted, probability, unexplained: 0.0 };
    while let Some(block) = reader.next_block(&selection, BLOCK)? {
        session.check()?;
        let places = block.places;
        let (inputs, _) =
            classifier.encoder().encode(&Table::new(block.columns)?).map_err(|e| predict::explain(e, &places))?;
        let rows = classifier.predict_inputs(&inputs)?;
        meeting.add(&rows, unexplained(classifier, &inputs, &rows));
    }
    Ok(meeting.averaged())
}

/// The sum over rows of the share of the prior variance that is left, averaged over the functions.
fn unexplained(classifier: &Classifier, inputs: &Inputs, rows: &Predictions) -> f64 {
    let of_function = |function: usize| {
        let prior = classifier.fitted().model().kernel.of_class(function).diag(inputs);
        rows.var.col(function).iter().zip(prior).map(|(var, prior)| var / prior).sum::<f64>()
    };
    (0..rows.functions()).map(of_function).sum::<f64>() / rows.functions() as f64
}

impl Meeting {
    fn add(&mut self, rows: &Predictions, unexplained: f64) {
        self.rows += rows.rows();
        (0..rows.rows()).for_each(|row| self.predicted[rows.class(row).position()] += 1);
        for (total, class) in self.probability.iter_mut().zip(rows.probability.classes()) {
            *total += rows.probability.of_class(class).iter().sum::<f64>();
        }
        self.unexplained += unexplained;
    }

    fn averaged(mut self) -> Self {
        let rows = self.rows as f64;
        self.probability.iter_mut().for_each(|total| *total /= rows);
        self.unexplained /= rows;
        self
    }

    /// For programs; of two classes the positive one is told, of several every one by its name.
    pub fn json(&self, classes: &ClassNames) -> Value {
        let Meeting { rows, predicted, probability, unexplained } = self;
        if let ([_, predicted], [_, probability]) = (predicted.as_slice(), probability.as_slice()) {
            return json!({"rows": rows, "predicted_positive": predicted, "mean_probability": probability,
                "unexplained": unexplained});
        }
        let by_name = |value: &dyn Fn(usize) -> Value| {
            let names = classes.names().iter().enumerate();
            Value::Object(names.map(|(class, name)| (name.clone(), value(class))).collect::<Map<String, Value>>())
        };
        json!({"rows": rows, "predicted": by_name(&|class| predicted[class].into()),
            "mean_probability": by_name(&|class| probability[class].into()), "unexplained": unexplained})
    }

    pub fn text(&self, classes: &ClassNames) -> String {
        let of_class = |class: Class| {
            let (at, name) = (class.position(), name(classes.name(class)));
            format!("{} predicted {name}, mean P({name}) {:.3}", self.predicted[at], self.probability[at])
        };
        let told = if classes.len() == 2 { 1 } else { 0 };
        let each: Vec<String> = classes.classes().skip(told).map(of_class).collect();
        format!(
            "Given data\n  {} rows, {}; {:.1} % of the prior variance is left there (100 % means that training says nothing \
             about such rows)\n",
            self.rows,
            each.join("; "),
            100.0 * self.unexplained
        )
    }
}
