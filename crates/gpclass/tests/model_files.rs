//! Model files of earlier versions are read, and predict to the last bit what they predicted when they were written.

use gpclass::classifier::{Classifier, FORMAT_VERSION};
use gpclass::data::{Class, Column, FeatureKind, Table};
use serde_json::Value;
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/model_files").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// Cells of a table without quotes, its header apart.
fn cells(text: &str) -> (Vec<&str>, Vec<Vec<&str>>) {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    (lines.next().expect("a header"), lines.collect())
}

/// The columns that the model knows.
fn table(text: &str, classifier: &Classifier) -> Table {
    let (header, rows) = cells(text);
    let column = |name: &str, kind: FeatureKind| {
        let at = header.iter().position(|column| *column == name).expect("a column of the model");
        let cells = rows.iter().map(|row| row[at]);
        match kind {
            FeatureKind::Continuous => {
                Column::continuous(name, cells.map(|cell| cell.parse().unwrap_or(f64::NAN)).collect())
            }
            FeatureKind::Discrete => {
                Column::discrete(name, cells.map(|cell| (!cell.is_empty()).then(|| cell.to_owned())).collect())
            }
        }
    };
    let features = classifier.encoder().features();
    Table::new(features.iter().map(|f| column(&f.name, f.kind)).collect()).expect("a table")
}

/// Label, probability of the positive class, latent mean and standard deviation of every row.
fn assert_predictions(name: &str, classifier: &Classifier, new: &str) {
    let expected = text(&format!("{name}.predictions.csv"));
    let (header, rows) = cells(&expected);
    assert_eq!(header[1], format!("p({})", classifier.classes().name(Class::POSITIVE)), "{name}");
    let predicted = classifier.predict(&table(&text(new), classifier)).expect("predictions").0;
    assert_eq!(predicted.rows(), rows.len());
    for (i, row) in rows.iter().enumerate() {
        assert_eq!(classifier.classes().name(predicted.class(i)), row[0], "{name}, row {i}");
        let latent = predicted.latent(i, 0);
        let got = [predicted.probability(i, Class::POSITIVE), latent.mean, latent.var.sqrt()];
        let want = [1, 2, 3].map(|cell| row[cell].parse::<f64>().expect("a number"));
        assert_eq!(got.map(f64::to_bits), want.map(f64::to_bits), "{name}, row {i}: {got:?}, then {want:?}");
    }
}

fn assert_account(name: &str, classifier: &Classifier, expected: &Value) {
    let summary = classifier.summary();
    assert_eq!(summary.rows as u64, expected["rows"], "{name}");
    assert_eq!((classifier.sharpness(), summary.sharpness), (1.0, 1.0), "{name}: mixtures were never sharpened");
    assert_eq!(classifier.fitted().log_evidence(), expected["log_evidence"], "{name}");
    assert_eq!(summary.chosen().map(|c| c.name.as_str()), expected["chosen"].as_str(), "{name}");
    assert_eq!(summary.kernel, expected["kernel"], "{name}");
    let classes: Vec<Value> = classifier.classes().names().iter().map(|c| c.as_str().into()).collect();
    assert_eq!(Value::from(classes), expected["classes"], "{name}");
    assert_eq!(serde_json::to_value(&summary.loo_probability).expect("numbers"), expected["loo_probability"], "{name}");
    for hyperparameter in &summary.hyperparameters {
        assert_eq!(hyperparameter.value, expected["hyperparameters"][&hyperparameter.name], "{name}");
    }
    let notes: Vec<Value> =
        summary.data_notes.iter().chain(&summary.fit_notes).map(|note| note.text.as_str().into()).collect();
    assert_eq!(Value::from(notes), expected["notes"], "{name}");
}

#[test]
fn files_of_earlier_versions_predict_as_ever() {
    let expected: Value = serde_json::from_str(&text("expected.json")).expect("JSON");
    let files = expected.as_object().expect("one entry per file");
    assert!(files.len() >= 8, "{}", files.len());
    let mut versions = Vec::new();
    for (name, expected) in files {
        let bytes = std::fs::read(path(&format!("{name}.gpc"))).expect("a model file");
        assert_eq!(u64::from(bytes[8]), expected["version"], "{name}");
        versions.push(bytes[8]);
        let classifier = Classifier::from_bytes(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        let new = expected["new"].as_str().expect("the name of a table");
        assert_predictions(name, &classifier, new);
        assert_account(name, &classifier, expected);
        // And written as it is today.
        let rewritten = classifier.to_bytes();
        assert_eq!(u32::from(rewritten[8]), FORMAT_VERSION, "{name}");
        let reread = Classifier::from_bytes(&rewritten).unwrap_or_else(|e| panic!("{name}, rewritten: {e}"));
        assert_predictions(name, &reread, new);
        assert_eq!(reread.summary(), classifier.summary(), "{name}");
        assert_eq!(reread.to_bytes(), rewritten, "{name}");
    }
    versions.sort_unstable();
    versions.dedup();
    assert_eq!(versions, [1, 2]);
}

#[test]
fn likelihoods_and_methods_of_earlier_versions_have_the_names_of_today() {
    for (name, likelihood, parameters, method) in [
        ("ard_robust_mixed", "robust", vec!["eps"], "ep"),
        ("rq_full", "full", vec!["eps", "b", "sigma"], "ep"),
        ("linear_logistic_laplace", "logistic", vec![], "laplace"),
        ("least_squares", "probit", vec![], "ls"),
    ] {
        let bytes = std::fs::read(path(&format!("{name}.gpc"))).expect("a model file");
        let classifier = Classifier::from_bytes(&bytes).unwrap_or_else(|e| panic!("{name}: {e}"));
        let model = classifier.fitted().model();
        assert_eq!(model.likelihood.name(), likelihood, "{name}");
        let names: Vec<String> = model.likelihood.params().into_iter().map(|p| p.name).collect();
        assert_eq!(names, parameters, "{name}");
        assert_eq!(model.method.name(), method, "{name}");
        let summary = classifier.summary();
        assert_eq!((summary.likelihood.as_str(), summary.method.as_str()), (likelihood, method), "{name}");
    }
}
