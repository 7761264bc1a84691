//! Which features a kernel gives weight to: its weights made comparable as effects on the latent value. The prior says so, not
//! the data: with one lengthscale for all features it is their spread. What matters to predictions is in `explain`.

use crate::data::Inputs;
use crate::kernel::{Apart, Kernel, mean_squares};
use serde::{Deserialize, Serialize};

/// Pairs of rows over which an effect is averaged, at most.
const MAX_PAIRS: usize = 4_000;
/// Such pairs of all features together, about: of many features each has fewer, but every row is in one.
const ALL_PAIRS: usize = 1_000_000;

/// The relevance of one feature to the learned prior.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriorRelevance {
    /// Name of the feature.
    pub feature: String,
    /// Standard deviation, under the learned prior, of the change in the latent value when this feature alone is
    /// replaced by another training row's.
    pub effect: f64,
    /// `effect` as a share of the sum over features.
    pub share: f64,
}

/// Every feature's relevance, in the order of the inputs.
pub fn prior_relevances(kernel: &Kernel, inputs: &Inputs) -> Vec<PriorRelevance> {
    let features = inputs.features();
    let squares = mean_squares(inputs);
    let effect = |m| kernel.effect(&squares, &apart(inputs, m)).max(0.0).sqrt();
    let effects: Vec<f64> = (0..features.len()).map(effect).collect();
    let total: f64 = effects.iter().sum();
    let share = |effect: f64| if total > 0.0 { effect / total } else { 0.0 };
    let pairs = features.iter().zip(&effects);
    pairs.map(|(f, &effect)| PriorRelevance { feature: f.name.clone(), effect, share: share(effect) }).collect()
}

/// The features in order of relevance, most relevant first.
pub(super) fn ranking(relevances: &[PriorRelevance]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..relevances.len()).collect();
    order.sort_by(|&a, &b| relevances[b].effect.total_cmp(&relevances[a].effect));
    order
}

/// Distances in one feature between rows some lags apart: all pairs where there are few rows.
fn apart(inputs: &Inputs, feature: usize) -> Apart {
    let (n, about) = (inputs.rows(), &inputs.features()[feature]);
    let columns: Vec<&[f64]> = about.columns.clone().map(|c| inputs.values().col(c)).collect();
    let pairs = MAX_PAIRS.min(ALL_PAIRS / inputs.features().len());
    let lags = (pairs / n.max(1)).clamp(1, n.saturating_sub(1).max(1));
    let stride = (n.saturating_sub(1) / lags).max(1);
    let pairs = (0..lags).flat_map(|k| (0..n).map(move |i| (i, (i + 1 + k * stride) % n)));
    let distances = pairs.map(|(i, j)| columns.iter().map(|c| (c[i] - c[j]) * (c[i] - c[j])).sum()).collect();
    Apart { feature, kind: about.kind, distances }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Scales;
    use gpclass_linalg::Mat;

    #[test]
    fn units_do_not_matter_and_weights_do() {
        let x = Mat::from_fn(30, 3, |i, j| [1.0, 1e3, 1.0][j] * (((i + 1) * (j + 2)) as f64).sin());
        let inputs = Inputs::continuous(x);
        let kernel = Kernel::squared_exponential(2.0, Scales::Ard(vec![1.0, 1e-6, 1e-9]));
        let r = prior_relevances(&kernel, &inputs);
        assert!((r[0].effect / r[1].effect - 1.0).abs() < 0.2, "{r:?}");
        assert!(r[2].effect < 1e-3 * r[0].effect);
        assert_eq!(ranking(&r)[2], 2);
        assert!((r.iter().map(|r| r.share).sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_constant_feature_has_no_effect() {
        let inputs = Inputs::continuous(Mat::zeros(5, 1));
        let r = prior_relevances(&Kernel::squared_exponential(2.0, Scales::Single(1.0)), &inputs);
        assert_eq!((r[0].effect, r[0].share), (0.0, 0.0));
    }
}
