//! Scores averaged over folds or splits, and several methods side by side.

use super::ranks::{Better, average_ranks};
use super::resampled::{check_test_to_train, resampling_factor};
use crate::evaluate::estimate::mean;
use crate::evaluate::{Estimate, EvaluateError, Metric, Scores};
use serde::{Deserialize, Serialize};

/// How the runs behind a mean depend on each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Runs {
    /// Not at all: standard error s.d./sqrt(runs).
    Independent,
    /// Splits of one data set, whose training sets overlap: s.d. sqrt(1/runs + test/train) (Nadeau & Bengio 2003).
    Resampled {
        /// Rows tested over rows trained on in one split: 1/(k-1) for k folds.
        test_to_train: f64,
    },
}

/// One metric over runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Mean over the runs in which the metric is defined.
    pub mean: Estimate,
    /// Standard deviation between them; None with one run.
    pub standard_deviation: Option<f64>,
    /// How many they are.
    pub runs: usize,
}

/// Mean and spread of one metric over runs; None if it is defined in none of them.
pub fn summarise(scores: &[Scores], metric: Metric, runs: Runs) -> Result<Option<Summary>, EvaluateError> {
    if let Runs::Resampled { test_to_train } = runs {
        check_test_to_train(test_to_train)?;
    }
    let values: Vec<f64> = scores.iter().filter_map(|s| s.get(metric)).map(|estimate| estimate.value).collect();
    let count = values.len();
    let factor = match runs {
        Runs::Independent => 1.0,
        Runs::Resampled { test_to_train } => resampling_factor(count, test_to_train),
    };
    Ok(mean(values.into_iter().map(|value| (1.0, value))).map(|naive| Summary {
        mean: Estimate { standard_error: naive.standard_error.map(|e| e * factor), ..naive },
        standard_deviation: naive.standard_error.map(|e| e * (count as f64).sqrt()),
        runs: count,
    }))
}

/// Several methods on the same runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    methods: Vec<String>,
    /// One list per method, one entry per run.
    scores: Vec<Vec<Scores>>,
    runs: Runs,
}

/// One line of the side-by-side table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ComparisonRow {
    /// The score that the line is about.
    pub metric: Metric,
    /// One entry per method; None where the metric is defined in no run.
    pub summaries: Vec<Option<Summary>>,
    /// The methods with the best mean: several if they tie.
    pub best: Vec<usize>,
    /// Average rank of each method over the runs in which all have a value; None with fewer than two such runs.
    pub average_ranks: Option<Vec<f64>>,
}

impl Comparison {
    /// Named methods with one entry of scores per run, the same runs in the same order for each.
    pub fn new(methods: Vec<(String, Vec<Scores>)>, runs: Runs) -> Result<Self, EvaluateError> {
        if let Runs::Resampled { test_to_train } = runs {
            check_test_to_train(test_to_train)?;
        }
        let expected = methods.first().map_or(0, |(_, scores)| scores.len());
        if expected == 0 {
            return Err(EvaluateError::TooFew { test: "a comparison", what: "runs", needed: 1, found: 0 });
        }
        if let Some(row) = methods.iter().position(|(_, scores)| scores.len() != expected) {
            return Err(EvaluateError::Ragged { row, expected, found: methods[row].1.len() });
        }
        let (methods, scores) = methods.into_iter().unzip();
        Ok(Comparison { methods, scores, runs })
    }

    /// Names of the methods.
    pub fn methods(&self) -> &[String] {
        &self.methods
    }

    /// `[run][method]` values over the runs in which every method has one: what the rank tests take.
    pub fn values(&self, metric: Metric) -> Vec<Vec<f64>> {
        let value = |scores: &Scores| scores.get(metric).map(|estimate| estimate.value);
        let run = |i: usize| self.scores.iter().map(|method| value(&method[i])).collect::<Option<Vec<f64>>>();
        (0..self.scores[0].len()).filter_map(run).collect()
    }

    /// Values of two methods over the runs in which both have one: what the paired tests take. Methods by position;
    /// None if either does not exist.
    pub fn paired(&self, metric: Metric, first: usize, second: usize) -> Option<(Vec<f64>, Vec<f64>)> {
        let (first, second) = (self.scores.get(first)?, self.scores.get(second)?);
        let values = first.iter().zip(second).filter_map(|(a, b)| Some((a.get(metric)?.value, b.get(metric)?.value)));
        Some(values.unzip())
    }

    /// The line of one metric.
    pub fn row(&self, metric: Metric) -> Result<ComparisonRow, EvaluateError> {
        let summaries: Vec<Option<Summary>> =
            self.scores.iter().map(|scores| summarise(scores, metric, self.runs)).collect::<Result<_, _>>()?;
        let better = if metric.lower_is_better() { Better::Lower } else { Better::Higher };
        let best = best_of(&summaries, better);
        // Too few runs or methods for ranks is no fault of the table: it simply shows none.
        let average_ranks = average_ranks(&self.values(metric), better).ok();
        Ok(ComparisonRow { metric, summaries, best, average_ranks })
    }

