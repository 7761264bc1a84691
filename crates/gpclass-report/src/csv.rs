//! Fields of CSV files.

use gpclass::data::{Column, ColumnValues, date_text};

/// How texts are written into CSV.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Csv {
    /// Whether texts that a spreadsheet would run as formulas get a ' in front.
    pub safe: bool,
}

impl Csv {
    /// A field, quoted where its content would be misread.
    pub fn field(self, text: &str) -> String {
        if self.safe && is_formula(text) { quoted(&format!("'{text}")) } else { quoted(text) }
    }

    /// The value of a column in a row; nothing where it is missing.
    pub fn cell(self, column: &Column, row: usize) -> String {
        match &column.values {
            ColumnValues::Discrete(values) => values.get(row).map(|text| self.field(text)).unwrap_or_default(),
            ColumnValues::Continuous(values) => number(values[row]),
            ColumnValues::Dates(days) => date_text(days[row]),
        }
    }
}

fn quoted(text: &str) -> String {
    let special = text.contains([',', '"', '\n', '\r']) || text != text.trim();
    if special { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Whether a spreadsheet would compute this text: it begins as a formula does and is no plain number.
fn is_formula(text: &str) -> bool {
    let number = text.starts_with(['+', '-']) && text[1..].starts_with(|c: char| c.is_ascii_digit() || c == '.');
    text.starts_with(['=', '+', '-', '@', '\t', '\r']) && !(number && text.parse::<f64>().is_ok())
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
        let field = |text| Csv::default().field(text);
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,b"), "\"a,b\"");
        assert_eq!(field("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(field(" x"), "\" x\"");
        assert_eq!(field("=1+1"), "=1+1");
        assert_eq!(number(0.1), "0.1");
        assert_eq!(number(f64::NAN), "");
        assert_eq!(number(1e-300).parse::<f64>().unwrap(), 1e-300);
    }

    #[test]
    fn formulas_become_text_and_numbers_stay() {
        let safe = |text| Csv { safe: true }.field(text);
        for formula in ["=1+1", "+cmd", "-2+3", "@SUM(A1)", "-", "-inf"] {
            assert_eq!(safe(formula), format!("'{formula}"));
        }
        assert_eq!(safe("=a,b"), "\"'=a,b\"");
        assert_eq!(safe("\tx"), "'\tx");
        assert_eq!(safe("\r=x"), "\"'\r=x\"");
        for plain in ["-5", "+1e3", "-.5", "a=b", "", "'=1"] {
            assert_eq!(safe(plain), plain);
        }
    }
}
