//! The monotone map of one column.

use super::mid_ranks::MidRanks;
use super::{Ranks, Tail, Warp};
use crate::data::InputView;
use serde::{Deserialize, Serialize};

/// The map between the outermost training values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// Powers of the distance from the median.
    Warp(Warp),
    /// Straight lines through ranks.
    Ranks(Ranks),
}

/// The monotone map of one column: a shape between the ends, and how it goes on beyond them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Curve {
    /// Between the ends.
    pub shape: Shape,
    /// Below the least training value.
    pub low: Tail,
    /// Above the largest.
    pub high: Tail,
}

impl Curve {
    /// The map that makes a column most normal; none where there is nothing to move.
    pub(super) fn warped(column: &[f64], weights: Option<&[f64]>) -> Option<Curve> {
        let found = MidRanks::of(column, weights)?;
        let (warp, low, high) = Warp::fit(&found)?;
        Some(Curve { shape: Shape::Warp(warp), low, high }).filter(|curve| curve.is_sound(InputView::Warped))
    }

    /// The map to mid-ranks; none where there is nothing to move.
    pub(super) fn ranked(column: &[f64], weights: Option<&[f64]>) -> Option<Curve> {
        let found = MidRanks::of(column, weights)?;
        let (ranks, low, high) = Ranks::fit(&found);
        Some(Curve { shape: Shape::Ranks(ranks), low, high }).filter(|curve| curve.is_sound(InputView::Ranked))
    }

    /// The image of a number.
    pub fn at(&self, x: f64) -> f64 {
        let within = x.clamp(self.low.end, self.high.end);
        let inner = match &self.shape {
            Shape::Warp(warp) => warp.at(within),
            Shape::Ranks(ranks) => ranks.at(within),
        };
        inner + self.high.rise(x - self.high.end) - self.low.rise(self.low.end - x)
    }

    /// Whether it is monotone, finite everywhere and of a kind: what was fitted to numbers near the limits of the
    /// representable may not be, and what was read from a file either.
    pub(super) fn is_sound(&self, kind: InputView) -> bool {
        let shape = match (&self.shape, kind) {
            (Shape::Warp(warp), InputView::Warped) => warp.is_sound(),
            (Shape::Ranks(ranks), InputView::Ranked) => ranks.is_sound(self.low.end, self.high.end),
            (Shape::Warp(_) | Shape::Ranks(_), _) => false,
        };
        let tails = self.low.is_sound() && self.high.is_sound() && self.low.end < self.high.end;
        shape && tails && [-f64::MAX, self.low.end, self.high.end, f64::MAX].iter().all(|&x| self.at(x).is_finite())
    }
}
