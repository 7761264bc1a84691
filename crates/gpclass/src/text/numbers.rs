//! Numbers that serve as names: categories and classes such as 1 and 2, however they were written.

/// Above this, neighbouring integers are no longer told apart by f64, so digits must match as text.
const EXACT_INTEGERS: f64 = 9_007_199_254_740_992.0;

/// The shortest text that reads back as the number: `1` for 1.0, `0.5`, and `0` for either zero.
pub fn canonical_number(value: f64) -> String {
    format!("{}", value + 0.0) // -0.0 + 0.0 is 0.0
}

/// The number that `text` writes, if it is a finite one.
pub(crate) fn finite_number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|value| value.is_finite())
}

/// Equal for texts that are two spellings of one number (`1`, `1.0`, `1.00`), which is what happens to an integer
/// column once a missing value has turned it into floats. `007`, `1e5` and digits beyond f64's integers are taken for
/// codes, not numbers.
pub(crate) fn spelling_key(text: &str) -> Option<u64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let padded = digits.len() > 1 && digits.starts_with('0') && !digits.starts_with("0.");
    if !plain || padded {
        return None;
    }
    finite_number(text).filter(|value| value.abs() < EXACT_INTEGERS).map(|value| (value + 0.0).to_bits())
}

/// The one candidate that spells the same number as `text`.
pub(crate) fn same_number(text: &str, candidates: &[impl AsRef<str>]) -> Option<usize> {
    let key = spelling_key(text)?;
    only(candidates.iter().map(|candidate| spelling_key(candidate.as_ref()) == Some(key)))
}

/// The position of the only `true`.
pub(crate) fn only(hits: impl Iterator<Item = bool>) -> Option<usize> {
    let mut found = hits.enumerate().filter(|&(_, hit)| hit).map(|(position, _)| position);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_no_decimal_point() {
        for (value, text) in [(1.0, "1"), (-3.0, "-3"), (-0.0, "0"), (0.5, "0.5"), (1e15, "1000000000000000")] {
            assert_eq!(canonical_number(value), text);
        }
    }

    #[test]
    fn spellings_of_one_number_agree_and_codes_stay_apart() {
        assert_eq!(spelling_key("1"), spelling_key("1.00"));
        assert_eq!(spelling_key("0"), spelling_key("-0.0"));
        assert_ne!(spelling_key("1"), spelling_key("-1"));
        for code in ["007", "1e5", "inf", "nan", "", "-", ".", "12345678901234567890", "+1", "a"] {
            assert_eq!(spelling_key(code), None, "{code}");
        }
    }

    #[test]
    fn two_spellings_among_the_candidates_are_ambiguous() {
        assert_eq!(same_number("1.0", &["1", "2"]), Some(0));
        assert_eq!(same_number("1.00", &["1", "1.0"]), None);
        assert_eq!(same_number("3", &["1", "2"]), None);
    }
}
