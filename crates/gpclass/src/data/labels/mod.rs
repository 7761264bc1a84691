//! From label values to classes.

mod class;
mod class_names;
mod sign;
mod targets;
mod values;

pub use class::Class;
pub use class_names::ClassNames;
pub use sign::Sign;
pub use targets::Targets;
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

/// How many classes there may be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassLimit {
    /// Exactly two, which is what binary inference can use.
    #[default]
    Two,
    /// Two or more.
    Any,
}

/// Choices made when classes are found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LabelOptions {
    /// The positive class, which comes last; by default the order is the natural one: numbers by value, false before
    /// true, text by letter.
    pub positive: Option<String>,
    /// What to do when every row has the same label.
    pub one_class: OneClass,
    /// How many classes there may be.
    pub limit: ClassLimit,
}

/// A class per row, and the classes' names.
///
/// ```
/// use gpclass::data::{Class, LabelOptions, LabelValues, Labels};
///
/// let values = LabelValues::text(["no", "yes", "no"]);
/// let labels = Labels::fit(&values, &LabelOptions::default())?;
/// assert_eq!(labels.as_slice(), [Class::NEGATIVE, Class::POSITIVE, Class::NEGATIVE]);
///
/// // "yes" is positive by the natural order; the other can be asked for.
/// let options = LabelOptions { positive: Some("no".to_owned()), ..LabelOptions::default() };
/// assert_eq!(Labels::fit(&values, &options)?.classes().name(Class::POSITIVE), "no");
/// # Ok::<(), gpclass::data::DataError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels {
    of_row: Vec<Class>,
    classes: ClassNames,
}

impl Labels {
    /// Finds the classes among the values of training rows.
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
            [_, _, _, ..] if options.limit == ClassLimit::Two => {
                return Err(DataError::TooManyClasses { classes: found });
            }
            _ => found_classes(&found, options.positive.as_deref())?,
        };
        let position: HashMap<&str, Class> =
            classes.names().iter().map(String::as_str).zip(classes.classes()).collect();
        let of_row = texts.iter().map(|text| position[&**text]).collect();
        Ok(Labels { of_row, classes })
    }

    /// Reads the labels of further rows by the names of known classes; some of the classes may be absent.
    pub fn encode(values: &LabelValues, classes: &ClassNames) -> Result<Labels, DataError> {
        let read = |(row, text): (usize, Cow<'_, str>)| {
            let unknown = || DataError::UnknownLabel { row, label: text.to_string(), known: classes.names().to_vec() };
            classes.class(&text).ok_or_else(unknown)
        };
        let of_row = values.texts()?.into_iter().enumerate().map(read).collect::<Result<_, _>>()?;
        Ok(Labels { of_row, classes: classes.clone() })
    }

    /// The classes of the rows, in the order of the rows.
    pub fn as_slice(&self) -> &[Class] {
        &self.of_row
    }

    /// Refuses labels that are not one per row.
    pub fn check_rows(&self, rows: usize) -> Result<(), DataError> {
        check_row_count("labels", self.of_row.len(), rows)
    }

    /// The names of the classes.
    pub fn classes(&self) -> &ClassNames {
        &self.classes
    }

    /// The original text of every label, numbers and truth values by their canonical one.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = &str> {
        self.of_row.iter().map(|&class| self.classes.name(class))
    }

    /// How many rows have this class.
    pub fn count(&self, class: Class) -> usize {
        self.of_row.iter().filter(|&&other| other == class).count()
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

/// The classes in natural order, but the positive one last where it was asked for.
fn found_classes(found: &[ClassCount], positive: Option<&str>) -> Result<ClassNames, DataError> {
    let mut names: Vec<&str> = found.iter().map(|class| class.class.as_str()).collect();
    if let Some(asked) = positive {
        let position = find_class(asked, &names).ok_or_else(|| DataError::UnknownPositive {
            asked: asked.to_owned(),
            nearest: nearest_name(asked, names.iter().copied()).map(str::to_owned),
            classes: found.to_vec(),
        })?;
        names[position..].rotate_left(1);
    }
    ClassNames::new(names)
}

fn lone_class(class: &str, positive: Option<&str>) -> Result<ClassNames, DataError> {
    match positive {
        Some(asked) if find_class(asked, &[class]).is_none() => ClassNames::pair(class, asked),
        Some(_) => {
            let (negative, other) = complete_pair(class);
            ClassNames::pair(if negative == class { other } else { negative }, class)
        }
        None => {
            let (negative, positive) = complete_pair(class);
            ClassNames::pair(negative, positive)
        }
    }
}

#[cfg(test)]
mod tests;
