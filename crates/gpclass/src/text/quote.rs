//! How names and values appear in messages: quoted, on one line, never longer than a reader wants.

use std::fmt;

/// Characters of a name or value shown before it is cut.
const SHOWN_CHARS: usize = 60;
/// Items of a list shown before the rest is only counted.
const SHOWN_ITEMS: usize = 10;

/// Text with its control characters escaped, so that it stays on one line and cannot command a terminal.
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_escaped(f, self.0.chars())
    }
}

/// Text as a message shows it: control characters escaped, cut when it is very long.
pub struct Shown<'a>(pub &'a str);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_escaped(f, self.0.chars().take(SHOWN_CHARS))?;
        f.write_str(if self.0.chars().nth(SHOWN_CHARS).is_some() { "..." } else { "" })
    }
}

/// Text as [`Shown`], in single quotes.
pub struct Quoted<'a>(pub &'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}'", Shown(self.0))
    }
}

fn write_escaped(f: &mut fmt::Formatter<'_>, characters: impl Iterator<Item = char>) -> fmt::Result {
    for character in characters {
        match character.is_control() {
            true => write!(f, "{}", character.escape_default())?,
            false => write!(f, "{character}")?,
        }
    }
    Ok(())
}

/// Items joined as in a sentence ("a, b and c"), a long list cut to its beginning and a count.
pub(crate) fn listed<T: fmt::Display>(items: impl ExactSizeIterator<Item = T>) -> String {
    let total = items.len();
    let mut shown: Vec<String> = items.take(SHOWN_ITEMS).map(|item| item.to_string()).collect();
    if total > SHOWN_ITEMS {
        shown.push(format!("{} more", total - SHOWN_ITEMS));
    }
    match shown.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, init)) => format!("{} and {last}", init.join(", ")),
        None => String::new(),
    }
}

/// " (did you mean 'name'?)", or nothing.
pub(crate) fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!(" (did you mean {}?)", Quoted(name)))
}

/// "1 row", "2 rows".
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut_and_control_characters_are_escaped() {
        assert_eq!(Quoted("a\tb").to_string(), "'a\\tb'");
        assert_eq!(Shown("a\u{1b}b").to_string(), "a\\u{1b}b");
        assert_eq!(Escaped(&"\n".repeat(100)).to_string(), "\\n".repeat(100));
        assert_eq!(Quoted(&"é".repeat(SHOWN_CHARS)).to_string().chars().count(), SHOWN_CHARS + 2);
        let long = Quoted(&"x".repeat(1_000_000)).to_string();
        assert_eq!(long, format!("'{}...'", "x".repeat(SHOWN_CHARS)));
    }

    #[test]
    fn lists_read_like_sentences() {
        assert_eq!(listed(["a"].iter()), "a");
        assert_eq!(listed(["a", "b"].iter()), "a and b");
        assert_eq!(listed(["a", "b", "c"].iter()), "a, b and c");
        assert_eq!(listed(0..12), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more");
    }
}
