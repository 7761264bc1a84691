//! From label values to classes.

mod class;
mod class_names;
mod corrections;
mod sign;
mod targets;
mod values;

pub use class::Class;
pub use class_names::ClassNames;
pub use corrections::{CorrectedRow, Correction, correct};
pub use sign::Sign;
pub use targets::Targets;
pub use values::LabelValues;

use crate::data::error::check_row_count;
use crate::data::{ClassCount, DataError, DataNote, Texts, nearest_name};
use class_names::{complete_pair, find_class, natural_order, similar_names};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// The most classes that are found among labels. Letters and digits of both cases are fewer; a column of measurements or of
/// ids that was taken for the label soon has more.
pub const MAX_CLASSES: usize = 100;

/// What to do when every row has the same label, or, of three rows or more, each another.
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
    /// The positive class of two, which comes last; by default, and of three or more, the order is the natural one: numbers
    /// by value, false before true, text by letter.
    pub positive: Option<String>,
    /// What to do when every row has the same label.
    pub one_class: OneClass,
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
    /// The class of every row among those of these names; `None` if one is not among them.
    pub fn new(of_row: Vec<Class>, classes: ClassNames) -> Option<Labels> {
        let known = of_row.iter().all(|class| class.position() < classes.len());
        known.then_some(Labels { of_row, classes })
    }

    /// Finds the classes among the values of training rows.
    pub fn fit(values: &LabelValues, options: &LabelOptions) -> Result<Labels, DataError> {
        if values.is_empty() {
            return Err(DataError::NoRows);
        }
        let texts = values.texts()?;
        let found = match values {
            LabelValues::Known(labels) => labels.counts(),
            _ => count_classes(&texts),
        };
        check_found(&found, options)?;
        let classes = match found.as_slice() {
            [only] => lone_class(&only.class, options.positive.as_deref())?,
            _ => found_classes(&found, options.positive.as_deref())?,
        };
        let position: HashMap<&str, Class> =
            classes.names().iter().map(String::as_str).zip(classes.classes()).collect();
        let of_name = texts.each(|text| position[text]);
        let of_row = texts.codes().flatten().map(|code| of_name[code]).collect();
        Ok(Labels { of_row, classes })
    }

    /// Reads the labels of further rows by the names of known classes; some of the classes may be absent.
    pub fn encode(values: &LabelValues, classes: &ClassNames) -> Result<Labels, DataError> {
        let texts = values.texts()?;
        let of_name = texts.each(|text| classes.class(text));
        let read = |(row, code): (usize, usize)| {
            let label = || texts.get(row).unwrap_or_default().to_owned();
            let unknown = || DataError::UnknownLabel { row, label: label(), known: classes.names().to_vec() };
            of_name[code].ok_or_else(unknown)
        };
        let of_row = texts.codes().flatten().enumerate().map(read).collect::<Result<_, _>>()?;
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

    /// The labels of a choice of rows, among the same classes. Panics for a row that is not there.
    pub fn select(&self, rows: &[usize]) -> Labels {
        Labels { of_row: rows.iter().map(|&row| self.of_row[row]).collect(), classes: self.classes.clone() }
    }

    /// Notes on classes with hardly any rows, and on names that may mean the same class.
    pub fn notes(&self) -> Vec<DataNote> {
        let rare = self.counts().into_iter().filter(|class| class.rows <= 1);
        let rare = rare.map(|ClassCount { class, rows }| DataNote::RareClass { class, rows });
        let similar = similar_names(self.classes.names()).into_iter();
        let similar =
            similar.map(|(first, second)| DataNote::SimilarClasses { first: first.into(), second: second.into() });
        rare.chain(similar).collect()
    }

    /// The classes with their numbers of rows.
    fn counts(&self) -> Vec<ClassCount> {
        let of_class = |class| ClassCount { class: self.classes.name(class).to_owned(), rows: self.count(class) };
        self.classes.classes().map(of_class).collect()
    }
}

/// Refuses classes that cannot be told apart, or from which nothing can be learned.
fn check_found(found: &[ClassCount], options: &LabelOptions) -> Result<(), DataError> {
    check_names(found)?;
    let learning = options.one_class == OneClass::Refuse;
    let mut with_rows = found.iter().filter(|class| class.rows > 0);
    if let (true, Some(only), None) = (learning, with_rows.next(), with_rows.next()) {
        return Err(DataError::OneClass { class: only.class.clone() });
    }
    let classes = || found.to_vec();
    match options.positive.clone() {
        _ if found.len() > MAX_CLASSES => Err(DataError::TooManyClasses { classes: classes() }),
        _ if found.len() < 3 => Ok(()),
        _ if learning && found.iter().all(|class| class.rows <= 1) => {
            Err(DataError::NoTwoAlike { classes: found.iter().filter(|class| class.rows > 0).cloned().collect() })
        }
        Some(asked) => Err(DataError::PositiveOfSeveral { asked, classes: classes() }),
        None => Ok(()),
    }
}

/// Refuses names that a table could not hold: blank ones, and two that differ only in the spaces at their ends.
fn check_names(found: &[ClassCount]) -> Result<(), DataError> {
    let mut seen: HashMap<&str, &str> = HashMap::new();
    for ClassCount { class, .. } in found {
        if class.trim().is_empty() {
            return Err(DataError::BlankClass);
        }
        if let Some(first) = seen.insert(class.trim(), class) {
            return Err(DataError::SpacedClasses { first: first.to_owned(), second: class.clone() });
        }
    }
    Ok(())
}

/// The classes in natural order, with their numbers of rows.
fn count_classes(texts: &Texts) -> Vec<ClassCount> {
    let counted = texts.names().zip(texts.counts());
    let mut found: Vec<ClassCount> =
        counted.map(|(class, rows)| ClassCount { class: class.to_owned(), rows }).collect();
    found.sort_by(|a, b| natural_order(&a.class, &b.class));
    found
}

/// The classes in the order in which they were found, but the positive one last where it was asked for.
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
