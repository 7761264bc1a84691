//! The page: sections in the order of a reader's questions.

mod decisions;
mod head;
mod html;
mod methods;
mod rows_to_check;
mod scores;
mod sections;
mod tripod;
mod trust;

use super::svg::chart_styles;
use super::text::escape;
use super::{Report, palette, verdict};

const PAGE_CSS: &str = include_str!("page.css");

/// The report as one HTML page that needs nothing else.
pub(super) fn render(report: &Report<'_>) -> String {
    let title = escape(&report.title);
    let classes = report.summary.classes.len();
    let style = format!("{}{PAGE_CSS}{}", palette::page_variables(classes), chart_styles(classes));
    let content: String = [
        sections::notes(report),
        sections::surface(report),
        sections::classes(report),
        sections::predictions(report),
        sections::calibration(report),
        decisions::section_of(report),
        scores::breakdown(report),
        trust::section_of(report),
        rows_to_check::suspects(report),
        rows_to_check::unlike(report),
        sections::features(report),
        sections::effects(report),
        sections::model(report),
        sections::choice(report),
        scores::further(report),
        methods::section(report),
        tripod::section(report),
        sections::guide(report),
    ]
    .concat();
    format!(
        concat!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">",
            "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">",
            "<meta name=\"color-scheme\" content=\"light dark\">",
            // Whatever a name in the data may contain, a browser will neither run nor fetch anything.
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline';img-src data:\">",
            "<link rel=\"icon\" href=\"data:,\">",
            "<title>{title}</title><style>{style}</style></head><body>",
            "<header><h1>{title}</h1><p class=\"under\">{under}</p><p class=\"verdict\">{verdict}</p>{tiles}</header>",
            "<main>{content}</main>{footer}</body></html>\n"
        ),
        title = title,
        style = style,
        under = escape(&head::subtitle(report)),
        verdict = escape(&verdict::verdict(report)),
        tiles = head::tiles(report),
        content = content,
        footer = sections::provenance(report),
    )
}
