//! Numbers and categories side by side, some of them missing, and what each column does to the prediction.
//!
//! `cargo run --example mixed_columns`

use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{Class, Column, LabelValues, MissingContinuous, MissingPolicy, Table};
use gpclass::explain::{EffectOptions, FeatureValue, effect_curves};
use gpclass::learn::Control;
use std::error::Error;

pub fn main() -> Result<(), Box<dyn Error>> {
    // Eighty houses: large ones sell, and so do small ones in the old town. Some sizes and places were not written down.
    let places = ["old town", "harbour", "suburb"];
    let place = |i: usize| places[(i * 7 + i / 5) % 3];
    let size = |i: usize| 40.0 + 160.0 * (i as f64 * 0.618).fract();
    let sells = |i: usize| size(i) > 120.0 || place(i) == "old town";
    let sizes = (0..80).map(|i| if i % 19 == 4 { f64::NAN } else { size(i) }).collect();
    let written = (0..80).map(|i| (i % 17 != 3).then(|| place(i).to_owned())).collect();
    let table = Table::new(vec![Column::continuous("size", sizes), Column::discrete("place", written)])?;
    let labels = LabelValues::text((0..80).map(|i| if sells(i) { "yes" } else { "no" }));

    // Missing values are errors unless one says what they shall be: here the mean size, and a place of their own.
    let mut spec = Spec::default();
    spec.encoder.missing = MissingPolicy::own_category(MissingContinuous::Impute);
    let classifier = Classifier::fit(&table, &labels, None, &spec, &Control::default())?;
    let summary = classifier.summary();
    for note in &summary.data_notes {
        println!("{note}");
    }
    println!("{}: {:.1} % of left-out rows wrong", summary.kernel, 100.0 * summary.loo.error.value);
    assert!(summary.loo.error.value < 0.2);

    // One column varied at a time, the others as they are in the data.
    let options = EffectOptions { grid: 5, ..EffectOptions::default() };
    for curve in effect_curves(classifier.fitted(), classifier.encoder(), &[0, 1], &options)? {
        println!("average P(yes) by {}", curve.feature);
        for point in &curve.points {
            let value = match &point.value {
                FeatureValue::Number(number) => format!("{number:.0}"),
                FeatureValue::Category(name) => name.clone(),
            };
            println!("  {value:<10} {:.2} ({:.2} to {:.2})", point.probability, point.low, point.high);
        }
        let first = &curve.points[0];
        assert!(curve.points.iter().any(|point| (point.probability - first.probability).abs() > 0.1));
    }

    // A category that training never saw is possible too; the counts say so.
    let new = Table::new(vec![
        Column::continuous("size", vec![60.0, 60.0]),
        Column::categories("place", ["old town", "island"]),
    ])?;
    let (rows, counts) = classifier.predict(&new)?;
    let yes = rows.probability.of_class(Class::POSITIVE);
    println!("a small house: P(yes) {:.2} in the old town, {:.2} on an island", yes[0], yes[1]);
    for note in counts.notes() {
        println!("{note}");
    }
    assert!(yes[0] > 0.7 && counts.notes().len() == 1);
    Ok(())
}
