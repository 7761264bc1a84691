//! Several classes through every command, on tables made here.

mod support;

use serde_json::Value;
use std::fmt::Write;
use support::{Bench, QUICK, ring, species, wobble};

const NAMES: [&str; 3] = ["setosa", "versicolor", "virginica"];

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

#[track_caller]
fn holds(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "no '{part}' in: {text}"));
}

/// A model of irises in `m.gpc`, and what its fit said.
fn fitted(extra: &[&str]) -> (Bench, String) {
    let bench = Bench::new();
    bench.write("d.csv", species(60));
    let args = [&["fit", "d.csv", "--label", "species", "-o", "m.gpc"], &QUICK[..], extra].concat();
    let out = bench.run(&args).ok();
    (bench, out)
}

#[test]
fn fit_tells_how_each_class_fares() {
    let (bench, out) = fitted(&[]);
    holds(
        &out,
        &[
            "60 rows, 3 continuous and 0 discrete features; 3 classes: 20 setosa, 20 versicolor, 20 virginica",
            "by ep; all classes together",
            "Leave-one-out",
            "Brier",
            "macro F",
            "macro AUC",
            "class       rows  precision  recall",
            "Confusion: a line for every label",
            "Suspect labels",
        ],
    );
    assert!(!out.contains("positive"), "{out}");
    assert!(out.lines().all(|line| line.chars().count() < 240), "{out}");
    let matrix: Vec<&str> = out.lines().skip_while(|line| !line.starts_with("Confusion")).skip(1).take(4).collect();
    assert_eq!(matrix[0].split_whitespace().collect::<Vec<_>>(), NAMES);
    let json = parse(&bench.run(&[&["fit", "d.csv", "--label", "species", "--json"], &QUICK[..]].concat()).ok());
    let summary = &json["summary"];
    assert_eq!((&summary["multiclass"], &summary["classes"][1]["class"]), (&"joint".into(), &NAMES[1].into()));
    let confusion = &summary["loo"]["classes"]["confusion"];
    for (label, line) in matrix[1..].iter().enumerate() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(fields[0], NAMES[label]);
        let counts: Vec<f64> = fields[1..].iter().map(|f| if *f == "." { 0.0 } else { f.parse().unwrap() }).collect();
        assert_eq!(serde_json::json!(counts), confusion[label]);
        assert_eq!(counts.iter().sum::<f64>(), 20.0);
    }
    assert_eq!(summary["loo"]["classes"]["each"][0]["rows"], 20);
}

#[test]
fn classes_are_modelled_as_asked() {
    let (bench, out) = fitted(&["--multiclass", "one-vs-rest"]);
    holds(&out, &["each class against the rest", "macro F"]);
    assert_eq!(bench.run(&["predict", "m.gpc", "d.csv"]).ok().lines().count(), 61);
    let (_, out) = fitted(&["--class-kernels", "own"]);
    holds(&out, &["of each class", "v0[setosa]", "v0[virginica]", "all classes together"]);
    bench.write("s.toml", "[fit]\nmulticlass = \"one-vs-rest\"\nkernel = \"se\"\nlikelihood = \"probit\"\n");
    let spec = ["fit", "d.csv", "--label", "species", "--spec", "s.toml", "--lengthscales", "single"];
    holds(&bench.run(&spec).ok(), &["each class against the rest"]);
    holds(&bench.run(&[&spec[..], &["--multiclass", "joint"]].concat()).ok(), &["all classes together"]);
}

#[test]
fn predictions_have_a_column_for_every_class() {
    let (bench, _) = fitted(&[]);
    bench.write("new.csv", species(90));
    let ran = bench.run(&["predict", "m.gpc", "new.csv", "--keep", "species", "--block", "7"]);
    holds(&ran.err, &["90 rows: ", " setosa, ", " virginica"]);
    let out = ran.ok();
    let mut lines = out.lines();
    let header = "species,label,p(setosa),p(versicolor),p(virginica),latent_mean(setosa),latent_sd(setosa),\
                  latent_mean(versicolor),latent_sd(versicolor),latent_mean(virginica),latent_sd(virginica),\
                  novelty,unlike_training";
    assert_eq!(lines.next(), Some(header));
    let json = bench.run(&["predict", "m.gpc", "new.csv", "--json"]).ok();
    let mut right = 0;
    for (line, json) in lines.zip(json.lines()) {
        let fields: Vec<&str> = line.split(',').collect();
        let p: Vec<f64> = fields[2..5].iter().map(|p| p.parse().unwrap()).collect();
        assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{line}");
        let best = (0..3).max_by(|&a, &b| p[a].total_cmp(&p[b])).unwrap();
        assert_eq!(fields[1], NAMES[best]);
        right += usize::from(fields[0] == fields[1]);
        let row = parse(json);
        assert_eq!(row["label"], fields[1]);
        for (class, name) in NAMES.iter().enumerate() {
            assert_eq!(row["probabilities"][name].as_f64(), Some(p[class]));
            assert_eq!(row["latent_mean"][name].as_f64(), fields[5 + 2 * class].parse().ok());
            assert_eq!(row["latent_sd"][name].as_f64(), fields[6 + 2 * class].parse().ok());
        }
    }
    assert!(right >= 75, "{right} of 90");
}

