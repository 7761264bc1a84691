//! How much one feature alone moves the latent value.

use super::{Kernel, Scales};
use crate::data::Inputs;

/// Prior variance of a row, and its covariances with rows that differ in one feature.
struct Pairs {
    variance: f64,
    covariance: Vec<f64>,
}

impl Kernel {
    /// `E[(f(x) - f(x'))²]` under the prior for rows that differ in `feature` alone, averaged over the given squared
    /// distances in it. A linear factor of a product enters with its mean variance over rows whose features have the
    /// given mean squares (see [`mean_squares`]).
    pub fn effect(&self, squares: &[f64], feature: usize, distances: &[f64]) -> f64 {
        let pairs = self.pairs(squares, feature, distances);
        let change: f64 = pairs.covariance.iter().map(|c| 2.0 * (pairs.variance - c)).sum();
        change / distances.len().max(1) as f64
    }

    fn pairs(&self, squares: &[f64], feature: usize, distances: &[f64]) -> Pairs {
        let constant = |value: f64| Pairs { variance: value, covariance: vec![value; distances.len()] };
        let fold = |empty: f64, op: fn(f64, f64) -> f64| {
            self.parts().fold(constant(empty), |mut all, part| {
                let one = part.pairs(squares, feature, distances);
                all.variance = op(all.variance, one.variance);
                all.covariance.iter_mut().zip(one.covariance).for_each(|(a, b)| *a = op(*a, b));
                all
            })
        };
        match self {
            Kernel::Sum(_) | Kernel::PerClass(_) => fold(0.0, |a, b| a + b),
            Kernel::Product(_) => fold(1.0, |a, b| a * b),
            Kernel::Stationary(leaf) => {
                let l = weight(&leaf.scales(), feature);
                let mut covariance: Vec<f64> = distances.iter().map(|d| l * d).collect();
                leaf.profile().apply(leaf.v0(), &mut covariance);
                Pairs { variance: leaf.v0(), covariance }
            }
            Kernel::L1Product(leaf) => {
                let l = weight(&leaf.scales(), feature);
                // The root of a squared distance is the difference, and 0 or 1 for levels.
                let covariance = distances.iter().map(|d| leaf.v0() * (-l * d.sqrt()).exp()).collect();
                Pairs { variance: leaf.v0(), covariance }
            }
            Kernel::Linear(leaf) => {
                let scales = leaf.scales();
                let variance = squares.iter().enumerate().map(|(m, s)| weight(&scales, m) * s).sum();
                let half = 0.5 * weight(&scales, feature);
                Pairs { variance, covariance: distances.iter().map(|d| variance - half * d).collect() }
            }
            Kernel::Bias(leaf) => constant(leaf.v1()),
            // Noise belongs to a row, not to its features: it is left out of both.
            Kernel::Noise(_) => constant(0.0),
        }
    }
}

fn weight(scales: &Scales, feature: usize) -> f64 {
    match scales {
        Scales::Single(l) => *l,
        Scales::Ard(l) => l[feature],
    }
}

/// Mean squared norm of every feature's block.
pub fn mean_squares(inputs: &Inputs) -> Vec<f64> {
    let n = inputs.rows().max(1) as f64;
    let square = |c: usize| inputs.values().col(c).iter().map(|v| v * v).sum::<f64>() / n;
    inputs.features().iter().map(|f| f.columns.clone().map(square).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpclass_linalg::Mat;

    /// Two rows that differ in the second feature only: the effect is read off the Gram matrix.
    #[test]
    fn agrees_with_the_gram_matrix() {
        let inputs = Inputs::continuous(Mat::from_columns(2, 2, vec![0.7, 0.7, -0.4, 0.9]));
        let distance = 1.3_f64 * 1.3;
        let l = || Scales::Ard(vec![0.5, 2.0]);
        for kernel in [
            Kernel::squared_exponential(3.0, l()),
            Kernel::matern32(2.0, l()),
            Kernel::l1_product(1.8, l()),
            Kernel::linear(l()),
            Kernel::squared_exponential(3.0, l()) + Kernel::linear(l()) + Kernel::bias(0.3),
            Kernel::rational_quadratic(1.5, 0.7, l()) * Kernel::matern52(0.5, Scales::Single(0.2)),
        ] {
            let k = kernel.gram(&inputs);
            let want = k[(0, 0)] + k[(1, 1)] - 2.0 * k[(0, 1)];
            let squares = mean_squares(&inputs);
            let got = kernel.effect(&squares, 1, &[distance]);
            assert!((got - want).abs() < 1e-12, "{}: {got} and {want}", kernel.describe());
            assert!(kernel.effect(&squares, 0, &[0.0]).abs() < 1e-15);
        }
    }
}
