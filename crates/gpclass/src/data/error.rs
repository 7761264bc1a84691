//! What can be wrong with the data: one sentence each, with the place and what to do.

use super::{Class, MAX_CLASSES};
use crate::text::quote::{Quoted, counted, listed, suggestion};
use std::fmt;

/// A class and how many rows have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassCount {
    /// The class as written in the data.
    pub class: String,
    /// Rows with this class.
    pub rows: usize,
}

impl fmt::Display for ClassCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", Quoted(&self.class), counted(self.rows, "row"))
    }
}

/// What to do where the labels look like something else.
const NOT_A_LABEL: &str =
    "choose another label column if this one holds a number to predict or an id, or group its values";

fn names(classes: &[ClassCount]) -> String {
    listed(classes.iter().map(|count| Quoted(&count.class)))
}

/// A column that is needed and not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AbsentColumn {
    /// The name looked for.
    pub name: String,
    /// A column that is there and has a similar name.
    pub nearest: Option<String>,
}

impl fmt::Display for AbsentColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", Quoted(&self.name), suggestion(&self.nearest))
    }
}

/// Why a table, its labels or its weights cannot be used. The field `row` counts from 0; sentences count data rows
/// from 1, without the header.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// A table without columns.
    #[error("the table has no columns to learn from: give it at least one")]
    NoColumns,
    /// A table, or a label column, without rows.
    #[error("the table has no rows: give it at least one row of data below the header")]
    NoRows,
    /// Two columns of one name.
    #[error("two columns are named {}: rename one of them", Quoted(name))]
    DuplicateColumn {
        /// The name that occurs twice.
        name: String,
    },
    /// Columns of different lengths.
    #[error(
        "column {} has {}, but column {} has {}: all columns need the same number of rows",
        Quoted(name), counted(*rows, "row"), Quoted(first), expected
    )]
    UnequalLengths {
        /// The column of another length.
        name: String,
        /// Its rows.
        rows: usize,
        /// The first column of the table.
        first: String,
        /// Rows of the first column.
        expected: usize,
    },
    /// A column asked for by a name that is not in the table.
    #[error(
        "there is no column {}{}: the columns are {}",
        Quoted(name), suggestion(nearest), listed(available.iter().map(|name| Quoted(name)))
    )]
    UnknownColumn {
        /// The name asked for.
        name: String,
        /// The most similar name in the table, if one is similar.
        nearest: Option<String>,
        /// All names in the table, in order.
        available: Vec<String>,
    },
    /// Columns the encoder was fitted on and the table lacks.
    #[error(
        "the data lack the column{} {}, used in training: add or rename columns to match",
        if columns.len() == 1 { "" } else { "s" }, listed(columns.iter())
    )]
    AbsentColumns {
        /// The columns that the table lacks, in the encoder's order.
        columns: Vec<AbsentColumn>,
    },
    /// A missing value where the policy refuses it.
    #[error(
        "data row {} has no value in column {}: fill it in, drop the row, or choose to impute missing values",
        row + 1, Quoted(column)
    )]
    MissingValue {
        /// The first such row of the column, from 0.
        row: usize,
        /// Name of the column.
        column: String,
    },
    /// A column without a single value.
    #[error("column {} has no values at all in the training data: drop it", Quoted(column))]
    AllMissing {
        /// Name of the column.
        column: String,
    },
    /// An infinite number.
    #[error(
        "data row {} has {} in column {}: replace it by a finite number or mark it as missing",
        row + 1, value, Quoted(column)
    )]
    InfiniteValue {
        /// The row, from 0.
        row: usize,
        /// Name of the column.
        column: String,
        /// The value: infinity or minus infinity.
        value: f64,
    },
    /// A number whose square, once encoded, would overflow.
    #[error(
        "data row {} has {:e} in column {}, too large to compare with other rows: correct it, or rescale or \
         standardise the column",
        row + 1, value, Quoted(column)
    )]
    TooLarge {
        /// The row, from 0.
        row: usize,
        /// Name of the column.
        column: String,
        /// The number before it is standardised.
        value: f64,
    },
    /// Text in a column that was continuous in training.
    #[error(
        "data row {} has {} in column {}, which held numbers in training: write a number or leave it missing",
        row + 1, Quoted(value), Quoted(column)
    )]
    NotANumber {
        /// The row, from 0.
        row: usize,
        /// Name of the column.
        column: String,
        /// The text that is there.
        value: String,
    },
    /// A number in a column whose training categories are all words.
    #[error(
        "data row {} has the number {} in column {}, which held categories such as {} in training: give categories",
        row + 1, value, Quoted(column), Quoted(example)
    )]
    NotACategory {
        /// The row, from 0.
        row: usize,
        /// Name of the column.
        column: String,
        /// The number that is there.
        value: f64,
        /// A category that training had.
        example: String,
    },
    /// Text in a column of dates that is none.
    #[error(
        "data row {} has {} in column {}, which held dates in training: write a date as 2031-05-09, or leave it missing",
        row + 1, Quoted(value), Quoted(column)
    )]
    NotADate {
        /// The row, from 0.
        row: usize,
        /// Name of the column.
        column: String,
        /// The text that is there.
        value: String,
    },
    /// A value of an ordered column that is none of its levels.
    #[error(
        "data row {} has {} in column {}, which is none of its ordered levels {}: correct it, or name all levels",
        row + 1, Quoted(value), Quoted(column), listed(levels.iter().map(|level| Quoted(level)))
    )]
    NotALevel {
        /// The row, from 0.
        row: usize,
        /// Name of the column.
        column: String,
        /// The value that is there.
        value: String,
        /// The levels, lowest first.
        levels: Vec<String>,
    },
    /// Ordered levels of which two are the same.
    #[error("the ordered levels of column {} hold {} twice: name each level once", Quoted(column), Quoted(level))]
    RepeatedLevel {
        /// Name of the column.
        column: String,
        /// The level that occurs twice.
        level: String,
    },
    /// Fewer than two ordered levels.
    #[error(
        "column {} has {}, but an order needs two at least: name all levels from the lowest to the highest",
        Quoted(column), counted(*levels, "ordered level")
    )]
    FewLevels {
        /// Name of the column.
        column: String,
        /// How many levels were named.
        levels: usize,
    },
    /// A discrete column with more categories than the options allow.
    #[error(
        "column {} has {levels} different categories, more than the limit of {limit}: drop it, group its \
         categories, treat it as numbers if it holds numbers, or raise the limit",
        Quoted(column)
    )]
    TooManyLevels {
        /// Name of the column.
        column: String,
        /// Different categories that it has.
        levels: usize,
        /// The most that [`EncoderOptions`](crate::data::EncoderOptions) allow.
        limit: usize,
    },
    /// A matrix whose columns cannot stand for the encoder's.
    #[error(
        "the matrix has {}, but the model was trained on {expected}: give the same columns in the same order",
        counted(*got, "column")
    )]
    WrongWidth {
        /// Columns of the matrix.
        got: usize,
        /// Columns of the encoder, each category column counted once.
        expected: usize,
    },
    /// A numeric matrix for an encoder with discrete columns.
    #[error(
        "column {} holds categories in training, so a matrix of numbers is not enough: give a table with named \
         columns",
        Quoted(column)
    )]
    MatrixForCategories {
        /// The first column that is not continuous.
        column: String,
    },
    /// A stored encoder that contradicts itself.
    #[error("the stored preprocessing is damaged: {reason}; save the model again")]
    DamagedEncoder {
        /// The contradiction, for the sentence.
        reason: String,
    },
    /// Labels or weights that do not belong to the rows.
    #[error("the number of {what} is {got}, but there are {expected} rows: give one per row")]
    RowCount {
        /// What was counted: `labels` or `weights`.
        what: &'static str,
        /// How many were given.
        got: usize,
        /// How many rows there are.
        expected: usize,
    },
    /// A row without a label.
    #[error("data row {} has no label: fill it in or drop the row", row + 1)]
    MissingLabel {
        /// The first row without one, from 0.
        row: usize,
    },
    /// An infinite label.
    #[error("data row {} has the label {value}: labels need to be finite numbers, text or true/false", row + 1)]
    InfiniteLabel {
        /// The row, from 0.
        row: usize,
        /// The label: infinity or minus infinity.
        value: f64,
    },
    /// One class where two are needed.
    #[error("every label is {}: learning needs rows of two classes", Quoted(class))]
    OneClass {
        /// The only class, as written in the data.
        class: String,
    },
    /// More than [`MAX_CLASSES`] classes.
    #[error(
        "the labels have {} different values, {}, but at most {MAX_CLASSES} classes can be told apart: {}",
        classes.len(), names(classes), NOT_A_LABEL
    )]
    TooManyClasses {
        /// All classes that were found, with their rows.
        classes: Vec<ClassCount>,
    },
    /// Three rows or more, each of another class.
    #[error(
        "each of the {} rows has a label of its own, {}, so that nothing can be learned from them: {}",
        classes.len(), names(classes), NOT_A_LABEL
    )]
    NoTwoAlike {
        /// All classes that were found, one per row.
        classes: Vec<ClassCount>,
    },
    /// A positive class where there are more than two classes.
    #[error(
        "{} was asked for as the positive class, which is for two classes, but the labels have {}, {}: leave the positive \
         class out, or keep two classes",
        Quoted(asked), classes.len(), listed(classes.iter())
    )]
    PositiveOfSeveral {
        /// The name that was asked for.
        asked: String,
        /// The classes that rows have.
        classes: Vec<ClassCount>,
    },
    /// A class whose name is blank.
    #[error("a class has a blank name: give it one that can be read")]
    BlankClass,
    /// Classes whose names a table would not tell apart.
    #[error(
        "the classes {} and {} differ only in spaces at their ends: give them different names",
        Quoted(first),
        Quoted(second)
    )]
    SpacedClasses {
        /// The one.
        first: String,
        /// The other.
        second: String,
    },
    /// A positive class that no row has.
    #[error(
        "no row has the label {}, asked for as the positive class{}: the labels are {}",
        Quoted(asked), suggestion(nearest), listed(classes.iter())
    )]
    UnknownPositive {
        /// The name that was asked for.
        asked: String,
        /// The most similar class, if one is similar.
        nearest: Option<String>,
        /// The classes that rows do have.
        classes: Vec<ClassCount>,
    },
    /// Two names for the same class.
    #[error("two classes are named {}: give them different names", Quoted(name))]
    SameClassNames {
        /// The name that occurs twice.
        name: String,
    },
    /// Fewer than two classes, or more than can be numbered.
    #[error(
        "there {} {}, but classes are told apart from two to {} of them: name that many",
        if *count == 1 { "is" } else { "are" }, counted(*count, "class name"), Class::MOST
    )]
    ClassNameCount {
        /// How many names were given.
        count: usize,
    },
    /// A label that is none of the model's classes.
    #[error(
        "data row {} has the label {}, but the model knows only {}: correct the label or drop the row",
        row + 1, Quoted(label), listed(known.iter().map(|name| Quoted(name)))
    )]
    UnknownLabel {
        /// The row, from 0.
        row: usize,
        /// The label that is there.
        label: String,
        /// The names of the model's classes, in order.
        known: Vec<String>,
    },
    /// A weight that is negative, infinite or not a number.
    #[error("data row {} has the weight {value}: weights need to be finite and not negative", row + 1)]
    BadWeight {
        /// The row, from 0.
        row: usize,
        /// The weight.
        value: f64,
    },
    /// A correction that does not suit the data.
    #[error("data row {} {}: take the corrections of these data, or make them again", row + 1, misfit(label, found, *twice))]
    Correction {
        /// The row that it names, from 0.
        row: usize,
        /// The label that it says the row had.
        label: String,
        /// The label that the row has, if there is such a row.
        found: Option<String>,
        /// Whether the row was corrected before.
        twice: bool,
    },
    /// A row without a group.
    #[error("data row {} has no group: fill it in or drop the row", row + 1)]
    MissingGroup {
        /// The first row without one, from 0.
        row: usize,
    },
    /// One group where two are needed.
    #[error(
        "every row is of the group {}: leaving a group out needs two at least; name another column, or none",
        Quoted(group)
    )]
    OneGroup {
        /// The only group, as written in the data.
        group: String,
    },
    /// Weights that remove every row.
    #[error("every row has weight 0, which leaves nothing to learn from: give at least one row a positive weight")]
    AllWeightsZero,
}

