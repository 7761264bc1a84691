//! How unlike each other the training rows are, and where new rows would be unlike them all.

use super::legend::{Key, Legend};
use super::{Figure, SIZE, evenly};
use crate::Report;
use crate::novelty_map::{Ground, Plane};
use crate::svg::{Anchor, AxisText, Canvas, Frame, Grid, Margins, contour_lines, filled_bands, padded};
use crate::text::{percent, shorten};
use gpclass::explain::UNLIKE_TRAINING;

/// From this novelty on a row is among the tenth that are the least like the others.
const RARE: f64 = 0.9;
/// The rows from the most ordinary ones on: up to which novelty, and how they look.
const KINDS: [(f64, &str, f64, &str); 3] = [
    (RARE, "point fill-mute", 2.6, "ordinary"),
    (UNLIKE_TRAINING, "point fill-main", 3.2, "least usual tenth"),
    (f64::INFINITY, "point fill-alert", 4.2, "unlike all others"),
];
/// Points that are drawn at most, of every kind the same share; rows that are unlike all others always are, up to this number.
const MOST_POINTS: usize = 1500;
/// How transparent the ground beyond either novelty is.
const VEILS: [(f64, f64); 2] = [(RARE, 0.1), (UNLIKE_TRAINING, 0.2)];
/// Of the strip: room for names, and the height of a class.
const NAMES: Margins = Margins { left: 128.0, ..Margins::AXES };
const STEP: (f64, f64) = (18.0, 44.0);
const NAME_LENGTH: usize = 16;

/// Rows over the two numbers that matter most, or in a strip where there are not two.
pub(crate) fn figure(report: &Report<'_>) -> Option<Figure> {
    if report.class_of_row.is_empty() {
        return None;
    }
    let (size, canvas, what) = match &report.novelty.plane {
        Some(plane) => map(report, plane),
        None => strip(report),
    };
    let sentence = format!("{} {what}", counted(report));
    let figure = Figure::new("novelty", "Where is the model on known ground?", size, canvas, sentence);
    Some(figure.with_table(&["novelty", "rows", "expected"], rows(report)))
}

type Drawn = ((f64, f64), Canvas, String);

fn map(report: &Report<'_>, plane: &Plane) -> Drawn {
    let legend = Legend::new(SIZE.0, KINDS.map(|(_, style, _, name)| Key::Dots(style, name)), report);
    let size = (SIZE.0, SIZE.1 + legend.height());
    let ends = |axis: fn(&(f64, f64)) -> f64| padded(plane.places.iter().map(axis), 0.04);
    let (x, y) = match &plane.ground {
        Some(ground) => (ground.x, ground.y),
        None => (ends(|place| place.0), ends(|place| place.1)),
    };
    let frame = Frame::new(size, legend.margins(), x, y);
    let mut canvas = Canvas::default();
    if let Some(ground) = &plane.ground {
        veil(&mut canvas, ground, &frame);
    }
    let names = [0, 1].map(|k| shorten(&plane.names[k], 36));
    frame.draw(&mut canvas, AxisText::Marks(&names[0]), AxisText::Marks(&names[1]));
    legend.draw(&mut canvas);
    for (rows, (to, style, radius, _)) in kinds(report).iter().zip(KINDS) {
        let share = if to.is_finite() { drawn_share(report) } else { 1.0 };
        for k in evenly(rows.len(), ((rows.len() as f64 * share).ceil() as usize).min(MOST_POINTS)) {
            let (x, y) = plane.places[rows[k]];
            canvas.circle(frame.at(x, y), radius, style);
        }
    }
    let what = match &plane.ground {
        Some(_) => "New rows in the coloured ground would be as unlike these.".to_owned(),
        None => format!(
            "Shown over “{}” and “{}”, the two numbers that matter most; a row may be unlike the others in another column.",
            plane.names[0], plane.names[1]
        ),
    };
    (size, canvas, what + &thinned(report))
}

