//! Where a search starts: the papers' own values, or values read off the data.

use super::spread::spread_of;
use crate::model::{Model, TrainingData};
use crate::named::named;
use crate::param::{Of, Param, Role, Spread};

/// Initial values of the free hyperparameters. Fixed ones are never touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Initial {
    /// Lengthscales from the spread of the inputs, amplitudes of a few units.
    #[default]
    Heuristic,
    /// EMEP footnote 3, for the circle with outliers.
    EmepSynthetic,
    /// EMEP footnote 7, for the real data sets.
    EmepReal,
    /// ROBUST section 6.
    Robust,
    /// The values that the model has.
    Given,
}

named!(Initial, "initial", {
    Heuristic = "heuristic": "By the spread of the rows; simpler models pass their values on to larger ones";
    EmepSynthetic = "emep-synthetic" or "emep_synthetic": "Published for a circle with outliers (EMEP)";
    EmepReal = "emep-real" or "emep_real": "Published for real data (EMEP)";
    Robust = "robust": "Published for wrong labels (ROBUST)";
    Given = "given": "The neutral values of the families, nothing taken from the data";
});

impl Initial {
    /// Sets the free parameters of `model`.
    pub fn apply(self, model: &mut Model, data: &TrainingData) {
        let spread = spread_of(data);
        let value = |p: Param| {
            let initial = if p.fixed { None } else { self.value(p.role, &spread) };
            initial.unwrap_or(p.value)
        };
        let kernel: Vec<f64> = model.kernel.params().into_iter().map(value).collect();
        let likelihood: Vec<f64> = model.likelihood.params().into_iter().map(value).collect();
        model.kernel.set_values(&kernel);
        model.likelihood.set_values(&likelihood);
    }

    fn value(self, role: Role, spread: &Spread) -> Option<f64> {
        let paper = |eps, v0, v1, v2, l| match role {
            Role::LabelError(_) => Some(eps),
            Role::Signal | Role::Slope(Of::All) => Some(v0),
            Role::Level => Some(v1),
            Role::RowNoise => Some(v2),
            Role::Scale(_) => Some(l),
            // The same length.
            Role::Rate(_) => Some(f64::sqrt(l)),
            // The papers have none of these.
            Role::Term(_) | Role::TermScale | Role::Slope(Of::Feature(_)) => None,
            Role::Shape | Role::Shift | Role::Softness => None,
        };
        match self {
            Initial::Given => None,
            Initial::EmepSynthetic => paper(0.01, 1.0, 1e-8, 1e-6, 0.1),
            Initial::EmepReal => paper(0.01, 1.0, 1e-4, 1e-3, 0.05),
            Initial::Robust => paper(0.01, 1.0, 1e-8, 0.1, 0.5),
            Initial::Heuristic => Some(role.start(spread)),
        }
    }
}
