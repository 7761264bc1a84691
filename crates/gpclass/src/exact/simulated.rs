//! What a simulation finds.

/// A number found by simulation, with its Monte Carlo standard error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simulated {
    /// The best guess.
    pub value: f64,
    /// Its standard error.
    pub standard_error: f64,
}
