//! Fields of CSV files.

/// A field, quoted where its content would be misread.
pub fn field(text: &str) -> String {
    let special = text.contains([',', '"', '\n', '\r']) || text != text.trim();
    if special { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// A number by its shortest text that reads back exactly; nothing for NaN.
pub fn number(value: f64) -> String {
    if value.is_nan() { String::new() } else { format!("{value:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_survive() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(field(" x"), "\" x\"");
        assert_eq!(number(0.1), "0.1");
        assert_eq!(number(f64::NAN), "");
        assert_eq!(number(1e-300).parse::<f64>().unwrap(), 1e-300);
    }
}
