//! What a person at a terminal sees while they wait.

use crate::show::printable::printable;
use gpclass::learn::{Progress as FitProgress, Teller, TraceEntry, Watcher};
use gpclass_table::{Listener, Reading};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

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

    /// For the reading of a whole table: how far it is.
    pub fn listener(&self) -> Listener {
        let (bar, begun) = (self.bar.clone(), Mutex::new((false, Instant::now())));
        Listener::new(move |reading: Reading| {
            let mut begun = begun.lock().unwrap_or_else(PoisonError::into_inner);
            if begun.0 != reading.again {
                *begun = (reading.again, Instant::now());
            }
            let what = if reading.again { "reading the table" } else { "looking at the table" };
            bar.set_message(rows_pace(what, reading.rows, reading.share, begun.1.elapsed().as_secs_f64()));
        })
    }

    /// So many rows are done, this share of all, since then.
    pub fn rows(&self, what: &str, rows: u64, share: Option<f64>, since: Instant) {
        self.bar.set_message(rows_pace(what, rows, share, since.elapsed().as_secs_f64()));
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

    /// For a fit of many rows: how far a long part of it is, how fast it goes and how long it still takes.
    pub fn teller(&self) -> Arc<Teller> {
        let (bar, part) = (self.bar.clone(), Mutex::new((String::new(), Instant::now(), 0)));
        Arc::new(move |progress: &FitProgress<'_>| {
            let mut part = part.lock().unwrap_or_else(PoisonError::into_inner);
            if part.0 != progress.what || progress.done <= part.2 {
                *part = (progress.what.to_owned(), Instant::now(), progress.done);
            }
            bar.set_message(pace(progress, progress.done - part.2, part.1.elapsed().as_secs_f64()));
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

/// How far a part is, and, where `steps` of it took some `seconds`, its rate and the time that is left at that rate.
fn pace(progress: &FitProgress<'_>, steps: usize, seconds: f64) -> String {
    let FitProgress { what, done, of } = *progress;
    let text = format!("{what}: {done} of {of}");
    if steps == 0 || seconds <= 0.0 {
        return text;
    }
    let rate = steps as f64 / seconds;
    format!("{text}, {rate:.1} a second, about {:.0} seconds left", of.saturating_sub(done) as f64 / rate)
}

/// Rows done in some seconds, their rate, and, where their share of all is known, the time that is left at that rate.
fn rows_pace(what: &str, rows: u64, share: Option<f64>, seconds: f64) -> String {
    let text = format!("{what}: {rows} rows");
    if seconds <= 0.0 {
        return text;
    }
    let text = format!("{text}, {:.0} a second", rows as f64 / seconds);
    match share.filter(|share| *share > 0.0) {
        Some(share) => format!("{text}, about {:.0} seconds left", seconds * (1.0 / share - 1.0).max(0.0)),
        None => text,
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_that_is_left_follows_from_the_rate() {
        let progress = FitProgress { what: "rows left out", done: 3000, of: 10_000 };
        let text = pace(&progress, 2000, 4.0);
        assert_eq!(text, "rows left out: 3000 of 10000, 500.0 a second, about 14 seconds left");
        assert_eq!(pace(&progress, 0, 4.0), "rows left out: 3000 of 10000");
        let text = rows_pace("reading the table", 2000, Some(0.25), 4.0);
        assert_eq!(text, "reading the table: 2000 rows, 500 a second, about 12 seconds left");
        assert_eq!(rows_pace("predicted", 2000, None, 4.0), "predicted: 2000 rows, 500 a second");
    }
}
