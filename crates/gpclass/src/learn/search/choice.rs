//! The ways to search for hyperparameters, by name, and what each of them can climb.

use super::alternate::LabelErrorUpdate;
use crate::learn::{FitOptions, LearnError};
use crate::named::{Named, Parametrised, Word, parsed_by_name, without_parameters};
use crate::objective::{Criterion, DEFAULT_ZETA, Objective};
use serde::de::{Error, MapAccess};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A way to search. In files it is its name, with its parameter where it has one: `"em-ep"`, `{ "two-step": { "zeta": 0.5 } }`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Search {
    /// Quasi-Newton ascent with exact gradients.
    #[default]
    Direct,
    /// EM around EP: the variational bound climbed for a fixed posterior (EMEP).
    EmEp {
        /// How the label error moves between two inferences.
        label_error: LabelErrorUpdate,
    },
    /// One line search on a leave-one-out criterion for fixed sites, alternating with EP (EPCV). With an objective that
    /// is no leave-one-out criterion it takes the NLP.
    EpCv,
    /// Leave-one-out NLP for everything, then the F-measure for the bias alone (EPCV section 6).
    TwoStep {
        /// Weight of recall in the F-measure, from 0 (precision) to 1 (recall).
        zeta: f64,
    },
}

impl Named for Search {
    const OPTION: &'static str = "search";

    fn all() -> Vec<Self> {
        let updates = [LabelErrorUpdate::Count, LabelErrorUpdate::Posterior, LabelErrorUpdate::Gradient];
        let mut all = vec![Search::Direct];
        all.extend(updates.map(|label_error| Search::EmEp { label_error }));
        all.extend([Search::EpCv, Search::TwoStep { zeta: DEFAULT_ZETA }]);
        all
    }

    fn word(&self) -> Word {
        let word = |name, about, also| Word { name, about, also };
        match self {
            Search::Direct => word("direct", "Ascent of the objective by its exact gradient", &[]),
            Search::EmEp { label_error } => match label_error {
                LabelErrorUpdate::Count => word(
                    "em-ep",
                    "Expectation maximisation for the evidence; label error as counted (EMEP)",
                    &["em_ep"],
                ),
                LabelErrorUpdate::Posterior => {
                    word("em-ep-posterior", "The same, with the expected label error (ROBUST)", &[])
                }
                LabelErrorUpdate::Gradient => {
                    word("em-ep-gradient", "The same, with the label error moved by its gradient", &[])
                }
            },
            Search::EpCv => {
                word("ep-cv", "Line searches on a leave-one-out objective at fixed sites (EPCV)", &["ep_cv"])
            }
            Search::TwoStep { .. } => word(
                "two-step",
                "loo-nlp for everything, then the leave-one-out F-measure for the bias (parameter zeta)",
                &["two_step"],
            ),
        }
    }
}

parsed_by_name!(Search);

impl Search {
    /// The name, as it is typed.
    pub fn name(&self) -> &'static str {
        self.word().name
    }

    /// What it climbs where `asked` is asked for, or why it cannot.
    pub fn objective(&self, asked: Objective) -> Result<Objective, LearnError> {
        match (self, asked) {
            (Search::EmEp { .. }, Objective::LeaveOneOut { .. }) => {
                Err(LearnError::NotClimbed { search: self.name(), objective: asked.word().name })
            }
            (Search::EpCv, Objective::Evidence) => Ok(Objective::leave_one_out(Criterion::Nlp)),
            (Search::Direct | Search::EmEp { .. } | Search::EpCv | Search::TwoStep { .. }, _) => Ok(asked),
        }
    }

    /// Whether it can start more than once.
    fn restarts(&self) -> bool {
        match self {
            Search::Direct | Search::TwoStep { .. } => true,
            Search::EmEp { .. } | Search::EpCv => false,
        }
    }
}

impl FitOptions {
    /// The options with the objective that the search climbs, by which candidates are then compared; refused where the
    /// search would not heed something.
    pub(in crate::learn) fn with_climbed_objective(&self) -> Result<FitOptions, LearnError> {
        if self.restarts > 0 && !self.search.restarts() {
            return Err(LearnError::StartsOnce { search: self.search.name(), restarts: self.restarts });
        }
        Ok(FitOptions { objective: self.search.objective(self.objective)?, ..self.clone() })
    }
}

/// The parameter of a two-step search.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Zeta {
    #[serde(default = "default_zeta")]
    zeta: f64,
}

fn default_zeta() -> f64 {
    DEFAULT_ZETA
}

/// How former versions said which EM-EP it is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Former {
    label_error: Option<LabelErrorUpdate>,
}

impl Parametrised for Search {
    fn with_parameters<'de, A: MapAccess<'de>>(self, table: &mut A) -> Result<Self, A::Error> {
        match self {
            Search::Direct | Search::EpCv => without_parameters(self, table),
            Search::EmEp { label_error } => {
                let former: Former = table.next_value()?;
                Ok(Search::EmEp { label_error: former.label_error.unwrap_or(label_error) })
            }
            Search::TwoStep { .. } => {
                let Zeta { zeta } = table.next_value()?;
                Criterion::FMeasure { zeta }.check().map_err(A::Error::custom)?;
                Ok(Search::TwoStep { zeta })
            }
        }
    }
}

impl Serialize for Search {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Search::Direct | Search::EmEp { .. } | Search::EpCv => serializer.serialize_str(self.name()),
            Search::TwoStep { zeta } => serializer.serialize_newtype_variant("Search", 3, self.name(), &Zeta { zeta }),
        }
    }
}

impl<'de> Deserialize<'de> for Search {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Search::read(deserializer)
    }
}
