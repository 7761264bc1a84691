//! Predictions as text, block by block.

use super::json_line;
use super::printable::page;
use super::reasons::Told;
use crate::error::CliError;
use gpclass::classifier::{Classifier, Decider, Neighbour, Witness};
use gpclass::data::{Class, Column, ColumnValues, date_text};
use gpclass::explain::UNLIKE_TRAINING;
use gpclass::model::Predictions;
use gpclass_report::{Csv, PredictedLine};
use gpclass_table::Places;
use serde::ser::{Serialize, SerializeMap, Serializer};

/// How predictions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A header, and a line for every row; texts are what they are.
    Csv(Csv),
    /// The same for somebody at a terminal.
    Terminal,
    /// A JSON object on a line for every row.
    JsonLines,
}

/// Writes the predictions of a classifier.
pub struct Writer<'a> {
    classifier: &'a Classifier,
    asked: Asked<'a>,
    form: Form,
}

/// What a row is to say beside its predictions.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// Names of the columns that are repeated.
    pub keep: &'a [String],
    /// Whether rows unlike the training rows stay without a label.
    pub abstain: bool,
    /// Training rows named for every row: those most like it.
    pub nearest: usize,
    /// Training rows named for every row: those that weigh most in its prediction.
    pub witnesses: usize,
    /// Columns that are told in words as reasons for a prediction; if any, what every column does is written too.
    pub explain: usize,
    /// What rows are decided by, where that is not left to the most probable class.
    pub decider: Option<&'a Decider>,
}

impl Asked<'_> {
    /// The class that a row is taken for.
    pub fn class(&self, rows: &Predictions, row: usize) -> Class {
        self.decider.map_or_else(|| rows.class(row), |decider| decider.class(&rows.probability, row))
    }
}

/// Predictions of some rows.
pub struct Predicted<'a> {
    /// Rows before these.
    pub before: usize,
    /// Where each stands in the file.
    pub places: &'a Places,
    /// Columns that are repeated.
    pub kept: &'a [Column],
    pub rows: &'a Predictions,
    /// How unlike the training rows each is.
    pub novelty: &'a [f64],
    /// The training rows that each is most like, if they are asked for.
    pub nearest: &'a [Vec<Neighbour>],
    /// The training rows that weigh most, if they are asked for.
    pub witnesses: &'a [Vec<Witness>],
    /// Why each is predicted as it is, if that is asked for.
    pub reasons: Option<&'a Told<'a>>,
}

impl Predicted<'_> {
    fn is_unlike(&self, row: usize) -> bool {
        self.novelty[row] > UNLIKE_TRAINING
    }
}

impl<'a> Writer<'a> {
    pub fn new(classifier: &'a Classifier, asked: Asked<'a>, form: Form) -> Self {
        Writer { classifier, asked, form }
    }

    /// What comes before the first row.
    pub fn header(&self) -> String {
        let csv = match self.form {
            Form::JsonLines => return String::new(),
            Form::Csv(csv) => csv,
            Form::Terminal => Csv::default(),
        };
        let mut names: Vec<String> = self.asked.keep.iter().map(|name| csv.field(name)).collect();
        names.extend(self.line(csv).names());
        names.extend((1..=self.asked.nearest).map(|k| format!("nearest_{k}")));
        names.extend((1..=self.asked.witnesses).map(|k| format!("witness_{k}")));
        if self.asked.explain > 0 {
            let columns = self.classifier.encoder().read_columns().map(|column| column.name.clone());
            names.extend(Told::header(columns, csv));
        }
        self.shown(names.join(","))
    }

    /// The label of a row, unless it is left open.
    fn label(&self, predicted: &Predicted, i: usize) -> Option<&str> {
        let left_open = self.asked.abstain && predicted.is_unlike(i);
        (!left_open).then(|| self.classifier.classes().name(self.asked.class(predicted.rows, i)))
    }

    /// Adds the lines of some rows.
    pub fn block(&self, text: &mut String, predicted: &Predicted) -> Result<(), CliError> {
        for i in 0..predicted.rows.rows() {
            match self.form {
                Form::JsonLines => text.push_str(&json_line(&Row { writer: self, predicted, i })?),
                Form::Csv(csv) => text.push_str(&self.shown(self.csv(csv, predicted, i))),
                Form::Terminal => text.push_str(&self.shown(self.csv(Csv::default(), predicted, i))),
            }
        }
        Ok(())
    }

    /// The line with its end; a terminal gets nothing that it would obey.
    fn shown(&self, mut line: String) -> String {
        if self.form == Form::Terminal {
            line = page(&line.replace('\n', "\\n"));
        }
        line + "\n"
    }

