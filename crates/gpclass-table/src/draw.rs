//! Some of many rows, drawn while they are read past.

use std::collections::BTreeMap;

/// How many rows are drawn of a table, and by which seed. The same table and seed give the same rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// Rows that are drawn; all if there are not more.
    pub rows: u64,
    /// The seed.
    pub seed: u64,
}

/// Rows of one class: those still to come, and how many of them are still to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stratum {
    left: u64,
    wanted: u64,
}

/// Takes rows so that every class keeps its share of them, each row of a class as likely as any other.
#[derive(Debug)]
pub(crate) struct Drawing {
    strata: BTreeMap<String, Stratum>,
    state: u64,
}

impl Drawing {
    /// Of a table with so many rows of each class.
    pub fn new(draw: Draw, counts: &BTreeMap<String, u64>) -> Self {
        let wanted = shares(draw.rows, counts.values().copied().collect());
        let strata = counts.iter().zip(wanted);
        let strata = strata.map(|((class, &left), wanted)| (class.clone(), Stratum { left, wanted })).collect();
        Drawing { strata, state: draw.seed }
    }

    /// Whether the next row, which is of this class, is taken; `None` if there should be no such row.
    pub fn takes(&mut self, class: &str) -> Option<bool> {
        let random = self.random();
        let stratum = self.strata.get_mut(class).filter(|stratum| stratum.left > 0)?;
        // Knuth's algorithm S: each row with the share of the wanted ones among those that are left.
        let takes = ((u128::from(random) * u128::from(stratum.left)) >> 64) < u128::from(stratum.wanted);
        stratum.left -= 1;
        stratum.wanted -= u64::from(takes);
        Some(takes)
    }

    /// SplitMix64 (Steele, Lea and Flood 2014).
    fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// `rows` in proportion to counts, at least one where there is any and never more than there are; the remainders go to those
/// that lose most.
fn shares(rows: u64, counts: Vec<u64>) -> Vec<u64> {
    let all: u64 = counts.iter().sum();
    if rows >= all {
        return counts;
    }
    let exact = |count: u64| u128::from(count) * u128::from(rows);
    let floor = |count: u64| (exact(count) / u128::from(all)) as u64;
    let mut shares: Vec<u64> = counts.iter().map(|&count| floor(count).max(count.min(1))).collect();
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&class| std::cmp::Reverse(exact(counts[class]) % u128::from(all)));
    let lost = rows.saturating_sub(shares.iter().sum());
    let grows = order.into_iter().filter(|&class| shares[class] < counts[class]).take(lost as usize);
    grows.collect::<Vec<_>>().into_iter().for_each(|class| shares[class] += 1);
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(of: &[(&str, u64)]) -> BTreeMap<String, u64> {
        of.iter().map(|(class, count)| ((*class).to_owned(), *count)).collect()
    }

    #[test]
    fn every_class_keeps_its_share_and_none_is_lost() {
        assert_eq!(shares(100, vec![600, 300, 100]), [60, 30, 10]);
        assert_eq!(shares(10, vec![500, 500, 1]), [5, 4, 1]);
        assert_eq!(shares(2000, vec![600, 300]), [600, 300]);
        assert_eq!(shares(7, vec![10, 10, 10]).iter().sum::<u64>(), 7);
    }

    #[test]
    fn exactly_as_many_as_wanted_are_taken_and_the_seed_decides_which() {
        let found = |seed| {
            let mut drawing = Drawing::new(Draw { rows: 1000, seed }, &counts(&[("a", 9_000), ("b", 1_000)]));
            let class = |row: usize| if row % 10 == 3 { "b" } else { "a" };
            (0..10_000).filter(|&row| drawing.takes(class(row)).unwrap()).collect::<Vec<usize>>()
        };
        let rows = found(1);
        assert_eq!((rows.len(), rows.iter().filter(|row| *row % 10 == 3).count()), (1000, 100));
        assert!(rows == found(1) && rows != found(2));
        // Of the first half about half: the standard deviation is 16.
        let early = rows.iter().filter(|row| **row < 5000).count();
        assert!((420..580).contains(&early), "{early}");
    }

    #[test]
    fn rows_that_should_not_be_there_are_noticed() {
        let mut drawing = Drawing::new(Draw { rows: 1, seed: 0 }, &counts(&[("a", 1)]));
        assert_eq!((drawing.takes("b"), drawing.takes("a"), drawing.takes("a")), (None, Some(true), None));
    }

    #[test]
    fn the_generator_is_the_published_one() {
        // The first values for the seed 1234567, by the reference implementation in C (rosettacode.org/wiki/Pseudo-random_numbers/Splitmix64).
        let mut drawing = Drawing::new(Draw { rows: 0, seed: 1_234_567 }, &BTreeMap::new());
        let first = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([drawing.random(), drawing.random(), drawing.random()], first);
    }
}
