//! Smooth scores of leave-one-out probabilities (EPCV section 3).
//!
//! With `p_i` the probability of row `i`'s own label predicted from the other rows, all but the first are functions of
//! the smoothed confusion matrix: `A` and `B` (positive rows, predicted positive and negative), `C` (negative rows
//! predicted positive). A row of weight `w` counts `w` times; weight 0 leaves it out.

use crate::data::Sign;

/// A score of leave-one-out predictions.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Criterion {
    /// The mean negative log-probability of the labels (EPCV 6).
    #[default]
    Nlp,
    /// The smoothed F-measure (EPCV 10): `zeta = 0` is precision, 1 is recall, 1/2 the usual F.
    FMeasure {
        /// Weight of recall, from 0 to 1.
        zeta: f64,
    },
    /// The smoothed weighted error rate (EPCV 11): a false positive costs `tau` times a false negative.
    WeightedError {
        /// Cost of a false positive in units of a false negative, not negative.
        tau: f64,
    },
    /// The mean of the smoothed true positive and true negative rates (EPCV 12).
    Auc,
}

/// Leave-one-out predictions to be scored.
#[derive(Clone, Copy, Debug)]
pub struct Scored<'a> {
    /// The log-probability of each row's own label.
    pub log_p: &'a [f64],
    /// The label of each row.
    pub labels: &'a [Sign],
    /// `None` is all ones.
    pub weights: Option<&'a [f64]>,
}

/// Why a criterion has no value.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum CriterionError {
    /// `zeta` is outside of 0 to 1, or not a number: this one.
    #[error("zeta of the F-measure is {0}; it must lie between 0 (precision) and 1 (recall)")]
    Zeta(f64),
    /// `tau` is negative, infinite or not a number: this one.
    #[error("tau of the weighted error rate is {0}; it must be finite and not negative")]
    Tau(f64),
    /// A parameter was given to a criterion that does not have it.
    #[error("the {criterion} has no parameter {parameter}; leave it out")]
    NoParameter {
        /// What the criterion is called in sentences.
        criterion: &'static str,
        /// The parameter: `zeta` or `tau`.
        parameter: &'static str,
    },
    /// No row has a positive weight.
    #[error("no row has a positive weight, so there is nothing to score; give some row a weight above zero")]
    NoRows,
    /// A class that the criterion is a rate of has no rows of positive weight.
    #[error(
        "the {criterion} is undefined without {missing} rows; use the mean negative log-probability or give rows of both \
         classes"
    )]
    OneClass {
        /// What the criterion is called in sentences.
        criterion: &'static str,
        /// The class without rows: `positive` or `negative`.
        missing: &'static str,
    },
}

/// Weighted counts: rows of each class, and the smoothed confusion matrix.
#[derive(Clone, Copy, Debug, Default)]
struct Confusion {
    positives: f64,
    negatives: f64,
    /// `A` (EPCV 8).
    true_positives: f64,
    /// `B`, summed on its own: `n+ - A` cancels.
    false_negatives: f64,
    /// `C`.
    false_positives: f64,
}

/// A criterion and its partial derivatives in `A` and `C` (with `B = n+ - A`).
struct Partials {
    value: f64,
    by_true_positives: f64,
    by_false_positives: f64,
}

