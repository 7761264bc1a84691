//! The account of a fit for programs, the same from every face.

use crate::Suspect;
use gpclass::classifier::{Classifier, Provenance, Spec, Summary};
use serde::Serialize;

/// What there is to tell about a fit.
#[derive(Clone, Debug, Serialize)]
pub struct FitAccount<'a> {
    /// Where the model comes from.
    pub provenance: &'a Provenance,
    /// What was asked for.
    pub spec: &'a Spec,
    /// What was seen, tried, chosen and found.
    pub summary: &'a Summary,
    /// Rows whose labels look wrong, most suspect first.
    pub suspects: Vec<Suspect>,
}

impl<'a> FitAccount<'a> {
    /// Of a classifier whose rows stand in these lines, with the labels that are at least this probably wrong.
    pub fn of(classifier: &'a Classifier, lines: Option<&[u64]>, suspect: f64) -> Self {
        let rows = classifier.summary().suspects.above(suspect);
        FitAccount {
            provenance: classifier.provenance(),
            spec: classifier.spec(),
            summary: classifier.summary(),
            suspects: rows.into_iter().map(|row| Suspect::of(classifier, row, lines)).collect(),
        }
    }
}
