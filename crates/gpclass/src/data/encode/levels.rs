//! The categories of a discrete column, and where each goes in its one-hot block.

use crate::data::{MissingDiscrete, Texts};
use crate::text::numbers::{finite_number, spelling_key};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

/// What a missing category becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiscreteMissing {
    /// An error.
    Error,
    /// The level at this position.
    Fill(usize),
    /// A category of its own, which training rows have.
    OwnCategory,
    /// A category of its own, which no training row has: an unseen one.
    Unseen,
}

/// The categories seen in training, sorted by name. The block has one column per level, then one for "missing" if
/// that is a category, then one for every unseen category, so that an unseen one is at distance 1 from all others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Levels {
    /// The names, sorted, without repetition.
    pub names: Vec<String>,
    /// What a missing category becomes.
    pub missing: DiscreteMissing,
}

impl Levels {
    /// The levels among `values`; `None` when every value is missing.
    pub(super) fn fit(values: &Texts, missing: MissingDiscrete) -> Option<Self> {
        let counts: BTreeMap<&str, usize> = values.names().zip(values.counts()).collect();
        let most = counts.values().copied().max()?;
        let most_frequent = counts.values().position(|&count| count == most)?;
        let missing = match missing {
            MissingDiscrete::Error => DiscreteMissing::Error,
            MissingDiscrete::Impute => DiscreteMissing::Fill(most_frequent),
            MissingDiscrete::OwnCategory if values.missing() > 0 => DiscreteMissing::OwnCategory,
            MissingDiscrete::OwnCategory => DiscreteMissing::Unseen,
        };
        Some(Levels { names: counts.into_keys().map(str::to_owned).collect(), missing })
    }

    /// Columns of the one-hot block.
    pub fn width(&self) -> usize {
        self.unseen_slot() + 1
    }

    /// The column of "missing" where that is a category of its own.
    pub(super) fn missing_slot(&self) -> usize {
        self.names.len()
    }

    /// The column shared by all unseen categories.
    pub(super) fn unseen_slot(&self) -> usize {
        self.names.len() + usize::from(self.missing == DiscreteMissing::OwnCategory)
    }

    /// Whether a number can be one of these categories.
    pub(super) fn any_number(&self) -> bool {
        self.names.iter().any(|name| finite_number(name).is_some())
    }

    /// A finder of categories by name, worth building once per block of rows.
    pub(super) fn finder(&self) -> LevelFinder<'_> {
        LevelFinder::new(&self.names)
    }

    /// Whether the categories are truth values, which programs write in different ways.
    pub(super) fn are_truth_values(&self) -> bool {
        !self.names.is_empty() && self.names.iter().all(|name| truth_value(name).is_some())
    }
}

/// `true` or `false` in any case.
fn truth_value(text: &str) -> Option<bool> {
    [false, true].into_iter().find(|value| text.eq_ignore_ascii_case(if *value { "true" } else { "false" }))
}

/// Finds a level by its text, by another spelling of the same number, or of the same truth value.
pub(super) struct LevelFinder<'a> {
    by_text: HashMap<&'a str, usize>,
    by_number: HashMap<u64, Option<usize>>,
    by_truth: HashMap<bool, Option<usize>>,
}

impl<'a> LevelFinder<'a> {
    /// Of levels that are all different.
    pub(super) fn new(names: &'a [String]) -> Self {
        let (mut by_number, mut by_truth) = (HashMap::new(), HashMap::new());
        for (position, name) in names.iter().enumerate() {
            // Two levels that spell one number, or one truth value, are told apart only by their exact text.
            if let Some(key) = spelling_key(name) {
                by_number.entry(key).and_modify(|found| *found = None).or_insert(Some(position));
            }
            if let Some(key) = truth_value(name) {
                by_truth.entry(key).and_modify(|found| *found = None).or_insert(Some(position));
            }
        }
        let by_text = names.iter().enumerate().map(|(position, name)| (name.as_str(), position)).collect();
        LevelFinder { by_text, by_number, by_truth }
    }

    pub(super) fn find(&self, text: &str) -> Option<usize> {
        let number = || self.by_number.get(&spelling_key(text)?).copied().flatten();
        // Truth values are 0 and 1 where all is numbers.
        let truth_of = |text: &str| match text {
            "0" => Some(false),
            "1" => Some(true),
            _ => truth_value(text),
        };
        let truth = || self.by_truth.get(&truth_of(text)?).copied().flatten();
        self.by_text.get(text).copied().or_else(number).or_else(truth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Texts {
        text.split(' ').map(|name| (name != "-").then(|| name.to_owned())).collect()
    }

    fn fit(text: &str, missing: MissingDiscrete) -> Levels {
        Levels::fit(&values(text), missing).unwrap()
    }

    #[test]
    fn levels_are_sorted_and_the_block_has_room_for_unseen_ones() {
        let levels = fit("b a c a", MissingDiscrete::Error);
        assert_eq!(levels.names, ["a", "b", "c"]);
        assert_eq!((levels.width(), levels.unseen_slot(), levels.missing), (4, 3, DiscreteMissing::Error));
        assert_eq!(Levels::fit(&values("- -"), MissingDiscrete::OwnCategory), None);
    }

    #[test]
    fn the_most_frequent_level_fills_gaps_and_ties_go_to_the_first_name() {
        assert_eq!(fit("b a b - a b", MissingDiscrete::Impute).missing, DiscreteMissing::Fill(1));
        assert_eq!(fit("b a b a", MissingDiscrete::Impute).missing, DiscreteMissing::Fill(0));
    }

    #[test]
    fn missing_is_its_own_category_only_where_training_has_it() {
        let seen = fit("b - a", MissingDiscrete::OwnCategory);
        assert_eq!(seen.missing, DiscreteMissing::OwnCategory);
        assert_eq!((seen.width(), seen.missing_slot(), seen.unseen_slot()), (4, 2, 3));
        let unseen = fit("b a", MissingDiscrete::OwnCategory);
        assert_eq!((unseen.missing, unseen.width()), (DiscreteMissing::Unseen, 3));
    }

    #[test]
    fn spellings_of_a_number_find_their_level() {
        let levels = fit("1 10 2.0 02", MissingDiscrete::Error); // sorted: 02 1 10 2.0
        let finder = levels.finder();
        assert_eq!(finder.find("1.0"), Some(1));
        assert_eq!(finder.find("2"), Some(3));
        assert_eq!(finder.find("02"), Some(0));
        assert_eq!(finder.find("002"), None);
        assert_eq!(finder.find("3"), None);
        assert!(levels.any_number() && !fit("a b", MissingDiscrete::Error).any_number());
        let truth = fit("true false", MissingDiscrete::Error);
        assert_eq!((truth.finder().find("TRUE"), truth.finder().find("False")), (Some(1), Some(0)));
        assert_eq!(
            (truth.finder().find("1"), truth.finder().find("0"), truth.finder().find("2")),
            (Some(1), Some(0), None)
        );
        assert!(truth.are_truth_values() && !fit("true no", MissingDiscrete::Error).are_truth_values());
        assert_eq!(fit("true True", MissingDiscrete::Error).finder().find("TRUE"), None);
        let both = fit("1 1.0", MissingDiscrete::Error);
        assert_eq!((both.finder().find("1.0"), both.finder().find("1.00")), (Some(1), None));
    }
}
