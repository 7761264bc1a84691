//! Predictions as text, block by block.

use super::csv::{Csv, number};
use super::json_line;
use super::printable::page;
use crate::error::CliError;
use gpclass::classifier::{ClassPrediction, Classifier};
use gpclass::data::{Column, ColumnValues};
use gpclass_table::Places;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::fmt::Write;

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
    keep: &'a [String],
    form: Form,
}

/// Predictions of some rows.
pub struct Predicted<'a> {
    /// Rows before these.
    pub before: usize,
    /// Where each stands in the file.
    pub places: &'a Places,
    /// Columns that are repeated.
    pub kept: &'a [Column],
    pub rows: &'a [ClassPrediction],
}

impl<'a> Writer<'a> {
    /// `keep` are the names of the columns that are repeated.
    pub fn new(classifier: &'a Classifier, keep: &'a [String], form: Form) -> Self {
        Writer { classifier, keep, form }
    }

    /// What comes before the first row.
    pub fn header(&self) -> String {
        let csv = match self.form {
            Form::JsonLines => return String::new(),
            Form::Csv(csv) => csv,
            Form::Terminal => Csv::default(),
        };
        let mut names: Vec<String> = self.keep.iter().map(|name| csv.field(name)).collect();
        let positive = format!("p({})", self.classifier.classes().positive());
        names.extend(["label".to_owned(), csv.field(&positive), "latent_mean".to_owned(), "latent_sd".to_owned()]);
        self.shown(names.join(","))
    }

    /// Adds the lines of some rows.
    pub fn block(&self, text: &mut String, predicted: &Predicted) -> Result<(), CliError> {
        for i in 0..predicted.rows.len() {
            match self.form {
                Form::JsonLines => text.push_str(&json_line(&Row { classifier: self.classifier, predicted, i })?),
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
        let (row, mut line) = (&predicted.rows[i], String::new());
        for column in predicted.kept {
            let value = match &column.values {
                ColumnValues::Discrete(values) => values[i].as_deref().map(|text| csv.field(text)).unwrap_or_default(),
                ColumnValues::Continuous(values) => number(values[i]),
            };
            line.extend([&value, ","]);
        }
        let label = csv.field(self.classifier.classes().name(row.label));
        let (p, mean, sd) = (number(row.probability), number(row.latent.mean), number(row.latent.var.sqrt()));
        // Writing to a string cannot fail.
        let _ = write!(line, "{label},{p},{mean},{sd}");
        line
    }
}

/// One row as an object.
struct Row<'a> {
    classifier: &'a Classifier,
    predicted: &'a Predicted<'a>,
    i: usize,
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Row { classifier, predicted, i } = *self;
        let row = &predicted.rows[i];
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("row", &(predicted.before + i + 1))?;
        if let Some(lines) = predicted.places.lines() {
            map.serialize_entry("line", &lines[i])?;
        }
        map.serialize_entry("label", classifier.classes().name(row.label))?;
        let classes = classifier.classes();
        let of_negative = (classes.negative(), row.log_probabilities[0].exp());
        map.serialize_entry("probabilities", &Entries([of_negative, (classes.positive(), row.probability)]))?;
        map.serialize_entry("latent_mean", &row.latent.mean)?;
        map.serialize_entry("latent_sd", &row.latent.var.sqrt())?;
        if !predicted.kept.is_empty() {
            map.serialize_entry("kept", &Kept(predicted.kept, i))?;
        }
        map.end()
    }
}

/// Names and values in their order.
struct Entries<'a, const N: usize>([(&'a str, f64); N]);

impl<const N: usize> Serialize for Entries<'_, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0)
    }
}

/// The repeated columns of a row, missing values as null.
struct Kept<'a>(&'a [Column], usize);

impl Serialize for Kept<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for column in self.0 {
            match &column.values {
                ColumnValues::Discrete(values) => map.serialize_entry(&column.name, &values[self.1])?,
                ColumnValues::Continuous(values) => map.serialize_entry(&column.name, &values[self.1])?,
            }
        }
        map.end()
    }
}
