//! How good predictions are. Pure functions: numbers in, numbers out.
//!
//! [`Forecasts`] hold what a model said about a class and what happened, [`ClassForecasts`] what it said about all classes;
//! [`score`] and [`score_classes`] turn them into [`Scores`], the curves into what a plot needs; [`folds`] cut rows into training and test sets. [`compare`](crate::compare) goes on from there.

pub mod auc;
pub mod calibration;
pub mod curves;
pub mod decision;
pub mod decision_curve;
pub(crate) mod error;
pub(crate) mod estimate;
pub mod folds;
pub(crate) mod forecasts;
mod logistic;
pub mod outcome_spread;
pub mod recalibration;
pub mod scores;
pub mod several;
pub mod skill;
pub mod smooth_calibration;
pub mod subgroups;

pub use error::EvaluateError;
pub use estimate::Estimate;
pub use forecasts::Forecasts;
pub use scores::{Metric, ScoreOptions, Scores, score};
pub use several::{ClassDetails, ClassForecasts, ClassScores, Confusion, score_classes};
