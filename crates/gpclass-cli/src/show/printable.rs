//! Text that may hold anything, made fit for people and their terminals.
//!
//! Names of columns, classes, categories and files come from elsewhere. A terminal acts on control characters, and
//! marks of writing direction make a text look like another: both are shown by their numbers, as `\u{1b}`. Everything
//! that is written for people goes through [`page`]; a name goes through [`name`] before, so that it stays on its line.

use std::borrow::Cow;

/// What surrounds a heading on a terminal.
pub const BOLD: [&str; 2] = ["\u{1b}[1m", "\u{1b}[0m"];
/// Longest name.
const NAME_CHARS: usize = 60;
/// Longest line: no sentence of ours is longer.
const LINE_CHARS: usize = 2_000;

/// Characters that a terminal obeys or that deceive a reader.
pub fn is_hidden(c: char) -> bool {
    let direction =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let line = matches!(c, '\u{2028}' | '\u{2029}');
    let without_width = matches!(c, '\u{200b}' | '\u{2060}'..='\u{2064}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}');
    let tag = matches!(c, '\u{e0000}'..='\u{e007f}');
    c.is_control() || direction || line || without_width || tag
}

/// Text on one line, with hidden characters by their numbers.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) { shown.extend(c.escape_default()) } else { shown.push(c) }
    }
    Cow::Owned(shown)
}

/// A name from elsewhere, on one line and not too long.
pub fn name(text: &str) -> String {
    shortened(&printable(text), NAME_CHARS)
}

/// Lines of text for people: each printable and of a length that can be read, headings still bold.
pub fn page(text: &str) -> String {
    text.split_inclusive('\n').map(line).collect()
}

fn line(text: &str) -> String {
    let (text, end) = text.strip_suffix('\n').map_or((text, ""), |text| (text, "\n"));
    let [on, off] = BOLD;
    match text.strip_prefix(on).and_then(|text| text.strip_suffix(off)) {
        Some(heading) => format!("{on}{}{off}{end}", shortened(&printable(heading), LINE_CHARS)),
        None => shortened(&printable(text), LINE_CHARS) + end,
    }
}

/// The text, or its beginning and end around an ellipsis: advice stands at the end.
pub fn shortened(text: &str, most: usize) -> String {
    // Bytes are at least as many as characters.
    let count = if text.len() <= most { 0 } else { text.chars().count() };
    if count <= most {
        return text.to_owned();
    }
    let (begin, end) = (most - 1 - most / 3, most / 3);
    let chars = || text.chars();
    chars().take(begin).chain(['…']).chain(chars().skip(count - end)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hidden_characters_are_shown_by_number() {
        assert_eq!(printable("a\u{1b}[31mb\u{7}"), "a\\u{1b}[31mb\\u{7}");
        assert_eq!(printable("a\nb\tc\r"), "a\\nb\\tc\\r");
        assert_eq!(printable("\u{9b}31m\u{202e}gpj.exe\u{2066}"), "\\u{9b}31m\\u{202e}gpj.exe\\u{2066}");
        // Joiners are part of ordinary writing.
        assert_eq!(printable("Größe µ 患者 \u{200d}👩\u{200d}⚕️"), "Größe µ 患者 \u{200d}👩\u{200d}⚕️");
    }

    #[test]
    fn lines_and_headings_survive() {
        let [on, off] = BOLD;
        assert_eq!(page(&format!("{on}Data{off}\n  a\n\nb")), format!("{on}Data{off}\n  a\n\nb"));
        assert_eq!(page(&format!("x{on}y{off}\n")), "x\\u{1b}[1my\\u{1b}[0m\n");
    }

    #[test]
    fn long_text_keeps_its_ends() {
        assert_eq!(shortened("abcdefghij", 10), "abcdefghij");
        assert_eq!(shortened("abcdefghijk", 10), "abcdef…ijk");
        assert_eq!(shortened("ééééé", 5), "ééééé");
        assert_eq!(page(&("x".repeat(1_000_000) + "; advice\n")).chars().count(), LINE_CHARS + 1);
        assert_eq!(name(&"x".repeat(100)).chars().count(), NAME_CHARS);
    }
}
