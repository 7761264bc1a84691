//! Whether the machine can bear a fit, said before it begins.

use crate::error::CliError;
use crate::session::Session;
use gpclass::classifier::MOST_ROWS;
use gpclass::learn::{Approach, Cost, FitOptions, Size};
use gpclass_host::memory::{available, show_size};
use std::time::Instant;

/// Memory that is not worth a word.
const LITTLE_BYTES: f64 = (1_u64 << 29) as f64;
/// Time that is not worth a word.
const LITTLE_SECONDS: f64 = 30.0;
/// Rows below which a fit is not worth a trial.
const FEW_ROWS: usize = 300;
/// Trials, of which the fastest counts.
const TRIALS: usize = 3;

/// The share of the memory for which rows are drawn.
const SPARED: f64 = 0.8;
/// Fewer rows than these are never drawn: a fit that cannot bear them is refused.
const LEAST_DRAWN: usize = 10_000;

/// What every thread beyond the first adds where rows are many.
const SHARED: f64 = 0.8;

/// How a fit gets cheaper, for [`afford`].
pub const FEWER_CANDIDATES: &str = "name one --kernel, --likelihood and --lengthscales instead of comparing several";

/// Says what a fit needs if that is much, and refuses more than `--memory` allows or, without it, than is free.
/// `what` names the work and `cheaper` is how to do with less, as a clause.
pub fn afford(session: &Session, what: &str, cost: Cost, cheaper: &str) -> Result<(), CliError> {
    check_memory(session, what, cost, cheaper)?;
    let seconds = if cost.rows < FEW_ROWS { 0.0 } else { cost.seconds_by_trial(trial()) };
    if cost.bytes > LITTLE_BYTES || seconds > LITTLE_SECONDS {
        session.remark(&format!("this {what} needs about {}", needs(cost, seconds)));
    }
    Ok(())
}

/// As [`afford`], with the way in which the work is done, as a sentence, said in any case and in the same line.
pub fn afford_in_way(session: &Session, way: &str, cost: Cost, cheaper: &str) -> Result<(), CliError> {
    check_memory(session, "fit", cost, cheaper)?;
    let seconds = cost.seconds_by_trial(trial()) / (1.0 + SHARED * (session.threads.max(1) - 1) as f64);
    session.remark(&format!("{way}; this needs about {}", needs(cost, seconds)));
    Ok(())
}

/// How many rows of a table a fit by way of some of them can bear, if that is not all: as many as its estimate allows, but for what
/// is no longer free once they are read. Fits in other ways are refused with what they would need.
pub fn bearable(session: &Session, size: &Size, options: &FitOptions) -> Option<usize> {
    let limit = session.memory_limit().map(|limit| SPARED * limit);
    let bytes = |rows: usize| Cost::of_fit(&Size { rows, ..*size }, options, limit).bytes;
    let fits = |rows: usize| rows <= MOST_ROWS && limit.is_none_or(|limit| bytes(rows) <= limit);
    if Approach::of(options, size) != Approach::Sparse || size.rows <= LEAST_DRAWN || fits(size.rows) {
        return None;
    }
    let (mut low, mut high) = (LEAST_DRAWN, size.rows);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if fits(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

/// Why only some rows are learned from.
pub fn drawn_note(session: &Session, rows: usize, of: &Size, options: &FitOptions) -> String {
    let needed = Cost::of_fit(of, options, session.memory_limit()).bytes;
    let why = match session.memory_limit().filter(|limit| needed > SPARED * limit) {
        Some(limit) => {
            let whose =
                if session.memory.is_some() { "are allowed by --memory" } else { "are free (--memory says otherwise)" };
            format!("all would need about {}, and {} {whose}", show_size(needed), show_size(limit))
        }
        None => format!("no more than {MOST_ROWS} are held at a time"),
    };
    format!("note: {rows} of {} rows are learned from, drawn so that every class keeps its share: {why}", of.rows)
}

fn needs(cost: Cost, seconds: f64) -> String {
    format!("{} of memory and {}", show_size(cost.bytes), duration(seconds))
}

fn check_memory(session: &Session, what: &str, cost: Cost, cheaper: &str) -> Result<(), CliError> {
    let (limit, whose) = match session.memory {
        Some(limit) => (Some(limit), "is allowed by --memory"),
        None => (available(), "is free"),
    };
    if let Some(limit) = limit.map(|limit| limit as f64)
        && cost.bytes > limit
    {
        return Err(CliError::user(format!(
            "this {what} needs about {} of memory for {} rows, but only {} {whose}; about {} rows would do: take a random part \
             of the rows, {cheaper}, or raise the limit with --memory",
            show_size(cost.bytes),
            cost.rows,
            show_size(limit),
            cost.rows_within(limit),
        )));
    }
    Ok(())
}

/// Seconds of one factorisation.
fn trial() -> f64 {
    let time = |_| {
        let start = Instant::now();
        Cost::trial();
        start.elapsed().as_secs_f64()
    };
    (0..TRIALS).map(time).fold(f64::INFINITY, f64::min)
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} seconds"),
        s if s < 5_400.0 => format!("{:.0} minutes", s / 60.0),
        s if s < 2.0 * 86_400.0 => format!("{:.0} hours", s / 3_600.0),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_for_people() {
        assert_eq!(duration(31.4), "31 seconds");
        assert_eq!(duration(600.0), "10 minutes");
        assert_eq!(duration(7_200.0), "2 hours");
        assert_eq!(duration(864_000.0), "10 days");
    }
}
