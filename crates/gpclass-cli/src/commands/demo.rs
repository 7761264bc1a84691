//! `gpclass demo`: a circle with wrong labels, from data to model and report.

use crate::args::DemoArgs;
use crate::error::CliError;
use crate::session::{Session, prepared};
use crate::show::report::{Telling, prepare_report};
use crate::show::summary::{Style, fit_json, fit_text};
use crate::stored;
use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{Column, LabelValues, Table};
use gpclass_host::output::{Plan, commit_all};
use gpclass_report::number;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Rows of the example.
const ROWS: usize = 200;
/// Rows whose labels are flipped.
const FLIPPED: usize = 10;
/// Squared radius of the circle: half of the square's area lies inside.
const RADIUS_SQUARED: f64 = 2.0 / std::f64::consts::PI;
/// Probability from which labels are listed.
const SUSPECT: f64 = 0.5;
const HEADER: &str = "x1,x2,class\n";
const DATA: &str = "demo.csv";
const MODEL: &str = "demo.gpc";
const REPORT: &str = "demo.html";

/// Labels are flipped where the squared distance from the circle is at least this: nearer ones nobody could find.
const CLEAR: f64 = 0.15;

/// Points in the square from -1 to 1; the class is whether they lie in a circle, except for the flipped ones.
struct Circle {
    x1: Vec<f64>,
    x2: Vec<f64>,
    labels: Vec<&'static str>,
    /// The flipped rows, from 0.
    flipped: Vec<usize>,
}

pub(super) fn run(args: &DemoArgs, session: &Session) -> Result<(), CliError> {
    let circle = Circle::new(args.seed);
    let [data_path, model_path, report_path] = [DATA, MODEL, REPORT].map(|name| args.folder.join(name));
    let paths = [&data_path, &model_path, &report_path];
    if let Some(path) = paths.into_iter().find(|path| path.exists()).filter(|_| !is_example(&data_path)) {
        return Err(CliError::user(format!(
            "'{}' is there and was not made by this example; give another folder with --folder",
            path.display()
        )));
    }
    paths.into_iter().fold(Plan::default().printing(), |plan, path| plan.writing(Some(path))).check()?;
    let columns = vec![Column::continuous("x1", circle.x1.clone()), Column::continuous("x2", circle.x2.clone())];
    let table = Table::new(columns)?;
    let labels = LabelValues::text(circle.labels.clone());
    let progress = session.progress();
    let spec = Spec { positive: Some("inside".to_owned()), ..Spec::default() };
    let fitted = Classifier::fit(&table, &labels, None, &spec, &session.control(&progress));
    progress.clear();
    session.check()?;
    let classifier = fitted?.with_origin(Some(DATA.to_owned()), Some(stored::now()));
    // Line 1 is the header.
    let lines: Vec<u64> = (0..ROWS as u64).map(|row| row + 2).collect();
    let telling = Telling { lines: Some(&lines), suspect: SUSPECT, by: None };
    let mut outputs = prepare_report(Some(&report_path), None, &classifier, telling)?;
    outputs.push(prepared(&data_path, circle.csv().as_bytes())?);
    outputs.push(stored::prepare(&model_path, &classifier)?);
    commit_all(outputs)?;
    if session.json {
        return session.print(&fit_json(&classifier, Some(&lines), SUSPECT)?);
    }
    let suspects = classifier.summary().suspects.above(SUSPECT);
    let found = suspects.iter().filter(|row| circle.flipped.contains(row)).count();
    session.print(&format!(
        "{ROWS} points, inside or outside a circle; {FLIPPED} of the labels were flipped.\n{}\
         {found} of the {FLIPPED} flipped labels were found, {} others are suspected.\n",
        fit_text(&classifier, Some(&lines), SUSPECT, Style::detect()),
        suspects.len() - found
    ))?;
    session.remark(&format!(
        "written: {}, {}; look at {}",
        data_path.display(),
        model_path.display(),
        report_path.display()
    ));
    Ok(())
}

/// Whether the table is one of an earlier run, and may be replaced with what belongs to it.
fn is_example(path: &Path) -> bool {
    let mut first = [0; HEADER.len()];
    File::open(path).and_then(|mut file| file.read_exact(&mut first)).is_ok() && first == HEADER.as_bytes()
}

impl Circle {
    fn new(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut coordinate = || (0..ROWS).map(|_| rng.random_range(-1.0..1.0)).collect::<Vec<f64>>();
        let (x1, x2) = (coordinate(), coordinate());
        let outward = |i: usize| x1[i] * x1[i] + x2[i] * x2[i] - RADIUS_SQUARED;
        let mut clear: Vec<usize> = (0..ROWS).filter(|&i| outward(i).abs() >= CLEAR).collect();
        clear.shuffle(&mut rng);
        let flipped: Vec<usize> = clear.into_iter().take(FLIPPED).collect();
        let inside = |i: usize| (outward(i) < 0.0) != flipped.contains(&i);
        let labels = (0..ROWS).map(|i| if inside(i) { "inside" } else { "outside" }).collect();
        Circle { x1, x2, labels, flipped }
    }

    fn csv(&self) -> String {
        let row = |i: usize| format!("{},{},{}\n", number(self.x1[i]), number(self.x2[i]), self.labels[i]);
        HEADER.to_owned() + &(0..ROWS).map(row).collect::<String>()
    }
}
