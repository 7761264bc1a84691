//! A classifier of a table in a file, from reading it to a row's prediction.
//!
//! `cargo run --release --example fit_a_table -- wine.csv class`

use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{LabelValues, Table};
use gpclass::learn::Control;
use gpclass_table::{KindOptions, TableOptions, TableReader};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, label] = &arguments[..] else { return Err("give a table and the name of its label column".into()) };

    // Which columns are numbers, categories or dates is found out; an error names line, column and value.
    let kinds = KindOptions { label: Some(label.clone()), ..KindOptions::default() };
    let read = TableReader::open(Path::new(file), TableOptions::default())?.read_all(&kinds)?;
    let labels = LabelValues::from(read.label.ok_or("the table has no such column")?);
    let table = Table::new(read.columns)?;

    // The default: several models that predict together. `Control` can watch, stop and bound the search.
    let classifier = Classifier::fit(&table, &labels, None, &Spec::default(), &Control::default())?;

    let summary = classifier.summary();
    let loo = &summary.loo;
    println!("{} rows, {} models predict together", table.rows(), classifier.members().len());
    println!("left-out rows: error {:.1} %, loss {:.3} nats", 100.0 * loo.error.value, loo.nlp_nats.value);
    let mut relevances: Vec<_> = summary.relevances.iter().collect();
    relevances.sort_by(|a, b| b.effect.total_cmp(&a.effect));
    for relevance in relevances.iter().take(3) {
        println!("  {:<20} changes probabilities by {:.3}", relevance.feature, relevance.effect);
    }

    // A few rows of the table itself, as new ones would be: columns are found by their names.
    let (rows, _) = classifier.predict(&table.select_rows(&[0, 70, 150])?)?;
    for row in 0..3 {
        let classes = classifier.classes();
        let named = classes.classes().map(|class| (classes.name(class), rows.probability.at(row, class)));
        let shown: Vec<String> = named.map(|(name, p)| format!("{name} {p:.3}")).collect();
        println!("{}: {}", classes.name(rows.class(row)), shown.join(", "));
    }

    // The same bytes that the tool and Python write and read.
    std::fs::write("model.gpc", classifier.to_bytes())?;
    Ok(())
}
