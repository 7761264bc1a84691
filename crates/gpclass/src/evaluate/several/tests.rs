//! Golden values: scikit-learn 1.9 on the rows below, h the first of the most probable classes.

use super::super::calibration::{Binning, CalibrationOptions, calibration_curve};
use super::super::curves::tests::area;
use super::super::curves::{precision_recall_curve, roc_curve};
use super::super::forecasts::tests::{PROBS, WEIGHTS as TWO_WEIGHTS, from_bits, labels as two_labels};
use super::super::{Forecasts, Metric};
use super::*;
use crate::model::Probabilities;
use crate::special::distributions::assert_close;
use gpclass_linalg::Mat;

/// Fourteen rows with tied probabilities.
const ROWS: [[f64; 3]; 14] = [
    [0.70, 0.20, 0.10],
    [0.50, 0.30, 0.20],
    [0.20, 0.70, 0.10],
    [0.60, 0.15, 0.25],
    [0.10, 0.80, 0.10],
    [0.25, 0.50, 0.25],
    [0.45, 0.35, 0.20],
    [0.10, 0.30, 0.60],
    [0.05, 0.90, 0.05],
    [0.10, 0.10, 0.80],
    [0.20, 0.20, 0.60],
    [0.30, 0.45, 0.25],
    [0.05, 0.05, 0.90],
    [0.40, 0.25, 0.35],
];
const LABELS: [u8; 14] = [0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2];
const WEIGHTS: [f64; 14] = [1.0, 2.0, 0.5, 1.0, 1.5, 1.0, 3.0, 1.0, 0.25, 1.0, 2.0, 1.0, 0.5, 1.0];

fn rows_of(rows: &[[f64; 3]]) -> Probabilities {
    Probabilities::new(Mat::from_fn(rows.len(), 3, |i, c| rows[i][c]))
}

fn options() -> ScoreOptions {
    ScoreOptions { zeta: 0.8, ..ScoreOptions::default() }
}

fn scored(weights: Option<&[f64]>, options: &ScoreOptions) -> Scores {
    let (probability, labels) = (rows_of(&ROWS), from_bits(&LABELS));
    let forecasts = ClassForecasts::new(&probability, &labels);
    score_classes(&weights.map_or(forecasts, |weights| forecasts.with_weights(weights)), options).unwrap()
}

fn golden(estimate: Option<Estimate>, value: f64, standard_error: f64) {
    let estimate = estimate.unwrap();
    assert_close(estimate.value, value, 1e-13);
    // Some golden standard errors come from finite differences.
    assert_close(estimate.standard_error.unwrap(), standard_error, 1e-8);
}

// accuracy_score, log_loss, brier_score_loss(scale_by_half=True), then with average='macro' precision_score,
// recall_score, f1_score, fbeta_score with beta^2 = zeta/(1-zeta), and balanced_accuracy_score,
// roc_auc_score(multi_class='ovr'). Standard errors: scipy.stats.sem of the NLP and the Brier score; else the root of the
// sum of squared derivatives in the rows' weights, by central differences of the same functions with sample_weight; of
// the AUC, DeLong's components in numpy, summed over the classes before they are squared.
#[test]
fn overall_scores_match_scikit_learn() {
    let scores = scored(None, &options());
    assert_eq!((scores.rows, scores.positives, scores.clipped), (14, None, 0));
    golden(Some(scores.error), 0.3571428571428571, 0.12806020813527916);
    golden(Some(scores.nlp_nats), 0.6943555723865684, 0.13151457407833264);
    golden(Some(scores.nlp_bits), 0.6943555723865684 / LN_2, 0.13151457407833264 / LN_2);
    golden(Some(scores.brier), 0.20339285714285715, 0.0489130530054822);
    golden(scores.precision, 0.65, 0.12599603169135012);
    golden(scores.recall, 0.65, 0.1259960316878255);
    golden(scores.f_measure, 0.6464285714285715, 0.1266356352848155);
    golden(scores.auc, 0.8958333333333334, 0.07410075659258594);
    assert_eq!(scores.auc_style, scores.recall);
    golden(scored(None, &ScoreOptions::default()).f_measure, 0.6444444444444444, 0.12735475990927303);
    assert_eq!((scores.weighted_error, scores.weighted_error_smoothed), (None, None));
}

