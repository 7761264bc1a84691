//! What an audit of labels says.

use super::grid::{Align, grid};
use super::json;
use super::printable::name;
use super::suspects::suspects_grid;
use crate::error::CliError;
use crate::labelled::Labelled;
use gpclass::classifier::{ClassErrors, Classifier, ClassifierError, Cleaned, LabelErrors, Twins, WrongCount};
use gpclass::data::Correction;
use gpclass::evaluate::{Estimate, Scores};
use gpclass::explain::ranking;
use gpclass_report::{Csv, Suspect, number};
use serde::Serialize;
use std::fmt::Write;

/// Rows that contradict a label, at most.
const CONTRADICTIONS: usize = 3;
/// Values of a suspect that people are shown, of the most relevant columns.
const SHOWN_VALUES: usize = 5;
/// Pairs of equal or nearly equal rows that people are shown.
const SHOWN_TWINS: usize = 10;

/// A suspect with what to look at.
#[derive(Serialize)]
struct Doubted {
    #[serde(flatten)]
    suspect: Suspect,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// Data rows, from 1, of the suggested label that are most like it.
    contradicted_by: Vec<usize>,
    /// Column by column.
    values: serde_json::Map<String, serde_json::Value>,
}

/// Everything that an audit has found.
#[derive(Serialize)]
pub struct AuditReport {
    rows: usize,
    source: String,
    /// How many labels are wrong and how often; nothing where no model knows.
    #[serde(flatten)]
    errors: Option<LabelErrors>,
    suspects: Vec<Doubted>,
    twins: Vec<Twins>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cleaned: Option<Cleaned>,
    /// Names of the columns whose values people are shown.
    #[serde(skip)]
    shown: Vec<String>,
    #[serde(skip)]
    lines: Option<Vec<u64>>,
}

impl AuditReport {
    /// About these rows, from 0, the most suspect first.
    pub fn new(classifier: &Classifier, rows: &[usize], data: &Labelled) -> Result<Self, ClassifierError> {
        let summary = classifier.summary();
        let against = classifier.contradictions(rows, CONTRADICTIONS)?;
        let doubted = |(&row, near): (&usize, &Vec<gpclass::classifier::Neighbour>)| Doubted {
            suspect: Suspect::of(classifier, row, data.places.lines()),
            id: data.aside.as_ref().map(|ids| ids[row].clone()),
            contradicted_by: near.iter().map(|near| near.row + 1).collect(),
            values: values(data, row),
        };
        let columns = ranking(&summary.relevances).into_iter().map(|k| summary.relevances[k].feature.clone());
        Ok(AuditReport {
            rows: summary.rows,
            source: summary.suspects.source.to_string(),
            errors: classifier.label_errors(),
            suspects: rows.iter().zip(&against).map(doubted).collect(),
            twins: classifier.twins(),
            cleaned: classifier.cleaned(rows)?,
            shown: columns.filter(|column| data.table.get(column).is_some()).take(SHOWN_VALUES).collect(),
            lines: data.places.lines().map(<[u64]>::to_vec),
        })
    }

    /// For programs.
    pub fn json(&self) -> Result<String, CliError> {
        json(self)
    }

    /// For spreadsheets, to be edited and read back by 'gpclass fit --corrections'.
    pub fn csv(&self, csv: Csv, columns: &[&str]) -> String {
        let several = self.suspects.iter().any(|d| d.suspect.suggested_probability.is_some());
        let with_id = self.suspects.iter().any(|d| d.id.is_some());
        let mut header = vec!["row", "line", "label", "suggested", "probability_wrong", "probability_of_label"];
        header.extend(several.then_some("probability_of_suggested"));
        header.extend(["action", "contradicted_by"]);
        header.extend(with_id.then_some("id"));
        let mut header: Vec<String> = header.into_iter().map(str::to_owned).collect();
        header.extend(columns.iter().map(|column| csv.field(&format!("value of {column}"))));
        let mut text = header.join(",") + "\n";
        for doubted in &self.suspects {
            let s = &doubted.suspect;
            let mut fields = vec![s.row.to_string(), s.line.map(|line| line.to_string()).unwrap_or_default()];
            fields.extend([csv.field(&s.label), csv.field(&s.suggested)]);
            fields.extend([number(s.probability), number(s.label_probability)]);
            fields.extend(several.then(|| s.suggested_probability.map(number).unwrap_or_default()));
            let against: Vec<String> = doubted.contradicted_by.iter().map(usize::to_string).collect();
            fields.extend([Correction::Keep.name().to_owned(), against.join(" ")]);
            fields.extend(with_id.then(|| doubted.id.as_deref().map(|id| csv.field(id)).unwrap_or_default()));
            let value = |column: &&str| doubted.values.get(*column).map(shown_value).unwrap_or_default();
            fields.extend(columns.iter().map(|column| csv.field(&value(column))));
            text.push_str(&(fields.join(",") + "\n"));
        }
        text
    }