#[test]
fn known_labels_score_the_predictions() {
    let (bench, _) = fitted(&[]);
    bench.write("new.csv", species(90));
    let scored = ["predict", "m.gpc", "new.csv", "--label", "species", "--block", "11"];
    let ran = bench.run(&scored);
    holds(&ran.err, &["90 rows: ", "error ", "NLP", "macro AUC", "precision", "Confusion"]);
    let plain = bench.run(&scored[..3]).ok();
    assert_eq!(ran.ok(), plain, "the predictions are the same");
    let facts = parse(&bench.run(&[&scored[..], &["--json"]].concat()).err);
    assert_eq!(facts["rows"], 90);
    assert!(facts["scores"]["error"]["value"].as_f64().unwrap() < 0.2, "{facts}");
    let confusion = &facts["scores"]["classes"]["confusion"];
    let total: f64 = (0..9).map(|at| confusion[at / 3][at % 3].as_f64().unwrap()).sum();
    assert_eq!(total, 90.0);
    bench.write("odd.csv", species(90).replacen("virginica", "hybrid", 1));
    let sentence = bench.run(&["predict", "m.gpc", "odd.csv", "--label", "species", "-o", "p.csv"]).error();
    holds(&sentence, &["odd.csv, line 4 has the label 'hybrid'", "'setosa', 'versicolor' and 'virginica'"]);
    assert!(!bench.path("p.csv").exists(), "nothing is written");
    let sentence = bench.run(&["predict", "m.gpc", "d.csv", "--label", "kind"]).error();
    holds(&sentence, &["no column 'kind'", "--label"]);
}

#[test]
fn evaluate_tells_each_class_and_the_confusions() {
    let bench = Bench::new();
    bench.write("d.csv", species(60));
    let args = [&["evaluate", "d.csv", "--label", "species", "--folds", "3"], &QUICK[..]].concat();
    let out = bench.run(&args).ok();
    holds(
        &out,
        &[
            "60 rows, 3 test sets",
            "error (%)",
            "macro F",
            "macro AUC",
            "balanced accuracy",
            "Each class, over all test rows",
            "Confusion",
        ],
    );
    let json = parse(&bench.run(&[&args[..], &["--json"]].concat()).ok());
    assert_eq!(json["classes"], serde_json::json!(NAMES));
    let details = &json["class_scores"][0];
    assert_eq!((&details["method"], &details["each"][2]["rows"]), (&"model".into(), &20.into()));
    let total: f64 = (0..9).map(|at| details["confusion"][at / 3][at % 3].as_f64().unwrap()).sum();
    assert_eq!(total, 60.0);
    let spec = |multiclass: &str| {
        let model = "kernel = \"se\"\nlikelihood = \"probit\"\nlengthscales = \"single\"";
        format!("[fit]\nmulticlass = \"{multiclass}\"\n{model}\n")
    };
    bench.write("joint.toml", spec("joint")).write("rest.toml", spec("one-vs-rest"));
    let compare = ["--compare", "joint.toml", "rest.toml"];
    let args = [&["evaluate", "d.csv", "--label", "species", "--folds", "3"], &compare[..]].concat();
    let out = bench.run(&args).ok();
    holds(&out, &["F-measure of each class", "joint against rest", "Wilcoxon", "Differences in NLP"]);
    let json = parse(&bench.run(&[&args[..], &["--json"]].concat()).ok());
    assert_eq!(json["class_scores"].as_array().unwrap().len(), 2);
}

