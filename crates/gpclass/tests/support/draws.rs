//! Seeded draws of the papers' synthetic data.

// Every test program that includes this file uses its own part of it.
#![allow(dead_code)]

use gpclass::data::{Inputs, Sign};
use gpclass::linalg::Mat;
use gpclass::model::TrainingData;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};
use std::sync::Arc;

pub struct Draw {
    pub train: Arc<TrainingData>,
    /// Training rows whose label was flipped.
    pub flipped: Vec<usize>,
    pub test: Inputs,
    pub test_labels: Vec<Sign>,
}

fn label(positive: bool) -> Sign {
    if positive { Sign::Positive } else { Sign::Negative }
}

/// EMEP section 5.1, ROBUST section 6: uniform in a square, positive outside the circle x1² + x2² = 0.5.
pub fn circle(seed: u64, n: usize, flips: usize) -> Draw {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let all = Mat::from_fn(1000, 2, |_, _| rng.random_range(-1.0..1.0));
    let labels: Vec<Sign> = (0..1000).map(|i| label(all[(i, 0)].powi(2) + all[(i, 1)].powi(2) >= 0.5)).collect();
    let mut flipped: Vec<usize> = (0..n).collect();
    flipped.shuffle(&mut rng);
    flipped.truncate(flips);
    let inputs = Inputs::continuous(all);
    let (first, rest): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (n..1000).collect());
    let flip = |i: usize| if flipped.contains(&i) { labels[i].flipped() } else { labels[i] };
    let train =
        TrainingData::new(inputs.select_rows(&first), (0..n).map(flip).collect::<Vec<_>>()).expect("valid data");
    Draw { train: Arc::new(train), flipped, test: inputs.select_rows(&rest), test_labels: labels[n..].to_vec() }
}

/// EMEP section 5.1: three features with mean y and three of pure noise.
pub fn six_features(seed: u64, n: usize) -> Draw {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let total = n + 1000;
    let labels: Vec<Sign> = (0..total).map(|i| label(i % 2 == 0)).collect();
    let x = Mat::from_fn(total, 6, |i, j| {
        let noise: f64 = StandardNormal.sample(&mut rng);
        noise + if j < 3 { labels[i].sign() } else { 0.0 }
    });
    let inputs = Inputs::continuous(x);
    let (first, rest): (Vec<usize>, Vec<usize>) = ((0..n).collect(), (n..total).collect());
    let train = TrainingData::new(inputs.select_rows(&first), labels[..n].to_vec()).expect("valid data");
    Draw {
        train: Arc::new(train),
        flipped: Vec::new(),
        test: inputs.select_rows(&rest),
        test_labels: labels[n..].to_vec(),
    }
}
