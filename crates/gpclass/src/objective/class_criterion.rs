//! Leave-one-out criteria of several classes: the log-probability as it is, and all others as the mean over the classes of
//! what they are for that class against the rest (macro averages).

use super::criterion::{Criterion, CriterionError, Scored};
use crate::data::{Class, Sign};
use gpclass_linalg::Mat;

/// Leave-one-out predictions of several classes to be scored.
#[derive(Clone, Copy, Debug)]
pub struct ScoredClasses<'a> {
    /// Log-probabilities, rows x classes.
    pub log_p: &'a Mat,
    /// The class of each row.
    pub labels: &'a [Class],
    /// `None` is all ones.
    pub weights: Option<&'a [f64]>,
}

/// A class against the rest.
struct AgainstRest {
    signs: Vec<Sign>,
    /// Of each row's own side.
    log_p: Vec<f64>,
}

impl Criterion {
    /// The number to MAXIMISE, as [`Criterion::value`] is for two classes.
    pub fn value_of_classes(&self, rows: &ScoredClasses<'_>) -> Result<f64, CriterionError> {
        if *self == Criterion::Nlp {
            let own = rows.own_log_p();
            return self.value(&rows.scored(&AgainstRest { signs: vec![Sign::Positive; own.len()], log_p: own }));
        }
        let (mut sum, mut count) = (0.0, 0.0);
        for class in rows.present()? {
            sum += self.value(&rows.scored(&rows.against_rest(class)))?;
            count += 1.0;
        }
        Ok(sum / count)
    }

    /// The derivative of [`value_of_classes`](Self::value_of_classes) in each probability, rows x classes.
    pub fn slopes_of_classes(&self, rows: &ScoredClasses<'_>) -> Result<Mat, CriterionError> {
        let mut slopes = Mat::zeros(rows.log_p.rows(), rows.log_p.cols());
        let present = rows.present()?;
        if *self == Criterion::Nlp {
            let total: f64 = (0..rows.labels.len()).map(|i| rows.weight(i)).sum();
            for (i, class) in rows.labels.iter().enumerate().filter(|(i, _)| rows.weight(*i) > 0.0) {
                let at = (i, class.position());
                slopes[at] = rows.weight(i) / total * (-rows.log_p[at]).exp();
            }
            return Ok(slopes);
        }
        let count = present.len() as f64;
        for class in present {
            let rest = rows.against_rest(class);
            for (i, slope) in self.probability_slopes(&rows.scored(&rest))?.into_iter().enumerate() {
                slopes[(i, class.position())] = rest.signs[i].sign() * slope / count;
            }
        }
        Ok(slopes)
    }
}

impl ScoredClasses<'_> {
    fn weight(&self, i: usize) -> f64 {
        self.weights.map_or(1.0, |w| w[i])
    }

    fn own_log_p(&self) -> Vec<f64> {
        self.labels.iter().enumerate().map(|(i, class)| self.log_p[(i, class.position())]).collect()
    }

    /// Classes that rows of positive weight have; there is one, and rows of others.
    fn present(&self) -> Result<Vec<Class>, CriterionError> {
        let has_rows = |class: &Class| (0..self.labels.len()).any(|i| self.labels[i] == *class && self.weight(i) > 0.0);
        let present: Vec<Class> = Class::first(self.log_p.cols()).filter(has_rows).collect();
        if present.is_empty() { Err(CriterionError::NoRows) } else { Ok(present) }
    }

    fn against_rest(&self, class: Class) -> AgainstRest {
        let own = |label: &Class| if *label == class { Sign::Positive } else { Sign::Negative };
        let signs: Vec<Sign> = self.labels.iter().map(own).collect();
        let log_p = |(i, sign): (usize, &Sign)| match (self.log_p[(i, class.position())], sign) {
            (log, Sign::Positive) => log,
            (log, Sign::Negative) => (-log.exp()).ln_1p(),
        };
        AgainstRest { log_p: signs.iter().enumerate().map(log_p).collect(), signs }
    }

    fn scored<'a>(&'a self, rest: &'a AgainstRest) -> Scored<'a> {
        Scored { log_p: &rest.log_p, labels: &rest.signs, weights: self.weights }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Criterion; 4] =
        [Criterion::Nlp, Criterion::FMeasure { zeta: 0.3 }, Criterion::WeightedError { tau: 0.2 }, Criterion::Auc];

    fn labels() -> Vec<Class> {
        [0, 1, 2, 1, 0, 2].map(Class::from).to_vec()
    }

    fn probabilities() -> Mat {
        let raw = Mat::from_fn(6, 3, |i, c| 0.2 + ((i * 3 + c * 2) as f64 * 0.9).sin().abs());
        Mat::from_fn(6, 3, |i, c| raw[(i, c)] / (0..3).map(|d| raw[(i, d)]).sum::<f64>())
    }

    fn value(criterion: Criterion, p: &Mat, weights: Option<&[f64]>) -> f64 {
        let log_p = Mat::from_fn(6, 3, |i, c| p[(i, c)].ln());
        criterion.value_of_classes(&ScoredClasses { log_p: &log_p, labels: &labels(), weights }).unwrap()
    }

    #[test]
    fn slopes_are_derivatives() {
        let weights = [1.0, 2.0, 0.5, 1.0, 0.0, 1.5];
        let p = probabilities();
        let log_p = Mat::from_fn(6, 3, |i, c| p[(i, c)].ln());
        for criterion in ALL {
            let scored = ScoredClasses { log_p: &log_p, labels: &labels(), weights: Some(&weights) };
            let slopes = criterion.slopes_of_classes(&scored).unwrap();
            for (i, c) in (0..6).flat_map(|i| (0..3).map(move |c| (i, c))) {
                let moved = |step: f64| {
                    let mut p = p.clone();
                    p[(i, c)] += step;
                    value(criterion, &p, Some(&weights))
                };
                let want = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                assert!((slopes[(i, c)] - want).abs() < 1e-8, "{} ({i}, {c}): {want}", criterion.title());
            }
        }
    }

    #[test]
    fn the_f_measure_is_the_mean_over_classes() {
        let p = probabilities();
        let f = |c: usize| {
            let own = |i: usize| labels()[i].position() == c;
            let hit: f64 = (0..6).filter(|&i| own(i)).map(|i| p[(i, c)]).sum();
            let called: f64 = (0..6).map(|i| p[(i, c)]).sum();
            hit / (0.5 * 2.0 + 0.5 * called)
        };
        let want = (f(0) + f(1) + f(2)) / 3.0;
        assert!((value(Criterion::FMeasure { zeta: 0.5 }, &p, None) - want).abs() < 1e-14);
    }
}
