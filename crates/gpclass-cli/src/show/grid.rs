//! Aligned columns of text.

use super::printable::{printable, shortened};

/// Longest cell.
const CELL_CHARS: usize = 120;

/// How a column is aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    Left,
    Right,
}

/// Rows of cells, each made printable, printed in columns two spaces apart and indented by two. Nothing follows the last cell of a row.
pub fn grid(header: &[&str], align: &[Align], rows: &[Vec<String>]) -> String {
    let shown = |cell: &str| shortened(&printable(cell), CELL_CHARS);
    let titles: Vec<String> = header.iter().map(|title| shown(title)).collect();
    let rows = rows.iter().map(|row| row.iter().map(|cell| shown(cell)).collect());
    let lines: Vec<Vec<String>> = (!header.is_empty()).then_some(titles).into_iter().chain(rows).collect();
    let columns = lines.iter().map(Vec::len).max().unwrap_or(0);
    let length = |text: &str| text.chars().count();
    let widest = |j: usize| lines.iter().filter_map(|line| line.get(j)).map(|cell| length(cell)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let mut out = String::new();
    for line in lines {
        let mut text = String::new();
        for (j, cell) in line.iter().enumerate() {
            let gap = " ".repeat(widths[j].saturating_sub(length(cell)));
            text.push_str("  ");
            match align.get(j).unwrap_or(&Align::Left) {
                Align::Left => text.extend([cell.as_str(), &gap]),
                Align::Right => text.extend([&gap, cell.as_str()]),
            }
        }
        out.push_str(text.trim_end());
        out.push('\n');
    }
    out
}

/// A bar of eighths of a character for a share of `width` characters.
pub fn bar(share: f64, width: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = (share.clamp(0.0, 1.0) * (8 * width) as f64).round() as usize;
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["bcd".to_owned(), "22".to_owned()]];
        assert_eq!(grid(&["x", "n"], &[Align::Left, Align::Right], &rows), "  x     n\n  a     1\n  bcd  22\n");
        assert_eq!(grid(&[], &[], &[]), "");
    }

    #[test]
    fn bars_have_eighths() {
        assert_eq!(bar(0.5, 4), "██");
        assert_eq!(bar(1.0 / 8.0, 1), "▏");
        assert_eq!(bar(2.0, 1), "█");
        assert_eq!(bar(f64::NAN, 3), "");
    }
}
