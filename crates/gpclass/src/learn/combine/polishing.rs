//! How much is learned on all rows of what was tried on a part of them.

use crate::learn::{Cost, Size};
use crate::model::Multiclass;

/// Most candidates that are learned on all rows: each that predicts has matrices of its own.
pub(in crate::learn) const MOST_POLISHED: usize = 4;
/// Most steps from the values that were learned on the part.
const MOST_STEPS: usize = 8;
/// Steps that are worth their while: where there is time for fewer, fewer candidates are polished.
const GOOD_STEPS: f64 = 3.0;
/// Fewest candidates that are polished, if there are as many.
const LEAST_POLISHED: usize = 2;
/// Most work of polishing classes against the rest, in floating-point operations: a minute or two of a small machine.
const MOST_WORK: f64 = 1e12;

/// Candidates that are learned on all rows, and steps of each search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::learn) struct Polishing {
    pub members: usize,
    pub steps: usize,
}

impl Polishing {
    /// Two classes, and several together, which have a limit of their own, are polished in full; many classes each against the
    /// rest as far as the work allows.
    pub fn of(size: &Size, multiclass: Multiclass) -> Self {
        if size.classes == 2 || !multiclass.is_against_rest() {
            return Polishing { members: MOST_POLISHED, steps: MOST_STEPS };
        }
        let evaluations = MOST_WORK / Cost::of_evaluation(size, multiclass);
        // A search evaluates where it starts too.
        let members = ((evaluations / (1.0 + GOOD_STEPS)) as usize).clamp(LEAST_POLISHED, MOST_POLISHED);
        let steps = ((evaluations / members as f64) as usize).saturating_sub(1).clamp(1, MOST_STEPS);
        Polishing { members, steps }
    }

    /// The share of the most steps that are made.
    pub fn share(&self) -> f64 {
        self.steps as f64 / MOST_STEPS as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_classes_of_many_rows_are_polished_less() {
        let of = |rows, classes, how| Polishing::of(&Size { rows, features: 5, classes }, how);
        let full = Polishing { members: MOST_POLISHED, steps: MOST_STEPS };
        assert_eq!(of(1500, 2, Multiclass::Auto), full);
        assert_eq!(of(400, 3, Multiclass::OneVsRest), full);
        let (ten, many) = (of(900, 10, Multiclass::OneVsRest), of(1500, 26, Multiclass::OneVsRest));
        assert!(ten.steps < full.steps && ten.steps >= 2 && ten.members > 2, "{ten:?}");
        assert_eq!(many, Polishing { members: LEAST_POLISHED, steps: 1 });
    }
}
