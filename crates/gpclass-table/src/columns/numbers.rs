//! Numbers as people write them.

use std::borrow::Cow;

/// How numbers are written in a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumberFormat {
    /// "3,14" means 3.14.
    pub decimal_comma: bool,
    /// Digits may be grouped in threes: "1,234.5", "1 234.5", "1'234.5", and "1.234,5" with a decimal comma.
    pub thousands: bool,
}

/// What a cell says when read as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reading {
    Number(f64),
    /// Written as a number, but infinite or beyond the range of f64.
    Infinite,
    /// The words "nan" in any spelling that the missing tokens did not catch.
    NotANumberSymbol,
    Text,
}

impl NumberFormat {
    /// Every way to write them.
    pub(crate) const ALL: [NumberFormat; 4] = [
        NumberFormat { decimal_comma: false, thousands: false },
        NumberFormat { decimal_comma: true, thousands: false },
        NumberFormat { decimal_comma: false, thousands: true },
        NumberFormat { decimal_comma: true, thousands: true },
    ];

    /// Reads a trimmed, non-missing cell.
    pub fn read(self, cell: &str) -> Reading {
        match self.plain(cell) {
            Some(plain) => read_plain(&plain),
            None => Reading::Text,
        }
    }

    /// The cell in the notation of `str::parse`, or `None` when it does not follow this format.
    fn plain(self, cell: &str) -> Option<Cow<'_, str>> {
        if !self.decimal_comma && !self.thousands {
            return Some(Cow::Borrowed(cell));
        }
        let decimal = if self.decimal_comma { ',' } else { '.' };
        let (whole, fraction) = match cell.split_once(decimal) {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (cell, None),
        };
        let whole = if self.thousands { ungrouped(whole, self.decimal_comma)? } else { Cow::Borrowed(whole) };
        if self.decimal_comma && (whole.contains('.') || fraction.is_some_and(|f| f.contains('.'))) {
            return None;
        }
        Some(match fraction {
            Some(fraction) => Cow::Owned(format!("{whole}.{fraction}")),
            None => whole,
        })
    }
}

fn read_plain(text: &str) -> Reading {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() => Reading::Number(x),
        Ok(x) if x.is_nan() => Reading::NotANumberSymbol,
        Ok(_) => Reading::Infinite,
        Err(_) => Reading::Text,
    }
}

/// The whole part without its group separators; `None` if digits are grouped wrongly.
fn ungrouped(whole: &str, decimal_comma: bool) -> Option<Cow<'_, str>> {
    let point_or_comma = if decimal_comma { '.' } else { ',' };
    let is_separator = |c: char| c == point_or_comma || matches!(c, ' ' | '\'' | '’' | '\u{a0}' | '\u{202f}');
    let Some(separator) = whole.chars().find(|&c| is_separator(c)) else { return Some(Cow::Borrowed(whole)) };
    let digits = whole.strip_prefix(['+', '-']).unwrap_or(whole);
    let mut groups = digits.split(separator);
    let first = groups.next()?;
    let all_digits = |g: &str| g.bytes().all(|b| b.is_ascii_digit());
    let good = (1..=3).contains(&first.len()) && all_digits(first) && groups.all(|g| g.len() == 3 && all_digits(g));
    good.then(|| Cow::Owned(whole.chars().filter(|&c| c != separator).collect()))
}

/// The one text of an integer that can be written in several ways ("1", "1.0", "+1"); other text is returned as it is.
///
/// Leading zeros are kept: "007" is a code, not a number.
pub fn canonical_text(cell: &str) -> Cow<'_, str> {
    let (whole, zeros) = cell.split_once('.').unwrap_or((cell, ""));
    let (sign, digits) = match whole.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", whole.strip_prefix('+').unwrap_or(whole)),
    };
    let integer = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && zeros.bytes().all(|b| b == b'0');
    let code = digits.len() > 1 && digits.starts_with('0');
    match (integer && !code, digits) {
        (false, _) => Cow::Borrowed(cell),
        (true, "0") => Cow::Borrowed("0"),
        (true, _) if sign.is_empty() => Cow::Borrowed(digits),
        (true, _) => Cow::Borrowed(whole),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: NumberFormat = NumberFormat { decimal_comma: false, thousands: false };
    const COMMA: NumberFormat = NumberFormat { decimal_comma: true, thousands: false };
    const GROUPED: NumberFormat = NumberFormat { decimal_comma: false, thousands: true };
    const GROUPED_COMMA: NumberFormat = NumberFormat { decimal_comma: true, thousands: true };

    #[test]
    fn plain_numbers() {
        for (text, value) in [("1", 1.0), ("-2.5e-3", -0.0025), ("+.5", 0.5), ("1E5", 1e5), ("0.1", 0.1)] {
            assert_eq!(PLAIN.read(text), Reading::Number(value));
        }
        for text in ["1,5", "1 000", "abc", "0x10", "1_000", "--1", "1e", "-", ".", "e5"] {
            assert_eq!(PLAIN.read(text), Reading::Text, "{text}");
        }
        for text in ["inf", "-Infinity", "1e999", "-1e400"] {
            assert_eq!(PLAIN.read(text), Reading::Infinite, "{text}");
        }
        assert_eq!(PLAIN.read("-nan"), Reading::NotANumberSymbol);
    }

    #[test]
    fn decimal_comma() {
        assert_eq!(COMMA.read("3,25"), Reading::Number(3.25));
        assert_eq!(COMMA.read("-1,5e3"), Reading::Number(-1500.0));
        assert_eq!(COMMA.read("7"), Reading::Number(7.0));
        for text in ["3.14", "1,2,3", "1.234,5"] {
            assert_eq!(COMMA.read(text), Reading::Text, "{text}");
        }
    }

    #[test]
    fn thousands() {
        for (text, value) in [
            ("1,234.5", 1234.5),
            ("12,345,678", 12345678.0),
            ("-1,000", -1000.0),
            ("12.5", 12.5),
            ("1 234", 1234.0),
            ("1'234.25", 1234.25),
            ("1\u{202f}234", 1234.0),
        ] {
            assert_eq!(GROUPED.read(text), Reading::Number(value), "{text}");
        }
        for text in ["1,23", "1234,567", ",123", "1,,234", "1,234,5", "1,234 567"] {
            assert_eq!(GROUPED.read(text), Reading::Text, "{text}");
        }
        assert_eq!(GROUPED_COMMA.read("1.234,5"), Reading::Number(1234.5));
        assert_eq!(GROUPED_COMMA.read("1.23,5"), Reading::Text);
    }

    #[test]
    fn integers_have_one_text() {
        for text in ["1", "1.0", "+1", "1.", "1.000", "+1.0"] {
            assert_eq!(canonical_text(text), "1", "{text}");
        }
        for text in ["0", "-0", "0.0", "-0.00"] {
            assert_eq!(canonical_text(text), "0", "{text}");
        }
        assert_eq!(canonical_text("-3.0"), "-3");
        for text in ["007", "1.5", "a", "1.0.0", "", ".", "+", "1e0", ".0", "12345678901234567890"] {
            assert_eq!(canonical_text(text), text, "{text}");
        }
    }
}
