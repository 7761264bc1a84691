mod classes;
mod figures;
mod harmless;
mod page;

use crate::{Report, ReportOptions};
use gpclass::classifier::{Classifier, Summary};

fn report(classifier: &Classifier) -> Report<'_> {
    Report::of(classifier, &ReportOptions::default()).unwrap()
}

/// The page of a classifier whose summary is changed before it is shown.
fn changed(classifier: &Classifier, change: impl FnOnce(&mut Summary)) -> String {
    let mut summary = classifier.summary().clone();
    change(&mut summary);
    Report { summary: &summary, ..report(classifier) }.html()
}

/// Every `name="value"` of the SVG elements must be free of words that no coordinate may contain.
fn assert_drawable(html: &str) {
    for bad in ["NaN", "inf\"", "inf ", "-0\"", "\"\"", "e308", "e-3"] {
        for attribute in ["x=\"", "y=\"", "d=\"", "width=\"", "height=\"", "cx=\"", "cy=\"", "r=\"", "points=\""] {
            for part in html.split(&format!(" {attribute}")).skip(1) {
                let value = &part[..=part.find('"').unwrap()];
                assert!(!value.contains(bad) && value.len() > 1, "{attribute}{value}");
            }
        }
    }
}

fn figures(html: &str) -> Vec<&str> {
    html.split("<figure id=\"figure-").skip(1).map(|part| &part[..part.find('"').unwrap()]).collect()
}