// The formulas of math 6 in numpy, for each class against all others, and their mean.
#[test]
fn smoothed_scores_follow_the_formulas() {
    let scores = scored(None, &options());
    assert_close(scores.f_smoothed.unwrap().value, 0.5500716738340501, 1e-14);
    assert_close(scores.auc_style_smoothed.unwrap().value, 0.55, 1e-14);
}

// The same scikit-learn calls with sample_weight; the AUC as the mean of roc_auc_score(y == c, p[:, c], sample_weight).
#[test]
fn weighted_scores_match_scikit_learn() {
    let scores = scored(Some(&WEIGHTS), &options());
    assert_close(scores.error.value, 0.3880597014925373, 1e-14);
    assert_close(scores.nlp_nats.value, 0.7283431189016729, 1e-14);
    assert_close(scores.brier.value, 0.21152985074626865, 1e-14);
    golden(scores.precision, 0.6416122004357298, 0.13207561984046004);
    assert_close(scores.recall.unwrap().value, 0.6442199775533108, 1e-14);
    golden(scores.f_measure, 0.6232027092404451, 0.13622720332003532);
    assert_close(scores.auc.unwrap().value, 0.9202501202501203, 1e-14);
    let confusion = scores.classes.unwrap().confusion;
    let expected = [[4.0, 0.5, 0.0], [3.0, 2.75, 1.0], [1.0, 1.0, 3.5]];
    assert!(confusion.classes().all(|label| confusion.of_label(label) == expected[label.position()]), "{confusion:?}");
}

// confusion_matrix, precision_recall_fscore_support, and for y == c roc_auc_score and brier_score_loss; DeLong's
// standard errors in numpy.
#[test]
fn the_scores_of_each_class_match_scikit_learn() {
    let ClassDetails { confusion, each } = scored(None, &ScoreOptions::default()).classes.unwrap();
    let expected = [[3.0, 1.0, 0.0], [1.0, 3.0, 1.0], [1.0, 1.0, 3.0]];
    assert!(confusion.classes().all(|label| confusion.of_label(label) == expected[label.position()]), "{confusion:?}");
    assert_eq!(each.iter().map(|class| class.rows).collect::<Vec<_>>(), [4, 5, 5]);
    let check = |score: fn(&ClassScores) -> Option<Estimate>, expected: [f64; 3]| {
        let values = each.iter().map(|class| score(class).unwrap().value);
        values.zip(expected).for_each(|(value, expected)| assert_close(value, expected, 1e-14));
    };
    check(|class| class.precision, [0.6, 0.6, 0.75]);
    check(|class| class.recall, [0.75, 0.6, 0.6]);
    check(|class| class.f_measure, [2.0 / 3.0, 0.6, 2.0 / 3.0]);
    check(|class| Some(class.brier), [0.12357142857142857, 0.15517857142857142, 0.12803571428571428]);
    golden(each[0].auc, 0.8875, 0.1191695803839591);
    golden(each[1].auc, 0.8777777777777778, 0.09329364235414814);
    golden(each[2].auc, 0.9222222222222223, 0.06871842709362767);
}

