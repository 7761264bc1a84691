//! Predictions as text, block by block.

use super::csv::{Csv, number};
use super::json_line;
use super::printable::page;
use crate::error::CliError;
use gpclass::classifier::Classifier;
use gpclass::data::{Class, Column, ColumnValues, date_text};
use gpclass::model::Predictions;
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
    pub rows: &'a Predictions,
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
        names.push("label".to_owned());
        names.extend(self.classes().map(|class| csv.field(&format!("p({})", self.classifier.classes().name(class)))));
        match self.classifier.classes().names() {
            [_, _] => names.extend(["latent_mean", "latent_sd"].map(str::to_owned)),
            several => {
                let latent = |class| ["latent_mean", "latent_sd"].map(|what| csv.field(&format!("{what}({class})")));
                names.extend(several.iter().flat_map(latent));
            }
        }
        self.shown(names.join(","))
    }

    /// Adds the lines of some rows.
    pub fn block(&self, text: &mut String, predicted: &Predicted) -> Result<(), CliError> {
        for i in 0..predicted.rows.rows() {
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
        let (rows, mut line) = (predicted.rows, String::new());
        for column in predicted.kept {
            let value = match &column.values {
                ColumnValues::Discrete(values) => values[i].as_deref().map(|text| csv.field(text)).unwrap_or_default(),
                ColumnValues::Continuous(values) => number(values[i]),
                ColumnValues::Dates(days) => date_text(days[i]),
            };
            line.extend([&value, ","]);
        }
        line += &csv.field(self.classifier.classes().name(rows.class(i)));
        for class in self.classes() {
            line.extend([",", &number(rows.probability(i, class))]);
        }
        for function in 0..rows.functions() {
            let latent = rows.latent(i, function);
            line.extend([",", &number(latent.mean), ",", &number(latent.var.sqrt())]);
        }
        line
    }

    /// The classes whose probabilities are written: of two the positive one, which says it all.
    fn classes(&self) -> impl Iterator<Item = Class> + use<> {
        let count = self.classifier.classes().len();
        Class::first(count).skip(usize::from(count == 2))
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
        let (rows, classes) = (predicted.rows, classifier.classes());
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("row", &(predicted.before + i + 1))?;
        if let Some(lines) = predicted.places.lines() {
            map.serialize_entry("line", &lines[i])?;
        }
        map.serialize_entry("label", classes.name(rows.class(i)))?;
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
                ColumnValues::Discrete(values) => map.serialize_entry(&column.name, &values[self.1])?,
                ColumnValues::Continuous(values) => map.serialize_entry(&column.name, &values[self.1])?,
                ColumnValues::Dates(days) => map.serialize_entry(&column.name, &date_text(days[self.1]))?,
            }
        }
        map.end()
    }
}
