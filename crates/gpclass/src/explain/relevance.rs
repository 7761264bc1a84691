//! Which features matter to what is predicted: exchange one between rows and see by how much the probabilities change.
//!
//! The numbers come from the predictions alone, so that they mean the same for every model and every mixture of models,
//! and a feature that a model could use but does not has none of it (math 11.2). How much predictions change says what the model
//! does with a feature, be it noise that it fitted; how much worse left-out rows are predicted then says whether it does them good.

use crate::data::{Class, Inputs};
use crate::evaluate::Estimate;
use crate::evaluate::estimate::mean;
use crate::kernel::Exchanged;
use crate::model::{Probabilities, evenly};
use gpclass_linalg::{Mat, map_tasks};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Rows whose features are exchanged, at most and, where the budget is short, at least.
const ROWS: (usize, usize) = (200, 12);
/// Exchanges of every feature, at most.
const EXCHANGES: usize = 4;
/// Floating-point operations of all predictions together, about: a second or two.
const BUDGET: f64 = 2e10;
/// Standard errors by which a difference must exceed zero to be told.
const CERTAIN: f64 = 2.0;

/// How much one feature matters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Relevance {
    /// Name of the feature.
    pub feature: String,
    /// Mean change of the predicted probabilities of training rows when the feature alone is replaced by another row's
    /// value: half the sum over the classes of the absolute changes, so from 0 to 1.
    pub effect: f64,
    /// Its standard error over the rows; not a number in models that were saved before it was told.
    #[serde(default = "unknown")]
    pub error: f64,
    /// `effect` as a share of the sum over features.
    pub share: f64,
    /// By how many nats the labels of left-out rows are predicted worse on average with the feature of another row: around zero
    /// for a feature that does not carry the label, whatever its effect. Not known of fits by way of inducing rows, of groups, and
    /// in models that were saved before it was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<Estimate>,
}

impl Relevance {
    /// Whether left-out rows show that the feature carries something of the label; true where that is not known.
    pub fn is_borne_out(&self) -> bool {
        let Some(Estimate { value, standard_error }) = self.gain else { return true };
        value > CERTAIN * standard_error.unwrap_or(0.0)
    }
}

/// What is predicted of rows some of which have a feature of another one.
pub struct Seen {
    /// By all labels.
    pub by_all: Probabilities,
    /// Log-probabilities of the classes without the row's own label, where they can be had.
    pub left_out: Option<Mat>,
}

fn unknown() -> f64 {
    f64::NAN
}

/// What the exchanges of all features may cost: floating-point operations of the prediction of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowCost(pub f64);

/// Training rows whose features are exchanged, and with which others. Large tables are sampled: rows evenly spaced, and fewer
/// exchanges the more a prediction costs.
pub struct Sample<'a> {
    training: &'a Inputs,
    rows: Vec<usize>,
    /// Of every exchange: for every training row the one whose value it gets.
    donors: Vec<Vec<usize>>,
}

impl<'a> Sample<'a> {
    /// What the budget allows for.
    pub fn new(training: &'a Inputs, cost: RowCost) -> Self {
        let n = training.rows();
        let affordable = BUDGET / (cost.0.max(1.0) * training.features().len().max(1) as f64);
        let rows = evenly(n, ROWS.0.min(affordable as usize).max(ROWS.1));
        let exchanges = ((affordable / rows.len().max(1) as f64) as usize).clamp(1, EXCHANGES);
        Sample { training, rows, donors: (0..exchanges).map(|k| donors(n, k)).collect() }
    }

    /// The training rows that get others' values.
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    /// Rows that have a feature of another one, column by column.
    pub fn written_out(&self, feature: usize, exchanged: &[Exchanged]) -> Inputs {
        let (values, columns) = (self.training.values(), self.training.features()[feature].columns.clone());
        let value = |k: usize, c: usize| {
            let (at, donor) = exchanged[k];
            values[(if columns.contains(&c) { donor } else { self.rows[at] }, c)]
        };
        Inputs::new(self.training.features().to_vec(), Mat::from_fn(exchanged.len(), values.cols(), value))
    }

    /// Rows with donors whose value is another: an equal one changes nothing.
    fn exchanged(&self, feature: usize) -> Vec<Exchanged> {
        let (values, columns) = (self.training.values(), self.training.features()[feature].columns.clone());
        let differs = |i: usize, j: usize| columns.clone().any(|c| values[(i, c)] != values[(j, c)]);
        let each = |at: usize| self.donors.iter().map(move |donors| (at, donors[self.rows[at]]));
        (0..self.rows.len()).flat_map(each).filter(|&(at, donor)| differs(self.rows[at], donor)).collect()
    }