impl Criterion {
    /// What it is called in sentences.
    pub fn title(&self) -> &'static str {
        match self {
            Criterion::Nlp => "mean negative log-probability",
            Criterion::FMeasure { .. } => "F-measure",
            Criterion::WeightedError { .. } => "weighted error rate",
            Criterion::Auc => "AUC",
        }
    }

    /// Whether its numbers are in their domain.
    pub fn check(&self) -> Result<(), CriterionError> {
        match *self {
            Criterion::FMeasure { zeta } if !(0.0..=1.0).contains(&zeta) => Err(CriterionError::Zeta(zeta)),
            Criterion::WeightedError { tau } if !(tau.is_finite() && tau >= 0.0) => Err(CriterionError::Tau(tau)),
            _ => Ok(()),
        }
    }

    /// The number to MAXIMISE: minus the NLP, F, minus the error rate, AUC.
    pub fn value(&self, rows: &Scored<'_>) -> Result<f64, CriterionError> {
        match self.partials(rows)? {
            Some(partials) => Ok(partials.value),
            None => Ok(rows.counted().map(|(i, w)| w * rows.log_p[i]).sum::<f64>() / rows.total()), // EPCV (6)
        }
    }

    /// A value in the criterion's own sense: the NLP and the error rate are small for good models.
    pub fn reported(&self, value: f64) -> f64 {
        match self {
            Criterion::Nlp | Criterion::WeightedError { .. } => -value,
            Criterion::FMeasure { .. } | Criterion::Auc => value,
        }
    }

    /// The derivative of [`value`](Self::value) in each `p_i`, of every criterion but the NLP.
    pub(super) fn probability_slopes(&self, rows: &Scored<'_>) -> Result<Vec<f64>, CriterionError> {
        let mut slopes = vec![0.0; rows.labels.len()];
        if let Some(by) = self.partials(rows)? {
            rows.counted().for_each(|(i, w)| slopes[i] = w * by.at_label(rows.labels[i]));
        }
        Ok(slopes)
    }

    /// The derivative of [`value`](Self::value) in each `log p_i`.
    pub fn slopes(&self, rows: &Scored<'_>) -> Result<Vec<f64>, CriterionError> {
        let mut slopes = vec![0.0; rows.labels.len()];
        let partials = self.partials(rows)?;
        let total = rows.total();
        for (i, w) in rows.counted() {
            slopes[i] = match &partials {
                None => w / total,                                                 // EPCV (15)
                Some(by) => w * rows.log_p[i].exp() * by.at_label(rows.labels[i]), // EPCV (16)
            };
        }
        Ok(slopes)
    }

    /// The criterion as a function of the confusion matrix; `None` for the NLP, which is not one.
    fn partials(&self, rows: &Scored<'_>) -> Result<Option<Partials>, CriterionError> {
        self.check()?;
        let counts = rows.confusion();
        if counts.positives + counts.negatives == 0.0 {
            return Err(CriterionError::NoRows);
        }
        match *self {
            Criterion::Nlp => Ok(None),
            Criterion::FMeasure { zeta } => {
                self.needs(counts.positives, "positive")?;
                Ok(Some(counts.f_measure(zeta)))
            }
            Criterion::WeightedError { tau } => {
                self.needs(counts.positives + tau * counts.negatives, "positive")?;
                Ok(Some(counts.weighted_error(tau)))
            }
            Criterion::Auc => {
                self.needs(counts.positives, "positive")?;
                self.needs(counts.negatives, "negative")?;
                Ok(Some(counts.auc()))
            }
        }
    }

    fn needs(&self, count: f64, missing: &'static str) -> Result<(), CriterionError> {
        if count > 0.0 { Ok(()) } else { Err(CriterionError::OneClass { criterion: self.title(), missing }) }
    }
}

impl Partials {
    /// d value / d p for a row of this label: `C` sums `1 - p` over the negative rows.
    fn at_label(&self, label: Sign) -> f64 {
        match label {
            Sign::Positive => self.by_true_positives,
            Sign::Negative => -self.by_false_positives,
        }
    }
}

impl Confusion {
    fn f_measure(&self, zeta: f64) -> Partials {
        let (a, c) = (self.true_positives, self.false_positives);
        let size = zeta * self.positives + (1.0 - zeta) * (a + c); // EPCV (10)
        if size == 0.0 {
            // Precision of nothing: every probability of the positive class has underflowed.
            return Partials { value: 0.0, by_true_positives: 0.0, by_false_positives: 0.0 };
        }
        let rest = zeta * self.positives + (1.0 - zeta) * c;
        Partials {
            value: a / size,
            by_true_positives: rest / size / size,
            by_false_positives: -(1.0 - zeta) * a / size / size,
        }
    }

    fn weighted_error(&self, tau: f64) -> Partials {
        let size = self.positives + tau * self.negatives;
        Partials {
            value: -(self.false_negatives + tau * self.false_positives) / size, // EPCV (11)
            by_true_positives: 1.0 / size,
            by_false_positives: -tau / size,
        }
    }

    fn auc(&self) -> Partials {
        let (a, c) = (self.true_positives / self.positives, self.false_positives / self.negatives);
        Partials {
            value: 0.5 * (1.0 + a - c), // EPCV (12)
            by_true_positives: 0.5 / self.positives,
            by_false_positives: -0.5 / self.negatives,
        }
    }
}

