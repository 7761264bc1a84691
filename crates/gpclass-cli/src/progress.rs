//! What a person at a terminal sees while they wait.

use crate::show::printable::printable;
use gpclass::learn::{TraceEntry, Watcher};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Arc;
use std::time::Duration;

const TICK: Duration = Duration::from_millis(120);

/// A line on standard error that keeps changing; nothing where that is no terminal.
pub struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// Hidden if `quiet`, or if standard error is no terminal.
    pub fn new(quiet: bool) -> Self {
        let shown = !quiet && std::io::stderr().is_terminal();
        let target = if shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(style("{spinner} {msg}"));
        if shown {
            bar.enable_steady_tick(TICK);
        }
        Progress { bar }
    }

    /// Of a known number of steps, with a bar.
    pub fn steps(self, total: u64) -> Self {
        self.bar.set_length(total);
        self.bar.set_style(style("{bar:30} {pos}/{len} {msg}"));
        self
    }

    pub fn advance(&self, by: u64) {
        self.bar.inc(by);
    }

    pub fn say(&self, message: String) {
        self.bar.set_message(printable(&message).into_owned());
    }

    /// For a fit: the search in progress and how far it is.
    pub fn watcher(&self) -> Arc<Watcher> {
        let bar = self.bar.clone();
        Arc::new(move |label: &str, entry: &TraceEntry| {
            bar.set_message(format!(
                "{}: iteration {}, log evidence {:.3}, left-out error {:.1} %",
                printable(label),
                entry.iteration,
                entry.log_evidence,
                100.0 * entry.loo_error
            ));
        })
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        // Also when an error ends the work early.
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}