#[test]
fn audit_says_which_class_it_is_rather() {
    let bench = Bench::new();
    // Two setosas far from all others are called something else.
    let flipped = |(i, line): (usize, &str)| match i {
        7 => line.replace("setosa", "virginica") + "\n",
        31 => line.replace("setosa", "versicolor") + "\n",
        _ => line.to_owned() + "\n",
    };
    bench.write("d.csv", species(90).lines().enumerate().map(flipped).collect::<String>());
    let model = ["--kernel", "se", "--likelihood", "robust", "--lengthscales", "single"];
    let args = [&["audit", "d.csv", "--label", "species", "--top", "2", "-o", "s.csv"], &model[..]].concat();
    let out = bench.run(&args).ok();
    holds(&out, &["rather", "P(rather)", "setosa"]);
    let json = parse(&bench.run(&[&args[..6], &model[..], &["--json"]].concat()).ok());
    let mut lines: Vec<u64> = Vec::new();
    for suspect in json["suspects"].as_array().unwrap() {
        assert_eq!(suspect["suggested"], "setosa");
        let (wrong, rather) = (&suspect["probability"], &suspect["suggested_probability"]);
        assert!(wrong.as_f64().unwrap() > 0.8 && rather.as_f64().unwrap() > 0.8, "{suspect}");
        lines.push(suspect["line"].as_u64().unwrap());
    }
    lines.sort_unstable();
    assert_eq!(lines, [8, 32]);
    let csv = std::fs::read_to_string(bench.path("s.csv")).unwrap();
    holds(&csv, &["row,line,label,suggested,probability_wrong,probability_of_label,probability_of_suggested,action,"]);
    assert!(csv.lines().skip(1).all(|line| line.split(",").count() == 12), "{csv}");
}

#[test]
fn explain_has_a_column_for_every_class() {
    let (bench, _) = fitted(&[]);
    let out = bench.run(&["explain", "m.gpc", "d.csv", "--features", "length"]).ok();
    holds(&out, &["Effect of length", "P(setosa)", "P(virginica)", "Given data\n  60 rows, ", "predicted versicolor"]);
    let table: Vec<&str> = out.lines().skip_while(|line| !line.starts_with("Effect")).skip(2).take(9).collect();
    for line in table {
        let fields: Vec<f64> = line.split_whitespace().map(|f| f.parse().unwrap()).collect();
        assert!(fields.len() == 4 && (fields[1..].iter().sum::<f64>() - 1.0).abs() < 2e-3, "{line}");
    }
    let one = bench.run(&["explain", "m.gpc", "--features", "length", "--class", "setosa"]).ok();
    holds(&one, &["P(setosa)", "95 % band"]);
    assert!(!one.contains("P(virginica)"), "{one}");
    let json = parse(&bench.run(&["explain", "m.gpc", "d.csv", "--json", "--features", "length,width"]).ok());
    let effects = json["effects"].as_array().unwrap();
    assert_eq!((effects.len(), &effects[1]["feature"]), (2, &"width".into()));
    let point = |class: &str| effects[0]["points"][3]["probabilities"][class].as_f64().unwrap();
    assert!((NAMES.map(point).iter().sum::<f64>() - 1.0).abs() < 1e-9);
    let one = ["explain", "m.gpc", "--json", "--features", "length", "--class", "versicolor"];
    let one = parse(&bench.run(&one).ok())["effects"][0].clone();
    assert_eq!(one["class"], "versicolor");
    assert!((one["points"][3]["probability"].as_f64().unwrap() - point("versicolor")).abs() < 1e-9);
    assert_eq!(json["data"]["predicted"].as_object().unwrap().len(), 3);
    let mean: f64 = NAMES.iter().map(|name| json["data"]["mean_probability"][name].as_f64().unwrap()).sum();
    assert!((mean - 1.0).abs() < 1e-9);
    let sentence = bench.run(&["explain", "m.gpc", "--class", "setosas"]).error();
    holds(&sentence, &["no class 'setosas' (--class); did you mean 'setosa'?"]);
}

#[test]
fn two_classes_can_be_explained_by_either() {
    let bench = Bench::new();
    bench.write("d.csv", support::disc(40));
    bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..]].concat()).ok();
    let point = |extra: &[&str]| {
        let args = [&["explain", "m.gpc", "--features", "a", "--json"], extra].concat();
        parse(&bench.run(&args).ok())["effects"][0].clone()
    };
    let (usual, other) = (point(&[]), point(&["--class", "in"]));
    assert!(usual["class"].is_null() && other["class"] == "in");
    let sum = usual["points"][4]["probability"].as_f64().unwrap() + other["points"][4]["probability"].as_f64().unwrap();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
}

