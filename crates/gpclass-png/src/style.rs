//! What classes look like.

use crate::elements::Element;
use tiny_skia::Color;

/// How an element is drawn.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Style {
    pub fill: Option<Color>,
    pub stroke: Option<Color>,
    pub width: f32,
    /// Lengths of dashes and gaps in turn; an even number of them, or none.
    pub dashes: Vec<f32>,
    pub round: bool,
    pub size: f32,
    pub bold: bool,
    /// Whether edges are left as pixels have them.
    pub crisp: bool,
    fill_opacity: f32,
    stroke_opacity: f32,
}

impl Style {
    fn plain() -> Self {
        Style {
            fill: Some(Color::BLACK),
            stroke: None,
            width: 1.0,
            dashes: Vec::new(),
            round: false,
            size: 16.0,
            bold: false,
            crisp: false,
            fill_opacity: 1.0,
            stroke_opacity: 1.0,
        }
    }

    fn set(&mut self, property: &str, value: &str) {
        let number = || value.trim_end_matches("px").parse::<f32>().ok();
        match property {
            "fill" => self.fill = colour(value),
            "stroke" => self.stroke = colour(value),
            "stroke-width" => self.width = number().unwrap_or(self.width),
            "fill-opacity" => self.fill_opacity = number().unwrap_or(self.fill_opacity),
            "stroke-opacity" => self.stroke_opacity = number().unwrap_or(self.stroke_opacity),
            "stroke-dasharray" => self.dashes = value.split([' ', ',']).filter_map(|part| part.parse().ok()).collect(),
            "stroke-linejoin" | "stroke-linecap" => self.round |= value == "round",
            "font-size" => self.size = number().unwrap_or(self.size),
            "font-weight" => self.bold = number().is_some_and(|weight| weight >= 600.0) || value == "bold",
            "shape-rendering" => self.crisp = value == "crispEdges",
            _ => {}
        }
    }

    fn shaded(mut self) -> Self {
        let shade = |colour: Option<Color>, opacity: f32| {
            colour.map(|mut colour| {
                colour.apply_opacity(opacity);
                colour
            })
        };
        (self.fill, self.stroke) = (shade(self.fill, self.fill_opacity), shade(self.stroke, self.stroke_opacity));
        self
    }
}

/// `#rrggbb`; anything else is no colour.
fn colour(value: &str) -> Option<Color> {
    let digits = value.strip_prefix('#').filter(|digits| digits.len() == 6)?;
    let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
    Some(Color::from_rgba8(red, green, blue, 255))
}

/// The rules of a style sheet: `.a{...}`, `.chart .a{...}` and `.chart text{...}`, for all elements of one drawing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sheet<'a> {
    /// The more special last.
    rules: Vec<Rule<'a>>,
}

#[derive(Clone, Debug)]
struct Rule<'a> {
    /// The class or the element that it is for.
    selector: &'a str,
    special: u32,
    /// Names and values.
    properties: Vec<(&'a str, &'a str)>,
}

impl<'a> Sheet<'a> {
    pub fn new(css: &'a str) -> Self {
        let mut rules = Vec::new();
        for (selectors, body) in css.split('}').filter_map(|rule| rule.split_once('{')) {
            let properties = body.split(';').filter_map(|pair| pair.split_once(':'));
            let properties: Vec<(&str, &str)> = properties.map(|(name, value)| (name.trim(), value.trim())).collect();
            for selector in selectors.split(',') {
                let words: Vec<&str> = selector.split_whitespace().collect();
                let Some(last) = words.last() else { continue };
                let special = words.iter().map(|word| if word.starts_with('.') { 10 } else { 1 }).sum();
                rules.push(Rule { selector: last, special, properties: properties.clone() });
            }
        }
        rules.sort_by_key(|rule: &Rule<'_>| rule.special);
        Sheet { rules }
    }

    /// The look of an element: its own attributes, then what its name and classes say.
    pub fn style(&self, element: &Element<'_>) -> Style {
        let mut style = Style::plain();
        for property in ["fill", "stroke", "stroke-width", "fill-opacity", "stroke-opacity"] {
            element.get(property).into_iter().for_each(|value| style.set(property, value));
        }
        let classes: Vec<&str> = element.get("class").unwrap_or_default().split_whitespace().collect();
        for Rule { selector, properties, .. } in &self.rules {
            let meant = match selector.strip_prefix('.') {
                Some(class) => classes.contains(&class),
                None => *selector == element.name,
            };
            if meant {
                properties.iter().for_each(|(name, value)| style.set(name, value));
            }
        }
        style.shaded()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::elements;

    #[test]
    fn the_more_special_rule_wins_and_attributes_yield() {
        let sheet = Sheet::new(
            ".chart .b{fill:#0000ff}.chart text{fill:#ff0000;font-size:13px}.b,.c{fill:#00ff00;stroke-width:2}",
        );
        let of = |svg: &str| sheet.style(&elements(svg)[0]);
        assert_eq!(of(r#"<text class="b">"#).fill, Some(Color::from_rgba8(0, 0, 255, 255)));
        assert_eq!((of("<text>").fill, of("<text>").size), (Some(Color::from_rgba8(255, 0, 0, 255)), 13.0));
        let rect = of(r##"<rect class="c" fill="#123456" fill-opacity="0.5">"##);
        assert_eq!((rect.fill.map(|c| (c.green(), c.alpha())), rect.width), (Some((1.0, 0.5)), 2.0));
        assert_eq!(of(r#"<rect class="none">"#).fill, Some(Color::BLACK));
        assert_eq!(Sheet::new(".a{fill:none}").style(&elements(r#"<rect class="a">"#)[0]).fill, None);
    }
}
