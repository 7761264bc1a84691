//! What a fit is asked for.

use super::classes::ClassKernels;
use super::combine::{Combine, Sharpen};
use super::{DirectOptions, Initial, KernelFamily, LikelihoodFamily, ManyRows, Priors, Search};
use crate::data::InputView;
use crate::inference::Method;
use crate::model::Multiclass;
use crate::named::named;
use crate::objective::Objective;
use serde::{Deserialize, Serialize};

/// How many lengthscales a kernel has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lengthscales {
    /// One, and one per feature, compared by evidence.
    #[default]
    Auto,
    /// One for all features.
    Single,
    /// One per feature: automatic relevance determination.
    Ard,
}

named!(Lengthscales, "lengthscales", {
    Auto = "auto": "Whichever has the better evidence";
    Single = "single": "One for all features";
    Ard = "ard": "One per feature";
});

/// Which point of a search becomes the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PathChoice {
    /// Where the search ended.
    #[default]
    End,
    /// Predictive ARD: the point with the fewest leave-one-out errors, ties by evidence.
    LooError,
    /// Predictive ARD: the point with the best leave-one-out probabilities.
    LooNlp,
}

named!(PathChoice, "path", {
    End = "end": "Where the search ended";
    LooError = "loo-error" or "loo_error": "The point with the fewest leave-one-out errors, ties by evidence";
    LooNlp = "loo-nlp" or "loo_nlp": "The point with the best leave-one-out probabilities";
});

/// What to fit and how. The default compares the sensible models by evidence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FitOptions {
    /// `None` compares squared exponential, linear and their sum.
    pub kernel: Option<KernelFamily>,
    /// `None` compares the regular probit with the robust one, which allows for wrong labels (ROBUST section 5).
    pub likelihood: Option<LikelihoodFamily>,
    /// How models see continuous columns; `None` leaves it open, which is standardised where one is chosen.
    pub inputs: Option<InputView>,
    /// One lengthscale or one per feature; by default whichever is better.
    pub lengthscales: Lengthscales,
    /// How the posterior at given hyperparameters is found; expectation propagation by default.
    #[serde(rename = "inference", alias = "method")]
    pub method: Method,
    /// What the search maximises, together with the log-prior; the log evidence by default.
    pub objective: Objective,
    /// How the hyperparameters are searched for; by exact gradients by default.
    #[serde(alias = "driver")]
    pub search: Search,
    /// Where the search starts; by default at values that suit the spread of the inputs.
    pub initial: Initial,
    /// Priors on the hyperparameters; weak ones by default.
    pub priors: Priors,
    /// Parameters held at given values, by name.
    pub fixed: Vec<(String, f64)>,
    /// Further starts of every search.
    pub restarts: usize,
    /// Seed of the starting points of the restarts; 0 by default.
    pub seed: u64,
    /// Which point of the search becomes the model; its end by default.
    pub path: PathChoice,
    /// What becomes of several candidates.
    #[serde(alias = "average", deserialize_with = "Combine::read")]
    pub combine: Combine,
    /// Whether the mixture of a stack is raised to the power that predicts left-out rows best; it is by default.
    pub sharpen: Sharpen,
    /// Seconds after which learning ends with the best model so far; no limit by default.
    pub time_budget: Option<f64>,
    /// How more than two classes are modelled; together where that can be done by default.
    pub multiclass: Multiclass,
    /// Whether the functions of several classes share their hyperparameters; they do by default.
    pub class_kernels: ClassKernels,
    /// What is said about many rows; by default how they are learned from depends on how many they are.
    #[serde(skip_serializing_if = "ManyRows::is_default")]
    pub many_rows: ManyRows,
    /// Limits and tolerances of the direct search; its `search` part holds for the other ways to search too.
    pub direct: DirectOptions,
}

impl Default for FitOptions {
    fn default() -> Self {
        FitOptions {
            kernel: None,
            likelihood: None,
            inputs: None,
            lengthscales: Lengthscales::Auto,
            method: Method::default(),
            objective: Objective::Evidence,
            search: Search::Direct,
            initial: Initial::Heuristic,
            priors: Priors::Weak,
            fixed: Vec::new(),
            restarts: 0,
            seed: 0,
            path: PathChoice::End,
            combine: Combine::default(),
            sharpen: Sharpen::default(),
            time_budget: None,
            multiclass: Multiclass::Auto,
            class_kernels: ClassKernels::Shared,
            many_rows: ManyRows::default(),
            direct: DirectOptions::default(),
        }
    }
}

impl FitOptions {
    /// How models that the options describe see continuous columns.
    pub fn view(&self) -> InputView {
        self.inputs.unwrap_or_default()
    }
}
