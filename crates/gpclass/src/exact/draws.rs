//! Independent draws of a Gaussian, many at a time: one product with a block of vectors reads the factor once for all.

use super::reference::Reference;
use gpclass_linalg::Mat;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

/// Draws per product. More gain little and are lost when a chain ends.
const BLOCK: usize = 32;

/// An endless supply of draws.
pub(super) struct Draws<'a> {
    reference: &'a Reference<'a>,
    standard: Mat,
    deviation: Mat,
    used: usize,
}

/// `z` and `map z`.
pub(super) struct Draw<'a> {
    pub standard: &'a [f64],
    pub deviation: &'a [f64],
}

impl<'a> Draws<'a> {
    pub fn new(reference: &'a Reference<'a>) -> Draws<'a> {
        Draws { reference, standard: Mat::zeros(0, 0), deviation: Mat::zeros(0, 0), used: 0 }
    }

    /// The next draw, by the numbers of `rng` alone.
    pub fn draw(&mut self, rng: &mut impl Rng) -> Draw<'_> {
        if self.used == self.standard.cols() {
            let rank = self.reference.rank();
            let numbers = (0..rank * BLOCK).map(|_| StandardNormal.sample(rng)).collect();
            self.standard = Mat::from_columns(rank, BLOCK, numbers);
            self.deviation = self.reference.deviations(&self.standard);
            self.used = 0;
        }
        self.used += 1;
        Draw { standard: self.standard.col(self.used - 1), deviation: self.deviation.col(self.used - 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::{PriorFactor, Terms};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn draws_are_maps_of_fresh_normals_across_blocks() {
        let k = Mat::from_fn(3, 3, |i, j| (-(i as f64 - j as f64).powi(2)).exp());
        let prior = PriorFactor::new(&k).unwrap();
        let terms = Terms { rows: 3, width: 1, log_p: &|_, _| 0.0, threshold: None };
        let reference = Reference::prior(prior.map(), &terms);
        let (mut draws, mut rng) = (Draws::new(&reference), ChaCha8Rng::seed_from_u64(1));
        let mut seen: Vec<f64> = Vec::new();
        for _ in 0..2 * BLOCK + 1 {
            let draw = draws.draw(&mut rng);
            let mapped = prior.latent(draw.standard);
            assert!(mapped.iter().zip(draw.deviation).all(|(a, b)| (a - b).abs() < 1e-14));
            assert!(!seen.contains(&draw.standard[0]));
            seen.push(draw.standard[0]);
        }
    }
}
