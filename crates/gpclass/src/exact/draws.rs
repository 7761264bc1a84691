//! Independent draws of the prior, many at a time: one product with a block of vectors reads the factor once for all.

use super::PriorFactor;
use gpclass_linalg::Mat;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

/// Draws per product. More gain little and are lost when a chain ends.
const BLOCK: usize = 32;

/// An endless supply of draws `f = G u`.
pub(super) struct PriorDraws<'a> {
    pub prior: &'a PriorFactor,
    whitened: Mat,
    latent: Mat,
    used: usize,
}

/// `u` and `f = G u`.
pub(super) struct Draw<'a> {
    pub whitened: &'a [f64],
    pub latent: &'a [f64],
}

impl<'a> PriorDraws<'a> {
    pub fn new(prior: &'a PriorFactor) -> PriorDraws<'a> {
        PriorDraws { prior, whitened: Mat::zeros(prior.rank(), 0), latent: Mat::zeros(prior.rows(), 0), used: 0 }
    }

    /// The next draw, by the numbers of `rng` alone.
    pub fn draw(&mut self, rng: &mut impl Rng) -> Draw<'_> {
        if self.used == self.whitened.cols() {
            let numbers = (0..self.prior.rank() * BLOCK).map(|_| StandardNormal.sample(rng)).collect();
            self.whitened = Mat::from_columns(self.prior.rank(), BLOCK, numbers);
            self.latent = self.prior.latents(&self.whitened);
            self.used = 0;
        }
        self.used += 1;
        Draw { whitened: self.whitened.col(self.used - 1), latent: self.latent.col(self.used - 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn draws_are_maps_of_fresh_normals_across_blocks() {
        let k = Mat::from_fn(3, 3, |i, j| (-(i as f64 - j as f64).powi(2)).exp());
        let prior = PriorFactor::new(&k).unwrap();
        let (mut draws, mut rng) = (PriorDraws::new(&prior), ChaCha8Rng::seed_from_u64(1));
        let mut seen: Vec<f64> = Vec::new();
        for _ in 0..2 * BLOCK + 1 {
            let draw = draws.draw(&mut rng);
            let mapped = prior.latent(draw.whitened);
            assert!(mapped.iter().zip(draw.latent).all(|(a, b)| (a - b).abs() < 1e-14));
            assert!(!seen.contains(&draw.whitened[0]));
            seen.push(draw.whitened[0]);
        }
    }
}