#[test]
fn each_class_scores_like_its_probabilities_alone() {
    let (probability, labels) = (rows_of(&ROWS), from_bits(&LABELS));
    let forecasts = ClassForecasts::new(&probability, &labels).with_weights(&WEIGHTS);
    let scores = score_classes(&forecasts, &options()).unwrap();
    for (class, details) in probability.classes().zip(scores.classes.unwrap().each) {
        let alone = score(&forecasts.of_class(class), &options()).unwrap();
        assert_eq!((details.rows, details.brier), (alone.positives.unwrap(), alone.brier));
        assert_eq!(details.calibration_error, alone.calibration_error);
        let (auc, expected) = (details.auc.unwrap(), alone.auc.unwrap());
        assert_eq!(auc.value, expected.value);
        assert_close(auc.standard_error.unwrap(), expected.standard_error.unwrap(), 1e-14);
    }
}

// numpy: rows in five bins of equal width by their largest probability, |share right - mean probability| of each.
#[test]
fn calibration_is_of_the_class_that_is_called() {
    let calibration =
        CalibrationOptions { bins: 5, least_rows: 1, binning: Binning::EqualWidth, ..CalibrationOptions::default() };
    let scores = scored(None, &ScoreOptions { calibration, ..ScoreOptions::default() });
    assert_close(scores.calibration_error.value, 0.07857142857142857, 1e-13);
    assert_eq!(scores.calibration_error.standard_error, None);
}

#[test]
fn two_classes_give_the_bits_of_the_binary_scores() {
    let labels = two_labels();
    let probability = Probabilities::of_positive(PROBS.to_vec());
    let logs: Vec<f64> = PROBS.iter().map(|p| p.ln() - 0.1).collect();
    let two = ClassForecasts::new(&probability, &labels).with_weights(&TWO_WEIGHTS).with_log_probs(&logs);
    let binary = Forecasts::new(&PROBS, &labels).with_weights(&TWO_WEIGHTS).with_log_probs(&logs);
    let scores = score_classes(&two, &options()).unwrap();
    assert_eq!(scores, score(&binary, &options()).unwrap());
    assert_eq!(scores.classes, None);
}

#[test]
fn several_classes_of_which_there_are_two_agree_with_the_binary_scores() {
    let labels = two_labels();
    let probability = Probabilities::of_positive(PROBS.to_vec());
    let two = ClassForecasts::new(&probability, &labels).with_weights(&TWO_WEIGHTS);
    let (several, binary) = (score_several(&two, &options()).unwrap(), score_classes(&two, &options()).unwrap());
    let same = [
        Metric::Error,
        Metric::NlpNats,
        Metric::NlpBits,
        Metric::Brier,
        Metric::Auc,
        Metric::AucStyle,
        Metric::AucStyleSmoothed,
    ];
    for metric in same {
        let (here, there) = (several.get(metric).unwrap(), binary.get(metric).unwrap());
        assert_close(here.value, there.value, 1e-13);
        assert_close(here.standard_error.unwrap(), there.standard_error.unwrap(), 1e-13);
    }
    let positive = several.classes.unwrap().each.pop().unwrap();
    for (here, there) in [
        (positive.precision, binary.precision),
        (positive.recall, binary.recall),
        (positive.f_measure, binary.f_measure),
    ] {
        golden(here, there.unwrap().value, there.unwrap().standard_error.unwrap());
    }
}

#[test]
fn integer_weights_count_rows() {
    let copies = [1, 2, 0, 3, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1];
    let repeat = |row: usize| std::iter::repeat_n(row, copies[row]);
    let rows: Vec<usize> = (0..14).flat_map(repeat).collect();
    let labels = from_bits(&rows.iter().map(|&row| LABELS[row]).collect::<Vec<_>>());
    let probability = rows_of(&rows.iter().map(|&row| ROWS[row]).collect::<Vec<_>>());
    let copied = score_classes(&ClassForecasts::new(&probability, &labels), &options()).unwrap();
    let weighted = scored(Some(&copies.map(|count| count as f64)), &options());
    assert_eq!((weighted.rows, copied.rows), (13, 18), "rows of weight zero count as absent");
    // Bins hold rows, not weights.
    for metric in Metric::ALL.into_iter().filter(|metric| *metric != Metric::CalibrationError) {
        let value = |scores: &Scores| scores.get(metric).map(|estimate| estimate.value);
        match (value(&weighted), value(&copied)) {
            (Some(here), Some(there)) => assert_close(here, there, 1e-13),
            (here, there) => assert_eq!(here, there, "{metric:?}"),
        }
    }
    assert_eq!(weighted.classes.unwrap().confusion, copied.classes.unwrap().confusion);
}

