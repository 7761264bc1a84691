//! Golden values: scikit-learn 1.9 and scipy 1.17 on the rows of `forecasts::tests`, h = (p > 0.5).

use super::super::forecasts::tests::{PROBS, WEIGHTS, from_bits, labels};
use super::*;
use crate::special::distributions::assert_close;

fn options() -> ScoreOptions {
    ScoreOptions { zeta: 0.8, tau: 0.25, ..ScoreOptions::default() }
}

fn golden(estimate: Option<Estimate>, value: f64, standard_error: f64) {
    let estimate = estimate.unwrap();
    assert_close(estimate.value, value, 1e-13);
    // Some golden standard errors come from finite differences.
    assert_close(estimate.standard_error.unwrap(), standard_error, 1e-8);
}

// sklearn.metrics: accuracy_score, log_loss, brier_score_loss, precision_score, recall_score, fbeta_score with
// beta^2 = zeta/(1-zeta), accuracy_score with negatives weighted by tau, balanced_accuracy_score. Standard errors:
// sqrt(e(1-e)/n), scipy.stats.sem, and the multinomial delta method on the confusion table for the rest.
#[test]
fn unweighted_scores_match_scikit_learn() {
    let labels = labels();
    let scores = score(&Forecasts::new(&PROBS, &labels), &options()).unwrap();
    assert_eq!((scores.rows, scores.positives, scores.clipped), (12, Some(7), 0));
    golden(Some(scores.error), 0.41666666666666663, 0.14231876063832774);
    golden(Some(scores.nlp_nats), 0.5342110635731585, 0.14349394978611082);
    golden(Some(scores.nlp_bits), 0.5342110635731585 / LN_2, 0.14349394978611082 / LN_2);
    golden(Some(scores.brier), 0.186875, 0.061210272366505766);
    golden(scores.precision, 0.6666666666666666, 0.1924500897247262);
    golden(scores.recall, 0.5714285714285714, 0.18704390591502146);
    golden(scores.f_measure, 0.5882352941176471, 0.17214315521217313);
    golden(scores.weighted_error, 0.4242424242424242, 0.1621526698897508);
    golden(scores.auc_style, 0.5857142857142856, 0.1440359527537378);
    let f1 = score(&Forecasts::new(&PROBS, &labels), &ScoreOptions::default()).unwrap();
    golden(f1.f_measure, 0.6153846153846154, 0.15877405755705215);
    assert_eq!(f1.weighted_error, Some(f1.error));
}

// The formulas of math 6 in numpy: A = p[y==1].sum(), m = p.sum().
#[test]
fn smoothed_scores_follow_the_formulas() {
    let labels = labels();
    let scores = score(&Forecasts::new(&PROBS, &labels), &options()).unwrap();
    assert_close(scores.f_smoothed.unwrap().value, 0.6676342525399129, 1e-14);
    assert_close(scores.weighted_error_smoothed.unwrap().value, 0.3469696969696969, 1e-14);
    assert_close(scores.auc_style_smoothed.unwrap().value, 0.6435714285714287, 1e-14);
}

// The same scikit-learn calls with sample_weight.
#[test]
fn weighted_scores_match_scikit_learn() {
    let labels = labels();
    let scores = score(&Forecasts::new(&PROBS, &labels).with_weights(&WEIGHTS), &options()).unwrap();
    assert_close(scores.error.value, 0.42622950819672134, 1e-14);
    assert_close(scores.nlp_nats.value, 0.4702176312755187, 1e-14);
    assert_close(scores.brier.value, 0.15950819672131147, 1e-14);
    assert_close(scores.precision.unwrap().value, 0.7857142857142857, 1e-14);
    assert_close(scores.recall.unwrap().value, 0.5238095238095238, 1e-14);
    assert_close(scores.f_measure.unwrap().value, 0.5612244897959183, 1e-14);
    assert_close(scores.weighted_error.unwrap().value, 0.4598930481283422, 1e-14);
    assert_close(scores.auc_style.unwrap().value, 0.6040100250626567, 1e-14);
}

#[test]
fn given_log_probabilities_are_exact_and_zeros_are_clipped_openly() {
    let labels = from_bits(&[1, 0]);
    let probs = [0.0, 1.0];
    let clipped = score(&Forecasts::new(&probs, &labels), &ScoreOptions::default()).unwrap();
    assert_eq!(clipped.clipped, 2);
    assert_close(clipped.nlp_bits.value, 52.0, 1e-14);
    let logs = [-2000.0, -1000.0];
    let exact = score(&Forecasts::new(&probs, &labels).with_log_probs(&logs), &ScoreOptions::default()).unwrap();
    assert_eq!((exact.clipped, exact.nlp_nats.value), (0, 1500.0));
}

#[test]
fn undefined_scores_are_none_and_never_nan() {
    let labels = from_bits(&[0, 0, 0]);
    let scores = score(&Forecasts::new(&[0.1, 0.2, 0.3], &labels), &ScoreOptions::default()).unwrap();
    assert_eq!([scores.precision, scores.recall, scores.f_measure, scores.auc, scores.auc_style], [None; 5]);
    assert_eq!(scores.error.value, 0.0);
    let single = score(&Forecasts::new(&[0.4], &labels[..1]), &ScoreOptions::default()).unwrap();
    assert_eq!(single.brier.standard_error, None);
    let numbers = Metric::ALL.into_iter().filter_map(|m| single.get(m));
    assert!(numbers.flat_map(|e| [Some(e.value), e.standard_error]).flatten().all(f64::is_finite));
}

#[test]
fn names_are_the_fields_and_survive_json() {
    let labels = labels();
    let scores = score(&Forecasts::new(&PROBS, &labels), &ScoreOptions::default()).unwrap();
    let json = serde_json::to_value(&scores).unwrap();
    for metric in Metric::ALL {
        assert_eq!(json[metric.name()]["value"].as_f64(), scores.get(metric).map(|e| e.value));
        assert_eq!(serde_json::to_value(metric).unwrap(), metric.name());
    }
    assert_eq!(serde_json::from_value::<Scores>(json).unwrap(), scores);
}

#[test]
fn information_of_knowing_nothing_is_zero() {
    let nlp = Estimate { value: 1.0, standard_error: None };
    assert_eq!(information_bits(nlp, &[0.5, 0.5]).value, 0.0);
    assert_eq!(information_bits(nlp, &[0.0, 1.0]).value, -1.0);
    assert_eq!(information_bits(nlp, &[0.25; 4]).value, 1.0);
}

#[test]
fn bad_options_are_named() {
    let labels = labels();
    let bad = ScoreOptions { zeta: 1.5, ..ScoreOptions::default() };
    let error = score(&Forecasts::new(&PROBS, &labels), &bad).unwrap_err();
    assert_eq!(error.to_string(), "option zeta is 1.5; it must be between 0 and 1");
}
