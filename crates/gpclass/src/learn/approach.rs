//! How the posterior of many rows is had: exactly, or by way of fewer.

use super::{FitOptions, PathChoice, Search, Size};
use crate::inference::Method;
use crate::model::Refinement;
use crate::named::named;
use crate::objective::Objective;
use serde::{Deserialize, Serialize};

/// Up to this many rows hyperparameters are learned from all rows at once.
const LEARNED_WHOLE: usize = 1_500;
/// Up to this many rows there is a covariance of all pairs of rows.
const EXACT: usize = 5_000;
/// Rows that stand for all, and rows around each one that is predicted, unless told otherwise. With 700 of the former the
/// refined leave-one-out NLP of 8,000 rows of magic is .0024 below that with 400, at half as much time again.
const INDUCING: usize = 600;
const NEIGHBOURS: usize = 64;
/// Rows that stand for all where there are more than `ALL_LEFT_OUT`, where each of them costs the most.
const INDUCING_OF_MORE: usize = 400;
/// Rows that the posterior by way of them is inferred from, at most: 400 numbers are then known to 0.001 nats of a prediction.
const INFERRED: usize = 200_000;
/// Up to this many rows each one is left out with the rows around it.
const ALL_LEFT_OUT: usize = 50_000;
/// Where there are more, so many score a fit: the standard error of a mean of them is a hundredth of one's spread.
const LEFT_OUT: usize = 10_000;

/// How rows are learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Approach {
    /// All rows at once, in the search and after it.
    #[default]
    Exact,
    /// Hyperparameters from blocks of rows, then exact inference on all.
    Blocks,
    /// Hyperparameters from blocks of rows, then inference by way of inducing rows, refined around every row that is
    /// predicted.
    Sparse,
}

named!(Approach, "approach", {
    Exact = "exact": "All rows at once";
    Blocks = "blocks": "Hyperparameters from blocks of rows, then all rows at once";
    Sparse = "sparse": "Hyperparameters from blocks of rows, then rows that stand for all, refined around every prediction";
});

/// What a user says about many rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ManyRows {
    /// All rows at once, however many they are.
    pub exact: bool,
    /// How many rows stand for all; that there are such rows is then decided.
    pub inducing: Option<usize>,
    /// Rows around each one that is predicted; none if 0.
    pub neighbours: Option<usize>,
}

impl ManyRows {
    /// How many of `rows` stand for all where some do.
    pub fn inducing_rows(&self, rows: usize) -> usize {
        let usual = if rows > ALL_LEFT_OUT { INDUCING_OF_MORE } else { INDUCING };
        self.inducing.unwrap_or(usual).min(rows)
    }

    /// How predictions by way of them are refined.
    pub fn refinement(&self) -> Option<Refinement> {
        Some(self.neighbours.unwrap_or(NEIGHBOURS)).filter(|m| *m > 0).map(|neighbours| Refinement { neighbours })
    }

    /// How many of `rows` the posterior by way of inducing rows is inferred from, where these are not all.
    pub(super) fn inferred_rows(&self, rows: usize) -> Option<usize> {
        (rows > INFERRED).then_some(INFERRED)
    }

    /// How many of `rows` score a fit by way of inducing rows, where these are not all: each is refined by itself.
    pub(super) fn scoring_rows(&self, rows: usize) -> Option<usize> {
        (rows > ALL_LEFT_OUT && self.refinement().is_some()).then_some(LEFT_OUT)
    }

    /// Whether nothing was said.
    pub(crate) fn is_default(&self) -> bool {
        *self == ManyRows::default()
    }
}

impl Approach {
    /// How a fit with these options goes about a table of this size. Published searches and criteria look at all rows at once.
    pub fn of(options: &FitOptions, size: &Size) -> Approach {
        let climbs = options.search == Search::Direct && options.path == PathChoice::End;
        let sparse = matches!(options.method, Method::Ep(_));
        match options.many_rows {
            _ if !climbs => Approach::Exact,
            ManyRows { exact: true, .. } => Approach::Exact,
            ManyRows { inducing: Some(_), .. } if sparse => Approach::Sparse,
            _ if size.rows <= LEARNED_WHOLE => Approach::Exact,
            _ if options.objective != Objective::Evidence => Approach::Exact,
            _ if sparse && size.rows > EXACT => Approach::Sparse,
            _ => Approach::Blocks,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inference::LaplaceOptions;

    #[test]
    fn few_rows_are_exact_and_many_sparse_unless_something_is_said() {
        let of = |rows: usize, options: &FitOptions| Approach::of(options, &Size { rows, features: 3, classes: 2 });
        let open = FitOptions::default();
        let all = [Approach::Exact, Approach::Exact, Approach::Blocks, Approach::Blocks, Approach::Sparse];
        assert_eq!([100, 1_500, 1_501, 5_000, 5_001].map(|rows| of(rows, &open)), all);
        let with = |many_rows: ManyRows| FitOptions { many_rows, ..open.clone() };
        assert_eq!(of(9_000, &with(ManyRows { exact: true, ..ManyRows::default() })), Approach::Exact);
        assert_eq!(of(100, &with(ManyRows { inducing: Some(20), ..ManyRows::default() })), Approach::Sparse);
        let laplace = FitOptions { method: Method::Laplace(LaplaceOptions::default()), ..open.clone() };
        assert_eq!(of(9_000, &laplace), Approach::Blocks);
        let em = FitOptions { search: Search::EpCv, ..open };
        assert_eq!(of(9_000, &em), Approach::Exact);
        assert_eq!(ManyRows { neighbours: Some(0), ..ManyRows::default() }.refinement(), None);
    }
}
