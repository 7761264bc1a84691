//! The categories of a discrete column, and where each goes in its one-hot block.

use crate::data::MissingDiscrete;
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
    pub(super) fn fit(values: &[Option<String>], missing: MissingDiscrete) -> Option<Self> {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for name in values.iter().flatten() {
            *counts.entry(name).or_default() += 1;
        }
        let most = counts.values().copied().max()?;
        let most_frequent = counts.values().position(|&count| count == most)?;
        let missing = match missing {
            MissingDiscrete::Error => DiscreteMissing::Error,
            MissingDiscrete::Impute => DiscreteMissing::Fill(most_frequent),
            MissingDiscrete::OwnCategory if values.contains(&None) => DiscreteMissing::OwnCategory,
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
        let mut by_number = HashMap::new();
        for (position, name) in self.names.iter().enumerate() {
            if let Some(key) = spelling_key(name) {
                // Two levels that spell one number are told apart only by their exact text.
                by_number.entry(key).and_modify(|found| *found = None).or_insert(Some(position));
            }
        }
        LevelFinder { names: &self.names, by_number }
    }
}

/// Finds a level by its text, or by another spelling of the same number.
pub(super) struct LevelFinder<'a> {
    names: &'a [String],
    by_number: HashMap<u64, Option<usize>>,
}

impl LevelFinder<'_> {
    pub(super) fn find(&self, text: &str) -> Option<usize> {
        let exact = self.names.binary_search_by(|name| name.as_str().cmp(text)).ok();
        exact.or_else(|| self.by_number.get(&spelling_key(text)?).copied().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<Option<String>> {
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
        let both = fit("1 1.0", MissingDiscrete::Error);
        assert_eq!((both.finder().find("1.0"), both.finder().find("1.00")), (Some(1), None));
    }
}
