//! Ending long work from outside.

use std::sync::atomic::{AtomicBool, Ordering};

/// Watched while long work is done; it ends soon after the flag is set. The default never ends it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Interrupt<'a> {
    /// Set to true from anywhere.
    pub flag: Option<&'a AtomicBool>,
    /// Ends the work by itself.
    pub deadline: Option<Deadline>,
}

/// Seconds since some moment, the same at every call.
pub type Clock = fn() -> f64;

/// A moment by which work is to end.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(Moment);

#[derive(Clone, Copy, Debug)]
enum Moment {
    #[cfg(not(target_family = "wasm"))]
    Of(std::time::Instant),
    By(Clock, f64),
    Never,
}

impl Deadline {
    /// That many seconds from now, by a clock, or by the platform's own; where neither is there it never comes.
    pub fn after(seconds: f64, clock: Option<Clock>) -> Self {
        Deadline(match clock {
            Some(clock) => Moment::By(clock, clock() + seconds.max(0.0)),
            None => Moment::after(seconds),
        })
    }

    /// Whether it has come.
    pub fn has_passed(self) -> bool {
        match self.0 {
            #[cfg(not(target_family = "wasm"))]
            Moment::Of(instant) => std::time::Instant::now() >= instant,
            Moment::By(clock, at) => clock() >= at,
            Moment::Never => false,
        }
    }
}

impl Moment {
    #[cfg(not(target_family = "wasm"))]
    fn after(seconds: f64) -> Self {
        let time = std::time::Duration::try_from_secs_f64(seconds.max(0.0)).ok();
        time.and_then(|time| std::time::Instant::now().checked_add(time)).map_or(Moment::Never, Moment::Of)
    }

    #[cfg(target_family = "wasm")]
    fn after(_: f64) -> Self {
        Moment::Never
    }
}

/// The flag was set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the work was interrupted")]
pub struct Interrupted;

impl Interrupt<'_> {
    /// Whether the flag is set, or the time is up.
    pub fn is_set(self) -> bool {
        self.flag.is_some_and(|flag| flag.load(Ordering::Relaxed)) || self.deadline.is_some_and(Deadline::has_passed)
    }

    pub(crate) fn check(self) -> Result<(), Interrupted> {
        if self.is_set() { Err(Interrupted) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_comes_by_the_clock_that_was_given_or_by_the_platforms() {
        let late: Clock = || 1e9;
        assert!(Deadline::after(0.0, Some(late)).has_passed() && !Deadline::after(1.0, Some(late)).has_passed());
        assert!(Deadline::after(0.0, None).has_passed() && !Deadline::after(1e6, None).has_passed());
        assert!(!Deadline::after(f64::INFINITY, None).has_passed());
    }
}
