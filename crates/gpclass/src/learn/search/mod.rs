//! The search for the hyperparameters of one model.

mod alternate;
mod blocks;
mod choice;
mod control;
mod direct;
mod driver;
mod initial;
mod prior;
pub mod quasi_newton;
mod restarts;
mod space;
mod spread;
mod trace;

pub use alternate::LabelErrorUpdate;
pub(super) use blocks::Design;
pub use choice::Search;
pub use control::{Control, Progress, Teller, Watcher};
pub use direct::DirectOptions;
pub(super) use direct::{Climb, with_tolerance};
pub(super) use driver::Driver;
pub use initial::Initial;
pub use prior::{Departure, Priors};
pub use quasi_newton::{QuasiNewtonOptions, Stop};
pub use space::{AtBound, Space};
pub(super) use trace::{LeftOut, Stopwatch};
pub use trace::{Trace, TraceEntry, loo_summary};
