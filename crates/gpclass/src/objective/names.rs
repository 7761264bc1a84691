//! Objectives by name. In files an objective is its name, with its parameters where it has any:
//! `"evidence"`, `{ "loo-f": { "zeta": 0.3 } }`.

use super::{Criterion, CriterionError, LooGradient, Objective};
use crate::named::{Named, Parametrised, Word, parsed_by_name, without_parameters};
use serde::de::{Error, MapAccess};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The usual F-measure: precision and recall weigh the same.
pub(crate) const DEFAULT_ZETA: f64 = 0.5;
/// The usual error rate: a false positive costs as much as a false negative.
const DEFAULT_TAU: f64 = 1.0;

impl Named for Objective {
    const OPTION: &'static str = "objective";

    fn all() -> Vec<Self> {
        let criteria = [
            Criterion::Nlp,
            Criterion::FMeasure { zeta: DEFAULT_ZETA },
            Criterion::WeightedError { tau: DEFAULT_TAU },
            Criterion::Auc,
        ];
        std::iter::once(Objective::Evidence).chain(criteria.map(Objective::leave_one_out)).collect()
    }

    fn word(&self) -> Word {
        let word = |name, about, also| Word { name, about, also };
        match self {
            Objective::Evidence => word("evidence", "Log evidence", &[]),
            Objective::LeaveOneOut { criterion, .. } => match criterion {
                // The old spelling is followed by a criterion of its own.
                Criterion::Nlp => word("loo-nlp", "Leave-one-out log-probability", &["leave_one_out"]),
                Criterion::FMeasure { .. } => word("loo-f", "Leave-one-out F-measure (parameter zeta)", &[]),
                Criterion::WeightedError { .. } => {
                    word("loo-error", "Leave-one-out weighted error rate (parameter tau)", &["loo-wer"])
                }
                Criterion::Auc => word("loo-auc", "Leave-one-out area under the ROC curve", &[]),
            },
        }
    }
}

parsed_by_name!(Objective);

/// What may follow the name of a leave-one-out criterion.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    zeta: Option<f64>,
    tau: Option<f64>,
    #[serde(default)]
    gradient: LooGradient,
    criterion: Option<FormerCriterion>,
}

/// A criterion as former versions wrote it below `leave_one_out`.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum FormerCriterion {
    Nlp,
    FMeasure { zeta: f64 },
    WeightedError { tau: f64 },
    Auc,
}

impl From<FormerCriterion> for Criterion {
    fn from(former: FormerCriterion) -> Self {
        match former {
            FormerCriterion::Nlp => Criterion::Nlp,
            FormerCriterion::FMeasure { zeta } => Criterion::FMeasure { zeta },
            FormerCriterion::WeightedError { tau } => Criterion::WeightedError { tau },
            FormerCriterion::Auc => Criterion::Auc,
        }
    }
}

impl Criterion {
    /// The criterion with the parameters given, or why it cannot have them.
    pub fn with(self, zeta: Option<f64>, tau: Option<f64>) -> Result<Self, CriterionError> {
        let made = match (self, zeta, tau) {
            (Criterion::FMeasure { zeta: own }, given, None) => Criterion::FMeasure { zeta: given.unwrap_or(own) },
            (Criterion::WeightedError { tau: own }, None, given) => {
                Criterion::WeightedError { tau: given.unwrap_or(own) }
            }
            (Criterion::Nlp | Criterion::Auc, None, None) => self,
            (_, Some(_), _) if !matches!(self, Criterion::FMeasure { .. }) => {
                return Err(CriterionError::NoParameter { criterion: self.title(), parameter: "zeta" });
            }
            _ => return Err(CriterionError::NoParameter { criterion: self.title(), parameter: "tau" }),
        };
        made.check().map(|()| made)
    }
}

impl Parametrised for Objective {
    fn with_parameters<'de, A: MapAccess<'de>>(self, table: &mut A) -> Result<Self, A::Error> {
        let Objective::LeaveOneOut { criterion: named, .. } = self else { return without_parameters(self, table) };
        let Parameters { zeta, tau, gradient, criterion } = table.next_value()?;
        let criterion = criterion.map_or(named, Criterion::from).with(zeta, tau).map_err(A::Error::custom)?;
        Ok(Objective::LeaveOneOut { criterion, gradient })
    }
}

/// The parameters of an objective as they are written.
#[derive(Serialize)]
struct Written {
    #[serde(skip_serializing_if = "Option::is_none")]
    zeta: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tau: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gradient: Option<LooGradient>,
}

impl Serialize for Objective {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Objective::LeaveOneOut { criterion, gradient } = *self else {
            return serializer.serialize_str(self.word().name);
        };
        let (zeta, tau) = match criterion {
            Criterion::Nlp | Criterion::Auc => (None, None),
            Criterion::FMeasure { zeta } => (Some(zeta), None),
            Criterion::WeightedError { tau } => (None, Some(tau)),
        };
        let gradient = Some(gradient).filter(|gradient| *gradient != LooGradient::default());
        if (zeta, tau, gradient) == (None, None, None) {
            return serializer.serialize_str(self.word().name);
        }
        serializer.serialize_newtype_variant("Objective", 1, self.word().name, &Written { zeta, tau, gradient })
    }
}

impl<'de> Deserialize<'de> for Objective {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Objective::read(deserializer)
    }
}
