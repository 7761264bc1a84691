//! ROC and precision-recall curves, thinned for plotting.

use super::forecasts::Row;
use super::{EvaluateError, Forecasts};
use serde::{Deserialize, Serialize};

/// One point of the ROC curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RocPoint {
    /// Rows with at least this probability are called positive; None: no row is.
    pub threshold: Option<f64>,
    /// Share of negatives called positive.
    pub false_positive_rate: f64,
    /// Share of positives called positive.
    pub true_positive_rate: f64,
}

/// One point of the precision-recall curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrecisionRecallPoint {
    /// Rows with at least this probability are called positive.
    pub threshold: f64,
    /// Share of positives called positive.
    pub recall: f64,
    /// Share of positives among rows called positive.
    pub precision: f64,
}

/// A precision-recall curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrecisionRecallCurve {
    /// By increasing recall.
    pub points: Vec<PrecisionRecallPoint>,
    /// Average precision sum (R_k - R_{k-1}) P_k over all points, before thinning.
    pub average_precision: f64,
}

/// The ROC curve from (0, 0) to (1, 1), at most `max_points` (at least 2) points; None with one class only.
///
/// Points on a straight line between their neighbours are left out first; then points are kept evenly along the curve.
pub fn roc_curve(forecasts: &Forecasts, max_points: usize) -> Result<Option<Vec<RocPoint>>, EvaluateError> {
    check_max_points(max_points)?;
    let steps = steps(&forecasts.rows()?);
    let Some(Step { positives, negatives, .. }) = steps.last().copied().filter(Step::has_both_classes) else {
        return Ok(None);
    };
    let origin = RocPoint { threshold: None, false_positive_rate: 0.0, true_positive_rate: 0.0 };
    let points: Vec<RocPoint> = std::iter::once(origin)
        .chain(steps.iter().map(|step| RocPoint {
            threshold: Some(step.threshold),
            false_positive_rate: step.negatives / negatives,
            true_positive_rate: step.positives / positives,
        }))
        .collect();
    let coordinates = |p: &RocPoint| (p.false_positive_rate, p.true_positive_rate);
    Ok(Some(thin(without_straight_runs(points, coordinates), coordinates, max_points)))
}

/// The precision-recall curve, at most `max_points` (at least 2) points; None without a positive row.
pub fn precision_recall_curve(
    forecasts: &Forecasts,
    max_points: usize,
) -> Result<Option<PrecisionRecallCurve>, EvaluateError> {
    check_max_points(max_points)?;
    let steps = steps(&forecasts.rows()?);
    let Some(positives) = steps.last().map(|step| step.positives).filter(|weight| *weight > 0.0) else {
        return Ok(None);
    };
    let points: Vec<PrecisionRecallPoint> = steps
        .iter()
        .map(|step| PrecisionRecallPoint {
            threshold: step.threshold,
            recall: step.positives / positives,
            precision: step.positives / (step.positives + step.negatives),
        })
        .collect();
    let mut reached = 0.0;
    let average_precision = points
        .iter()
        .map(|point| (point.recall - std::mem::replace(&mut reached, point.recall)) * point.precision)
        .sum();
    let points = thin(points, |point| (point.recall, point.precision), max_points);
    Ok(Some(PrecisionRecallCurve { points, average_precision }))
}

/// Weights of both classes at or above a threshold.
#[derive(Clone, Copy)]
struct Step {
    threshold: f64,
    positives: f64,
    negatives: f64,
}

impl Step {
    fn has_both_classes(&self) -> bool {
        self.positives > 0.0 && self.negatives > 0.0
    }
}

/// One step per distinct probability, from the highest down.
fn steps(rows: &[Row]) -> Vec<Step> {
    let mut sorted = rows.to_vec();
    sorted.sort_by(|a, b| b.prob.total_cmp(&a.prob));
    let (mut positives, mut negatives) = (0.0, 0.0);
    sorted
        .chunk_by(|a, b| a.prob == b.prob)
        .map(|tied| {
            for row in tied {
                *(if row.positive { &mut positives } else { &mut negatives }) += row.weight;
            }
            Step { threshold: tied[0].prob, positives, negatives }
        })
        .collect()
}

fn check_max_points(max_points: usize) -> Result<(), EvaluateError> {
    if max_points >= 2 {
        return Ok(());
    }
    Err(EvaluateError::Option { option: "max_points", value: max_points as f64, wanted: "at least 2" })
}

/// Drops points between neighbours with which they share a horizontal or vertical line: the drawing does not change.
fn without_straight_runs<P: Copy>(points: Vec<P>, coordinates: impl Fn(&P) -> (f64, f64)) -> Vec<P> {
    let straight = |i: usize| {
        let [before, here, after] = [&points[i - 1], &points[i], &points[i + 1]].map(&coordinates);
        (before.0 == here.0 && here.0 == after.0) || (before.1 == here.1 && here.1 == after.1)
    };
    let last = points.len() - 1;
    (0..points.len()).filter(|&i| i == 0 || i == last || !straight(i)).map(|i| points[i]).collect()
}

