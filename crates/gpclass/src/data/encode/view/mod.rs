//! The encoded rows as a model sees them: as they are, with skewed columns bent straight, or by rank.
//!
//! A view is a monotone map per continuous column, fitted on the training rows. Every map stays finite wherever a number is,
//! and continues beyond the values that it was fitted on: straight at first, ever slower far out. A model file holds the
//! fitted maps and not only their kind, so that a later version with a better way to fit them still predicts the same.

mod curve;
mod mid_ranks;
mod ranks;
mod record;
mod tail;
#[cfg(test)]
mod tests;
mod warp;

pub use curve::{Curve, Shape};
pub use ranks::Ranks;
pub use tail::Tail;
pub use warp::Warp;

use crate::data::{Feature, FeatureKind, Inputs};
use crate::named::named;
use gpclass_linalg::{Mat, map_tasks};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How a model sees continuous columns. Categories and columns of two values are the same in every view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum InputView {
    /// As the encoder gives them.
    #[default]
    Standardised,
    /// With a power of its own on either side of the median, by maximum likelihood, and standardised again.
    Warped,
    /// The mid-rank among the training values, scaled to standard deviation 1.
    Ranked,
}

named!(InputView, "inputs", {
    Standardised = "standardised": "As they are, with mean 0 and standard deviation 1";
    Warped = "warped": "Skewed and long-tailed columns bent towards a normal distribution";
    Ranked = "ranked": "By rank among the training values, so that only their order matters";
});

impl InputView {
    /// Whether a model sees the rows as the encoder gives them.
    pub fn is_standardised(&self) -> bool {
        *self == InputView::Standardised
    }

    /// What a candidate's name says about it: nothing where rows are seen as they are.
    pub fn suffix(self) -> String {
        if self.is_standardised() { String::new() } else { format!(" {}", self.name()) }
    }

    fn fit(self, column: &[f64], weights: Option<&[f64]>) -> Option<Curve> {
        match self {
            InputView::Standardised => None,
            InputView::Warped => Curve::warped(column, weights),
            InputView::Ranked => Curve::ranked(column, weights),
        }
    }
}

/// A fitted view.
///
/// ```
/// use gpclass::data::{InputView, Inputs, View};
/// use gpclass::linalg::Mat;
///
/// let skewed = Inputs::continuous(Mat::from_columns(5, 1, vec![0.0, 1.0, 2.0, 3.0, 1000.0]));
/// let view = View::fit(InputView::Ranked, &skewed, None);
/// let seen = view.apply(&skewed);
/// let gap = |i: usize| seen.values()[(i + 1, 0)] - seen.values()[(i, 0)];
/// assert!((gap(3) - gap(0)).abs() < 1e-12); // a far value is one rank away like any other
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "record::ViewRecord", into = "record::ViewRecord")]
pub struct View {
    kind: InputView,
    /// For every encoded column; none at all where every column is seen as it is.
    columns: Vec<Option<Curve>>,
}

impl View {
    /// Fits on training rows, which count by weight where there are weights.
    pub fn fit(kind: InputView, inputs: &Inputs, weights: Option<&[f64]>) -> View {
        if kind.is_standardised() {
            return View::default();
        }
        let continuous = continuous(inputs.features());
        let one = |c: usize| if continuous[c] { kind.fit(inputs.values().col(c), weights) } else { None };
        View { kind, columns: map_tasks(continuous.len(), one) }
    }

    /// What kind of view it is.
    pub fn kind(&self) -> InputView {
        self.kind
    }

    /// The map of every encoded column, none where it is seen as it is; an empty list if that is so of all.
    pub fn columns(&self) -> &[Option<Curve>] {
        &self.columns
    }

    /// The rows as the model sees them.
    pub fn apply<'a>(&self, inputs: &'a Inputs) -> Cow<'a, Inputs> {
        if self.columns.iter().all(Option::is_none) {
            return Cow::Borrowed(inputs);
        }
        let (rows, given) = (inputs.rows(), inputs.values());
        let seen = map_tasks(given.cols(), |c| match &self.columns[c] {
            Some(curve) => given.col(c).iter().map(|&x| curve.at(x)).collect(),
            None => given.col(c).to_vec(),
        });
        let values = Mat::from_columns(rows, given.cols(), seen.concat());
        Cow::Owned(Inputs::new(inputs.features().to_vec(), values))
    }

    /// Whether it can be a view of rows with these features.
    pub fn suits(&self, features: &[Feature]) -> bool {
        let continuous = continuous(features);
        let own = |(curve, continuous): (&Option<Curve>, &bool)| curve.is_none() || *continuous;
        self.columns.is_empty()
            || self.columns.len() == continuous.len() && self.columns.iter().zip(&continuous).all(own)
    }
}

/// For every encoded column whether it is one of numbers.
fn continuous(features: &[Feature]) -> Vec<bool> {
    let of_feature = |feature: &Feature| match feature.kind {
        FeatureKind::Continuous => vec![true; feature.columns.len()],
        FeatureKind::Discrete => vec![false; feature.columns.len()],
    };
    features.iter().flat_map(of_feature).collect()
}