    fn csv(&self, csv: Csv, predicted: &Predicted, i: usize) -> String {
        let (rows, novelty) = (predicted.rows, predicted.novelty[i]);
        let mut fields: Vec<String> = predicted.kept.iter().map(|column| csv.cell(column, i)).collect();
        fields.extend(self.line(csv).fields(rows, i, self.label(predicted, i), novelty));
        let near = |k: usize| predicted.nearest[i].get(k).map(|near| (near.row + 1).to_string()).unwrap_or_default();
        fields.extend((0..self.asked.nearest).map(near));
        let witness = |k: usize| predicted.witnesses[i].get(k).map(|w| (w.row + 1).to_string()).unwrap_or_default();
        fields.extend((0..self.asked.witnesses).map(witness));
        let reasons = predicted.reasons.map(|told| told.fields(i, rows.class(i), self.asked.explain, csv));
        fields.extend(reasons.into_iter().flatten());
        fields.join(",")
    }

    /// The fields that every prediction has.
    fn line(&self, csv: Csv) -> PredictedLine<'a> {
        PredictedLine { classifier: self.classifier, csv }
    }
}

/// One row as an object.
struct Row<'a> {
    writer: &'a Writer<'a>,
    predicted: &'a Predicted<'a>,
    i: usize,
}

/// A training row near another: its number from 1, its class and how far it is.
#[derive(serde::Serialize)]
struct Near<'a> {
    row: usize,
    label: &'a str,
    distance: f64,
}

/// A training row that weighs in a prediction: its number from 1, its class and what it adds to the latent mean.
#[derive(serde::Serialize)]
struct Weighs<'a> {
    row: usize,
    label: &'a str,
    contribution: f64,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Row { writer, predicted, i } = *self;
        let (rows, classes) = (predicted.rows, writer.classifier.classes());
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("row", &(predicted.before + i + 1))?;
        if let Some(lines) = predicted.places.lines() {
            map.serialize_entry("line", &lines[i])?;
        }
        map.serialize_entry("label", &writer.label(predicted, i))?;
        let of_class = |class| (classes.name(class), rows.probability(i, class));
        map.serialize_entry("probabilities", &Entries(classes.classes().map(of_class).collect()))?;
        if rows.functions() == 1 {
            let latent = rows.latent(i, 0);
            map.serialize_entry("latent_mean", &latent.mean)?;
            map.serialize_entry("latent_sd", &latent.var.sqrt())?;
        } else {
            let of_class = |class: Class| (classes.name(class), rows.latent(i, class.position()));
            let each = || classes.classes().map(of_class);
            map.serialize_entry("latent_mean", &Entries(each().map(|(name, f)| (name, f.mean)).collect()))?;
            map.serialize_entry("latent_sd", &Entries(each().map(|(name, f)| (name, f.var.sqrt())).collect()))?;
        }
        map.serialize_entry("novelty", &predicted.novelty[i])?;
        map.serialize_entry("unlike_training", &predicted.is_unlike(i))?;
        if writer.asked.nearest > 0 {
            let labels = writer.classifier.training().labels();
            let near =
                |n: &Neighbour| Near { row: n.row + 1, label: classes.name(labels[n.row]), distance: n.distance };
            map.serialize_entry("nearest", &predicted.nearest[i].iter().map(near).collect::<Vec<_>>())?;
        }
        if writer.asked.witnesses > 0 {
            let labels = writer.classifier.training().labels();
            let weighs = |w: &Witness| Weighs {
                row: w.row + 1,
                label: classes.name(labels[w.row]),
                contribution: w.contribution,
            };
            map.serialize_entry("witnesses", &predicted.witnesses[i].iter().map(weighs).collect::<Vec<_>>())?;
        }
        if let Some(told) = predicted.reasons {
            map.serialize_entry("reasons", &told.json(i, rows.class(i)))?;
        }
        if !predicted.kept.is_empty() {
            map.serialize_entry("kept", &Kept(predicted.kept, i))?;
        }
        map.end()
    }
}

/// Names and values in their order.
struct Entries<'a>(Vec<(&'a str, f64)>);

impl Serialize for Entries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// The repeated columns of a row, missing values as null.
struct Kept<'a>(&'a [Column], usize);

impl Serialize for Kept<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for column in self.0 {
            match &column.values {
                ColumnValues::Discrete(values) => map.serialize_entry(&column.name, &values.get(self.1))?,
                ColumnValues::Continuous(values) => map.serialize_entry(&column.name, &values[self.1])?,
                ColumnValues::Dates(days) => map.serialize_entry(&column.name, &date_text(days[self.1]))?,
            }
        }
        map.end()
    }
}