    /// For people.
    pub fn text(&self) -> String {
        let mut text = match self.suspects.len() {
            0 => format!("none of the {} labels is suspect\n", self.rows),
            count => format!("{count} of {} labels suspect\n", self.rows),
        };
        if let Some(errors) = &self.errors {
            let _ = writeln!(text, "expected to be wrong: {}", counted(&errors.wrong));
            text += &classes_grid(&errors.classes);
            text.extend(errors.sentence().map(|said| format!("{}\n", name(&said))));
        }
        if !self.suspects.is_empty() {
            let suspects: Vec<Suspect> = self.suspects.iter().map(|doubted| doubted.suspect.clone()).collect();
            text += &suspects_grid(&suspects);
            text += &self.looked_at();
        }
        text + &self.twins_text() + &self.cleaned_text()
    }

    fn place(&self, row: usize) -> u64 {
        let line = self.lines.as_ref().and_then(|lines| lines.get(row.wrapping_sub(1)));
        line.copied().unwrap_or(row as u64)
    }

    fn unit(&self) -> &'static str {
        if self.lines.is_some() { "line" } else { "row" }
    }

    /// The suspects' values beside the rows that contradict them.
    fn looked_at(&self) -> String {
        let cells = |doubted: &Doubted| {
            let against: Vec<String> = doubted.contradicted_by.iter().map(|&row| self.place(row).to_string()).collect();
            let mut cells = vec![self.place(doubted.suspect.row).to_string()];
            cells.extend(doubted.id.as_deref().map(name));
            cells.push(against.join(" "));
            let value = |column: &String| doubted.values.get(column).map(shown_value).unwrap_or_default();
            cells.extend(self.shown.iter().map(|column| name(&value(column))));
            cells
        };
        let mut header = vec![self.unit().to_owned()];
        header.extend(self.suspects.iter().any(|d| d.id.is_some()).then(|| "id".to_owned()));
        header.push(format!("contradicted by {}s", self.unit()));
        header.extend(self.shown.iter().map(|column| name(column)));
        let align = vec![Align::Right; header.len()];
        let header: Vec<&str> = header.iter().map(String::as_str).collect();
        grid(&header, &align, &self.suspects.iter().map(cells).collect::<Vec<_>>())
    }

    fn twins_text(&self) -> String {
        if self.twins.is_empty() {
            return String::new();
        }
        let pair = |twins: &Twins| {
            let how = if twins.exact { "equal" } else { "nearly equal" };
            format!("{} and {} ({how})", self.place(twins.first + 1), self.place(twins.second + 1))
        };
        let pairs: Vec<String> = self.twins.iter().take(SHOWN_TWINS).map(pair).collect();
        let more = if self.twins.len() > SHOWN_TWINS { ", ..." } else { "" };
        format!(
            "{} pairs of equal or nearly equal rows have different labels: {}s {}{more}\n",
            self.twins.len(),
            self.unit(),
            pairs.join(", ")
        )
    }

    fn cleaned_text(&self) -> String {
        let Some(cleaned) = &self.cleaned else { return String::new() };
        let row = |(what, scores): (&str, &Scores)| {
            let auc = scores.auc.map_or_else(|| "-".to_owned(), |auc: Estimate| format!("{:.3}", auc.value));
            let error = format!("{:.1}", 100.0 * scores.error.value);
            vec![what.to_owned(), error, format!("{:.3}", scores.nlp_nats.value), auc]
        };
        let rows = [("as they are", &cleaned.before), ("mended", &cleaned.mended), ("dropped", &cleaned.dropped)];
        let rows: Vec<Vec<String>> = rows.into_iter().map(row).collect();
        let align = [Align::Left, Align::Right, Align::Right, Align::Right];
        format!(
            "the other {} rows, left out, if the suspects were mended or dropped (same hyperparameters)\n{}\
             look at the rows before you change them, and never mend labels of rows that a model is tested on\n",
            cleaned.rows,
            grid(&["suspects", "error %", "NLP", "AUC"], &align, &rows)
        )
    }
}

fn counted(wrong: &WrongCount) -> String {
    format!("{:.1} ({} to {} with probability 0.9)", wrong.expected, wrong.low, wrong.high)
}

/// The classes with the labels that are wrong among theirs, and their own rows that are labelled otherwise.
fn classes_grid(classes: &[ClassErrors]) -> String {
    let number = |count: &WrongCount| format!("{:.1} ({} to {})", count.expected, count.low, count.high);
    let cells = |class: &ClassErrors| {
        let mut cells = vec![name(&class.class), class.rows.to_string(), number(&class.wrong), number(&class.hidden)];
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        cells.extend(class.share.map(|s| format!("{} ({} to {})", percent(s.value), percent(s.low), percent(s.high))));
        cells
    };
    let mut header = vec!["class", "labelled so", "of these wrong", "labelled otherwise"];
    header.extend(classes.iter().all(|class| class.share.is_some()).then_some("% of the class"));
    let align = [Align::Left, Align::Right, Align::Right, Align::Right, Align::Right];
    grid(&header, &align, &classes.iter().map(cells).collect::<Vec<_>>())
}

fn values(data: &Labelled, row: usize) -> serde_json::Map<String, serde_json::Value> {
    let value = |column: &gpclass::data::Column| (column.name.clone(), serde_json::json!(column.values.text(row)));
    data.table.columns().iter().map(value).collect()
}

fn shown_value(value: &serde_json::Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}
