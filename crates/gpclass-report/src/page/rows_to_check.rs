//! Rows to look at: suspect labels, and rows unlike all others.

use super::html::{fold, rows, section, sentence_case};
use crate::Report;
use crate::suspect_rows::{SHOWN, ShownRow, SuspectRow};
use crate::text::{count, escape, percent, probability};
use gpclass::classifier::{ClassErrors, WrongCount, WrongShare};

/// Rows unlike the others in the open table; the others are folded.
const SHOWN_UNLIKE: usize = 10;
/// Suspects in the folded table.
const MOST_FOLDED: usize = 500;

pub(super) fn suspects(report: &Report<'_>) -> String {
    let content = if report.suspects.is_empty() {
        "<p>No label looks wrong.</p>".to_owned()
    } else {
        let folded = &report.suspects[report.suspects.len().min(SHOWN)..];
        let listed = &folded[..folded.len().min(MOST_FOLDED)];
        readable(report) + &fold(folded.len(), "label", "labels", || suspect_table(report, listed))
    };
    let lead = format!(
        "Rows whose own label disagrees with what the other rows say, most suspect first, with their values of the features \
         that matter most. Below each: the rows most like it that have the label which it has rather. {}",
        sentence_case(&report.summary.suspects.source.to_string())
    );
    let lead = if report.suspects.is_empty() { "" } else { lead.as_str() };
    section("suspects", "Labels to check", lead, &(content + &wrong_labels(report)))
}

/// How many labels are wrong, of all and of each class, and how often.
fn wrong_labels(report: &Report<'_>) -> String {
    let Some(errors) = &report.label_errors else { return String::new() };
    let counted = |count: &WrongCount| format!("{:.1} ({} to {})", count.expected, count.low, count.high);
    let percent_of =
        |share: &WrongShare| format!("{} ({} to {})", percent(share.value), percent(share.low), percent(share.high));
    let row = |class: &ClassErrors| {
        let mut cells = vec![class.rows.to_string(), counted(&class.wrong), counted(&class.hidden)];
        cells.extend(class.share.as_ref().map(percent_of));
        let cells: String = cells.iter().map(|cell| format!(r#"<td class="number">{}</td>"#, escape(cell))).collect();
        format!("<td>{}</td>{cells}", escape(&class.class))
    };
    let mut head = vec!["class", "rows labelled so", "of these wrong", "labelled otherwise"];
    head.extend(errors.classes.iter().all(|class| class.share.is_some()).then_some("share of the class"));
    let said = errors.sentence().map(|said| " ".to_owned() + &sentence_case(&said)).unwrap_or_default();
    let told = format!(
        "Of all {} about {} are expected to be wrong, with a probability of nine in ten.{said} A label that looks wrong need not be: \
         a row may be an exception, and nothing in the table tells these apart.",
        count(report.summary.rows, "label", "labels"),
        counted(&errors.wrong)
    );
    format!(
        "<h3>How many labels are wrong?</h3><p>{}</p>{}",
        escape(&told),
        rows(&head, &errors.classes.iter().map(row).collect::<Vec<_>>())
    )
}

/// What a row is found by.
fn place_name(report: &Report<'_>) -> &'static str {
    if report.lines.is_some() { "line" } else { "data row" }
}

/// The columns that every suspect has.
fn head(report: &Report<'_>) -> Vec<String> {
    let last: &[&str] = if report.has_several_classes() {
        &["rather", "chance of label", "chance of rather"]
    } else {
        &["others say", "chance of label"]
    };
    [&[place_name(report), "label given", "probably wrong"], last].concat().into_iter().map(str::to_owned).collect()
}

fn cells(report: &Report<'_>, row: usize) -> String {
    let wrong = report.summary.suspects.probability[row];
    let width = (100.0 * wrong).clamp(0.0, 100.0).round();
    let (own, rather) = (report.class_of_row[row], report.rather(row));
    let number = |p: f64| format!(r#"<td class="number">{}</td>"#, escape(&probability(p)));
    let of_rather = if report.has_several_classes() { number(report.left_out(row, rather)) } else { String::new() };
    format!(
        r#"<td class="number">{}</td><td>{}</td><td class="flag"><span class="meter" aria-hidden="true"><i style="width:{width}%"></i></span>{}</td><td>{}</td>{}{of_rather}"#,
        report.place(row),
        escape(report.class(own)),
        escape(&probability(wrong)),
        escape(report.class(rather)),
        number(report.left_out(row, own)),
    )
}

/// Suspects with their values, and below each the rows that contradict it.
fn readable(report: &Report<'_>) -> String {
    let head: Vec<String> = head(report).into_iter().chain(report.suspect_rows.features.iter().cloned()).collect();
    let empty = "<td></td>".repeat(head.len() - report.suspect_rows.features.len() - 2);
    let values = |row: &ShownRow| row.values.iter().map(|v| format!("<td>{}</td>", escape(v))).collect::<String>();
    let against = |row: &ShownRow| {
        let class = escape(report.class(report.class_of_row[row.row]));
        format!(r#"<td class="number like">{}</td><td>{class}</td>{empty}{}"#, report.place(row.row), values(row))
    };
    let body = report.suspect_rows.rows.iter().flat_map(|SuspectRow { own, against: others }| {
        let first = cells(report, own.row) + &values(own);
        std::iter::once(("suspect", first)).chain(others.iter().map(|row| ("against", against(row))))
    });
    rows_of_kinds(&head, body)
}

/// A table whose rows are of kinds that the style sheet knows.
fn rows_of_kinds(head: &[String], body: impl Iterator<Item = (&'static str, String)>) -> String {
    let head: String = head.iter().map(|name| format!(r#"<th scope="col">{}</th>"#, escape(name))).collect();
    let body: String = body.map(|(kind, cells)| format!(r#"<tr class="{kind}">{cells}</tr>"#)).collect();
    format!(
        r#"<div class="scroll" tabindex="0" role="group" aria-label="Labels to check"><table class="readable"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"#
    )
}

fn suspect_table(report: &Report<'_>, suspects: &[usize]) -> String {
    rows(&head(report), &suspects.iter().map(|&row| cells(report, row)).collect::<Vec<_>>())
}

/// Rows that nothing else in the table is like.
pub(super) fn unlike(report: &Report<'_>) -> String {
    if report.unlike.is_empty() {
        return String::new();
    }
    let listed = |some: &[(usize, f64)]| {
        let row = |&(row, novelty): &(usize, f64)| {
            let class = escape(report.class(report.class_of_row[row]));
            format!(
                r#"<td class="number">{}</td><td>{class}</td><td class="number">{novelty:.4}</td>"#,
                report.place(row)
            )
        };
        rows(&[place_name(report), "label given", "novelty"], &some.iter().map(row).collect::<Vec<_>>())
    };
    let (shown, folded) = report.unlike.split_at(report.unlike.len().min(SHOWN_UNLIKE));
    let lead = format!(
        "How unlike all other rows a row is, whatever its label: the share of ordinary rows that are less so. Of {} one in a \
         hundred is expected here; look at these for wrong units and slips of the pen. New rows get the same number when they \
         are predicted: where it is above 0.99 their probabilities are extrapolated, however sure they look.",
        count(report.summary.rows, "row", "rows")
    );
    section(
        "unlike",
        "Rows unlike the others",
        &lead,
        &(listed(shown) + &fold(folded.len(), "row", "rows", || listed(folded))),
    )
}
