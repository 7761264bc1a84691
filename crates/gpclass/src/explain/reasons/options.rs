//! Choices of reasons.

use crate::explain::ExplainError;
use crate::named::named;
use serde::{Deserialize, Serialize};

/// Columns in which two rows may differ for every coalition of them to be looked at, at most: 65,536 evaluations.
const MOST_EXACT: usize = 16;

/// What the reasons of a prediction add up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ReasonScale {
    /// Of two classes the log-odds of the positive one, of more those of every class against the others together.
    #[default]
    LogOdds,
    /// The mean of the latent function, of more than two classes that of every class.
    Latent,
}

named!(ReasonScale, "scale", {
    LogOdds = "log-odds": "Log-odds of the predicted probability, of more than two classes for every class";
    Latent = "latent": "Mean of the latent function, for which most kernels give exact reasons quickly";
});

/// Choices of reasons.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ReasonOptions {
    /// What is explained. Default the log-odds.
    pub scale: ReasonScale,
    /// Training rows that predictions are compared with, evenly spaced in their order, at most. Default 50.
    pub background: usize,
    /// Columns in which a row and one of the background may differ for all coalitions to be looked at. Default 6.
    pub exact: usize,
    /// Orders that are drawn for every background row otherwise, each taken in reverse too; at least 2, for their
    /// differences tell the standard error. Default 2.
    pub orders: usize,
    /// Seed of the orders. Default 0.
    pub seed: u64,
}

impl Default for ReasonOptions {
    fn default() -> Self {
        ReasonOptions { scale: ReasonScale::LogOdds, background: 50, exact: 6, orders: 2, seed: 0 }
    }
}

impl ReasonOptions {
    pub(super) fn check(&self) -> Result<(), ExplainError> {
        let refuse = |option, value: usize, wanted| Err(ExplainError::Option { option, value: value as f64, wanted });
        if self.background == 0 {
            return refuse("background", 0, "at least 1");
        }
        if self.orders < 2 {
            return refuse("orders", self.orders, "at least 2");
        }
        if self.exact > MOST_EXACT {
            return refuse("exact", self.exact, "at most 16");
        }
        Ok(())
    }
}