    /// For every row the change of its probabilities and what its label loses, averaged over the exchanges.
    fn changes<E>(
        &self,
        feature: usize,
        own: &Seen,
        labels: &[Class],
        predict: impl Fn(usize, &[Exchanged]) -> Result<Seen, E>,
    ) -> Result<Changes, E> {
        let exchanged = self.exchanged(feature);
        let none = || vec![0.0; self.rows.len()];
        let mut changes = Changes { effect: none(), loss: own.left_out.as_ref().map(|_| none()) };
        if exchanged.is_empty() {
            return Ok(changes);
        }
        let seen = predict(feature, &exchanged)?;
        let share = (self.donors.len() as f64).recip();
        for (k, &(at, _)) in exchanged.iter().enumerate() {
            let change = |class| (seen.by_all.at(k, class) - own.by_all.at(at, class)).abs();
            changes.effect[at] += 0.5 * share * own.by_all.classes().map(change).sum::<f64>();
            if let (Some(loss), Some(before), Some(after)) = (&mut changes.loss, &own.left_out, &seen.left_out) {
                let label = labels[self.rows[at]].position();
                loss[at] += share * (possible(before[(at, label)]) - possible(after[(k, label)]));
            }
        }
        Ok(changes)
    }
}

/// What an exchange does, row by row.
struct Changes {
    effect: Vec<f64>,
    loss: Option<Vec<f64>>,
}

/// A log-probability that is a number: what is impossible counts as the least there is.
fn possible(log: f64) -> f64 {
    log.max(f64::MIN_POSITIVE.ln())
}

/// Every feature's relevance to what `predict` says about rows with a feature of another row, in the order of the inputs; `labels`
/// are those of the training rows.
pub fn relevances<E: Send>(
    sample: &Sample<'_>,
    labels: &[Class],
    predict: impl Fn(usize, &[Exchanged]) -> Result<Seen, E> + Sync,
) -> Result<Vec<Relevance>, E> {
    let features = sample.training.features();
    if features.is_empty() {
        return Ok(Vec::new());
    }
    // With its own value a row is itself.
    let themselves: Vec<Exchanged> = sample.rows.iter().copied().enumerate().collect();
    let own = predict(0, &themselves)?;
    let changes = map_tasks(features.len(), |m| sample.changes(m, &own, labels, &predict));
    let changes = changes.into_iter().collect::<Result<Vec<_>, E>>()?;
    let moments: Vec<(f64, f64)> = changes.iter().map(|change| mean_and_error(&change.effect)).collect();
    let total: f64 = moments.iter().map(|(effect, _)| effect).sum();
    let relevance = |(m, (effect, error)): (usize, (f64, f64))| Relevance {
        feature: features[m].name.clone(),
        effect,
        error,
        share: if total > 0.0 { effect / total } else { 0.0 },
        gain: changes[m].loss.as_ref().and_then(|loss| mean(loss.iter().map(|&loss| (1.0, loss)))),
    };
    Ok(moments.into_iter().enumerate().map(relevance).collect())
}

/// For every row another one, whose value it gets: the next in a random circle of all rows.
fn donors(n: usize, exchange: usize) -> Vec<usize> {
    let mut circle: Vec<usize> = (0..n).collect();
    circle.shuffle(&mut ChaCha8Rng::seed_from_u64(exchange as u64));
    let mut donors = vec![0; n];
    circle.iter().zip(circle.iter().cycle().skip(1)).for_each(|(&row, &donor)| donors[row] = donor);
    donors
}

/// The mean and its standard error.
fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares = values.iter().map(|v| (v - mean) * (v - mean)).sum::<f64>();
    (mean, (squares / (n - 1.0).max(1.0) / n).sqrt())
}

/// The features in order of relevance, most relevant first.
pub fn ranking(relevances: &[Relevance]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..relevances.len()).collect();
    order.sort_by(|&a, &b| relevances[b].effect.total_cmp(&relevances[a].effect));
    order
}

