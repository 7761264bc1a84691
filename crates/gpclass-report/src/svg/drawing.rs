//! A finished picture, for a page or for a file.

use super::Canvas;
use super::canvas::place;
use crate::palette;
use crate::text::escape;

const CHART_CSS: &str = include_str!("chart.css");

/// The look of every figure of that many classes; colours are the page's variables.
pub(crate) fn chart_styles(classes: usize) -> String {
    CHART_CSS.to_owned() + &palette::class_styles(classes)
}

/// A picture with its text alternative.
#[derive(Clone, Debug)]
pub(crate) struct Drawing {
    width: f64,
    height: f64,
    title: String,
    description: String,
    body: String,
}

impl Drawing {
    pub fn new(size: (f64, f64), title: String, description: String, canvas: Canvas) -> Self {
        Drawing { width: size.0, height: size.1, title, description, body: canvas.into_body() }
    }

    /// For a page that has the style sheet and the colours; `id` is unique in it.
    pub fn inline(&self, id: &str) -> String {
        format!(
            r#"<svg class="chart" viewBox="0 0 {} {}" role="img" aria-labelledby="{id}-t {id}-d">{}{}</svg>"#,
            place(self.width),
            place(self.height),
            self.words(id),
            self.body
        )
    }

    /// For a file of its own, in light colours, of that many classes.
    pub fn standalone(&self, classes: usize) -> String {
        let (w, h) = (place(self.width), place(self.height));
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="img" aria-labelledby="figure-t figure-d">{}<style>{}</style><rect width="{w}" height="{h}" class="paper"/>{}</svg>"#,
            self.words("figure"),
            palette::in_light_colours(&chart_styles(classes)),
            self.body
        )
    }

    fn words(&self, id: &str) -> String {
        let (title, description) = (escape(&self.title), escape(&self.description));
        format!(r#"<title id="{id}-t">{title}</title><desc id="{id}-d">{description}</desc>"#)
    }
}
