//! The area under the ROC curve.

use super::error::check_length;
use super::estimate::{Statistic, mean};
use super::forecasts::{Row, check_weight};
use super::{Estimate, EvaluateError};
use crate::data::Class;

/// P(score of a positive > score of a negative) + P(equal)/2, for any real scores: Mann-Whitney, O(n log n), with
/// DeLong's standard error (None with fewer than two rows of a class). None with one class only.
pub fn auc(scores: &[f64], labels: &[Class], weights: Option<&[f64]>) -> Result<Option<Estimate>, EvaluateError> {
    check_length("scores", labels.len(), scores.len())?;
    check_length("weights", labels.len(), weights.map_or(labels.len(), <[f64]>::len))?;
    let mut cases = Vec::with_capacity(scores.len());
    for (row, (&score, &label)) in scores.iter().zip(labels).enumerate() {
        if score.is_nan() {
            return Err(EvaluateError::Value { what: "score", row, value: score, wanted: "a number" });
        }
        let weight = weights.map_or(1.0, |w| w[row]);
        check_weight(row, weight)?;
        if weight > 0.0 {
            cases.push(Case { row, score, positive: label == Class::POSITIVE, weight });
        }
    }
    Ok(area(cases))
}

pub(super) fn auc_of_rows(rows: &[Row]) -> Option<Estimate> {
    area(cases_of(rows))
}

/// The AUC with the influence of each row: DeLong's components, each about the mean of its class.
pub(super) fn auc_statistic(rows: &[Row]) -> Option<Statistic> {
    let sides = components(cases_of(rows))?;
    let value = mean(sides[1].iter().map(Component::weighted))?.value;
    let mut influence = Some(vec![0.0; rows.len()]);
    for side in &sides {
        let of_side = Statistic::influence_on_mean(side.iter().map(Component::weighted));
        influence = influence.zip(of_side).map(|(mut all, of_side)| {
            side.iter().zip(of_side).for_each(|(component, u)| all[component.row] = u);
            all
        });
    }
    Some(Statistic { value, influence })
}

fn cases_of(rows: &[Row]) -> Vec<Case> {
    let case = |(row, r): (usize, &Row)| Case { row, score: r.prob, positive: r.positive, weight: r.weight };
    rows.iter().enumerate().map(case).collect()
}

#[derive(Clone, Copy)]
struct Case {
    row: usize,
    score: f64,
    positive: bool,
    weight: f64,
}

/// For a case the weighted share of the other class on its right side, ties counting half.
struct Component {
    row: usize,
    weight: f64,
    share: f64,
}

impl Component {
    fn weighted(&self) -> (f64, f64) {
        (self.weight, self.share)
    }
}

/// The structural components of DeLong, DeLong & Clarke-Pearson (1988), of the negatives and of the positives, by
/// increasing score. Their means are the AUC, their spreads its two variance terms. None with one class only.
fn components(mut cases: Vec<Case>) -> Option<[Vec<Component>; 2]> {
    let total = |positive: bool| cases.iter().filter(|c| c.positive == positive).map(|c| c.weight).sum::<f64>();
    let (positives, negatives) = (total(true), total(false));
    if positives <= 0.0 || negatives <= 0.0 {
        return None;
    }
    cases.sort_by(|a, b| a.score.total_cmp(&b.score));
    let mut components: [Vec<Component>; 2] = Default::default();
    let (mut positives_below, mut negatives_below) = (0.0, 0.0);
    for tied in cases.chunk_by(|a, b| a.score == b.score) {
        let weight_of = |positive: bool| tied.iter().filter(|c| c.positive == positive).map(|c| c.weight).sum::<f64>();
        let (tied_positives, tied_negatives) = (weight_of(true), weight_of(false));
        let positive_share = (negatives_below + 0.5 * tied_negatives) / negatives;
        let negative_share = 1.0 - (positives_below + 0.5 * tied_positives) / positives;
        for &Case { row, positive, weight, .. } in tied {
            let share = if positive { positive_share } else { negative_share };
            components[usize::from(positive)].push(Component { row, weight, share });
        }
        positives_below += tied_positives;
        negatives_below += tied_negatives;
    }
    Some(components)
}

fn area(cases: Vec<Case>) -> Option<Estimate> {
    let [of_negatives, of_positives] = components(cases)?.map(|side| mean(side.iter().map(Component::weighted)));
    let (over_positives, over_negatives) = (of_positives?, of_negatives?);
    let standard_error = over_positives.standard_error.zip(over_negatives.standard_error).map(|(p, n)| p.hypot(n));
    Some(Estimate { value: over_positives.value, standard_error })
}

#[cfg(test)]
mod tests {
    use super::super::forecasts::tests::{PROBS, WEIGHTS, from_bits, labels};
    use super::*;
    use crate::special::distributions::assert_close;

    // Values: sklearn.metrics.roc_auc_score(y, p, sample_weight=w); the standard error: DeLong's definition in numpy,
    // psi = (X[:,None] > Y) + .5 (X[:,None] == Y), sqrt(psi.mean(1).var(ddof=1)/m + psi.mean(0).var(ddof=1)/n).
    #[test]
    fn matches_scikit_learn_and_delong() {
        let plain = auc(&PROBS, &labels(), None).unwrap().unwrap();
        assert_close(plain.value, 0.7714285714285715, 1e-14);
        assert_close(plain.standard_error.unwrap(), 0.15197117521174236, 1e-13);
        let weighted = auc(&PROBS, &labels(), Some(&WEIGHTS)).unwrap().unwrap();
        assert_close(weighted.value, 0.8270676691729324, 1e-14);
    }

    #[test]
    fn equal_weights_change_nothing_and_zero_weights_drop_rows() {
        let plain = auc(&PROBS, &labels(), None).unwrap().unwrap();
        let doubled = auc(&PROBS, &labels(), Some(&[2.0; 12])).unwrap().unwrap();
        assert_close(doubled.standard_error.unwrap(), plain.standard_error.unwrap(), 1e-14);
        let mut weights = [1.0; 12];
        weights[11] = 0.0;
        assert_eq!(auc(&PROBS, &labels(), Some(&weights)), auc(&PROBS[..11], &labels()[..11], None));
    }

    #[test]
    fn one_class_is_undefined_and_one_row_has_no_error() {
        assert_eq!(auc(&[0.1, 0.2], &from_bits(&[1, 1]), None).unwrap(), None);
        let single = auc(&[0.1, f64::INFINITY], &from_bits(&[0, 1]), None).unwrap().unwrap();
        assert_eq!((single.value, single.standard_error), (1.0, None));
        assert!(auc(&[f64::NAN], &from_bits(&[1]), None).is_err());
    }
}