impl DataError {
    /// The row that it is about, from 0.
    pub fn row(&self) -> Option<usize> {
        // The one list of variants with a row is in `row_mut`.
        self.clone().row_mut().copied()
    }

    /// The same error with its row counted from `offset` rows earlier: for data read in blocks.
    pub fn shifted(self, offset: usize) -> Self {
        self.moved(|row| row + offset)
    }

    /// The same error about another row: for data that are a choice of rows.
    pub fn moved(mut self, to: impl FnOnce(usize) -> usize) -> Self {
        if let Some(row) = self.row_mut() {
            *row = to(*row);
        }
        self
    }

    /// The sentence with the place of its row in other words, such as "rows.csv, line 7".
    pub fn placed(&self, place: impl FnOnce(usize) -> String) -> String {
        let sentence = self.to_string();
        let Some(row) = self.row() else { return sentence };
        match sentence.strip_prefix(&format!("data row {}", row + 1)) {
            Some(rest) => place(row) + rest,
            None => sentence,
        }
    }

    fn row_mut(&mut self) -> Option<&mut usize> {
        use DataError::*;
        match self {
            MissingValue { row, .. }
            | InfiniteValue { row, .. }
            | TooLarge { row, .. }
            | NotANumber { row, .. }
            | NotACategory { row, .. }
            | NotADate { row, .. }
            | NotALevel { row, .. }
            | MissingLabel { row }
            | MissingGroup { row }
            | Correction { row, .. }
            | InfiniteLabel { row, .. }
            | UnknownLabel { row, .. }
            | BadWeight { row, .. } => Some(row),
            _ => None,
        }
    }
}

fn misfit(label: &str, found: &Option<String>, twice: bool) -> String {
    match found {
        None => "is corrected, but there is none".to_owned(),
        Some(_) if twice => "is corrected twice".to_owned(),
        Some(found) => format!("has the label {}, but was corrected from {}", Quoted(found), Quoted(label)),
    }
}

/// Refuses `got` things for `expected` rows.
pub(super) fn check_row_count(what: &'static str, got: usize, expected: usize) -> Result<(), DataError> {
    if got == expected { Ok(()) } else { Err(DataError::RowCount { what, got, expected }) }
}

#[cfg(test)]
#[path = "error_tests.rs"]
mod tests;
