//! Wrong labels: a likelihood that allows for them names the rows to check, and is not led astray by them.
//!
//! `cargo run --example robust`

use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{Column, LabelValues, Table};
use gpclass::learn::{Control, KernelFamily, LikelihoodFamily};
use std::error::Error;

/// One label in twenty-five is wrong.
const EVERY: usize = 25;

pub fn main() -> Result<(), Box<dyn Error>> {
    // Points in a square, of the class "inside" if they lie in a disc.
    let x: Vec<f64> = (0..150).map(|i| 4.0 * (f64::from(i) * 0.618).fract() - 2.0).collect();
    let y: Vec<f64> = (0..150).map(|i| 4.0 * (f64::from(i) * 0.755).fract() - 2.0).collect();
    let inside = |i: usize| x[i].hypot(y[i]) < 1.2;
    let flipped = |i: usize| i % EVERY == 7;
    let labels = LabelValues::text((0..150).map(|i| if inside(i) != flipped(i) { "inside" } else { "outside" }));
    let table = Table::new(vec![Column::continuous("x", x.clone()), Column::continuous("y", y.clone())])?;

    let fit = |likelihood| {
        let mut spec = Spec { positive: Some("inside".to_owned()), ..Spec::default() };
        spec.fit.kernel = Some(KernelFamily::SquaredExponential);
        spec.fit.likelihood = Some(likelihood);
        Classifier::fit(&table, &labels, None, &spec, &Control::default())
    };
    let (probit, robust) = (fit(LikelihoodFamily::Probit)?, fit(LikelihoodFamily::Robust)?);

    // The evidence says whether label errors are worth assuming, and the model says how many there are.
    let evidence = |classifier: &Classifier| classifier.fitted().log_evidence();
    println!("log evidence: probit {:.1}, robust {:.1}", evidence(&probit), evidence(&robust));
    let eps = robust.summary().hyperparameters.iter().find(|h| h.name == "eps").map(|h| h.value);
    println!("learned share of wrong labels: {:.3}; true: {:.3}", eps.unwrap_or_default(), 1.0 / EVERY as f64);
    assert!(evidence(&robust) > evidence(&probit));

    // Rows more probably wrong than right, most suspect first.
    let suspects = robust.summary().suspects.above(0.5);
    for &row in &suspects {
        let wrong = robust.summary().suspects.probability[row];
        println!(
            "row {:>3}: wrong with probability {wrong:.2}; in truth {}",
            row,
            if flipped(row) { "wrong" } else { "right" }
        );
    }
    let found = suspects.iter().filter(|&&row| flipped(row)).count();
    println!(
        "{found} of {} wrong labels found among {} suspects",
        (0..150).filter(|&i| flipped(i)).count(),
        suspects.len()
    );
    assert!(found >= 4 && suspects.len() <= found + 2);
    Ok(())
}
