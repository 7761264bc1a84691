//! A small toolkit for charts: scales with round ticks, a frame with axes, marks, contours.

mod canvas;
mod contour;
mod drawing;
mod frame;
mod marks;
mod regions;
mod scale;
mod ticks;

pub(super) use canvas::{Anchor, Canvas};
pub(super) use contour::{Grid, contour_lines, filled_bands};
pub(super) use drawing::{Drawing, chart_styles};
pub(super) use frame::{AxisText, Frame, Margins};
pub(super) use marks::{Tone, band_path, class_marker, fill_of, line_path, step_path};
pub(super) use regions::Fields;
pub(super) use scale::padded;
