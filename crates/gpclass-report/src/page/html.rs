//! Pieces of HTML.

use crate::charts::{Figure, TextTable};
use crate::text::escape;

/// A section with its heading; nothing when it has no content.
pub(super) fn section(id: &str, heading: &str, lead: &str, content: &str) -> String {
    if content.is_empty() {
        return String::new();
    }
    let lead = if lead.is_empty() { String::new() } else { format!(r#"<p class="lead">{}</p>"#, escape(lead)) };
    format!(r#"<section id="{id}"><h2>{}</h2>{lead}{content}</section>"#, escape(heading))
}

/// Figures side by side; `kind` is an extra class of the grid.
pub(super) fn figures(figures: &[Figure], kind: &str) -> String {
    if figures.is_empty() {
        return String::new();
    }
    let all: String = figures.iter().map(figure).collect();
    format!(r#"<div class="figures {kind}">{all}</div>"#)
}

/// A figure with its sentence, and its numbers folded.
fn figure(figure: &Figure) -> String {
    let folded = if figure.table.rows.is_empty() {
        String::new()
    } else {
        format!("<details><summary>The numbers</summary>{}</details>", table(&figure.table))
    };
    format!(
        r#"<figure id="figure-{stem}"><h3>{}</h3>{}<figcaption>{}{folded}</figcaption></figure>"#,
        escape(&figure.heading),
        figure.drawing.inline(&figure.stem),
        escape(&figure.sentence),
        stem = figure.stem,
    )
}

/// A table that scrolls by itself where the screen is narrow.
pub(super) fn table(table: &TextTable) -> String {
    let cells = |row: &Vec<String>| row.iter().map(|cell| format!("<td>{}</td>", escape(cell))).collect::<String>();
    let body: Vec<String> = table.rows.iter().map(cells).collect();
    rows(&table.head, &body)
}

/// A table of rows whose cells are already HTML.
pub(super) fn rows(head: &[&str], body: &[String]) -> String {
    let head: String = head.iter().map(|name| format!(r#"<th scope="col">{}</th>"#, escape(name))).collect();
    let body: String = body.iter().map(|row| format!("<tr>{row}</tr>")).collect();
    format!(r#"<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"#)
}
