//! Why rows are predicted as they are, in words and as numbers.

use super::grid::{Align, bar, grid};
use super::printable::name;
use gpclass::classifier::Classifier;
use gpclass::data::{Class, ClassNames, Column, ColumnValues, DataError, Table, date_text};
use gpclass::explain::{ReasonScale, Reasons};
use gpclass_report::{Csv, number};
use serde_json::{Value, json};

/// Significant digits of a number in a sentence.
const DIGITS: usize = 4;
const BAR_WIDTH: usize = 24;

/// The reasons for some rows, with the cells that they are about.
pub struct Told<'a> {
    reasons: Reasons,
    scale: ReasonScale,
    /// Every column with its cells.
    cells: Vec<Column>,
    classes: &'a ClassNames,
}

impl<'a> Told<'a> {
    pub fn new(
        reasons: Reasons,
        scale: ReasonScale,
        table: &Table,
        classifier: &'a Classifier,
    ) -> Result<Self, DataError> {
        let cells = reasons.columns.iter().map(|name| table.column(name).cloned()).collect::<Result<_, DataError>>()?;
        Ok(Told { reasons, scale, cells, classes: classifier.classes() })
    }

    /// The class that a row's reasons are about: of two the positive one, of more the predicted one.
    fn about(&self, predicted: Class) -> Class {
        if self.classes.len() == 2 { Class::POSITIVE } else { predicted }
    }

    fn output(&self, class: Class) -> usize {
        if self.classes.len() == 2 { 0 } else { class.position() }
    }

    fn cell(&self, row: usize, column: usize) -> String {
        match self.value(row, column) {
            Value::Null => "missing".to_owned(),
            Value::String(text) => name(&text),
            number => number.as_f64().map(short).unwrap_or_default(),
        }
    }

    /// A cell as a number or a text, null where it is missing.
    fn value(&self, row: usize, column: usize) -> Value {
        match &self.cells[column].values {
            ColumnValues::Continuous(numbers) => numbers[row].into(),
            ColumnValues::Discrete(texts) => texts.get(row).into(),
            ColumnValues::Dates(days) if days[row].is_nan() => Value::Null,
            ColumnValues::Dates(days) => date_text(days[row]).into(),
        }
    }

    /// The columns that move a prediction most, in a sentence.
    pub fn words(&self, row: usize, predicted: Class, count: usize) -> String {
        let class = self.about(predicted);
        let values = &self.reasons.values[self.output(class)];
        let leading = self.reasons.leading(row, self.output(class), count);
        let side = |says: &str, own: &dyn Fn(f64) -> bool| {
            let each = leading.iter().filter(|&&column| own(values[(row, column)]));
            let reason = |&column: &usize| {
                let (title, moved) = (name(&self.reasons.columns[column]), values[(row, column)]);
                format!("{title} {} ({moved:+.2})", self.cell(row, column))
            };
            let each: Vec<String> = each.map(reason).collect();
            (!each.is_empty()).then(|| format!("{says} {}: {}", name(self.classes.name(class)), each.join(", ")))
        };
        let sides = [side("for", &|moved| moved > 0.0), side("against", &|moved| moved < 0.0)];
        sides.into_iter().flatten().collect::<Vec<_>>().join("; ")
    }

    /// Names of the CSV columns.
    pub fn header(columns: impl Iterator<Item = String>, csv: Csv) -> Vec<String> {
        let mut names = vec!["reasons".to_owned(), "reason_base".to_owned()];
        names.extend(columns.map(|column| csv.field(&format!("reason({column})"))));
        names
    }

    /// The CSV fields of a row.
    pub fn fields(&self, row: usize, predicted: Class, count: usize, csv: Csv) -> Vec<String> {
        let output = self.output(self.about(predicted));
        let mut fields = vec![csv.field(&self.words(row, predicted, count)), number(self.reasons.base[output])];
        fields.extend(self.reasons.values[output].columns().map(|column| number(column[row])));
        fields
    }

    /// For programs: the columns, those that move the prediction most first.
    pub fn json(&self, row: usize, predicted: Class) -> Value {
        let class = self.about(predicted);
        let output = self.output(class);
        let column = |column: usize| {
            json!({"column": self.reasons.columns[column], "value": self.value(row, column),
                "contribution": self.reasons.values[output][(row, column)],
                "error": self.reasons.errors[output][(row, column)]})
        };
        json!({"class": self.classes.name(class), "scale": self.scale.name(), "base": self.reasons.base[output],
            "predicted": self.reasons.predicted[(row, output)], "background": self.reasons.background,
            "columns": self.order(row, predicted).into_iter().map(column).collect::<Vec<_>>()})
    }

    /// Columns by what they move, most first, whatever they do.
    pub fn order(&self, row: usize, predicted: Class) -> Vec<usize> {
        let output = self.output(self.about(predicted));
        let mut order = self.reasons.leading(row, output, usize::MAX);
        let rest: Vec<usize> = (0..self.reasons.columns.len()).filter(|column| !order.contains(column)).collect();
        order.extend(rest);
        order
    }

    /// A table for people.
    pub fn text(&self, row: usize, predicted: Class) -> String {
        let class = self.about(predicted);
        let output = self.output(class);
        let (values, errors) = (&self.reasons.values[output], &self.reasons.errors[output]);
        let order = self.order(row, predicted);
        let most = order.first().map_or(0.0, |&column| values[(row, column)].abs());
        let exact = errors.columns().all(|column| column[row] == 0.0);
        let line = |&column: &usize| {
            let moved = values[(row, column)];
            let error = if exact { String::new() } else { format!("±{:.3}", errors[(row, column)]) };
            let title = name(&self.reasons.columns[column]);
            let length = bar(if most > 0.0 { moved.abs() / most } else { 0.0 }, BAR_WIDTH);
            vec![title, self.cell(row, column), format!("{moved:+.3}"), error, length]
        };
        let what = match self.scale {
            ReasonScale::LogOdds => format!("log-odds of {}", name(self.classes.name(class))),
            ReasonScale::Latent => format!("latent mean of {}", name(self.classes.name(class))),
        };
        let (predicted, base) = (self.reasons.predicted[(row, output)], self.reasons.base[output]);
        let rows: Vec<Vec<String>> = order.iter().map(line).collect();
        let align = [Align::Left, Align::Right, Align::Right, Align::Right, Align::Left];
        format!(
            "  {what}: {predicted:+.3}, which is {base:+.3} on average over {} training rows and {:+.3} by its columns\n",
            self.reasons.background,
            predicted - base
        ) + &grid(&["column", "value", "moves it by", if exact { "" } else { "error" }, ""], &align, &rows)
    }
}

/// A number with as many digits as a sentence needs.
pub fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value);
    format!("{rounded}")
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn numbers_are_short() {
        for (value, want) in [(0.3123456, "0.3123"), (-12345.678, "-12350"), (63.0, "63"), (0.0, "0")] {
            assert_eq!(short(value), want);
        }
    }
}