    /// The whole table, one line per metric.
    pub fn table(&self) -> Result<Vec<ComparisonRow>, EvaluateError> {
        Metric::ALL.into_iter().map(|metric| self.row(metric)).collect()
    }
}

fn best_of(summaries: &[Option<Summary>], better: Better) -> Vec<usize> {
    let pick = if better == Better::Lower { f64::min } else { f64::max };
    let mean = |summary: &Option<Summary>| summary.map(|s| s.mean.value);
    let best = summaries.iter().filter_map(mean).reduce(pick);
    (0..summaries.len()).filter(|&i| best.is_some() && mean(&summaries[i]) == best).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::forecasts::tests::from_bits;
    use crate::evaluate::{Forecasts, ScoreOptions, score};
    use crate::special::distributions::assert_close;

    fn scores(probs: &[f64], bits: &[u8]) -> Scores {
        score(&Forecasts::new(probs, &from_bits(bits)), &ScoreOptions::default()).unwrap()
    }

    /// Error rates 1/4, 0, 2/4; the second run holds one class only, so it has no AUC.
    fn good() -> Vec<Scores> {
        vec![
            scores(&[0.9, 0.2, 0.7, 0.1], &[1, 0, 0, 0]),
            scores(&[0.1, 0.2], &[0, 0]),
            scores(&[0.9, 0.2, 0.7, 0.1], &[1, 0, 0, 1]),
        ]
    }

    /// Error rates 1/4, 1/2, 3/4.
    fn poor() -> Vec<Scores> {
        vec![
            scores(&[0.4, 0.2, 0.3, 0.1], &[1, 0, 0, 0]),
            scores(&[0.6, 0.2], &[0, 0]),
            scores(&[0.4, 0.6, 0.3, 0.1], &[1, 0, 0, 1]),
        ]
    }

    // numpy on [0.25, 0, 0.5]: mean 0.25, std(ddof=1) 0.25.
    #[test]
    fn mean_and_errors_over_runs() {
        let plain = summarise(&good(), Metric::Error, Runs::Independent).unwrap().unwrap();
        assert_eq!((plain.mean.value, plain.runs), (0.25, 3));
        assert_close(plain.standard_deviation.unwrap(), 0.25, 1e-14);
        assert_close(plain.mean.standard_error.unwrap(), 0.25 / 3f64.sqrt(), 1e-14);
        let resampled = summarise(&good(), Metric::Error, Runs::Resampled { test_to_train: 0.5 }).unwrap().unwrap();
        assert_close(resampled.mean.standard_error.unwrap(), 0.25 * (1f64 / 3.0 + 0.5).sqrt(), 1e-14);
        assert_eq!(summarise(&good(), Metric::Auc, Runs::Independent).unwrap().unwrap().runs, 2);
        assert_eq!(summarise(&[], Metric::Auc, Runs::Independent).unwrap(), None);
        assert!(summarise(&good(), Metric::Auc, Runs::Resampled { test_to_train: f64::NAN }).is_err());
    }

    #[test]
    fn methods_side_by_side() {
        let methods = vec![("poor".to_owned(), poor()), ("good".to_owned(), good())];
        let comparison = Comparison::new(methods, Runs::Independent).unwrap();
        let row = comparison.row(Metric::Error).unwrap();
        assert_eq!(row.best, [1]);
        assert_eq!(row.average_ranks.unwrap(), [(1.5 + 2.0 + 2.0) / 3.0, (1.5 + 1.0 + 1.0) / 3.0]);
        assert_eq!(comparison.values(Metric::Error), [[0.25, 0.25], [0.5, 0.0], [0.75, 0.5]]);
        assert_eq!(comparison.values(Metric::Auc).len(), 2);
        let (first, second) = comparison.paired(Metric::Error, 1, 0).unwrap();
        assert_eq!((first, second), (vec![0.25, 0.0, 0.5], vec![0.25, 0.5, 0.75]));
        assert_eq!(comparison.paired(Metric::Error, 0, 2), None);
        assert_eq!(comparison.table().unwrap().len(), Metric::ALL.len());
    }

    #[test]
    fn unequal_runs_are_named() {
        let methods = vec![("a".to_owned(), good()), ("b".to_owned(), good()[..2].to_vec())];
        assert!(matches!(Comparison::new(methods, Runs::Independent), Err(EvaluateError::Ragged { row: 1, .. })));
        assert!(Comparison::new(vec![], Runs::Independent).is_err());
    }
}
