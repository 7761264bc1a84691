//! What a person chooses on the page: the label, the use of every column, and how much is compared.

use gpclass::classifier::Spec;
use gpclass::learn::{KernelFamily, Lengthscales, LikelihoodFamily};
use gpclass_table::{KindOptions, NumberFormat, TableOptions};
use serde::Deserialize;

use crate::limits;

/// What a column is used as, where that is not left to its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Use {
    /// It must hold numbers.
    Numbers,
    /// It holds categories, though they may look like numbers.
    Categories,
    /// It is not used.
    LeftOut,
}

/// How much a fit compares.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// The tool's default: several models that predict together.
    #[default]
    Stack,
    /// One model: squared exponential with one lengthscale per feature, and label error.
    One,
}

/// The choices, as the page sends them.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Choices {
    /// The column with the class of each row.
    pub label: Option<String>,
    /// Of two classes the positive one; by default the second in order.
    pub positive: Option<String>,
    /// Columns whose use is given, in the order of the table.
    pub uses: Vec<(String, Use)>,
    /// How much is compared.
    pub effort: Effort,
    /// Seconds after which learning ends with the best so far.
    pub time: Option<f64>,
    /// Numbers are written with a decimal comma.
    pub decimal_comma: bool,
    /// Numbers may have thousands separators.
    pub thousands: bool,
}

impl Choices {
    fn used_as(&self, wanted: Use) -> Vec<String> {
        self.uses.iter().filter(|(_, as_)| *as_ == wanted).map(|(name, _)| name.clone()).collect()
    }

    /// How the table is read; a first line that holds one of the `named` columns is a header.
    pub(crate) fn table_options(&self, named: Vec<String>) -> TableOptions {
        let numbers = NumberFormat { decimal_comma: self.decimal_comma, thousands: self.thousands };
        TableOptions { numbers, limits: limits::of_tables(), expected_names: named, ..TableOptions::default() }
    }

    /// Every column that is named.
    pub(crate) fn named(&self) -> Vec<String> {
        self.uses.iter().map(|(name, _)| name.clone()).chain(self.label.clone()).collect()
    }

    /// What is read of the table.
    pub(crate) fn kinds(&self) -> KindOptions {
        KindOptions {
            label: self.label.clone(),
            discrete: self.used_as(Use::Categories),
            continuous: self.used_as(Use::Numbers),
            drop: self.used_as(Use::LeftOut),
        }
    }

    /// What is fitted: the spec that the tool makes of the same choices.
    pub fn spec(&self) -> Spec {
        let mut spec = Spec { positive: self.positive.clone(), ..Spec::default() };
        spec.encoder.keep = self.used_as(Use::Numbers);
        spec.encoder.discrete = self.used_as(Use::Categories);
        spec.fit.time_budget = self.time;
        if self.effort == Effort::One {
            spec.fit.kernel = Some(KernelFamily::SquaredExponential);
            spec.fit.likelihood = Some(LikelihoodFamily::Robust);
            spec.fit.lengthscales = Lengthscales::Ard;
        }
        spec
    }
}
