//! What a caller can do while a long fit runs: watch it and stop it.

use super::trace::TraceEntry;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Called with every accepted iteration of every search, by the label of the search.
pub type Watcher = dyn Fn(&str, &TraceEntry) + Send + Sync;

/// A handle on a running fit. The default neither watches nor stops.
#[derive(Clone, Default)]
pub struct Control {
    /// Set to true from anywhere: learning ends after the iteration in progress, with the best model so far.
    pub interrupt: Option<Arc<AtomicBool>>,
    pub watcher: Option<Arc<Watcher>>,
}

impl Control {
    pub fn interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
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
