//! Figures of `gpclass-report` as pictures of pixels.
//!
//! It draws what those figures are made of and nothing else: lines, rectangles, circles, polygons and text, styled by classes. A renderer of
//! all of SVG would weigh more than the rest of the tool.

#![forbid(unsafe_code)]

mod draw;
mod elements;
mod encode;
mod style;
mod text;

use draw::Picture;

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PngError {
    /// The drawing has no size, or one that no picture has.
    #[error("the drawing is {width} x {height}; a picture has from 1 to {most} pixels either way")]
    Size {
        /// Its width in pixels.
        width: String,
        /// Its height in pixels.
        height: String,
        /// The most that there can be.
        most: u32,
    },
    /// The drawing has an element that is not one of a figure.
    #[error("the drawing has an element <{0}>, which figures do not have")]
    Element(String),
    /// The bundled font cannot be read.
    #[error("the bundled font cannot be read")]
    Font,
}

/// Most pixels of a picture either way.
const MOST_PIXELS: u32 = 16_384;

/// A figure as a PNG file, `scale` pixels for each of the drawing's units.
///
/// ```
/// let svg = r##"<svg viewBox="0 0 40 20"><style>.bar{fill:#11797a}</style><rect x="0" y="0" width="40" height="20" class="bar"/></svg>"##;
/// let png = gpclass_png::png(svg, 2.0)?;
/// assert_eq!(&png[1..4], b"PNG");
/// # Ok::<(), gpclass_png::PngError>(())
/// ```
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    let picture = Picture::of(svg, scale)?;
    Ok(encode::encode(picture.width(), picture.height(), &picture.rgb()))
}

#[cfg(test)]
mod tests;
