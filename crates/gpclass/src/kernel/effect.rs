//! How much one feature alone moves the latent value.

use super::columns::equal;
use super::{Kernel, Scales};
use crate::data::{FeatureKind, Inputs};

/// How far rows are apart that differ in one feature alone.
#[derive(Clone, Debug)]
pub struct Apart {
    /// The feature's position.
    pub feature: usize,
    /// What it is.
    pub kind: FeatureKind,
    /// Squared distances; 0 or 1 of levels.
    pub distances: Vec<f64>,
}

/// Prior variance of a row, and its covariances with rows that differ in one feature.
struct Pairs {
    variance: f64,
    covariance: Vec<f64>,
}

impl Kernel {
    /// `E[(f(x) - f(x'))²]` under the prior for rows that differ in one feature alone, averaged over how far they
    /// are apart. A linear factor of a product enters with its mean variance over rows whose features have the
    /// given mean squares (see [`mean_squares`]).
    pub fn effect(&self, squares: &[f64], apart: &Apart) -> f64 {
        let pairs = self.pairs(squares, apart);
        let change: f64 = pairs.covariance.iter().map(|c| 2.0 * (pairs.variance - c)).sum();
        change / apart.distances.len().max(1) as f64
    }

    fn pairs(&self, squares: &[f64], apart: &Apart) -> Pairs {
        let &Apart { feature, kind, ref distances } = apart;
        let constant = |value: f64| Pairs { variance: value, covariance: vec![value; distances.len()] };
        let fold = |empty: f64, op: fn(f64, f64) -> f64| {
            self.parts().fold(constant(empty), |mut all, part| {
                let one = part.pairs(squares, apart);
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
            Kernel::Additive(leaf) => {
                let scales = leaf.scales();
                let (variance, own) = ((0..squares.len()).map(|m| weight(&scales, m)).sum(), weight(&scales, feature));
                let left = |d: &f64| match kind {
                    FeatureKind::Continuous => leaf.decay(*d),
                    FeatureKind::Discrete => equal(*d, 0.0),
                };
                Pairs { variance, covariance: distances.iter().map(|d| variance - own * (1.0 - left(d))).collect() }
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
    use crate::data::Feature;
    use gpclass_linalg::Mat;
    use std::f64::consts::FRAC_1_SQRT_2;

    /// Two rows that differ in the second feature only.
    fn number() -> Inputs {
        Inputs::continuous(Mat::from_columns(2, 2, vec![0.7, 0.7, -0.4, 0.9]))
    }

    /// The same, where that feature is one of two levels.
    fn levels() -> Inputs {
        let feature = |name: &str, kind, columns| Feature { name: name.to_owned(), kind, columns };
        let features = vec![feature("x", FeatureKind::Continuous, 0..1), feature("site", FeatureKind::Discrete, 1..3)];
        Inputs::new(features, Mat::from_columns(2, 3, vec![0.7, 0.7, FRAC_1_SQRT_2, 0.0, 0.0, FRAC_1_SQRT_2]))
    }

    /// The effect is read off the Gram matrix.
    #[test]
    fn agrees_with_the_gram_matrix() {
        let l = || Scales::Ard(vec![0.5, 2.0]);
        for kernel in [
            Kernel::squared_exponential(3.0, l()),
            Kernel::matern32(2.0, l()),
            Kernel::l1_product(1.8, l()),
            Kernel::additive(l(), 0.3),
            Kernel::linear(l()),
            Kernel::squared_exponential(3.0, l()) + Kernel::linear(l()) + Kernel::bias(0.3),
            Kernel::rational_quadratic(1.5, 0.7, l()) * Kernel::matern52(0.5, Scales::Single(0.2)),
        ] {
            for (inputs, distance) in [(number(), 1.3_f64 * 1.3), (levels(), 1.0)] {
                let k = kernel.gram(&inputs);
                let want = k[(0, 0)] + k[(1, 1)] - 2.0 * k[(0, 1)];
                let squares = mean_squares(&inputs);
                let apart = |feature: usize, distance| {
                    let kind = inputs.features()[feature].kind;
                    kernel.effect(&squares, &Apart { feature, kind, distances: vec![distance] })
                };
                let got = apart(1, distance);
                assert!((got - want).abs() < 1e-12, "{}: {got} and {want}", kernel.describe());
                assert!(apart(0, 0.0).abs() < 1e-15);
            }
        }
    }
}
