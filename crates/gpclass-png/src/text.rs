//! Letters of the bundled font as outlines.

use crate::PngError;
use tiny_skia::{Path, PathBuilder};
use ttf_parser::{Face, GlyphId, OutlineBuilder};

const FONT: &[u8] = include_bytes!("../font/roboto-subset.ttf");

pub(crate) struct Font<'a> {
    face: Face<'a>,
}

impl Font<'_> {
    pub fn bundled() -> Result<Self, PngError> {
        let face = Face::parse(FONT, 0).map_err(|_| PngError::Font)?;
        Ok(Font { face })
    }

    /// The sign of the font; for what it lacks a question mark, so that it is seen that something is missing.
    fn glyph(&self, sign: char) -> GlyphId {
        self.face.glyph_index(sign).or_else(|| self.face.glyph_index('?')).unwrap_or_default()
    }

    fn scale(&self, size: f32) -> f32 {
        size / f32::from(self.face.units_per_em())
    }

    fn advance(&self, glyph: GlyphId, size: f32) -> f32 {
        f32::from(self.face.glyph_hor_advance(glyph).unwrap_or_default()) * self.scale(size)
    }

    pub fn width(&self, text: &str, size: f32) -> f32 {
        text.chars().map(|sign| self.advance(self.glyph(sign), size)).sum()
    }

    /// The outline of a text that starts here on its base line.
    pub fn outline(&self, text: &str, size: f32, (mut x, y): (f32, f32)) -> Option<Path> {
        let mut builder = PathBuilder::new();
        for glyph in text.chars().map(|sign| self.glyph(sign)) {
            self.face.outline_glyph(glyph, &mut Pen { builder: &mut builder, x, y, scale: self.scale(size) });
            x += self.advance(glyph, size);
        }
        builder.finish()
    }
}

/// Draws a letter at its place; letters have their height upwards.
struct Pen<'a> {
    builder: &'a mut PathBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl Pen<'_> {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.scale * x, self.y - self.scale * y)
    }
}

impl OutlineBuilder for Pen<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.builder.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}
