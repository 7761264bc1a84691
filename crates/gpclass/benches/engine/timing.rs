//! CPU time of one thread: on a shared machine the clock on the wall measures the neighbours.

use cpu_time::ThreadTime;
use std::time::Duration;

/// Durations of repeated runs of one piece of work.
#[derive(Default)]
pub struct Runs(Vec<Duration>);

impl Runs {
    /// Times one run.
    pub fn time<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let start = ThreadTime::now();
        let result = work();
        self.0.push(start.elapsed());
        result
    }

    pub fn best(&self) -> f64 {
        self.sorted().first().map_or(f64::NAN, Duration::as_secs_f64)
    }

    pub fn median(&self) -> f64 {
        self.sorted().get(self.0.len() / 2).map_or(f64::NAN, Duration::as_secs_f64)
    }

    fn sorted(&self) -> Vec<Duration> {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        sorted
    }
}
