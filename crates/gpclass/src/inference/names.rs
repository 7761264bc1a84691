//! Inference methods by name. In files a method is its name with its options, or the name alone.

use super::ep::{EpOptions, Schedule};
use super::{LaplaceOptions, LeastSquaresOptions, Method};
use crate::named::{Named, Parametrised, Word, parsed_by_name};
use serde::de::MapAccess;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Named for Method {
    const OPTION: &'static str = "inference";

    fn all() -> Vec<Self> {
        let ep = |schedule| Method::Ep(EpOptions { schedule, ..EpOptions::default() });
        vec![
            ep(Schedule::TwoLevel),
            ep(Schedule::Sequential),
            ep(Schedule::OnePass),
            Method::Laplace(LaplaceOptions::default()),
            Method::LeastSquares(LeastSquaresOptions::default()),
        ]
    }

    fn word(&self) -> Word {
        let word = |name, about| Word { name, about, also: &[] };
        match self {
            Method::Ep(options) => match options.schedule {
                Schedule::TwoLevel => word("ep", "Expectation propagation"),
                Schedule::Sequential => word("ep-sequential", "Expectation propagation, one row after the other"),
                Schedule::OnePass => word("adf", "One pass of expectation propagation: assumed-density filtering"),
            },
            Method::Laplace(_) => word("laplace", "Laplace's method"),
            Method::LeastSquares(_) => {
                Word { name: "ls", about: "Least squares on the labels", also: &["least_squares"] }
            }
        }
    }
}

parsed_by_name!(Method);

impl Method {
    /// The name, as it is typed.
    pub fn name(&self) -> &'static str {
        self.word().name
    }

    /// Whether it can be used with likelihoods that have a label error; Laplace and least squares know none.
    pub fn allows_label_error(&self) -> bool {
        match self {
            Method::Ep(_) => true,
            Method::Laplace(_) | Method::LeastSquares(_) => false,
        }
    }
}

impl Parametrised for Method {
    fn with_parameters<'de, A: MapAccess<'de>>(self, table: &mut A) -> Result<Self, A::Error> {
        Ok(match self {
            // Files of former versions have the schedule among the options of `ep`.
            Method::Ep(EpOptions { schedule: Schedule::TwoLevel, .. }) => Method::Ep(table.next_value()?),
            Method::Ep(EpOptions { schedule, .. }) => Method::Ep(EpOptions { schedule, ..table.next_value()? }),
            Method::Laplace(_) => Method::Laplace(table.next_value()?),
            Method::LeastSquares(_) => Method::LeastSquares(table.next_value()?),
        })
    }
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (kind, name) = ("Method", self.name());
        match self {
            Method::Ep(options) => serializer.serialize_newtype_variant(kind, 0, name, options),
            Method::Laplace(options) => serializer.serialize_newtype_variant(kind, 1, name, options),
            Method::LeastSquares(options) => serializer.serialize_newtype_variant(kind, 2, name, options),
        }
    }
}

impl<'de> Deserialize<'de> for Method {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Method::read(deserializer)
    }
}
