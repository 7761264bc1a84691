//! Cavity variances as they follow the precisions of the other rows, to first order.

use super::DenseFactor;
use crate::posterior::Marginals;
use gpclass_linalg::{SingleInverse, SingleMat};

/// Below this value of `tau_i Sigma_ii` a row's cavity is taken to stay where it is: its site says next to nothing.
const WEAK: f64 = 1e-5;
/// Cavity variances that would shrink or grow by more than this factor are out of reach of a first-order step.
const REACH: f64 = 3.0;

/// `d s_i / d tau_j = -Sigma_ij² / (1 - tau_i Sigma_ii)²` for `j != i` (the own site is not part of a cavity), with
/// `Sigma_ij = -(B⁻¹)_ij / (tau_i tau_j)^½`: the squares of one inverse in single precision.
pub(crate) struct CavityTrend {
    /// `(B⁻¹)_ij²`, zero on the diagonal; its lower triangle.
    squares: SingleMat,
    tau: Vec<f64>,
    /// The cavity variances of whole sites.
    s: Vec<f64>,
    /// `1 / (tau_i Sigma_ii (1 - tau_i Sigma_ii))`, zero where the site is weak.
    scale: Vec<f64>,
}

impl CavityTrend {
    pub(super) fn new(inverse: &SingleInverse, tau: Vec<f64>, marginals: &Marginals) -> Self {
        let mut squares = inverse.whole();
        for j in 0..tau.len() {
            let column = squares.lower_mut(j);
            column[0] = 0.0;
            column.iter_mut().for_each(|w| *w *= *w);
        }
        let slack = &marginals.slack;
        let s = marginals.var.iter().zip(slack).map(|(v, slack)| v / slack).collect();
        let scale = slack.iter().map(|slack| if 1.0 - slack < WEAK { 0.0 } else { 1.0 / (slack * (1.0 - slack)) });
        CavityTrend { squares, scale: scale.collect(), tau, s }
    }

    /// The cavity variances of whole sites at other precisions, `s / (1 + x)`, which is exact where one other site moves far;
    /// `None` where that is out of reach.
    pub fn at(&self, tau: &[f64]) -> Option<Vec<f64>> {
        let moved: Vec<f64> = tau.iter().zip(&self.tau).map(|(new, old)| new / old - 1.0).collect();
        let sums = self.squares.symmetric_mul(&moved);
        let factors = sums.iter().zip(&self.scale).map(|(sum, scale)| 1.0 + sum * scale);
        let within = |factor: f64| (1.0 / REACH..REACH).contains(&factor);
        factors.zip(&self.s).map(|(factor, s)| within(factor).then(|| s / factor)).collect()
    }
}

impl DenseFactor {
    /// How the cavity variances follow the precisions; `None` where some site is not positive, or before [`Self::with_marginals`].
    pub(in crate::posterior) fn trend(&self, marginals: &Marginals) -> Option<CavityTrend> {
        let inverse = self.inverse.as_ref().filter(|_| self.tau.iter().all(|t| *t > 0.0))?;
        let single = SingleInverse::known(self.tau.len(), |j, out| {
            out.iter_mut().zip(&inverse.col(j)[j..]).for_each(|(out, l)| *out = *l as f32);
        });
        Some(CavityTrend::new(&single, self.tau.clone(), marginals))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prior::Prior;
    use gpclass_linalg::Mat;

    #[test]
    fn it_is_the_derivative_of_cavity_variances() {
        let n = 9;
        let k = Mat::from_fn(n, n, |i, j| 2.0 * (-(i as f64 - j as f64).powi(2) / 8.0).exp() + 0.1 * f64::from(i == j));
        let Prior::Dense(prior) = Prior::from_covariance(k) else { panic!("one matrix") };
        let tau: Vec<f64> = (0..n).map(|i| 0.2 + 0.3 * (i as f64).sin().abs()).collect();
        let cavities = |tau: &[f64]| {
            let (factor, marginals) = DenseFactor::new(&prior, tau, None).unwrap().with_marginals().unwrap();
            let s: Vec<f64> = marginals.var.iter().zip(&marginals.slack).map(|(v, slack)| v / slack).collect();
            (s, factor.trend(&marginals))
        };
        let (here, trend) = cavities(&tau);
        let trend = trend.unwrap();
        assert!(trend.at(&tau).unwrap().iter().zip(&here).all(|(a, b)| (a - b).abs() < 1e-12));
        for step in [1e-2, 1e-3] {
            let near: Vec<f64> = tau.iter().enumerate().map(|(i, t)| t * (1.0 + step * (i as f64).cos())).collect();
            let (want, _) = cavities(&near);
            for ((got, want), here) in trend.at(&near).unwrap().iter().zip(&want).zip(&here) {
                assert!((got - want).abs() < step * step * here, "{step}: {got} {want}");
            }
        }
        assert!(trend.at(&vec![1e9; n]).is_none());
        assert!(cavities(&[&tau[1..], &[-0.01]].concat()).1.is_none());
    }
}
