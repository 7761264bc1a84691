//! Labels of several classes that are unusual or of no use.

mod support;

use support::{Bench, QUICK, Ran, ring, species};

/// A fit of this table by its column `y`.
fn fit(table: &str, extra: &[&str]) -> Ran {
    let bench = Bench::new();
    bench.write("d.csv", table);
    bench.run(&[&["fit", "d.csv", "--label", "y"], &QUICK[..], extra].concat())
}

#[track_caller]
fn says(sentence: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(sentence.contains(part), "no '{part}' in: {sentence}"));
}

fn irises() -> String {
    species(45).replacen("species", "y", 1)
}

#[test]
fn a_class_with_one_row_is_fitted_and_told() {
    let bench = Bench::new();
    bench.write("d.csv", irises() + "9,9,9,rare\n");
    let fit = bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..]].concat()).ok();
    says(&fit, &["1 rare", "Class 'rare' has 1 row"]);
    let rare = bench.run(&["predict", "m.gpc", "d.csv"]).ok();
    says(rare.lines().next().unwrap(), &["p(rare)"]);
    let folds = [&["evaluate", "d.csv", "--label", "y", "--folds", "3"], &QUICK[..]].concat();
    says(&bench.run(&folds).ok(), &["rare"]);
}

#[test]
fn a_label_that_training_never_had() {
    let bench = Bench::new();
    bench.write("d.csv", irises()).write("new.csv", "length,width,depth,y\n1,1,1,setosa\n1,2,1,orchid\n");
    bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..]].concat()).ok();
    let sentence = bench.run(&["predict", "m.gpc", "new.csv", "--label", "y"]).error();
    says(&sentence, &["new.csv, line 3 has the label 'orchid'", "knows only 'setosa', 'versicolor' and 'virginica'"]);
    bench.run(&["predict", "m.gpc", "new.csv"]).ok();
}

#[test]
fn a_thousand_classes() {
    let bench = Bench::new();
    bench.write("d.csv", ring(3_000, 1_000));
    for command in [["fit", "d.csv"], ["audit", "d.csv"], ["evaluate", "d.csv"]] {
        let sentence = bench.run(&[&command[..], &["--label", "y"], &QUICK[..]].concat()).error();
        says(&sentence, &["1000 different values", "at most 100 classes", "choose another label column"]);
        assert!(sentence.chars().count() < 500, "{sentence}");
    }
    says(&bench.run(&["infer", "d.csv", "--label", "y", "--fix", "v0=1,l=1"]).error(), &["1000 different values"]);
    let ids: String = (0..40).map(|i| format!("{i},id {i}\n")).collect();
    says(&fit(&format!("a,y\n{ids}"), &[]).error(), &["each of the 40 rows has a label of its own"]);
}

#[test]
fn names_may_be_numbers_and_differ_in_more_than_spaces() {
    let numbers = irises().replace("setosa", "10").replace("versicolor", "9").replace("virginica", "-1.50");
    says(&fit(&numbers, &[]).ok(), &["3 classes: 15 -1.50, 15 9, 15 10"]);
    let spaces = irises().replacen(",setosa", ",\" setosa \"", 3);
    says(&fit(&spaces, &[]).ok(), &["3 classes: 15 setosa, 15 versicolor"]);
    let blank = irises().replacen(",setosa", ",\"  \"", 1);
    says(&fit(&blank, &[]).error(), &["d.csv, line 2 has no label"]);
    let case = irises().replacen("setosa", "Setosa", 5);
    says(&fit(&case, &[]).ok(), &["4 classes", "'Setosa' and 'setosa' differ only in case"]);
}

#[test]
fn what_is_for_two_classes_says_so() {
    says(&fit(&irises(), &["--positive", "setosa"]).error(), &["'setosa' was asked for as the positive class", "two"]);
    for search in ["em-ep", "two-step", "ep-cv"] {
        says(&fit(&irises(), &["--search", search]).error(), &[search, "3", "two classes"]);
    }
    let sentence = fit(&irises(), &["--multiclass", "joint", "--objective", "loo-nlp"]).error();
    says(&sentence, &["one-vs-rest"]);
    let bench = Bench::new();
    bench.write("d.csv", irises());
    let shifted = ["fit", "d.csv", "--label", "y", "--multiclass", "joint", "--likelihood", "probit-bias"];
    says(&bench.run(&shifted).error(), &["probit-bias", "one-vs-rest"]);
    // Unless they are asked to be together they are fitted each against the rest, which is told.
    let out = fit(&irises(), &["--objective", "loo-nlp"]).ok();
    says(
        &out,
        &["each class against the rest", "a leave-one-out objective has no gradient for several classes at once"],
    );
}
