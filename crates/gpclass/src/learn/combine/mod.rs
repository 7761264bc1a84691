//! How the candidates of a fit become what predicts: all of them, weighed, or one.

mod families;
mod polishing;
mod portion;
mod sharpness;
mod stack;
mod stacking;

pub(super) use families::{Parts, families, left_open};
pub(super) use polishing::{MOST_POLISHED, Polishing};
pub(super) use portion::portion_rows;
pub use sharpness::{LeftOutClasses, Sharpen};
pub(super) use stack::Stack;
pub use stacking::{stacking_weights, weights_without_each};

use super::Search;
use super::choose::{Contender, best, score_alike};
use super::options::FitOptions;
use crate::model::TrainingData;
use crate::named::named;
use crate::objective::Objective;
use serde::de::{Deserializer, Error, Visitor};
use std::fmt;

/// What becomes of several candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combine {
    /// All predict together, with the weights that predict left-out rows best (NOTATION, stacking). Where the objective is no
    /// evidence, or the search a published alternation, it is [`Best`](Combine::Best).
    #[default]
    Stack,
    /// All predict together, weighed by their evidence.
    Evidence,
    /// The one of the best score predicts.
    Best,
}

named!(Combine, "combine", {
    Stack = "stack": "All together, weighed by how well they predict left-out rows";
    Evidence = "evidence": "All together, weighed by evidence";
    Best = "best": "The one of the best evidence";
});

impl Combine {
    /// Candidates with a smaller share of the predictions than this are left out.
    fn least_share(self) -> f64 {
        match self {
            Combine::Stack => 1e-2,
            Combine::Evidence => 1e-3,
            Combine::Best => 0.0,
        }
    }

    /// A choice as a file holds it; that to average over the candidates, or not to, of former versions is read too.
    pub(super) fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameOrAverage)
    }
}

struct NameOrAverage;

impl Visitor<'_> for NameOrAverage {
    type Value = Combine;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("how candidates are combined, by name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Combine, E> {
        name.parse().map_err(E::custom)
    }

    fn visit_bool<E: Error>(self, average: bool) -> Result<Combine, E> {
        Ok(if average { Combine::Evidence } else { Combine::Best })
    }
}

impl FitOptions {
    /// How candidates are combined under this objective and search.
    pub(super) fn combined(&self) -> Combine {
        match self.combine {
            Combine::Stack if self.objective != Objective::Evidence || self.search != Search::Direct => Combine::Best,
            asked => asked,
        }
    }

    /// Whether the mixture is raised to a power: only that of a stack is judged by rows that it did not see.
    pub(super) fn sharpens(&self) -> bool {
        self.combined() == Combine::Stack && self.sharpen == Sharpen::Auto
    }
}

/// Gives every contender its score, its share in the predictions and says which is the chosen one: the heaviest, the first of
/// equals.
pub(super) fn weigh(contenders: &mut [Contender], combine: Combine, data: &TrainingData) -> usize {
    let shares = match combine {
        Combine::Stack => stacked(contenders, data),
        Combine::Evidence | Combine::Best => {
            score_alike(contenders);
            let top = contenders[best(contenders)].summary.score;
            let share = |c: &Contender| if combine == Combine::Best { 0.0 } else { (c.summary.score - top).exp() };
            contenders.iter().map(share).collect()
        }
    };
    let chosen = match combine {
        Combine::Stack => heaviest(&shares),
        Combine::Evidence | Combine::Best => best(contenders),
    };
    let shares = without_small(shares, chosen, combine.least_share());
    for (i, (contender, share)) in contenders.iter_mut().zip(shares).enumerate() {
        contender.summary.chosen = i == chosen;
        contender.summary.weight = share;
        contender.summary.rows = Some(contender.rows()).filter(|&rows| rows < data.rows());
    }
    chosen
}

/// The weights of those that were fitted to all of these rows; the others have none.
fn stacked(contenders: &[Contender], data: &TrainingData) -> Vec<f64> {
    let whole: Vec<usize> = (0..contenders.len()).filter(|&i| contenders[i].rows() == data.rows()).collect();
    let left_out: Vec<&[f64]> = whole.iter().map(|&i| contenders[i].left_out.as_slice()).collect();
    let mut shares = vec![0.0; contenders.len()];
    whole.iter().zip(stacking_weights(&left_out, data.scoring_weights())).for_each(|(&i, share)| shares[i] = share);
    shares
}

fn heaviest(shares: &[f64]) -> usize {
    let heavier = |best: usize, i: usize| if shares[i] > shares[best] { i } else { best };
    (0..shares.len()).fold(0, heavier)
}

/// The shares of those that have at least `least`, and of the chosen one, made to sum to one.
fn without_small(mut shares: Vec<f64>, chosen: usize, least: f64) -> Vec<f64> {
    if shares[chosen] == 0.0 {
        shares[chosen] = 1.0;
    }
    let total: f64 = shares.iter().sum();
    for (i, share) in shares.iter_mut().enumerate() {
        *share /= total;
        if *share < least && i != chosen {
            *share = 0.0;
        }
    }
    let kept: f64 = shares.iter().sum();
    shares.iter_mut().for_each(|share| *share /= kept);
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_shares_go_and_the_others_sum_to_one() {
        let kept = without_small(vec![0.009, 0.5, 0.491], 1, 0.01);
        assert_eq!((kept[0], heaviest(&kept)), (0.0, 1));
        assert!((kept.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        assert_eq!(without_small(vec![0.0, 0.0], 1, 0.0), [0.0, 1.0]);
        assert_eq!(heaviest(&[0.3, 0.3, 0.3]), 0);
    }

    #[test]
    fn averaging_of_former_versions_is_read() {
        let read = |json: &str| serde_json::from_str::<FitOptions>(json).map(|options| options.combine);
        assert_eq!(read(r#"{"average": true}"#).unwrap(), Combine::Evidence);
        assert_eq!(read(r#"{"average": false}"#).unwrap(), Combine::Best);
        assert_eq!(read(r#"{"combine": "evidence"}"#).unwrap(), Combine::Evidence);
        assert_eq!(read("{}").unwrap(), Combine::default());
        assert!(read(r#"{"combine": "stak"}"#).unwrap_err().to_string().contains("did you mean 'stack'?"));
        let written = serde_json::to_value(FitOptions::default()).unwrap();
        assert!(written["combine"] == Combine::default().name() && written.get("average").is_none());
    }
}
