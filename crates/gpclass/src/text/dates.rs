//! Dates and times of day as day numbers: ISO 8601 texts to days since 1970, and back.

const SECOND: i64 = 1_000_000_000;
/// Nanoseconds of a day: below 2^53, so that the part of a day is exact before it is divided.
const DAY: i64 = 86_400 * SECOND;

/// Whole days since 1970 and nanoseconds of the day as one number. Every face of the library makes day numbers in this
/// way, so that equal moments are equal to the last bit.
pub fn day_number(days: i64, nanoseconds: i64) -> f64 {
    let (more, rest) = (nanoseconds.div_euclid(DAY), nanoseconds.rem_euclid(DAY));
    (days + more) as f64 + rest as f64 / DAY as f64
}

/// The day number that an ISO date (`2031-05-09`) or date with a time (`2031-05-09T14:03:59.5+02:00`) stands for; a time
/// without a zone is taken as it is.
pub fn parse_date(text: &str) -> Option<f64> {
    let text = text.trim();
    let (date, time) = match text.split_once(['T', 't', ' ']) {
        Some((date, time)) => (date, Some(time.trim_start())),
        None => (text, None),
    };
    let days = parse_day(date)?;
    time.map_or(Some(0), parse_time).map(|nanoseconds| day_number(days, nanoseconds))
}

/// `YYYY-MM-DD`.
fn parse_day(text: &str) -> Option<i64> {
    let mut parts = text.split('-');
    let (year, month, day) = (digits(parts.next()?, 4)?, digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let valid = parts.next().is_none() && (1..=12).contains(&month) && (1..=days_in(year, month)).contains(&day);
    valid.then(|| days_of(year, month, day))
}

/// Nanoseconds since midnight in UTC, which a zone may move to another day.
fn parse_time(text: &str) -> Option<i64> {
    let (clock, zone) = match text.find(['Z', 'z', '+', '-']) {
        Some(at) => (text[..at].trim_end(), parse_zone(&text[at..])?),
        None => (text, 0),
    };
    let mut parts = clock.splitn(3, ':');
    let (hour, minute) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let (second, fraction) = parts.next().map_or(Some((0, 0)), parse_seconds)?;
    let valid = hour < 24 && minute < 60 && second < 60;
    valid.then_some((hour * 3600 + minute * 60 + second) * SECOND + fraction - zone * 60 * SECOND)
}

/// Seconds and nanoseconds of `SS` or `SS.fff`; digits beyond nanoseconds are cut.
fn parse_seconds(text: &str) -> Option<(i64, i64)> {
    let Some((whole, fraction)) = text.split_once(['.', ',']) else { return Some((digits(text, 2)?, 0)) };
    if fraction.is_empty() || !fraction.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some((digits(whole, 2)?, format!("{fraction:0<9}")[..9].parse().ok()?))
}

/// Minutes east of Greenwich: `Z`, `+02:00`, `+0200`, `+02`.
fn parse_zone(text: &str) -> Option<i64> {
    if text.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let shift = text[1..].replacen(':', "", 1);
    let (hours, minutes) = match shift.len() {
        2 => (digits(&shift, 2)?, 0),
        4 => (digits(shift.get(..2)?, 2)?, digits(shift.get(2..)?, 2)?),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

fn digits(text: &str, count: usize) -> Option<i64> {
    (text.len() == count && text.bytes().all(|b| b.is_ascii_digit())).then(|| text.parse().ok())?
}

fn days_in(year: i64, month: i64) -> i64 {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970 of a civil date, by eras of 400 years that begin in March (H. Hinnant, "chrono-compatible low-level
/// date algorithms").
fn days_of(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// A day number as a date, with the time to the second if it is not midnight; what is no date is shown as a number.
pub fn date_text(day_number: f64) -> String {
    // Years 0 to 9999, which have four digits.
    if !(-719_528.0..2_932_897.0).contains(&day_number) {
        return super::canonical_number(day_number);
    }
    let seconds = (day_number * 86_400.0).round() as i64;
    let (days, of_day) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    let date = format!("{year:04}-{month:02}-{day:02}");
    match of_day {
        0 => date,
        _ => format!("{date}T{:02}:{:02}:{:02}", of_day / 3_600, of_day / 60 % 60, of_day % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // GNU date -u -d TEXT +%s, divided by 86400.
    #[test]
    fn dates_are_days_since_1970() {
        for (text, days) in [
            ("1970-01-01", 0.0),
            ("1969-12-31", -1.0),
            ("2000-02-29", 11_016.0),
            ("2024-12-31", 20_088.0),
            ("1600-03-01", -135_080.0),
            ("2100-03-01", 47_541.0),
            ("2000-02-29T12:00", 11_016.5),
            ("2000-02-29 18:00:00", 11_016.75),
            ("2000-02-29T18:00:00.000Z", 11_016.75),
            ("2000-02-29T01:00:00+02:00", 11_016.0 - 1.0 / 24.0),
            ("2000-02-28T22:30:00-0130", 11_016.0),
        ] {
            assert_eq!(parse_date(text), Some(days), "{text}");
        }
        let fraction = parse_date("1970-01-02T00:00:00.123456789").unwrap();
        assert_eq!(fraction, 1.0 + 123_456_789.0 / 86_400e9);
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in [
            "",
            "2023-02-29",
            "2023-13-01",
            "2023-00-10",
            "2023-1-1",
            "20230101",
            "2023",
            "2023-01",
            "01-02-2023",
            "2023/01/02",
            "2023-01-01T",
            "2023-01-01T25:00",
            "2023-01-01T10",
            "2023-01-01T10:00:61",
            "2023-01-01x",
            "2023-01-01-02",
            "2023-01-01T10:00+2",
            "2023-01-01T10:00:00.",
            "2023-01-01T10:00+é1",
            "+023-01-01",
        ] {
            assert_eq!(parse_date(text), None, "{text}");
        }
    }

    #[test]
    fn day_numbers_are_shown_as_dates_that_read_back() {
        for text in ["1970-01-01", "2000-02-29", "1899-12-31", "0001-01-01", "9999-12-31", "2031-05-09T14:03:59"] {
            assert_eq!(date_text(parse_date(text).unwrap()), text);
        }
        assert_eq!(date_text(1e9), "1000000000");
        assert_eq!(day_number(1, -1), (DAY - 1) as f64 / DAY as f64);
    }
}
