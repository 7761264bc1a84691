//! How a model meets a table.

use crate::commands::predict;
use crate::error::CliError;
use crate::session::Session;
use crate::show::printable::name;
use gpclass::classifier::Classifier;
use gpclass::data::{Class, ClassNames, Table};
use gpclass::explain::UNLIKE_TRAINING;
use gpclass::model::Predictions;
use gpclass_table::{Limits, TableOptions};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Rows of a table that are looked at, at a time.
const BLOCK: usize = 2_000;

/// What a model predicts for a table, and how many of its rows are unlike those it was trained on.
pub struct Meeting {
    rows: usize,
    /// Rows predicted to be of each class.
    predicted: Vec<usize>,
    /// Mean probability of each class.
    probability: Vec<f64>,
    /// Rows that are unlike the training rows.
    unlike: usize,
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
    let mut meeting = Meeting { rows: 0, predicted, probability, unlike: 0 };
    while let Some(block) = reader.next_block(&selection, BLOCK)? {
        session.check()?;
        let places = block.places;
        let (inputs, _) =
            classifier.encoder().encode(&Table::new(block.columns)?).map_err(|e| predict::explain(e, &places))?;
        let rows = classifier.predict_inputs(&inputs)?;
        meeting.add(&rows, &classifier.novelty_of_inputs(&inputs)?);
    }
    Ok(meeting.averaged())
}

impl Meeting {
    fn add(&mut self, rows: &Predictions, novelty: &[f64]) {
        self.rows += rows.rows();
        (0..rows.rows()).for_each(|row| self.predicted[rows.class(row).position()] += 1);
        for (total, class) in self.probability.iter_mut().zip(rows.probability.classes()) {
            *total += rows.probability.of_class(class).iter().sum::<f64>();
        }
        self.unlike += novelty.iter().filter(|novelty| **novelty > UNLIKE_TRAINING).count();
    }

    fn averaged(mut self) -> Self {
        let rows = self.rows as f64;
        self.probability.iter_mut().for_each(|total| *total /= rows);
        self
    }

    /// For programs; of two classes the positive one is told, of several every one by its name.
    pub fn json(&self, classes: &ClassNames) -> Value {
        let Meeting { rows, predicted, probability, unlike } = self;
        if let ([_, predicted], [_, probability]) = (predicted.as_slice(), probability.as_slice()) {
            return json!({"rows": rows, "predicted_positive": predicted, "mean_probability": probability,
                "unlike_training": unlike});
        }
        let by_name = |value: &dyn Fn(usize) -> Value| {
            let names = classes.names().iter().enumerate();
            Value::Object(names.map(|(class, name)| (name.clone(), value(class))).collect::<Map<String, Value>>())
        };
        json!({"rows": rows, "predicted": by_name(&|class| predicted[class].into()),
            "mean_probability": by_name(&|class| probability[class].into()), "unlike_training": unlike})
    }

    pub fn text(&self, classes: &ClassNames) -> String {
        let of_class = |class: Class| {
            let (at, name) = (class.position(), name(classes.name(class)));
            format!("{} predicted {name}, mean P({name}) {:.3}", self.predicted[at], self.probability[at])
        };
        let told = if classes.len() == 2 { 1 } else { 0 };
        let each: Vec<String> = classes.classes().skip(told).map(of_class).collect();
        format!(
            "Given data\n  {} rows, {}; {} of them unlike the training rows (novelty above {UNLIKE_TRAINING}; one ordinary \
             row in a hundred is)\n",
            self.rows,
            each.join("; "),
            self.unlike
        )
    }
}
