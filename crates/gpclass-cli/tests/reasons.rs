//! Why rows are predicted as they are: `predict --explain`, `predict --witnesses`, `explain --row`, slopes.

mod support;

use serde_json::Value;
use support::{Bench, QUICK, disc};

fn fitted(table: &str, options: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.write("d.csv", table);
    bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], options].concat()).ok();
    bench
}

/// `disc` with a third class.
fn three(rows: usize) -> String {
    let lines = disc(rows);
    let third = |(i, line): (usize, &str)| match i % 5 {
        3 if i > 0 => line.rsplit_once(',').unwrap().0.to_owned() + ",third",
        _ => line.to_owned(),
    };
    lines.lines().enumerate().map(third).collect::<Vec<_>>().join("\n") + "\n"
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn reasons_of_predictions_add_up_to_the_log_odds() {
    let bench = fitted(&disc(50), &QUICK);
    let plain = bench.run(&["predict", "m.gpc", "d.csv", "--explain", "--background", "9"]).ok();
    let header =
        "label,p(out),latent_mean,latent_sd,novelty,unlike_training,reasons,reason_base,reason(a),reason(b),reason(c)";
    assert_eq!(plain.lines().next().unwrap(), header);
    let json = bench.run(&["predict", "m.gpc", "d.csv", "--explain=1", "--background", "9", "--json", "--quiet"]).ok();
    for (csv, json) in plain.lines().skip(1).zip(json.lines()) {
        let row: Value = serde_json::from_str(json).unwrap();
        let reasons = &row["reasons"];
        let fields: Vec<&str> = csv.rsplit(',').take(4).collect();
        let field = |k: usize| fields[3 - k].parse::<f64>().unwrap();
        let p = number(&row["probabilities"]["out"]);
        let sum: f64 = (0..4).map(field).sum();
        assert!((sum - (p / (1.0 - p)).ln()).abs() < 1e-9, "{csv}");
        assert_eq!((reasons["class"].as_str(), reasons["scale"].as_str()), (Some("out"), Some("log-odds")));
        assert_eq!((number(&reasons["base"]), number(&reasons["background"])), (field(0), 9.0));
        let columns = reasons["columns"].as_array().unwrap();
        let sizes: Vec<f64> = columns.iter().map(|c| number(&c["contribution"]).abs()).collect();
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
        assert!(columns.iter().all(|c| number(&c["error"]) == 0.0 && c["value"].is_string() == (c["column"] == "c")));
        let first = columns[0]["column"].as_str().unwrap();
        let words = csv.split("false,").nth(1).unwrap_or_else(|| csv.split("true,").nth(1).unwrap());
        assert!(words.contains(&format!("{first} ")) && words.contains("out: "), "{words}");
    }
}

#[test]
fn of_several_classes_the_predicted_one_is_explained() {
    let bench = fitted(&three(45), &QUICK);
    let out = bench.run(&[
        "predict",
        "m.gpc",
        "d.csv",
        "--explain",
        "--background",
        "5",
        "--witnesses",
        "2",
        "--json",
        "--quiet",
    ]);
    for line in out.ok().lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let (label, reasons) = (row["label"].as_str().unwrap(), &row["reasons"]);
        assert_eq!(reasons["class"], label);
        let p = number(&row["probabilities"][label]);
        assert!((number(&reasons["predicted"]) - (p / (1.0 - p)).ln()).abs() < 1e-9);
        let moved: f64 = reasons["columns"].as_array().unwrap().iter().map(|c| number(&c["contribution"])).sum();
        assert!((number(&reasons["base"]) + moved - number(&reasons["predicted"])).abs() < 1e-9);
        let witnesses = row["witnesses"].as_array().unwrap();
        let weight = |k: usize| number(&witnesses[k]["contribution"]).abs();
        assert!(witnesses.len() == 2 && weight(0) >= weight(1));
    }
}

#[test]
fn single_rows_are_explained_for_people_and_programs() {
    let bench = fitted(&disc(50), &QUICK);
    let asked = ["explain", "m.gpc", "d.csv", "--row", "7,2", "--witnesses", "3", "--scale", "latent"];
    let text = bench.run(&asked).ok();
    assert!(text.starts_with("Row 2: "), "{text}");
    assert!(text.contains("\nRow 7: ") && text.contains("  latent mean of out: "), "{text}");
    assert_eq!(text.matches("training rows that weigh most").count(), 2);
    let json: Value = serde_json::from_str(&bench.run(&[&asked[..], &["--json"]].concat()).ok()).unwrap();
    let predicted = bench.run(&["predict", "m.gpc", "d.csv", "--json", "--quiet"]).ok();
    let lines: Vec<&str> = disc(50).leak().lines().collect();
    for (row, n) in json.as_array().unwrap().iter().zip([2, 7]) {
        let want: Value = serde_json::from_str(predicted.lines().nth(n - 1).unwrap()).unwrap();
        assert_eq!((&row["row"], &row["label"]), (&want["row"], &want["label"]));
        // A row by itself goes through smaller matrix products.
        let gap = number(&row["probabilities"]["out"]) - number(&want["probabilities"]["out"]);
        assert!(gap.abs() < 1e-12);
        assert!((number(&row["reasons"]["predicted"]) - number(&want["latent_mean"])).abs() < 1e-9);
        for witness in row["witnesses"].as_array().unwrap() {
            let line: Vec<&str> = lines[witness["row"].as_u64().unwrap() as usize].split(',').collect();
            assert_eq!((witness["values"]["c"].as_str(), witness["label"].as_str()), (Some(line[2]), Some(line[3])));
            assert!((number(&witness["values"]["a"]) - line[0].parse::<f64>().unwrap()).abs() < 1e-9);
        }
    }
    let error = bench.run(&["explain", "m.gpc", "d.csv", "--row", "51"]).error();
    assert_eq!(error, "--row is 51, but the table has 50 rows; they are counted from 1");
    assert_eq!(bench.run(&["explain", "m.gpc", "--row", "1"]).code, Some(2), "a table is needed");
}

#[test]
fn linear_models_tell_slopes_and_odds_ratios() {
    let linear = ["--kernel", "linear", "--likelihood", "probit", "--lengthscales", "single"];
    let bench = fitted(&disc(60), &linear);
    let text = bench.run(&["explain", "m.gpc"]).ok();
    assert!(text.contains("Slopes of the linear models, which have 100 % of the weight"), "{text}");
    assert!(text.contains("odds ratio"), "{text}");
    let json: Value = serde_json::from_str(&bench.run(&["explain", "m.gpc", "--json"]).ok()).unwrap();
    let slopes = json["slopes"]["functions"][0].as_array().unwrap();
    assert_eq!(slopes.iter().map(|s| s["column"].as_str().unwrap()).collect::<Vec<_>>(), ["a", "b", "c", "c"]);
    let curved = fitted(&disc(60), &QUICK);
    assert!(!curved.run(&["explain", "m.gpc"]).ok().contains("Slopes of"));
}