#[test]
fn many_classes_are_told_within_a_page() {
    let bench = Bench::new();
    bench.write("d.csv", ring(56, 14));
    let given = ["--fix", "v0=100,l=3,v1=1"];
    let fit = [&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..], &given].concat();
    let out = bench.run(&fit).ok();
    holds(&out, &["14 classes: 4 class 00, ", "4 class 11, and 2 more", "class 13", "Largest confusions"]);
    assert!(!out.contains("Confusion:"), "{out}");
    let explained = bench.run(&["explain", "m.gpc", "--features", "x", "--points", "3"]).ok();
    holds(&explained, &["Effect of x", "and 6 classes that it moves less; choose one with --class"]);
    let table = explained.lines().skip_while(|line| !line.starts_with("Effect"));
    assert!(table.clone().count() == 6 && table.clone().all(|line| line.chars().count() <= 120), "{explained}");
    // Twelve fit on a page, however long their names are.
    bench.write("d.csv", ring(36, 12).replace("class ", "a very long name of a class with the number "));
    let out = bench.run(&fit).ok();
    let matrix: Vec<&str> = out.lines().skip_while(|line| !line.starts_with("Confusion")).skip(1).take(13).collect();
    assert!(matrix.len() == 13 && matrix.iter().all(|line| line.chars().count() <= 100), "{out}");
}

/// Rows of penguins: numbers, categories, missing values of both.
fn penguins(rows: usize) -> String {
    let mut text = "island,sex,bill,mass,species\n".to_owned();
    for i in 0..rows {
        let class = i % 3;
        let island = ["Torgersen", "Dream", "Biscoe"][(class + usize::from(i % 5 == 0)) % 3];
        let sex = if i % 11 == 4 { "NA" } else { ["female", "male"][i / 3 % 2] };
        let bill = [39.0, 49.0, 47.5][class] + 3.0 * wobble(i, 0);
        let mass = [3_700.0, 3_730.0, 5_080.0][class] + 500.0 * wobble(i, 1);
        let mass = if i % 13 == 6 { String::new() } else { format!("{mass:.0}") };
        writeln!(text, "{island},{sex},{bill:.1},{mass},{}", ["Adelie", "Chinstrap", "Gentoo"][class]).expect("text");
    }
    text
}

#[test]
fn mixed_tables_go_from_fit_to_report() {
    let bench = Bench::new();
    bench.write("train.csv", penguins(66)).write("new.csv", penguins(99));
    let fit = ["fit", "train.csv", "--label", "species", "-o", "m.gpc", "--report", "r.html", "--plots", "figures"];
    let model = ["--kernel", "se", "--likelihood", "robust", "--lengthscales", "ard", "--on-missing", "impute"];
    let out = bench.run(&[&fit[..], &model].concat()).ok();
    holds(&out, &["2 continuous and 2 discrete features; 3 classes: 22 Adelie", "eps", "missing values"]);
    let page = std::fs::read_to_string(bench.path("r.html")).unwrap();
    holds(&page, &["</html>", "Chinstrap"]);
    let scored = bench.run(&["predict", "m.gpc", "new.csv", "--label", "species", "--json", "-o", "p.jsonl"]);
    let facts = parse(&scored.err);
    assert!(facts["scores"]["error"]["value"].as_f64().unwrap() < 0.15, "{facts}");
    assert_eq!(std::fs::read_to_string(bench.path("p.jsonl")).unwrap().lines().count(), 99);
    let out = bench.run(&["explain", "m.gpc"]).ok();
    holds(&out, &["Effect of island", "Torgersen", "P(Gentoo)"]);
}

#[test]
fn models_are_compared_by_default_and_every_row_of_wine_is_told() {
    let bench = Bench::new();
    let mut text = "alcohol,acid,colour,cultivar\n".to_owned();
    for i in 0..45 {
        let class = i % 3;
        let at = |k: usize, centres: [f64; 3]| centres[class] + 0.7 * wobble(i, k);
        let (alcohol, acid, colour) = (at(0, [13.7, 12.3, 13.1]), at(1, [2.0, 1.9, 3.3]), at(2, [5.5, 3.1, 7.4]));
        writeln!(text, "{alcohol:.2},{acid:.2},{colour:.2},{}", class + 1).expect("text");
    }
    bench.write("wine.csv", text);
    let json =
        parse(&bench.run(&["fit", "wine.csv", "--label", "cultivar", "--lengthscales", "single", "--json"]).ok());
    let summary = &json["summary"];
    assert!(summary["candidates"].as_array().unwrap().len() >= 4, "{summary}");
    assert_eq!(summary["classes"][2]["class"], "3", "classes may be numbers");
    assert_eq!(summary["loo_probability"].as_array().unwrap().len(), 45);
    assert!(summary["loo"]["error"]["value"].as_f64().unwrap() < 0.2, "{summary}");
}
