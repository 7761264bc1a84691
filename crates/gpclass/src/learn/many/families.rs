//! The models that are stacked where there are many rows and nobody names them.

use crate::data::InputView::{Ranked, Standardised, Warped};
use crate::kernel::KernelFamily::{L1Product, Matern32};
use crate::learn::choose::Family;
use crate::learn::combine::{Parts, left_open};
use crate::learn::{FitOptions, Size};
use crate::likelihood::LikelihoodFamily::{Probit, Robust};

/// Rough functions, because there are rows enough to see what is rough (scale 1): with steps along every feature and without,
/// of columns as they are, by rank, and with heavy tails bent.
const MANY_ROWS: [Parts; 5] = [
    (L1Product, true, Probit, Ranked),
    (L1Product, true, Probit, Standardised),
    (Matern32, true, Probit, Warped),
    (Matern32, true, Probit, Ranked),
    (Matern32, true, Robust, Warped),
];

/// The families that the options leave open for a table of many rows.
pub(in crate::learn) fn families_of_many(options: &FitOptions, size: &Size) -> Vec<Family> {
    left_open(&MANY_ROWS, options, size)
}
