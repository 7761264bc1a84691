//! Models from and to files.

use crate::error::CliError;
use crate::session::prepared;
use gpclass::classifier::{Classifier, MAX_FILE_BYTES};
use gpclass_host::input::read_whole;
use gpclass_host::output::Output;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Reads a model file.
pub fn read(path: &Path) -> Result<Classifier, CliError> {
    let bytes = read_whole(path, "a model file", MAX_FILE_BYTES)?;
    Classifier::from_bytes(&bytes).map_err(|e| CliError::user(format!("'{}': {e}", path.display())))
}

/// A model file that takes its name when it is committed.
pub fn prepare(path: &Path, classifier: &Classifier) -> Result<Output, CliError> {
    prepared(path, &classifier.to_bytes())
}

/// The time as people and programs read it: `2031-05-09T14:03:59Z`.
pub fn now() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    timestamp(seconds)
}

/// Seconds since 1970 as a date and time.
fn timestamp(seconds: u64) -> String {
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    // Days to civil date by eras of 400 years that begin in March (H. Hinnant, "chrono-compatible low-level date
    // algorithms").
    let shifted = days + 719_468;
    let (era, of_era) = (shifted / 146_097, shifted % 146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::timestamp;

    // GNU date -u -d @N.
    #[test]
    fn dates() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_826_954), "2000-02-29T12:22:34Z");
        assert_eq!(timestamp(1_735_689_599), "2024-12-31T23:59:59Z");
        assert_eq!(timestamp(4_107_542_400), "2100-03-01T00:00:00Z");
    }
}