#[test]
fn the_order_of_the_classes_does_not_matter() {
    let plain = scored(Some(&WEIGHTS), &options());
    // Class c is at place[c].
    let place = [2, 0, 1];
    let moved_rows = ROWS.map(|row| {
        let mut moved = [0.0; 3];
        (0..3).for_each(|c| moved[place[c]] = row[c]);
        moved
    });
    let labels = from_bits(&LABELS.map(|label| place[usize::from(label)] as u8));
    let probability = rows_of(&moved_rows);
    let forecasts = ClassForecasts::new(&probability, &labels).with_weights(&WEIGHTS);
    let moved = score_classes(&forecasts, &options()).unwrap();
    for metric in Metric::ALL {
        let numbers = |scores: &Scores| scores.get(metric).map(|e| (e.value, e.standard_error.unwrap_or(0.0)));
        if let (Some(here), Some(there)) = (numbers(&plain), numbers(&moved)) {
            assert_close(here.0, there.0, 1e-13);
            assert_close(here.1, there.1, 1e-13);
        }
    }
    let (plain, moved) = (plain.classes.unwrap(), moved.classes.unwrap());
    for c in 0..3 {
        assert_eq!(plain.each[c], moved.each[place[c]]);
        for d in 0..3 {
            let at = |details: &ClassDetails, c: usize, d: usize| details.confusion.of_label(Class::at(c).unwrap())[d];
            assert_eq!(at(&plain, c, d), at(&moved, place[c], place[d]));
        }
    }
}

#[test]
fn undefined_scores_are_none_and_never_nan() {
    // Nothing is of class 2 and nothing is called 1; one row of class 1.
    let (probability, labels) = (rows_of(&[[0.8, 0.1, 0.1], [0.3, 0.2, 0.5], [0.6, 0.3, 0.1]]), from_bits(&[0, 0, 1]));
    let scores = score_classes(&ClassForecasts::new(&probability, &labels), &ScoreOptions::default()).unwrap();
    let each = &scores.classes.as_ref().unwrap().each;
    assert_eq!((each[1].precision, each[1].recall.map(|recall| recall.value)), (None, Some(0.0)));
    assert_eq!((each[2].rows, each[2].recall, each[2].auc), (0, None, None));
    assert_eq!(each[2].precision.map(|precision| precision.value), Some(0.0));
    // Classes 0 and 1 have rows: precision (1/2 + 0)/2, recall (1/2 + 0)/2.
    assert_eq!(scores.precision.map(|precision| precision.value), Some(0.25));
    assert_eq!(scores.recall.map(|recall| recall.value), Some(0.25));
    let auc = scores.auc.unwrap();
    assert_eq!((auc.value, auc.standard_error), (0.75, None), "one row says nothing of a spread");
    let one = score_classes(&ClassForecasts::new(&probability, &from_bits(&[0; 3])), &ScoreOptions::default()).unwrap();
    assert_eq!((one.auc, one.recall.map(|recall| recall.value)), (None, Some(2.0 / 3.0)));
    for scores in [&scores, &one] {
        let numbers = Metric::ALL.into_iter().filter_map(|metric| scores.get(metric));
        assert!(numbers.flat_map(|e| [Some(e.value), e.standard_error]).flatten().all(f64::is_finite));
    }
}

