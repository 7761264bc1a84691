//! Horizontal bars with their names and values: candidates and relevances.

use crate::svg::{Anchor, Canvas};
use crate::text::shorten;

/// One bar.
pub(super) struct Bar {
    pub name: String,
    /// Length as a share of the longest.
    pub share: f64,
    /// Where its true end lies with 95 %, as shares of the longest, if that is shown.
    pub interval: Option<(f64, f64)>,
    /// What is written at its end.
    pub value: String,
    /// Whether it stands out.
    pub strong: bool,
}

const WIDTH: f64 = 440.0;
const NAME_WIDTH: f64 = 206.0;
const VALUE_WIDTH: f64 = 58.0;
const STEP: f64 = 25.0;
const THICKNESS: f64 = 15.0;
/// Characters of a name that fit into its width.
const NAME_LENGTH: usize = 22;

/// The bars from top to bottom, and the size of the picture.
pub(super) fn draw(bars: &[Bar]) -> (Canvas, (f64, f64)) {
    let mut canvas = Canvas::default();
    let room = WIDTH - NAME_WIDTH - VALUE_WIDTH;
    for (k, bar) in bars.iter().enumerate() {
        let middle = 6.0 + STEP * (k as f64 + 0.5);
        let share = if bar.share.is_finite() { bar.share.clamp(0.0, 1.0) } else { 0.0 };
        let length = (room * share).max(1.5);
        let (text, fill) = if bar.strong { ("strong", "bar fill-main") } else { ("name", "bar fill-mute") };
        canvas.text((NAME_WIDTH - 8.0, middle + 4.5), Anchor::End, text, &shorten(&bar.name, NAME_LENGTH));
        canvas.rect((NAME_WIDTH, middle - 0.5 * THICKNESS), length, THICKNESS, fill);
        let mut end = length;
        if let Some(interval) = bar.interval {
            let [low, high] = [interval.0, interval.1].map(|share| room * share.clamp(0.0, 1.0));
            canvas.line((NAME_WIDTH + low, middle), (NAME_WIDTH + high, middle), "whisker ink");
            end = end.max(high);
        }
        canvas.text((NAME_WIDTH + end + 6.0, middle + 4.5), Anchor::Start, "tick", &bar.value);
    }
    (canvas, (WIDTH, 12.0 + STEP * bars.len() as f64))
}
