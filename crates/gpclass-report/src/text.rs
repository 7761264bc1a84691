//! Text for people: escaping, and numbers at a readable length.

/// Text made safe inside elements and quoted attributes of HTML and SVG. Characters that neither may contain are
/// replaced.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// At most `limit` characters, the last an ellipsis where some were left out.
pub(super) fn shorten(text: &str, limit: usize) -> String {
    if text.chars().count() <= limit {
        return text.to_owned();
    }
    text.chars().take(limit.saturating_sub(1)).chain(['…']).collect()
}

/// Four significant digits, in scientific notation where the number is very large or small.
pub(super) fn number(value: f64) -> String {
    if !value.is_finite() {
        return "–".to_owned();
    }
    let magnitude = value.abs();
    if magnitude != 0.0 && !(1e-3..1e6).contains(&magnitude) {
        return minus(&format!("{value:.2e}"));
    }
    let whole_digits = if magnitude < 1.0 { 0 } else { magnitude.log10().floor() as i32 };
    let text = format!("{value:.*}", (3 - whole_digits).max(0) as usize);
    minus(if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text })
}

/// A share as a percentage with one decimal, never broken over lines.
pub(super) fn percent(share: f64) -> String {
    if share.is_finite() { format!("{:.1}\u{a0}%", 100.0 * share) } else { "–".to_owned() }
}

/// A score with three decimals, as in a column of them.
pub(super) fn decimals(score: f64) -> String {
    if score.is_finite() { format!("{score:.3}") } else { "–".to_owned() }
}

/// A number of either sign with two decimals.
pub(super) fn two_decimals(value: f64) -> String {
    let rounded = (100.0 * value).round() / 100.0 + 0.0;
    if value.is_finite() { minus(&format!("{rounded:.2}")) } else { "–".to_owned() }
}

/// A probability with two decimals, never rounded to certainty.
pub(super) fn probability(p: f64) -> String {
    match p {
        p if !p.is_finite() => "–".to_owned(),
        p if p < 0.005 && p > 0.0 => "< 0.01".to_owned(),
        p if (0.995..1.0).contains(&p) => "> 0.99".to_owned(),
        p => format!("{p:.2}"),
    }
}

/// `1 row`, `2 rows`.
pub(super) fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// A typographic minus sign, as wide as a digit.
fn minus(text: &str) -> String {
    text.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_special_character_is_escaped() {
        assert_eq!(
            escape("<script>alert(\"x\" & 'y')</script>"),
            "&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;"
        );
        assert_eq!(escape("größe 体重 \u{1F600}"), "größe 体重 \u{1F600}");
        assert_eq!(escape("a\u{0}b\nc\u{ffff}"), "a\u{fffd}b c\u{fffd}");
    }

    #[test]
    fn numbers_have_a_readable_length() {
        let cases = [(0.0, "0"), (1.0, "1"), (12.3456, "12.35"), (-0.05, "−0.05"), (123456.0, "123456")];
        for (value, text) in cases {
            assert_eq!(number(value), text);
        }
        assert_eq!(number(1.5e-7), "1.50e−7");
        assert_eq!(number(-2.5e9), "−2.50e9");
        assert_eq!(number(f64::NAN), "–");
    }

    #[test]
    fn probabilities_never_round_to_certainty() {
        assert_eq!(probability(0.9999), "> 0.99");
        assert_eq!(probability(1e-9), "< 0.01");
        assert_eq!(
            (probability(0.5), probability(1.0), probability(0.0)),
            ("0.50".into(), "1.00".into(), "0.00".into())
        );
        assert_eq!(percent(0.1234), "12.3\u{a0}%");
        assert_eq!((two_decimals(-0.004), two_decimals(-1.236)), ("0.00".into(), "−1.24".into()));
    }

    #[test]
    fn long_names_are_shortened_by_characters() {
        assert_eq!(shorten("体重体重体重", 4), "体重体…");
        assert_eq!(shorten("short", 5), "short");
    }
}