#[test]
fn given_log_probabilities_are_exact_and_zeros_are_clipped_openly() {
    let (probability, labels) = (rows_of(&[[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]]), from_bits(&[1, 1]));
    let forecasts = ClassForecasts::new(&probability, &labels);
    let clipped = score_classes(&forecasts, &ScoreOptions::default()).unwrap();
    assert_eq!(clipped.clipped, 1);
    assert_close(clipped.nlp_bits.value, 26.5, 1e-14);
    let exact = score_classes(&forecasts.with_log_probs(&[-2000.0, -1000.0]), &ScoreOptions::default()).unwrap();
    assert_eq!((exact.clipped, exact.nlp_nats.value), (0, 1500.0));
}

#[test]
fn scores_of_several_classes_survive_json_and_older_ones_are_read() {
    let scores = scored(None, &options());
    let mut json = serde_json::to_value(&scores).unwrap();
    assert_eq!(json["classes"]["confusion"][0], serde_json::json!([3.0, 1.0, 0.0]));
    assert_eq!(serde_json::from_value::<Scores>(json.clone()).unwrap(), scores);
    // What files of two classes held before.
    json.as_object_mut().unwrap().remove("classes");
    json["positives"] = 7.into();
    let older: Scores = serde_json::from_value(json.clone()).unwrap();
    assert_eq!((older.positives, &older.classes), (Some(7), &None));
    assert_eq!(serde_json::to_value(&older).unwrap(), json);
}

#[test]
fn bad_numbers_are_named() {
    let (probability, labels) = (rows_of(&ROWS), from_bits(&LABELS));
    let error =
        |forecasts: ClassForecasts| score_classes(&forecasts, &ScoreOptions::default()).unwrap_err().to_string();
    assert_eq!(
        error(ClassForecasts::new(&probability, &labels[..2])),
        "probabilities has 14 entries but there are 2 labels; pass one entry per row"
    );
    assert_eq!(
        error(ClassForecasts::new(&rows_of(&[[0.5, 0.5, 0.5]]), &labels[..1])),
        "the sum of class probabilities of row 0 is 1.5; it must be 1"
    );
    assert_eq!(
        error(ClassForecasts::new(&rows_of(&[[1.5, -0.5, 0.0]]), &labels[..1])),
        "probability of row 0 is 1.5; it must be between 0 and 1"
    );
    assert_eq!(
        error(ClassForecasts::new(&rows_of(&[[0.5, 0.5, 0.0]]), &from_bits(&[3]))),
        "the label of row 0 is at position 3, but there are probabilities of 3 classes, from position 0"
    );
    let fine = ClassForecasts::new(&probability, &labels);
    assert!(error(fine.with_weights(&[-1.0; 14])).starts_with("weight of row 0 is -1"));
    assert!(error(fine.with_log_probs(&[1.0; 14])).starts_with("log probability of row 0 is 1"));
    assert!(error(fine.with_weights(&[1.0])).starts_with("weights has 1 entries"));
    assert!(error(fine.with_weights(&[0.0; 14])).starts_with("there are no rows"));
}

// Areas: roc_auc_score and average_precision_score of y == c.
#[test]
fn curves_show_a_class_against_the_rest() {
    let (probability, labels) = (rows_of(&ROWS), from_bits(&LABELS));
    let forecasts = ClassForecasts::new(&probability, &labels);
    let areas = [[0.8875, 0.8611111111111112], [0.8777777777777778, 0.8083333333333333], [0.9222222222222223, 0.835]];
    for (class, [auc, average_precision]) in probability.classes().zip(areas) {
        let one = forecasts.of_class(class);
        let points = roc_curve(&one, 100).unwrap().unwrap();
        assert_close(area(&points), auc, 1e-13);
        let curve = precision_recall_curve(&one, 100).unwrap().unwrap();
        assert_close(curve.average_precision, average_precision, 1e-13);
        let calibration = calibration_curve(&one, &CalibrationOptions::default()).unwrap();
        let observed: f64 = calibration.bins.iter().map(|bin| bin.share * bin.observed).sum();
        let rows = labels.iter().filter(|label| **label == class).count();
        assert_close(observed, rows as f64 / 14.0, 1e-13);
    }
}
