//! From label values to the two classes.

mod class_names;
mod sign;
mod values;

pub use class_names::ClassNames;
pub use sign::Sign;
pub use values::LabelValues;

use crate::data::error::check_row_count;
use crate::data::{ClassCount, DataError, nearest_name};
use class_names::{complete_pair, find_class, natural_order};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;

/// What to do when every row has the same label.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OneClass {
    /// An error: nothing can be learned.
    #[default]
    Refuse,
    /// Allowed, for inference at fixed hyperparameters.
    Allow,
}

/// Choices made when classes are found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LabelOptions {
    /// The positive class; by default the second in natural order: numbers by value, false before true, text by letter.
    pub positive: Option<String>,
    /// What to do when every row has the same label.
    pub one_class: OneClass,
}

/// A class per row, and the classes' names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    labels: Vec<Sign>,
    classes: ClassNames,
}

impl Labels {
    /// Finds the two classes among the values of training rows.
    pub fn fit(values: &LabelValues, options: &LabelOptions) -> Result<Labels, DataError> {
        if values.is_empty() {
            return Err(DataError::NoRows);
        }
        let texts = values.texts()?;
        let found = count_classes(&texts);
        let classes = match found.as_slice() {
            [only] if options.one_class == OneClass::Refuse => {
                return Err(DataError::OneClass { class: only.class.clone() });
            }
            [only] => lone_class(&only.class, options.positive.as_deref())?,
            [_, _] => two_classes(&found, options.positive.as_deref())?,
            _ => return Err(DataError::TooManyClasses { classes: found }),
        };
        let label = |text: &Cow<'_, str>| if text == classes.positive() { Sign::Positive } else { Sign::Negative };
        Ok(Labels { labels: texts.iter().map(label).collect(), classes })
    }

    /// Reads the labels of further rows by the names of known classes; one of the classes may be absent.
    pub fn encode(values: &LabelValues, classes: &ClassNames) -> Result<Labels, DataError> {
        let read = |(row, text): (usize, Cow<'_, str>)| {
            classes.label(&text).ok_or_else(|| DataError::UnknownLabel {
                row,
                label: text.clone().into_owned(),
                negative: classes.negative().to_owned(),
                positive: classes.positive().to_owned(),
            })
        };
        let labels = values.texts()?.into_iter().enumerate().map(read).collect::<Result<_, _>>()?;
        Ok(Labels { labels, classes: classes.clone() })
    }

    /// The labels, in the order of the rows.
    pub fn as_slice(&self) -> &[Sign] {
        &self.labels
    }

    /// Refuses labels that are not one per row.
    pub fn check_rows(&self, rows: usize) -> Result<(), DataError> {
        check_row_count("labels", self.labels.len(), rows)
    }

    /// The names of the two classes.
    pub fn classes(&self) -> &ClassNames {
        &self.classes
    }

    /// The original text of every label, numbers and truth values by their canonical one.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = &str> {
        self.labels.iter().map(|&label| self.classes.name(label))
    }

    /// How many rows have this label.
    pub fn count(&self, label: Sign) -> usize {
        self.labels.iter().filter(|&&other| other == label).count()
    }
}

/// The classes in natural order, with their numbers of rows.
fn count_classes(texts: &[Cow<'_, str>]) -> Vec<ClassCount> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    let mut found: Vec<ClassCount> =
        counts.into_iter().map(|(class, rows)| ClassCount { class: class.to_owned(), rows }).collect();
    found.sort_by(|a, b| natural_order(&a.class, &b.class));
    found
}

fn two_classes(found: &[ClassCount], positive: Option<&str>) -> Result<ClassNames, DataError> {
    let names: Vec<&str> = found.iter().map(|class| class.class.as_str()).collect();
    let position = match positive {
        None => 1,
        Some(asked) => find_class(asked, &names).ok_or_else(|| DataError::UnknownPositive {
            asked: asked.to_owned(),
            nearest: nearest_name(asked, names.iter().copied()).map(str::to_owned),
            classes: found.to_vec(),
        })?,
    };
    ClassNames::new(names[1 - position], names[position])
}

fn lone_class(class: &str, positive: Option<&str>) -> Result<ClassNames, DataError> {
    match positive {
        Some(asked) if find_class(asked, &[class]).is_none() => ClassNames::new(class, asked),
        Some(_) => {
            let (negative, other) = complete_pair(class);
            ClassNames::new(if negative == class { other } else { negative }, class)
        }
        None => {
            let (negative, positive) = complete_pair(class);
            ClassNames::new(negative, positive)
        }
    }
}

#[cfg(test)]
mod tests;
