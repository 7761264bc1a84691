//! Labels that were exchanged on purpose, as an audit tells them.

use super::*;
use crate::classifier::{Classifier, Spec};
use crate::data::{Column, LabelValues, Table};
use crate::learn::{Control, KernelFamily, Lengthscales, LikelihoodFamily};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Points in a square, of the class inside within a circle; these shares of those truly outside and inside have the other label.
fn circle(rows: usize, seed: u64, outside: f64, inside: f64) -> (Table, LabelValues, [f64; 2], usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut coordinates = || (0..rows).map(|_| rng.random_range(-2.0..2.0)).collect::<Vec<f64>>();
    let (x, y) = (coordinates(), coordinates());
    let within = |i: usize| x[i].hypot(y[i]) < 1.6;
    let (mut wrong, mut of_class) = ([0_usize; 2], [0_usize; 2]);
    let mut labels = Vec::new();
    for i in 0..rows {
        let class = usize::from(within(i));
        // As many as the share says of the rows seen so far, so that positions follow nothing.
        let due = [outside, inside][class] * (of_class[class] + 1) as f64 > wrong[class] as f64 + 0.5;
        of_class[class] += 1;
        wrong[class] += usize::from(due);
        labels.push(if within(i) != due { "within" } else { "outside" });
    }
    let table = Table::new(vec![Column::continuous("x", x), Column::continuous("y", y)]).unwrap();
    let share = |class: usize| wrong[class] as f64 / of_class[class] as f64;
    (table, LabelValues::text(labels), [share(0), share(1)], wrong[0] + wrong[1])
}

fn fitted(table: &Table, labels: &LabelValues, likelihood: Option<LikelihoodFamily>) -> Classifier {
    let mut spec = Spec::default();
    spec.fit.kernel = Some(KernelFamily::SquaredExponential);
    spec.fit.lengthscales = Lengthscales::Single;
    spec.fit.likelihood = likelihood;
    Classifier::fit(table, labels, None, &spec, &Control::default()).unwrap()
}

/// Shares end a millionth above zero, where their logarithms are still numbers.
fn holds(share: &WrongShare, truth: f64) -> bool {
    (share.low..=share.high).contains(&truth.max(1e-6))
}

#[test]
fn labels_that_are_wrong_in_one_class_alone_are_told_as_such() {
    let (table, labels, truth, count) = circle(300, 3, 0.0, 0.15);
    let classifier = fitted(&table, &labels, None);
    let errors = classifier.label_errors().unwrap();
    let rates = errors.rates.unwrap();
    assert!(rates.per_class && rates.gain.unwrap() > rates.worth, "{rates:?}");
    assert!((rates.worth - 0.5 * 300_f64.ln()).abs() < 1e-12);
    let shares = errors.classes.iter().map(|class| class.share.unwrap()).collect::<Vec<_>>();
    assert!(shares[0].value < 0.02 && holds(&shares[0], 0.0), "{shares:?}");
    assert!(holds(&shares[1], truth[1]), "{shares:?} {truth:?}");
    assert!((errors.wrong.low..=errors.wrong.high).contains(&count), "{:?} {count}", errors.wrong);
    // Whoever is labelled outside hides rows from inside, and nobody else.
    assert_eq!((errors.classes[0].class.as_str(), errors.classes[1].class.as_str()), ("outside", "within"));
    assert!((errors.classes[0].wrong.expected - errors.classes[1].hidden.expected).abs() < 1e-9);
    assert!(errors.classes[1].wrong.expected < 1.0 && errors.classes[1].hidden.expected > 5.0, "{errors:?}");
    let said = errors.sentence().unwrap();
    assert!(said.starts_with("each class has a label error of its own, ") && said.contains(" % of 'within'"), "{said}");
    // Files hold what is told.
    let read = Classifier::from_bytes(&classifier.to_bytes()).unwrap();
    assert_eq!(read.label_errors().unwrap(), errors);
}

#[test]
fn labels_that_are_wrong_in_both_classes_have_one_error() {
    let (table, labels, truth, count) = circle(300, 4, 0.08, 0.08);
    let errors = fitted(&table, &labels, None).label_errors().unwrap();
    let rates = errors.rates.unwrap();
    assert!(!rates.per_class && rates.gain.unwrap() < rates.worth && rates.negative == rates.positive, "{rates:?}");
    for (class, truth) in errors.classes.iter().zip(truth) {
        assert!(holds(&class.share.unwrap(), truth), "{class:?} {truth}");
    }
    assert!((errors.wrong.low..=errors.wrong.high).contains(&count), "{:?} {count}", errors.wrong);
    assert!(errors.sentence().unwrap().contains("in both classes: one for each would"));
}

#[test]
fn a_likelihood_that_was_named_is_taken_as_it_is() {
    let (table, labels, ..) = circle(150, 5, 0.0, 0.15);
    let errors = |likelihood| fitted(&table, &labels, Some(likelihood)).label_errors();
    assert_eq!(errors(LikelihoodFamily::Probit), None);
    let common = errors(LikelihoodFamily::Robust).unwrap().rates.unwrap();
    let own = errors(LikelihoodFamily::RobustPerClass).unwrap().rates.unwrap();
    assert!(!common.per_class && common.gain.is_none() && common.negative == common.positive, "{common:?}");
    assert!(own.per_class && own.gain.is_none() && own.positive > 3.0 * own.negative, "{own:?}");
}

#[test]
fn of_several_classes_every_wrong_label_hides_a_row_of_another() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let rows = 90;
    let x: Vec<f64> = (0..rows).map(|_| rng.random_range(0.0..3.0)).collect();
    let names = ["low", "middle", "high"];
    let label = |i: usize| names[(x[i] as usize + usize::from(i.is_multiple_of(15))) % 3];
    let labels = LabelValues::text((0..rows).map(label));
    let table = Table::new(vec![Column::continuous("x", x.clone())]).unwrap();
    let errors = fitted(&table, &labels, Some(LikelihoodFamily::Robust)).label_errors().unwrap();
    let sum = |of: fn(&ClassErrors) -> f64| errors.classes.iter().map(of).sum::<f64>();
    let (wrong, hidden) = (sum(|class| class.wrong.expected), sum(|class| class.hidden.expected));
    assert!((wrong - errors.wrong.expected).abs() < 1e-9 && (hidden - wrong).abs() < 1e-9, "{wrong} {hidden}");
    assert!(errors.rates.is_none() && errors.sentence().is_none() && errors.classes.iter().all(|c| c.share.is_none()));
    assert!(errors.wrong.expected > 1.0 && errors.wrong.low <= errors.wrong.high, "{:?}", errors.wrong);
}
