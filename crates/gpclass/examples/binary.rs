//! From a table to probabilities: fit, look at what was found, predict new rows, keep the model as bytes.
//!
//! `cargo run --example binary`

use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{Class, Column, LabelValues, Table};
use gpclass::learn::Control;
use std::error::Error;

pub fn main() -> Result<(), Box<dyn Error>> {
    // Sixty machines; those that run hot and shake fail. The third column says nothing.
    let spread = |i: u32, step: f64| (f64::from(i) * step).fract();
    let heat: Vec<f64> = (0..60).map(|i| 60.0 + 40.0 * spread(i, 0.618)).collect();
    let shake: Vec<f64> = (0..60).map(|i| 5.0 * spread(i, 0.755)).collect();
    let serial: Vec<f64> = (0..60).map(|i| 1000.0 * spread(i, 0.569)).collect();
    let fails = |i: usize| (heat[i] - 80.0) / 10.0 + (shake[i] - 2.5) > 0.0;
    let labels = LabelValues::text((0..60).map(|i| if fails(i) { "fails" } else { "runs" }));
    let table = Table::new(vec![
        Column::continuous("heat", heat.clone()),
        Column::continuous("shake", shake.clone()),
        Column::continuous("serial", serial),
    ])?;

    // The default compares kernels and likelihoods by their evidence. Class names are ordered as people order them, and the
    // last is the positive one unless the spec names another.
    let spec = Spec { positive: Some("fails".to_owned()), ..Spec::default() };
    let classifier = Classifier::fit(&table, &labels, None, &spec, &Control::default())?;
    let summary = classifier.summary();
    println!("chosen: {} with {} likelihood", summary.kernel, summary.likelihood);
    println!("left-out error: {:.1} %", 100.0 * summary.loo.error.value);
    for relevance in &summary.relevances {
        println!("relevance of {:<7} {:.3} ± {:.3}", relevance.feature, relevance.effect, relevance.error);
    }
    assert!(summary.loo.error.value < 0.15);
    let [heat, shake, serial] = [0, 1, 2].map(|m| summary.relevances[m].share);
    assert!(serial < heat.min(shake), "the serial number should matter least");

    // New rows: columns are found by their names, in any order.
    let new = Table::new(vec![
        Column::continuous("shake", vec![0.5, 2.5, 4.5]),
        Column::continuous("serial", vec![500.0; 3]),
        Column::continuous("heat", vec![65.0, 80.0, 95.0]),
    ])?;
    let (rows, _) = classifier.predict(&new)?;
    let fails = rows.probability.of_class(Class::POSITIVE);
    for (row, p) in fails.iter().enumerate() {
        println!("P(fails) = {p:.3}, so it probably {}", classifier.classes().name(rows.class(row)));
    }
    assert!(fails[0] < 0.1 && fails[2] > 0.9);

    // A model is a handful of bytes, and what is read back predicts the same, to the last bit.
    let bytes = classifier.to_bytes();
    println!("the model takes {} kB", bytes.len() / 1000);
    assert_eq!(Classifier::from_bytes(&bytes)?.predict(&new)?.0, rows);
    Ok(())
}
