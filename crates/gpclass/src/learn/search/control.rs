//! What a caller can do while a long fit runs: watch it and stop it.

use super::quasi_newton::Stop;
use super::trace::TraceEntry;
use crate::interrupt::{Clock, Deadline, Interrupt};
use crate::learn::{Elsewhere, Journal, LearnError};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Called with every accepted iteration of every search, by the label of the search.
pub type Watcher = dyn Fn(&str, &TraceEntry) + Send + Sync;

/// How far a part of a fit has come whose steps take about the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress<'a> {
    /// What is done, in words.
    pub what: &'a str,
    /// Steps that are done.
    pub done: usize,
    /// Steps in all.
    pub of: usize,
}

/// Called with the progress of parts that take long.
pub type Teller = dyn Fn(&Progress<'_>) + Send + Sync;

/// A handle on a running fit. The default neither watches nor stops.
#[derive(Clone, Default)]
pub struct Control {
    /// Set to true from anywhere: learning ends within the inference in progress, with the best model so far.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Told of every accepted iteration; may be called from several threads at once.
    pub watcher: Option<Arc<Watcher>>,
    /// Told how far long parts of a fit of many rows have come; may be called from several threads at once.
    pub teller: Option<Arc<Teller>>,
    /// Bytes of memory that a fit may take; several classes are fitted each against the rest where together they would
    /// take more.
    pub memory: Option<f64>,
    /// Further rows, which are held elsewhere: posteriors are those of all.
    pub elsewhere: Option<Arc<dyn Elsewhere>>,
    /// What the fit has found so far, where that is kept; a fit of many rows goes on from what an earlier one has left there.
    pub journal: Option<Arc<Journal>>,
    /// When learning ends by itself, with the best model so far; a fit sets it by its time budget.
    pub deadline: Option<Deadline>,
    /// By which a time budget is kept where the platform has no clock that the library knows.
    pub clock: Option<Clock>,
}

impl Control {
    /// Whether the flag is set, or the time is up.
    pub fn interrupted(&self) -> bool {
        self.interrupt().is_set()
    }

    /// What every inference of the fit watches.
    pub fn interrupt(&self) -> Interrupt<'_> {
        Interrupt { flag: self.interrupt.as_deref(), deadline: self.deadline }
    }

    /// The same for a fit that may take this long.
    pub(in crate::learn) fn within(&self, seconds: Option<f64>) -> Result<Control, LearnError> {
        match seconds {
            Some(seconds) if !(seconds.is_finite() && seconds > 0.0) => Err(LearnError::TimeBudget { seconds }),
            Some(seconds) => Ok(Control { deadline: Some(Deadline::after(seconds, self.clock)), ..self.clone() }),
            None => Ok(self.clone()),
        }
    }

    /// Why a search that has not even one point could not begin.
    pub(super) fn no_start(&self, label: &str) -> LearnError {
        if self.interrupted() { LearnError::Interrupted } else { LearnError::Start { label: label.to_string() } }
    }

    /// Why a search ended whose next point could not be had: an interrupted inference is no property of the objective.
    pub(in crate::learn) fn stop(&self, stop: Stop) -> Stop {
        match stop {
            Stop::LineSearch | Stop::Interrupted if self.interrupted() => {
                let asked = Interrupt { deadline: None, ..self.interrupt() }.is_set();
                if asked { Stop::Interrupted } else { Stop::Time }
            }
            stop => stop,
        }
    }

    pub(in crate::learn) fn progress(&self, what: &str, done: usize, of: usize) {
        if let Some(teller) = &self.teller {
            teller(&Progress { what, done, of });
        }
    }

    pub(super) fn tell(&self, label: &str, entry: &TraceEntry) {
        if let Some(watcher) = &self.watcher {
            watcher(label, entry);
        }
    }
}

impl std::fmt::Debug for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control").field("interrupted", &self.interrupted()).finish_non_exhaustive()
    }
}
