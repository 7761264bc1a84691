//! Pieces of HTML.

use crate::charts::{Figure, TextTable};
use crate::text::{count, escape};
use gpclass::evaluate::Estimate;

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
    let heading = escape(&figure.heading);
    let mut drawing = figure.drawing.inline(&figure.stem);
    if let Some(width) = figure.least_width.map(f64::round) {
        // A place that scrolls must be reached by the keyboard too.
        drawing = format!(
            r#"<div class="scroll" tabindex="0" role="group" aria-label="{heading}"><div style="min-width:{width}px;max-width:{}px">{drawing}</div></div>"#,
            1.7 * width
        );
    }
    format!(
        r#"<figure id="figure-{stem}"><h3>{heading}</h3>{drawing}<figcaption>{}{folded}</figcaption></figure>"#,
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

/// A number with its standard error in small print, if it has one.
pub(super) fn estimate(estimate: Option<Estimate>, format: fn(f64) -> String) -> String {
    let Some(Estimate { value, standard_error }) = estimate else { return "–".to_owned() };
    let error = standard_error.map_or(String::new(), |error| format!(" <small>± {}</small>", escape(&format(error))));
    escape(&format(value)) + &error
}

/// A table of rows whose cells are already HTML.
pub(super) fn rows<S: AsRef<str>>(head: &[S], body: &[String]) -> String {
    let name = |name: &S| format!(r#"<th scope="col">{}</th>"#, escape(name.as_ref()));
    let head: String = head.iter().map(name).collect();
    let body: String = body.iter().map(|row| format!("<tr>{row}</tr>")).collect();
    format!(r#"<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"#)
}

/// Something folded away, if there is any of it.
pub(super) fn fold(number: usize, one: &str, many: &str, content: impl FnOnce() -> String) -> String {
    if number == 0 {
        return String::new();
    }
    format!("<details><summary>{} more</summary>{}</details>", count(number, one, many), content())
}

/// With a capital letter.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + chars.as_str()
}

/// With a capital letter and a full stop.
pub(super) fn sentence_case(text: &str) -> String {
    let end = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    capital(text) + end
}
