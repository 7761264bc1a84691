//! Some of many rows.

use crate::model::TrainingData;
use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;

/// What rows are drawn for; those for one purpose tell nothing about those for another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::learn) enum Purpose {
    /// Judging candidates before there is a posterior of all rows.
    Judging,
    /// Scoring fits.
    Scoring,
    /// Inferring the posterior by way of inducing rows.
    Inferring,
}

/// So many rows of positive weight, or all if there are not more: drawn by the seed, in their order.
pub(in crate::learn) fn drawn(data: &TrainingData, count: usize, purpose: Purpose, seed: u64) -> Vec<usize> {
    let weighs = |row: &usize| data.weights().is_none_or(|weights| weights[*row] > 0.0);
    let rows: Vec<usize> = (0..data.rows()).filter(weighs).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(match purpose {
        Purpose::Judging => 0,
        Purpose::Scoring => 1,
        Purpose::Inferring => 2,
    });
    let mut chosen: Vec<usize> =
        sample(&mut rng, rows.len(), count.min(rows.len())).iter().map(|position| rows[position]).collect();
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Inputs, Sign};
    use gpclass_linalg::Mat;

    #[test]
    fn rows_without_weight_are_never_drawn_and_every_purpose_has_its_own() {
        let n = 1000;
        let inputs = Inputs::continuous(Mat::from_fn(n, 1, |i, _| i as f64));
        let signs: Vec<Sign> = (0..n).map(|i| if i % 2 == 0 { Sign::Positive } else { Sign::Negative }).collect();
        let weights = (0..n).map(|i| if i % 10 == 3 { 0.0 } else { 1.0 }).collect();
        let data = TrainingData::weighted(inputs, signs, Some(weights)).unwrap();
        let scoring = drawn(&data, 200, Purpose::Scoring, 5);
        assert!(scoring.len() == 200 && scoring.is_sorted() && scoring.iter().all(|row| row % 10 != 3));
        assert_eq!(scoring, drawn(&data, 200, Purpose::Scoring, 5));
        assert_ne!(scoring, drawn(&data, 200, Purpose::Scoring, 6));
        assert_ne!(scoring, drawn(&data, 200, Purpose::Inferring, 5));
        assert_eq!(drawn(&data, 5000, Purpose::Judging, 5).len(), 900);
    }
}