impl Scored<'_> {
    /// Rows of positive weight, with their weights.
    fn counted(&self) -> impl Iterator<Item = (usize, f64)> {
        let weight = |i| self.weights.map_or(1.0, |w| w[i]);
        (0..self.labels.len()).map(move |i| (i, weight(i))).filter(|&(_, w)| w > 0.0)
    }

    fn total(&self) -> f64 {
        self.counted().map(|(_, w)| w).sum()
    }

    fn confusion(&self) -> Confusion {
        let mut counts = Confusion::default();
        for (i, w) in self.counted() {
            let wrong = -w * self.log_p[i].exp_m1();
            match self.labels[i] {
                Sign::Positive => {
                    counts.positives += w;
                    counts.true_positives += w * self.log_p[i].exp();
                    counts.false_negatives += wrong;
                }
                Sign::Negative => {
                    counts.negatives += w;
                    counts.false_positives += wrong;
                }
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::Objective;

    const ALL: [Criterion; 4] =
        [Criterion::Nlp, Criterion::FMeasure { zeta: 0.3 }, Criterion::WeightedError { tau: 0.2 }, Criterion::Auc];
    const LABELS: [Sign; 4] = [Sign::Positive, Sign::Negative, Sign::Positive, Sign::Negative];

    fn scored(log_p: &[f64]) -> Scored<'_> {
        Scored { log_p, labels: &LABELS[..log_p.len()], weights: None }
    }

    #[test]
    fn values_are_those_worked_out_by_hand() {
        // p = 0.8, 0.7, 0.4, 0.9: A = 1.2, B = 0.8, C = 0.3 + 0.1 = 0.4, n+ = n- = 2.
        let log_p = [0.8, 0.7, 0.4, 0.9].map(f64::ln);
        let rows = scored(&log_p);
        let want = [
            -(0.8_f64 * 0.7 * 0.4 * 0.9).ln() / 4.0,
            1.2 / (0.3 * 2.0 + 0.7 * 1.6),
            (0.8 + 0.2 * 0.4) / (2.0 + 0.2 * 2.0),
            0.5 * (1.0 + 0.6 - 0.2),
        ];
        for (criterion, want) in ALL.iter().zip(want) {
            let got = criterion.reported(criterion.value(&rows).unwrap());
            assert!((got - want).abs() < 1e-15, "{}: {got}, not {want}", criterion.title());
        }
    }

    #[test]
    fn slopes_are_derivatives() {
        let log_p = [-0.2, -0.9, -1.7, -0.05];
        let weights = [1.0, 2.5, 0.5, 1.0];
        for criterion in ALL {
            let value =
                |log_p: &[f64]| criterion.value(&Scored { log_p, labels: &LABELS, weights: Some(&weights) }).unwrap();
            let slopes = criterion.slopes(&Scored { log_p: &log_p, labels: &LABELS, weights: Some(&weights) }).unwrap();
            for i in 0..4 {
                let h = 1e-5;
                let at = |step: f64| {
                    let mut moved = log_p;
                    moved[i] += step;
                    value(&moved)
                };
                let want = (at(h) - at(-h)) / (2.0 * h);
                assert!((slopes[i] - want).abs() < 1e-9, "{} row {i}: {} {want}", criterion.title(), slopes[i]);
            }
        }
    }

    #[test]
    fn a_weight_counts_rows_and_zero_leaves_out_even_the_impossible() {
        let labels = [Sign::Positive, Sign::Negative, Sign::Positive];
        let weighted =
            Scored { log_p: &[-0.3, -0.6, f64::NEG_INFINITY], labels: &labels, weights: Some(&[2.0, 1.0, 0.0]) };
        let plain = Scored { log_p: &[-0.3, -0.6, -0.3], labels: &labels, weights: None };
        for criterion in ALL {
            let (a, b) = (criterion.value(&weighted).unwrap(), criterion.value(&plain).unwrap());
            assert!((a - b).abs() < 1e-15);
            assert_eq!(criterion.slopes(&weighted).unwrap()[2], 0.0);
        }
    }

    #[test]
    fn one_class_is_an_error_where_the_score_is_undefined_and_a_number_elsewhere() {
        let log_p = [-0.1, -0.2];
        for (labels, defined) in
            [([Sign::Positive; 2], [true, true, true, false]), ([Sign::Negative; 2], [true, false, true, false])]
        {
            let rows = Scored { log_p: &log_p, labels: &labels, weights: None };
            for (criterion, defined) in ALL.iter().zip(defined) {
                match criterion.value(&rows) {
                    Ok(value) => assert!(defined && value.is_finite(), "{} gave {value}", criterion.title()),
                    Err(error) => assert!(!defined && matches!(error, CriterionError::OneClass { .. })),
                }
            }
        }
        let nobody = Scored { log_p: &log_p, labels: &[Sign::Positive; 2], weights: Some(&[0.0, 0.0]) };
        assert_eq!(Criterion::Nlp.value(&nobody), Err(CriterionError::NoRows));
    }

    #[test]
    fn numbers_outside_their_domain_are_refused_in_files_and_in_code() {
        for bad in [Criterion::FMeasure { zeta: 1.5 }, Criterion::WeightedError { tau: -1.0 }] {
            assert!(bad.value(&scored(&[-0.1, -0.2])).is_err());
            let text = serde_json::to_string(&Objective::leave_one_out(bad)).unwrap();
            assert!(serde_json::from_str::<Objective>(&text).is_err(), "{text}");
        }
        for good in ALL.map(Objective::leave_one_out) {
            let text = serde_json::to_string(&good).unwrap();
            assert_eq!(serde_json::from_str::<Objective>(&text).unwrap(), good);
        }
    }

    #[test]
    fn precision_of_nothing_is_zero_not_nan() {
        let rows = scored(&[f64::NEG_INFINITY, 0.0]);
        let precision = Criterion::FMeasure { zeta: 0.0 };
        assert_eq!(precision.value(&rows), Ok(0.0));
        assert_eq!(precision.slopes(&rows), Ok(vec![0.0, 0.0]));
    }
}