/// Both ends and the first points to reach even steps of the curve's length (|dx| + |dy|).
fn thin<P: Copy>(points: Vec<P>, coordinates: impl Fn(&P) -> (f64, f64), max_points: usize) -> Vec<P> {
    if points.len() <= max_points {
        return points;
    }
    let mut travelled = 0.0;
    let mut lengths = vec![0.0];
    for pair in points.windows(2) {
        let (from, to) = (coordinates(&pair[0]), coordinates(&pair[1]));
        travelled += (to.0 - from.0).abs() + (to.1 - from.1).abs();
        lengths.push(travelled);
    }
    let last = points.len() - 1;
    let mut kept = vec![points[0]];
    let mut next = 1;
    for (point, length) in points[..last].iter().zip(&lengths).skip(1) {
        let goal = travelled * next as f64 / (max_points - 1) as f64;
        if *length >= goal && next < max_points - 1 {
            kept.push(*point);
            next += 1;
        }
    }
    kept.push(points[last]);
    kept
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::forecasts::tests::{PROBS, WEIGHTS, from_bits, labels};
    use super::*;
    use crate::special::distributions::assert_close;

    pub fn area(points: &[RocPoint]) -> f64 {
        let trapezium = |w: &[RocPoint]| {
            (w[1].false_positive_rate - w[0].false_positive_rate)
                * 0.5
                * (w[0].true_positive_rate + w[1].true_positive_rate)
        };
        points.windows(2).map(trapezium).sum()
    }

    // sklearn.metrics.roc_auc_score: the area under the drawn curve is the AUC, thinned of straight runs or not.
    #[test]
    fn roc_encloses_the_auc() {
        let labels = labels();
        let forecasts = Forecasts::new(&PROBS, &labels);
        let points = roc_curve(&forecasts, 100).unwrap().unwrap();
        assert_close(area(&points), 0.7714285714285715, 1e-14);
        let weighted = roc_curve(&forecasts.with_weights(&WEIGHTS), 100).unwrap().unwrap();
        assert_close(area(&weighted), 0.8270676691729324, 1e-14);
    }

    // sklearn.metrics.roc_curve(y, p): rates at thresholds; collinear points along an axis are dropped here.
    #[test]
    fn roc_points_match_scikit_learn() {
        let labels = labels();
        let points = roc_curve(&Forecasts::new(&PROBS, &labels), 100).unwrap().unwrap();
        let golden = [
            (None, 0.0, 0.0),
            (Some(0.9), 0.0, 2.0 / 7.0),
            (Some(0.8), 0.2, 3.0 / 7.0),
            (Some(0.7), 0.2, 4.0 / 7.0),
            (Some(0.55), 0.4, 4.0 / 7.0),
            (Some(0.45), 0.4, 6.0 / 7.0),
            (Some(0.3), 0.6, 1.0),
            (Some(0.05), 1.0, 1.0),
        ];
        assert_eq!(points.len(), golden.len());
        for (point, (threshold, fpr, tpr)) in points.iter().zip(golden) {
            assert_eq!(point.threshold, threshold);
            assert!((point.false_positive_rate - fpr).abs() < 1e-15 && (point.true_positive_rate - tpr).abs() < 1e-15);
        }
    }

    // sklearn.metrics.precision_recall_curve and average_precision_score(y, p, sample_weight=w).
    #[test]
    fn precision_recall_matches_scikit_learn() {
        let labels = labels();
        let forecasts = Forecasts::new(&PROBS, &labels);
        let curve = precision_recall_curve(&forecasts, 100).unwrap().unwrap();
        let precision = [1.0, 1.0, 0.75, 0.8, 0.66666667, 0.71428571, 0.75, 0.7, 0.63636364, 0.58333333];
        assert_eq!(curve.points.len(), precision.len());
        assert!(curve.points.iter().zip(precision).all(|(point, p)| (point.precision - p).abs() < 1e-8));
        assert_close(curve.average_precision, 0.8163265306122447, 1e-14);
        let weighted = precision_recall_curve(&forecasts.with_weights(&WEIGHTS), 100).unwrap().unwrap();
        assert_close(weighted.average_precision, 0.9080636294922009, 1e-14);
    }

    #[test]
    fn thinning_keeps_ends_limit_and_shape() {
        let n = 5000;
        let probs: Vec<f64> = (0..n).map(|i| i as f64 / n as f64).collect();
        let bits: Vec<u8> = (0..n).map(|i| u8::from((i * 7919) % n < i)).collect();
        let labels = from_bits(&bits);
        let forecasts = Forecasts::new(&probs, &labels);
        let full = roc_curve(&forecasts, usize::MAX).unwrap().unwrap();
        let thinned = roc_curve(&forecasts, 50).unwrap().unwrap();
        assert!(full.len() > 1000 && (40..=50).contains(&thinned.len()), "{} {}", full.len(), thinned.len());
        assert_eq!((thinned.first(), thinned.last()), (full.first(), full.last()));
        assert!((area(&full) - area(&thinned)).abs() < 2e-3);
    }

    #[test]
    fn one_class_has_no_curve() {
        let labels = from_bits(&[0, 0]);
        let forecasts = Forecasts::new(&[0.1, 0.2], &labels);
        assert_eq!(roc_curve(&forecasts, 10).unwrap(), None);
        assert_eq!(precision_recall_curve(&forecasts, 10).unwrap(), None);
        assert!(roc_curve(&forecasts, 1).is_err());
    }
}
