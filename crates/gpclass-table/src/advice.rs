//! What a user could do about an error or a note: a value, so that every program can say it in its own words.

use crate::columns::numbers::NumberFormat;
use gpclass::data::Shown;
use std::fmt;

/// The clause that ends an error or a note. Its text names no option of any program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Read numbers in this notation, or take the column for categories.
    AcceptNotation { notation: NumberFormat, column: String },
    /// Say whether a comma is a decimal or a thousands one, or take the column for categories.
    ChooseNotation { column: String },
    /// Do not expect decimal commas.
    ExpectDecimalPoint,
    /// Correct a cell, empty it, or name its text as one that means missing.
    CorrectOrMarkMissing,
    /// Say that this text means missing, if it does.
    NameMissing { text: String },
    /// Take columns of integers for categories, if they are.
    TakeAsCategories { columns: Vec<String> },
    /// Leave out a column without values.
    LeaveOutEmpty { column: String },
    /// Leave out a column that only names the rows.
    LeaveOutIdentifier { column: String },
    /// Give every row a label.
    GiveLabels,
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Advice::AcceptNotation { notation, column } => {
                let what = match (notation.decimal_comma, notation.thousands) {
                    (true, true) => "decimal commas and thousands separators",
                    (true, false) => "decimal commas",
                    _ => "thousands separators",
                };
                write!(f, "accept {what}, or take column {} for categories", Shown(column))
            }
            Advice::ChooseNotation { column } => {
                write!(f, "say which, or take column {} for categories", Shown(column))
            }
            Advice::ExpectDecimalPoint => {
                f.write_str("it is written with a decimal point: do not ask for a decimal comma")
            }
            Advice::CorrectOrMarkMissing => f.write_str(
                "correct it, leave the cell empty to mark it missing, or name the text as one that means missing",
            ),
            Advice::NameMissing { text } => write!(f, "if that means missing, name {} as such a text", Shown(text)),
            Advice::TakeAsCategories { columns } => match columns.as_slice() {
                [column] => write!(f, "if they are categories, take column {} for discrete", Shown(column)),
                _ => f.write_str("take those of them that hold categories for discrete"),
            },
            Advice::LeaveOutEmpty { column } => write!(f, "leave out column {}", Shown(column)),
            Advice::LeaveOutIdentifier { column } => {
                write!(f, "if it only names the rows, leave out column {}", Shown(column))
            }
            Advice::GiveLabels => f.write_str("give the label of each row"),
        }
    }
}

/// A sentence that ends in an advice, with that advice in other words.
pub(crate) fn reworded(sentence: String, advice: Option<&Advice>, words: impl Fn(&Advice) -> String) -> String {
    let Some(advice) = advice else { return sentence };
    match sentence.strip_suffix(&advice.to_string()) {
        Some(finding) => format!("{finding}{}", words(advice)),
        None => sentence,
    }
}