/// The share of the rows that are drawn, of those that are like others.
fn drawn_share(report: &Report<'_>) -> f64 {
    (MOST_POINTS as f64 / report.class_of_row.len() as f64).min(1.0)
}

/// Whether not all rows are drawn, with a space before it.
fn thinned(report: &Report<'_>) -> String {
    match drawn_share(report) {
        1.0 => String::new(),
        share => format!(" Of rows that are like others {} are drawn.", percent(share)),
    }
}

fn veil(canvas: &mut Canvas, ground: &Ground, frame: &Frame) {
    let last = (ground.resolution - 1) as f64;
    let place = |i: f64, j: f64| {
        let along = |(low, high): (f64, f64), k: f64| low + (high - low) * k / last;
        frame.at(along(ground.x, i), along(ground.y, j))
    };
    let grid = Grid { columns: ground.resolution, rows: ground.resolution, values: &ground.novelty, place: &place };
    for (from, opacity) in VEILS {
        canvas.veil(&filled_bands(&grid, from, f64::INFINITY), "veil fill-alert", opacity);
    }
    canvas.path(&contour_lines(&grid, UNLIKE_TRAINING), "contour");
}

/// Every row as a mark along its novelty, class by class.
fn strip(report: &Report<'_>) -> Drawn {
    let classes = report.summary.classes.len();
    let step = (240.0 / classes as f64).clamp(STEP.0, STEP.1);
    let size = (SIZE.0, NAMES.top + step * classes as f64 + NAMES.bottom);
    let frame = Frame::new(size, NAMES, (0.0, 1.0), (0.0, classes as f64));
    let mut canvas = Canvas::default();
    frame.draw(&mut canvas, AxisText::Numbers("novelty"), AxisText::Label(""));
    for class in 0..classes {
        let top = frame.top() + step * class as f64;
        let name = shorten(report.class(class), NAME_LENGTH);
        canvas.text((frame.left() - 8.0, top + 0.5 * step + 4.5), Anchor::End, "name", &name);
        let own: Vec<usize> = (0..report.class_of_row.len()).filter(|&row| report.class_of_row[row] == class).collect();
        for k in evenly(own.len(), MOST_POINTS) {
            let novelty = report.novelty.novelty[own[k]];
            let x = frame.x.at(novelty);
            let style = if novelty > UNLIKE_TRAINING { "whisker alert" } else { "mark" };
            canvas.line((x, top + 0.2 * step), (x, top + 0.8 * step), style);
        }
    }
    (size, canvas, "Each mark is a row.".to_owned())
}

/// The rows of each kind.
fn kinds(report: &Report<'_>) -> [Vec<usize>; 3] {
    let mut kinds = [const { Vec::new() }; 3];
    for (row, novelty) in report.novelty.novelty.iter().enumerate() {
        let kind = KINDS.iter().position(|(to, ..)| novelty <= to).unwrap_or(KINDS.len() - 1);
        kinds[kind].push(row);
    }
    kinds
}

fn counted(report: &Report<'_>) -> String {
    let (unlike, rows) = (report.unlike.len(), report.class_of_row.len());
    format!(
        "{unlike} of {rows} rows ({}) {} unlike all others: novelty above 0.99, where one in a hundred is expected.",
        percent(unlike as f64 / rows as f64),
        if unlike == 1 { "is" } else { "are" }
    )
}

fn rows(report: &Report<'_>) -> Vec<Vec<String>> {
    let expected = [RARE, UNLIKE_TRAINING - RARE, 1.0 - UNLIKE_TRAINING];
    let named = ["up to 0.9", "0.9 to 0.99", "above 0.99"];
    let all = report.class_of_row.len() as f64;
    let row = |k: usize, rows: &Vec<usize>| {
        vec![named[k].to_owned(), rows.len().to_string(), format!("{:.0}", all * expected[k])]
    };
    kinds(report).iter().enumerate().map(|(k, rows)| row(k, rows)).collect()
}
