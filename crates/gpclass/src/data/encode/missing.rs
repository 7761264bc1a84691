//! What to do about missing values.

use crate::named::{Named, named};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Missing numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingContinuous {
    /// A missing number is an error that names its row and column.
    #[default]
    Error,
    /// A missing number is replaced by the mean of the training values.
    Impute,
    /// A missing number is replaced by the median of the training values, and where more than a handful of training rows
    /// miss it, a feature of its own says whether it is missing.
    Indicate,
}

/// Missing categories.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MissingDiscrete {
    /// A missing category is an error that names its row and column.
    #[default]
    Error,
    /// A missing category is replaced by the most frequent one in training (of equals, the first by name).
    Impute,
    /// Missing is a category like any other, at distance 1 from all of them.
    #[serde(rename = "category", alias = "own_category")]
    OwnCategory,
}

/// The usual policies, by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingChoice {
    /// The median for numbers, with a feature that says where they are missing; a category of their own for categories.
    #[default]
    Auto,
    /// Missing values are errors.
    Error,
    /// The mean for numbers, the most frequent category for categories.
    Impute,
    /// Missing categories are a category of their own, missing numbers errors.
    Category,
    /// Missing categories are a category of their own, missing numbers the mean.
    ImputeCategory,
}

named!(MissingChoice, "missing", {
    Auto = "auto": "Replace numbers by the median, told apart by a feature of its own if many; make missing categories a category";
    Error = "error": "Refuse rows with missing values";
    Impute = "impute": "Replace them by the mean or the most frequent category";
    Category = "category": "Make missing categories a category of their own; missing numbers are refused";
    ImputeCategory = "impute+category": "Make missing categories a category of their own; missing numbers are imputed";
});

/// The policy for both kinds of columns, where dates and ordered categories count as numbers; by default
/// [`MissingChoice::Auto`]. In files it has the name of its [`MissingChoice`], or is a table of both fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingPolicy {
    /// For columns of numbers.
    pub continuous: MissingContinuous,
    /// For columns of categories.
    pub discrete: MissingDiscrete,
}

impl Default for MissingPolicy {
    fn default() -> Self {
        MissingChoice::default().into()
    }
}

impl From<MissingChoice> for MissingPolicy {
    fn from(choice: MissingChoice) -> Self {
        let (continuous, discrete) = match choice {
            MissingChoice::Auto => (MissingContinuous::Indicate, MissingDiscrete::OwnCategory),
            MissingChoice::Error => (MissingContinuous::Error, MissingDiscrete::Error),
            MissingChoice::Impute => (MissingContinuous::Impute, MissingDiscrete::Impute),
            MissingChoice::Category => (MissingContinuous::Error, MissingDiscrete::OwnCategory),
            MissingChoice::ImputeCategory => (MissingContinuous::Impute, MissingDiscrete::OwnCategory),
        };
        MissingPolicy { continuous, discrete }
    }
}

impl MissingPolicy {
    /// Missing values are errors.
    pub fn error() -> Self {
        MissingChoice::Error.into()
    }

    /// The mean for numbers, the most frequent category for categories.
    pub fn impute() -> Self {
        MissingChoice::Impute.into()
    }

    /// Missing categories are a category of their own; numbers as given.
    pub fn own_category(continuous: MissingContinuous) -> Self {
        MissingPolicy { continuous, discrete: MissingDiscrete::OwnCategory }
    }

    /// The choice that this is, if it is one of the usual ones.
    pub fn choice(self) -> Option<MissingChoice> {
        MissingChoice::ALL.into_iter().find(|choice| MissingPolicy::from(*choice) == self)
    }
}

/// A policy as a table.
#[derive(Serialize, Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Stored {
    continuous: MissingContinuous,
    discrete: MissingDiscrete,
}

impl Serialize for MissingPolicy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let MissingPolicy { continuous, discrete } = *self;
        match self.choice() {
            Some(choice) => choice.serialize(serializer),
            None => Stored { continuous, discrete }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for MissingPolicy {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameOrTable)
    }
}

struct NameOrTable;

impl<'de> Visitor<'de> for NameOrTable {
    type Value = MissingPolicy;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a policy for missing values, or a table of 'continuous' and 'discrete'")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<MissingPolicy, E> {
        MissingChoice::named(name).map(MissingPolicy::from).map_err(E::custom)
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<MissingPolicy, A::Error> {
        let Stored { continuous, discrete } = Stored::deserialize(MapAccessDeserializer::new(table))?;
        Ok(MissingPolicy { continuous, discrete })
    }
}
