//! Keeping the features that matter and fitting again on them alone (TAN keeps 373 of 2000 genes).

use super::relevance::{PriorRelevance, ranking};
use crate::learn::{Control, FitOptions, LearnError, Selection, fit};
use crate::model::TrainingData;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Which features stay.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeatureChoice {
    /// The most relevant ones, this many.
    Top(usize),
    /// Those whose effect is at least this share of the largest.
    EffectAbove(f64),
}

impl FeatureChoice {
    /// Indices of the features that stay, in their own order; the most relevant one always does.
    pub fn choose(self, relevances: &[PriorRelevance]) -> Vec<usize> {
        let order = ranking(relevances);
        let largest = order.first().map_or(0.0, |&m| relevances[m].effect);
        let count = match self {
            FeatureChoice::Top(count) => count,
            FeatureChoice::EffectAbove(share) => {
                order.iter().take_while(|&&m| relevances[m].effect >= share * largest).count()
            }
        };
        let mut kept = order[..count.clamp(1.min(order.len()), order.len())].to_vec();
        kept.sort_unstable();
        kept
    }
}

/// Fits again on the features that a fit found relevant. The features kept, and the new fit over them.
pub fn refit_on_relevant(
    first: &Selection,
    choice: FeatureChoice,
    options: &FitOptions,
    control: &Control,
) -> Result<(Vec<usize>, Selection), LearnError> {
    let kept = choice.choose(&first.chosen().relevances);
    let data: Arc<TrainingData> = Arc::new(first.fitted().data().with_features(&kept));
    let second = fit(&data, options, control)?;
    Ok((kept, second))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relevances(effects: &[f64]) -> Vec<PriorRelevance> {
        let one = |(m, &effect): (usize, &f64)| PriorRelevance { feature: format!("x{m}"), effect, share: 0.0 };
        effects.iter().enumerate().map(one).collect()
    }

    #[test]
    fn choices_keep_the_order_of_the_features() {
        let r = relevances(&[0.1, 2.0, 0.0, 1.5]);
        assert_eq!(FeatureChoice::Top(2).choose(&r), [1, 3]);
        assert_eq!(FeatureChoice::Top(0).choose(&r), [1]);
        assert_eq!(FeatureChoice::Top(9).choose(&r), [0, 1, 2, 3]);
        assert_eq!(FeatureChoice::EffectAbove(0.5).choose(&r), [1, 3]);
        assert_eq!(FeatureChoice::EffectAbove(0.05).choose(&r), [0, 1, 3]);
    }
}
