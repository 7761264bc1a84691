//! The course of a search, for reports and plots.

use crate::data::Class;
use crate::model::{FittedModel, Predictions, Probabilities};
use serde::{Deserialize, Serialize};

/// One accepted point of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TraceEntry {
    /// Position in the trace, from 0: 0 is the starting point.
    pub iteration: usize,
    /// What is maximised, without priors.
    pub objective: f64,
    /// Log evidence at this point, in nats.
    pub log_evidence: f64,
    /// Share of training rows whose label is the less probable one when they are left out.
    pub loo_error: f64,
    /// Mean negative log-probability of the labels left out.
    pub loo_nlp: f64,
    /// Natural values of the free parameters, in the order of [`Trace::names`].
    pub values: Vec<f64>,
    /// Inference runs so far.
    pub inferences: usize,
    /// Since the start of the search; zero where there is no clock.
    pub seconds: f64,
}

impl TraceEntry {
    /// The entry of a point whose inference is at hand. Its inferences are counted by the caller where they differ from
    /// the iterations.
    pub(super) fn at(fit: &FittedModel, objective: f64, values: Vec<f64>, iteration: usize, seconds: f64) -> Self {
        let (loo_error, loo_nlp) = loo_summary(fit);
        let log_evidence = fit.log_evidence();
        TraceEntry {
            iteration,
            objective,
            log_evidence,
            loo_error,
            loo_nlp,
            values,
            inferences: iteration + 1,
            seconds,
        }
    }
}

/// A search from its first point to its last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Trace {
    /// Names of the free parameters.
    pub names: Vec<String>,
    /// The accepted points in order.
    pub entries: Vec<TraceEntry>,
}

impl Trace {
    /// This search continued by one over some of its parameters, whose other values stay where this one ended.
    pub(super) fn followed_by(mut self, next: Trace) -> Trace {
        let (last, inferences, seconds) = match self.entries.last() {
            Some(entry) => (entry.values.clone(), entry.inferences, entry.seconds),
            None => return next,
        };
        for mut entry in next.entries {
            let mut values = last.clone();
            for (name, value) in next.names.iter().zip(&entry.values) {
                if let Some(i) = self.names.iter().position(|n| n == name) {
                    values[i] = *value;
                }
            }
            entry.values = values;
            entry.iteration = self.entries.len();
            entry.inferences += inferences;
            entry.seconds += seconds;
            self.entries.push(entry);
        }
        self
    }
}

/// What the rows of a fit say of each other.
#[derive(Clone)]
pub(in crate::learn) struct LeftOut {
    /// Share of rows whose label is the less probable one, counted by weight.
    pub error: f64,
    /// Mean negative log-probability of the labels, rows counted by weight.
    pub nlp: f64,
    /// The log-probability of every label.
    pub of_labels: Vec<f64>,
}

impl LeftOut {
    /// Every row as those that do not belong to it predict it.
    pub fn of(fit: &FittedModel) -> LeftOut {
        Self::of_predictions(&fit.left_out(), fit.data().labels(), fit.data().scoring_weights())
    }

    /// Rows with these labels and weights as they are predicted.
    pub fn of_predictions(left_out: &Predictions, labels: &[Class], weights: Option<&[f64]>) -> LeftOut {
        let of_labels = left_out.log_probability_of(labels);
        let (mut wrong, mut nlp, mut total) = (0.0, 0.0, 0.0);
        for (i, &label) in labels.iter().enumerate() {
            let weight = weights.map_or(1.0, |weights| weights[i]);
            if weight > 0.0 {
                total += weight;
                nlp -= weight * of_labels[i];
                wrong += weight * error(&left_out.probability, i, label);
            }
        }
        LeftOut { error: wrong / total, nlp: nlp / total, of_labels }
    }
}

/// Leave-one-out error rate and mean negative log-probability, rows counted by weight.
pub fn loo_summary(fit: &FittedModel) -> (f64, f64) {
    let LeftOut { error, nlp, .. } = LeftOut::of(fit);
    (error, nlp)
}

/// 1 for the wrong class, ½ for a tie.
fn error(probability: &Probabilities, row: usize, label: Class) -> f64 {
    let of_rival = probability.at(row, probability.rival(row, label));
    match probability.at(row, label).partial_cmp(&of_rival) {
        Some(std::cmp::Ordering::Greater) => 0.0,
        Some(std::cmp::Ordering::Equal) => 0.5,
        _ => 1.0,
    }
}

/// Seconds since it was made, where the platform has a clock.
#[derive(Clone, Copy, Debug)]
pub(in crate::learn) struct Stopwatch {
    #[cfg(not(target_family = "wasm"))]
    start: std::time::Instant,
}

impl Stopwatch {
    pub fn start() -> Self {
        Stopwatch {
            #[cfg(not(target_family = "wasm"))]
            start: std::time::Instant::now(),
        }
    }

    pub fn seconds(&self) -> f64 {
        #[cfg(not(target_family = "wasm"))]
        return self.start.elapsed().as_secs_f64();
        #[cfg(target_family = "wasm")]
        return 0.0;
    }
}
