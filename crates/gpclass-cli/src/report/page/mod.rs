//! The page: sections in the order of a reader's questions.

mod html;
mod sections;

use super::svg::CHART_CSS;
use super::text::escape;
use super::{ReportData, palette, verdict};

const PAGE_CSS: &str = include_str!("page.css");

/// The report as one HTML page that needs nothing else.
pub fn render(data: &ReportData) -> String {
    let title = escape(&data.title);
    let style = format!("{}{PAGE_CSS}{CHART_CSS}", palette::page_variables());
    let content: String = [
        sections::notes(data),
        sections::surface(data),
        sections::predictions(data),
        sections::suspects(data),
        sections::features(data),
        sections::effects(data),
        sections::model(data),
        sections::choice(data),
        sections::guide(data),
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
        under = escape(&sections::subtitle(data)),
        verdict = escape(&verdict::verdict(data)),
        tiles = sections::tiles(data),
        content = content,
        footer = sections::provenance(data),
    )
}
