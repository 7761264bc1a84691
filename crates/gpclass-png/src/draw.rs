//! Elements drawn onto pixels.

use crate::elements::{Element, elements};
use crate::style::{Sheet, Style};
use crate::text::Font;
use crate::{MOST_PIXELS, PngError};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};

/// What says something about the drawing and is not drawn.
const WORDS: [&str; 4] = ["svg", "title", "desc", "style"];
/// What bold letters are thickened by, as a share of their size.
const BOLD: f32 = 0.045;

/// A drawing as pixels.
pub(crate) struct Picture {
    pixels: Pixmap,
    scale: Transform,
}

impl Picture {
    pub fn of(svg: &str, scale: f32) -> Result<Self, PngError> {
        let elements = elements(svg);
        let size = elements.first().and_then(|root| root.get("viewBox")).unwrap_or_default();
        let size: Vec<f32> = size.split_whitespace().filter_map(|number| number.parse().ok()).collect();
        let pixels = |at: usize| (size.get(at).copied().unwrap_or(0.0) * scale).ceil();
        let (width, height) = (pixels(2), pixels(3));
        let sound = |pixels: f32| (1.0..=MOST_PIXELS as f32).contains(&pixels);
        let made = if sound(width) && sound(height) { Pixmap::new(width as u32, height as u32) } else { None };
        let refused = || PngError::Size { width: width.to_string(), height: height.to_string(), most: MOST_PIXELS };
        let mut picture = Picture { pixels: made.ok_or_else(refused)?, scale: Transform::from_scale(scale, scale) };
        picture.pixels.fill(Color::WHITE);
        let css = elements.iter().find(|element| element.name == "style").map(Element::text).unwrap_or_default();
        let (sheet, font) = (Sheet::new(&css), Font::bundled()?);
        for element in elements.iter().filter(|element| !WORDS.contains(&element.name)) {
            picture.draw(element, &sheet.style(element), &font)?;
        }
        Ok(picture)
    }

    pub fn width(&self) -> u32 {
        self.pixels.width()
    }

    pub fn height(&self) -> u32 {
        self.pixels.height()
    }

    /// Red, green and blue of every pixel: nothing is left transparent.
    pub fn rgb(&self) -> Vec<u8> {
        self.pixels.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect()
    }

    fn draw(&mut self, element: &Element<'_>, style: &Style, font: &Font<'_>) -> Result<(), PngError> {
        let number = |name: &str| element.number(name);
        let path = match element.name {
            "line" => polygon(&[(number("x1"), number("y1")), (number("x2"), number("y2"))], false),
            "rect" => {
                Rect::from_xywh(number("x"), number("y"), number("width"), number("height")).map(PathBuilder::from_rect)
            }
            "circle" => PathBuilder::from_circle(number("cx"), number("cy"), number("r")),
            "path" => path(element.get("d").unwrap_or_default()),
            "text" => {
                self.write(element, style, font);
                return Ok(());
            }
            other => return Err(PngError::Element(other.to_owned())),
        };
        if let Some(path) = path {
            self.shape(&path, style, self.scale);
        }
        Ok(())
    }

    fn shape(&mut self, path: &Path, style: &Style, transform: Transform) {
        if let Some(fill) = style.fill {
            self.pixels.fill_path(path, &paint(fill, style), FillRule::Winding, transform, None);
        }
        if let Some(colour) = style.stroke {
            self.stroke(path, style, colour, style.width, transform);
        }
    }

    fn stroke(&mut self, path: &Path, style: &Style, colour: Color, width: f32, transform: Transform) {
        let (line_cap, line_join) =
            if style.round { (LineCap::Round, LineJoin::Round) } else { (LineCap::Butt, LineJoin::Miter) };
        let dash = if style.dashes.is_empty() { None } else { StrokeDash::new(style.dashes.clone(), 0.0) };
        let stroke = Stroke { width, line_cap, line_join, dash, ..Stroke::default() };
        self.pixels.stroke_path(path, &paint(colour, style), &stroke, transform, None);
    }

    /// Text; what is stroked is stroked below its letters, as a rim.
    fn write(&mut self, element: &Element<'_>, style: &Style, font: &Font<'_>) {
        let (x, y) = (element.number("x"), element.number("y"));
        let upright = element.get("transform").is_some_and(|moved| moved.starts_with("rotate(-90"));
        let turned = if upright { Transform::from_rotate_at(-90.0, x, y) } else { Transform::identity() };
        let transform = turned.post_concat(self.scale);
        let text = element.text();
        let shift = match element.get("text-anchor") {
            Some("middle") => 0.5,
            Some("end") => 1.0,
            _ => 0.0,
        };
        let start = x - shift * font.width(&text, style.size);
        let Some(letters) = font.outline(&text, style.size, (start, y)) else { return };
        if let Some(rim) = style.stroke {
            self.stroke(&letters, style, rim, style.width, transform);
        }
        let Some(ink) = style.fill else { return };
        self.pixels.fill_path(&letters, &paint(ink, style), FillRule::Winding, transform, None);
        if style.bold {
            self.stroke(&letters, style, ink, BOLD * style.size, transform);
        }
    }
}

fn paint<'a>(colour: Color, style: &Style) -> Paint<'a> {
    let mut paint = Paint { anti_alias: !style.crisp, ..Paint::default() };
    paint.set_color(colour);
    paint
}

fn polygon(places: &[(f32, f32)], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    add(&mut builder, places, closed);
    builder.finish()
}

fn add(builder: &mut PathBuilder, places: &[(f32, f32)], closed: bool) {
    for (k, &(x, y)) in places.iter().enumerate() {
        if k == 0 { builder.move_to(x, y) } else { builder.line_to(x, y) }
    }
    if closed {
        builder.close();
    }
}

/// Lines through pairs of places, `M` before the first of each and `Z` after the last of a closed one.
fn path(d: &str) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for line in d.split('M').filter(|line| !line.is_empty()) {
        let numbers: Vec<f32> = line.split([' ', 'Z']).filter_map(|number| number.parse().ok()).collect();
        let places: Vec<(f32, f32)> = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        add(&mut builder, &places, line.ends_with('Z'));
    }
    builder.finish()
}
