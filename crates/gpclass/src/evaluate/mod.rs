//! How good predictions are, and whether one method is better than another. Pure functions: numbers in, numbers out.
//!
//! [`Forecasts`] hold what a model said and what happened; [`score`] turns them into [`Scores`], the curves into what
//! a plot needs. [`folds`] cut rows into training and test sets, [`aggregate`] averages over them, and [`ranks`],
//! [`wilcoxon`] and [`resampled`] test differences between methods.

pub mod aggregate;
pub mod auc;
pub mod calibration;
pub mod curves;
pub mod distributions;
mod error;
mod estimate;
pub mod folds;
mod forecasts;
pub mod ranks;
pub mod resampled;
pub mod scores;
pub mod wilcoxon;

pub use error::EvaluateError;
pub use estimate::Estimate;
pub use forecasts::Forecasts;
pub use scores::{Metric, ScoreOptions, Scores, score};
