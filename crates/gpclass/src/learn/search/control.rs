//! What a caller can do while a long fit runs: watch it and stop it.

use super::quasi_newton::Stop;
use super::trace::TraceEntry;
use crate::interrupt::Interrupt;
use crate::learn::LearnError;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Called with every accepted iteration of every search, by the label of the search.
pub type Watcher = dyn Fn(&str, &TraceEntry) + Send + Sync;

/// A handle on a running fit. The default neither watches nor stops.
#[derive(Clone, Default)]
pub struct Control {
    /// Set to true from anywhere: learning ends within the inference in progress, with the best model so far.
    pub interrupt: Option<Arc<AtomicBool>>,
    /// Told of every accepted iteration; may be called from several threads at once.
    pub watcher: Option<Arc<Watcher>>,
    /// Bytes of memory that a fit may take; several classes are fitted each against the rest where together they would
    /// take more.
    pub memory: Option<f64>,
}

impl Control {
    /// Whether the flag is set.
    pub fn interrupted(&self) -> bool {
        self.interrupt().is_set()
    }

    /// What every inference of the fit watches.
    pub fn interrupt(&self) -> Interrupt<'_> {
        Interrupt { flag: self.interrupt.as_deref() }
    }

    /// Why a search that has not even one point could not begin.
    pub(super) fn no_start(&self, label: &str) -> LearnError {
        if self.interrupted() { LearnError::Interrupted } else { LearnError::Start { label: label.to_string() } }
    }

    /// Why a search ended whose next point could not be had: an interrupted inference is no property of the objective.
    pub(super) fn stop(&self, stop: Stop) -> Stop {
        if stop == Stop::LineSearch && self.interrupted() { Stop::Interrupted } else { stop }
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