/// The features that the predictions mostly depend on, most relevant first: the fewest, at most `most`, that make the given
/// share of the total effect, if each stands out from the features after them by more than the standard errors allow and left-out
/// rows bear it out. Nothing where no few features do.
pub fn leading(relevances: &[Relevance], share: f64, most: usize) -> Vec<usize> {
    let order = ranking(relevances);
    let mut reached = 0.0;
    for (k, &m) in order.iter().enumerate().take(most) {
        if !relevances[m].is_borne_out() {
            break;
        }
        reached += relevances[m].share;
        if reached < share {
            continue;
        }
        let next = order.get(k + 1).map(|&next| &relevances[next]);
        let gap = relevances[m].effect - next.map_or(0.0, |next| next.effect);
        let doubt = relevances[m].error.hypot(next.map_or(0.0, |next| next.error));
        return if gap > CERTAIN * doubt { order[..=k].to_vec() } else { Vec::new() };
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Feature, FeatureKind};
    use crate::special::phi_cdf;
    use std::convert::Infallible;

    fn inputs(n: usize, d: usize) -> Inputs {
        Inputs::continuous(Mat::from_fn(n, d, |i, j| ((i + 1) as f64 * (12.9898 + 7.1 * j as f64)).sin() * 2.0))
    }

    fn of(training: &Inputs, p: impl Fn(&[f64]) -> f64 + Sync) -> Vec<Relevance> {
        let sample = Sample::new(training, RowCost(1.0));
        let predict = |feature: usize, exchanged: &[Exchanged]| {
            let rows = sample.written_out(feature, exchanged);
            let row = |i: usize| rows.values().columns().map(|c| c[i]).collect::<Vec<f64>>();
            let positive = |i: usize| p(&row(i));
            let both = Mat::from_fn(rows.rows(), 2, |i, c| if c == 1 { positive(i) } else { 1.0 - positive(i) });
            let left_out = Some(Mat::from_fn(rows.rows(), 2, |i, c| both[(i, c)].ln()));
            Ok::<_, Infallible>(Seen { by_all: Probabilities::new(both), left_out })
        };
        let labels: Vec<Class> = training.values().col(0).iter().map(|x| Class::from(u16::from(*x > 0.0))).collect();
        relevances(&sample, &labels, predict).unwrap()
    }

    /// The mean over all pairs of rows, by hand.
    #[test]
    fn it_estimates_the_mean_change_over_pairs_within_its_error() {
        let training = inputs(150, 3);
        let p = |row: &[f64]| phi_cdf(1.5 * row[0] - 0.4 * row[2]);
        let found = of(&training, p);
        for (m, relevance) in found.iter().enumerate() {
            let row = |i: usize| training.values().columns().map(|c| c[i]).collect::<Vec<f64>>();
            let mut total = 0.0;
            for i in 0..150 {
                for j in 0..150 {
                    let mut other = row(i);
                    other[m] = row(j)[m];
                    total += (p(&other) - p(&row(i))).abs() / (150.0 * 149.0);
                }
            }
            assert!((relevance.effect - total).abs() <= 3.0 * relevance.error, "{relevance:?} and {total}");
        }
        assert_eq!((found[1].effect, found[1].error, found[1].share), (0.0, 0.0, 0.0), "an unused feature has none");
        assert_eq!(ranking(&found), [0, 2, 1]);
        assert!((found.iter().map(|r| r.share).sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(leading(&found, 0.6, 3), [0]);
        // The labels are the signs of the first feature: the third one moves predictions, but does them no good.
        assert!(found[0].is_borne_out() && found[0].gain.unwrap().value > 0.3, "{found:?}");
        assert!(found[2].effect > 5.0 * found[2].error && !found[2].is_borne_out(), "{found:?}");
        assert_eq!(found[1].gain.unwrap().value, 0.0);
        let alone = Relevance { effect: 1.0, share: 1.0, ..found[2].clone() };
        assert!(leading(std::slice::from_ref(&alone), 0.6, 3).is_empty());
        assert_eq!(
            leading(&[Relevance { gain: None, ..alone }], 0.6, 3),
            [0],
            "it may do good where that is not known"
        );
    }

    #[test]
    fn equal_features_are_not_leaders_and_a_flat_one_is_last() {
        let training = inputs(120, 4);
        let equal = of(&training, |row| phi_cdf(0.3 * (row[0] + row[1] + row[2])));
        assert_eq!(ranking(&equal)[3], 3);
        assert!(leading(&equal, 0.3, 3).is_empty(), "{equal:?}");
        let none = of(&training, |_| 0.3);
        assert!(none.iter().all(|r| r.effect == 0.0) && leading(&none, 0.5, 3).is_empty());
    }

    #[test]
    fn donors_are_other_rows_and_each_gives_once() {
        for exchange in 0..3 {
            let donors = donors(17, exchange);
            assert!((0..17).all(|i| donors[i] != i));
            let mut sorted = donors.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..17).collect::<Vec<_>>());
        }
        assert_eq!(donors(1, 0), [0]);
    }

    /// A block of categories is exchanged whole, and a dear prediction is asked for less often.
    #[test]
    fn categories_stay_whole_and_cost_is_bounded() {
        let features = vec![
            Feature { name: "a".to_owned(), kind: FeatureKind::Continuous, columns: 0..1 },
            Feature { name: "b".to_owned(), kind: FeatureKind::Discrete, columns: 1..4 },
        ];
        let value = |i: usize, c: usize| if c == 0 { i as f64 } else { f64::from(u8::from(i % 3 + 1 == c)) };
        let training = Inputs::new(features, Mat::from_fn(300, 4, value));
        let asked = std::sync::atomic::AtomicUsize::new(0);
        let sample = Sample::new(&training, RowCost(1e12));
        let predict = |feature: usize, exchanged: &[Exchanged]| {
            let rows = sample.written_out(feature, exchanged);
            asked.fetch_add(rows.rows(), std::sync::atomic::Ordering::Relaxed);
            assert!((0..rows.rows()).all(|i| (1..4).map(|c| rows.values()[(i, c)]).sum::<f64>() == 1.0));
            let by_all = Probabilities::new(Mat::from_fn(rows.rows(), 2, |_, _| 0.5));
            Ok::<_, Infallible>(Seen { by_all, left_out: None })
        };
        let found = relevances(&sample, &[], predict).unwrap();
        assert!(found.iter().all(|relevance| relevance.gain.is_none()));
        assert!(asked.into_inner() <= 3 * ROWS.1);
    }

    #[test]
    fn models_saved_before_standard_errors_are_read() {
        let old: Relevance = serde_json::from_str(r#"{"feature": "a", "effect": 1.5, "share": 0.5}"#).unwrap();
        assert!(old.error.is_nan() && old.gain.is_none());
    }
}
