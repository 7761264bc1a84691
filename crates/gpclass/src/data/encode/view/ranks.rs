//! A column by rank.

use super::Tail;
use super::mid_ranks::MidRanks;
use serde::{Deserialize, Serialize};

/// Most knots of a map. Ranks between two of them are right to a five-hundredth of all rows.
const KNOTS: usize = 256;
/// The share of rows at either end whose mean slope the tail goes on with.
const OUTER: f64 = 0.1;
/// Over how many widths of these rows the tail is nearly straight.
const WIDTHS: f64 = 10.0;

/// Straight lines between knots, which are training values and their mid-ranks, centred and scaled to unit variance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranks {
    /// Increasing values.
    pub at: Vec<f64>,
    /// What they become, increasing too.
    pub to: Vec<f64>,
}

impl Ranks {
    pub(super) fn fit(found: &MidRanks) -> (Ranks, Tail, Tail) {
        let deviation = found.mean(|i| (found.ranks[i] - 0.5) * (found.ranks[i] - 0.5)).sqrt();
        let scaled = |rank: f64| (rank - 0.5) / deviation;
        let kept = knots(&found.ranks);
        let (first, last) = (kept[0], kept[kept.len() - 1]);
        // Three mid-ranks cover at least half of all ranks, so that there is a knot this far from either end.
        let above_outer = |k: &usize| found.ranks[*k] >= found.ranks[first] + OUTER;
        let below_outer = |k: &usize| found.ranks[*k] <= found.ranks[last] - OUTER;
        let tail = |end: usize, inner: usize| {
            let rise = (scaled(found.ranks[end]) - scaled(found.ranks[inner])).abs();
            let width = (found.values[end] - found.values[inner]).abs();
            Tail { end: found.values[end], height: WIDTHS * rise, reach: WIDTHS * width }
        };
        let low = tail(first, kept.iter().copied().find(above_outer).unwrap_or(last));
        let high = tail(last, kept.iter().rev().copied().find(below_outer).unwrap_or(first));
        let ranks = Ranks {
            at: kept.iter().map(|&k| found.values[k]).collect(),
            to: kept.iter().map(|&k| scaled(found.ranks[k])).collect(),
        };
        (ranks, low, high)
    }

    /// The image of a number between the outermost knots.
    pub(super) fn at(&self, x: f64) -> f64 {
        let next = self.at.partition_point(|knot| *knot <= x);
        if next == 0 || next == self.at.len() {
            return self.to[next.saturating_sub(1)];
        }
        let share = (x - self.at[next - 1]) / (self.at[next] - self.at[next - 1]);
        // Rounding must not carry a value beyond the knot that it is below.
        (self.to[next - 1] + share * (self.to[next] - self.to[next - 1])).min(self.to[next])
    }

    pub(super) fn is_sound(&self, low: f64, high: f64) -> bool {
        let finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        let spans = self.at.first() == Some(&low) && self.at.last() == Some(&high);
        let gaps = self.at.windows(2).all(|pair| pair[0] < pair[1] && (pair[1] - pair[0]).is_finite());
        let rises = self.to.windows(2).all(|pair| pair[0] < pair[1] && (pair[1] - pair[0]).is_finite());
        let sizes = self.at.len() == self.to.len() && self.at.len() <= KNOTS;
        spans && sizes && finite(&self.at) && finite(&self.to) && gaps && rises
    }
}

/// Positions of all mid-ranks, or of the first, the last and those evenly between.
fn knots(ranks: &[f64]) -> Vec<usize> {
    if ranks.len() <= KNOTS {
        return (0..ranks.len()).collect();
    }
    let (first, last) = (ranks[0], ranks[ranks.len() - 1]);
    let wanted = |k: usize| first + (last - first) * k as f64 / (KNOTS - 1) as f64;
    let nearest = |k: usize| ranks.partition_point(|rank| *rank < wanted(k)).min(ranks.len() - 1);
    let mut kept: Vec<usize> = (0..KNOTS - 1).map(nearest).chain([ranks.len() - 1]).collect();
    kept.dedup();
    kept
}
