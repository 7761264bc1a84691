//! Options about reasons.

use super::named::named;
use clap::Args;
use gpclass::explain::{ReasonOptions, ReasonScale};

/// How the reasons for a prediction are found.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Reasons")]
pub struct ReasonArgs {
    /// What reasons add up to
    #[arg(long, value_parser = named::<ReasonScale>(), default_value = ReasonScale::LogOdds.name())]
    pub scale: ReasonScale,
    /// Training rows that a prediction is compared with, evenly spaced in their order, at most
    #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub background: u16,
    /// Columns in which a row and one of these may differ for reasons to be exact
    #[arg(long, default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=16))]
    pub exact: u16,
    /// Orders of the columns drawn for each of these rows otherwise: the more, the smaller the standard errors
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = clap::value_parser!(u16).range(2..))]
    pub orders: u16,
}

impl ReasonArgs {
    pub fn options(&self) -> ReasonOptions {
        let ReasonArgs { scale, background, exact, orders } = *self;
        ReasonOptions {
            scale,
            background: background.into(),
            exact: exact.into(),
            orders: orders.into(),
            ..ReasonOptions::default()
        }
    }
}
