//! Why single rows of a table are predicted as they are.

use crate::args::ExplainArgs;
use crate::commands::predict;
use crate::error::CliError;
use crate::session::Session;
use crate::show::grid::{Align, grid};
use crate::show::printable::name;
use crate::show::reasons::{Told, short};
use gpclass::classifier::{Classifier, ClassifierError, Witness};
use gpclass::data::{Class, Table};
use gpclass::explain::{FeatureValue, row_values};
use gpclass::model::Predictions;
use gpclass_table::{Limits, TableOptions};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// Rows of a table that are read at a time.
const BLOCK: usize = 2_000;
/// Columns of a witness that are shown, those that move the prediction most.
const SHOWN_COLUMNS: usize = 5;

/// A row with what is predicted of it and why.
pub struct Row<'a> {
    classifier: &'a Classifier,
    /// Its number in the table, from 1.
    number: usize,
    predicted: Predictions,
    told: Told<'a>,
    witnesses: Vec<Witness>,
}

impl<'a> Row<'a> {
    fn of(
        number: usize,
        table: &Table,
        args: &ExplainArgs,
        classifier: &'a Classifier,
        session: &Session,
    ) -> Result<Self, ClassifierError> {
        let (inputs, _) = classifier.encoder().encode(table)?;
        let predicted = classifier.predict_inputs(&inputs)?;
        let reasons = classifier.reasons_for_inputs(&inputs, &args.reasons.options(), session.interrupt())?;
        let told = Told::new(reasons, args.reasons.scale, table, classifier)?;
        let witnesses = classifier.witnesses_for_inputs(&inputs, None, args.witnesses.into())?;
        Ok(Row { classifier, number, predicted, told, witnesses: witnesses.into_iter().flatten().collect() })
    }

    pub fn json(&self) -> Value {
        let (classes, label) = (self.classifier.classes(), self.predicted.class(0));
        let probability = |class: Class| (classes.name(class).to_owned(), self.predicted.probability(0, class).into());
        json!({
            "row": self.number,
            "label": classes.name(label),
            "probabilities": classes.classes().map(probability).collect::<Map<String, Value>>(),
            "reasons": self.told.json(0, label),
            "witnesses": self.witnesses.iter().map(|witness| self.witness(witness)).collect::<Vec<_>>(),
        })
    }

    fn witness(&self, witness: &Witness) -> Value {
        let (classifier, row) = (self.classifier, witness.row);
        let names = classifier.encoder().read_columns().map(|column| column.name.clone());
        let value = |value: Option<FeatureValue>| match value {
            None => Value::Null,
            Some(FeatureValue::Number(number)) => number.into(),
            Some(FeatureValue::Category(category)) => category.into(),
        };
        let values = row_values(classifier.encoder(), classifier.training().given(), row);
        json!({
            "row": row + 1,
            "label": classifier.classes().name(classifier.training().labels()[row]),
            "contribution": witness.contribution,
            "values": names.zip(values.into_iter().map(value)).collect::<Map<String, Value>>(),
        })
    }

    pub fn text(&self) -> String {
        let label = self.predicted.class(0);
        let class = name(self.classifier.classes().name(label));
        format!("Row {}: {class}, P({class}) {:.3}\n", self.number, self.predicted.probability(0, label))
            + &self.told.text(0, label)
            + &self.witnesses_text(label)
    }

    fn witnesses_text(&self, label: Class) -> String {
        if self.witnesses.is_empty() {
            return String::new();
        }
        let (classifier, order) = (self.classifier, self.told.order(0, label));
        let shown = &order[..order.len().min(SHOWN_COLUMNS)];
        let columns: Vec<&str> = classifier.encoder().read_columns().map(|column| column.name.as_str()).collect();
        let mut header = vec!["row", "label", "adds"];
        header.extend(shown.iter().map(|&column| columns[column]));
        let line = |witness: &Witness| {
            let values = row_values(classifier.encoder(), classifier.training().given(), witness.row);
            let label = classifier.classes().name(classifier.training().labels()[witness.row]);
            let mut cells = vec![(witness.row + 1).to_string(), name(label), format!("{:+.3}", witness.contribution)];
            cells.extend(shown.iter().map(|&column| shown_value(values[column].as_ref())));
            cells
        };
        let lines: Vec<Vec<String>> = self.witnesses.iter().map(line).collect();
        let align = [vec![Align::Right, Align::Left], vec![Align::Right; header.len() - 2]].concat();
        "  training rows that weigh most, by what they add to the latent mean\n".to_owned()
            + &grid(&header, &align, &lines)
    }
}

fn shown_value(value: Option<&FeatureValue>) -> String {
    match value {
        None => "missing".to_owned(),
        Some(FeatureValue::Number(number)) => short(*number),
        Some(FeatureValue::Category(category)) => name(category),
    }
}

/// The rows that were asked for, in the order of the table.
pub fn rows<'a>(
    args: &ExplainArgs,
    path: &Path,
    options: TableOptions,
    classifier: &'a Classifier,
    session: &Session,
) -> Result<Vec<Row<'a>>, CliError> {
    let mut reader = session.open(path, TableOptions { limits: Limits::streaming(), ..options })?;
    let selection = reader.select(&predict::requests(classifier, &[]), "used in training")?;
    let wanted: BTreeSet<usize> = args.row.iter().map(|&row| usize::try_from(row).unwrap_or(usize::MAX)).collect();
    let (mut before, mut found) = (0, Vec::new());
    while found.len() < wanted.len()
        && let Some(block) = reader.next_block(&selection, BLOCK)?
    {
        let (places, table) = (block.places, Table::new(block.columns)?);
        for &number in wanted.range(before + 1..=before + table.rows()) {
            session.check()?;
            let at = number - before - 1;
            let row = Row::of(number, &table.select_rows(&[at])?, args, classifier, session);
            session.check()?;
            found.push(row.map_err(|e| predict::explain(e.shifted(at), &places))?);
        }
        before += table.rows();
    }
    match wanted.last() {
        Some(row) if found.len() < wanted.len() => {
            Err(CliError::user(format!("--row is {row}, but the table has {before} rows; they are counted from 1")))
        }
        _ => Ok(found),
    }
}
