//! Learning for a purpose: hyperparameters that maximise the F-measure of left-out rows instead of the evidence.
//!
//! Where positives are rare and the boundary is blurred, the evidence asks for honest probabilities, which rarely pass one
//! half; the F-measure asks that positives be found.
//!
//! `cargo run --example leave_one_out_objective`

use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{Column, LabelValues, Table};
use gpclass::learn::{Control, KernelFamily, LikelihoodFamily};
use gpclass::objective::{Criterion, Objective};
use std::error::Error;

pub fn main() -> Result<(), Box<dyn Error>> {
    // Two hundred rows, one in six positive, more of them the larger x is.
    let x: Vec<f64> = (0..200).map(|i| (f64::from(i) * 0.618).fract()).collect();
    let chance = |i: usize| (i as f64 * 0.755).fract();
    let positive = |i: usize| chance(i) < 0.65 * x[i].powi(3);
    let labels = LabelValues::text((0..200).map(|i| if positive(i) { "1" } else { "0" }));
    let table = Table::new(vec![Column::continuous("x", x.clone())])?;

    let fit = |objective| {
        let mut spec = Spec::default();
        spec.fit.kernel = Some(KernelFamily::SquaredExponential);
        // A bias of the likelihood lets the search move the boundary without bending the function.
        spec.fit.likelihood = Some(LikelihoodFamily::ProbitBias);
        spec.fit.objective = objective;
        Classifier::fit(&table, &labels, None, &spec, &Control::default())
    };
    // zeta weighs recall against precision: 1/2 is the usual F.
    let f_measure = Objective::leave_one_out(Criterion::FMeasure { zeta: 0.5 });
    let mut scores = Vec::new();
    for (name, objective) in [("evidence", Objective::Evidence), ("F-measure", f_measure)] {
        let classifier = fit(objective)?;
        let loo = &classifier.summary().loo;
        let f = loo.f_measure.map_or(0.0, |estimate| estimate.value);
        println!(
            "by {name:<10} left-out F {f:.2}, loss {:.3} nats, error {:.1} %",
            loo.nlp_nats.value,
            100.0 * loo.error.value
        );
        scores.push((f, loo.nlp_nats.value));
    }
    let [(f_of_evidence, loss_of_evidence), (f_of_f, loss_of_f)] = scores[..] else { unreachable!() };
    // Each is best at what it was asked for.
    assert!(f_of_f > f_of_evidence && loss_of_evidence < loss_of_f);
    Ok(())
}
