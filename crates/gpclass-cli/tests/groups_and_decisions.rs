//! Groups, costs and corrections of labels, from the command line.

mod support;

use serde_json::Value;
use std::fmt::Write;
use support::{Bench, QUICK, disc};

/// Rows `x,patient,y`: four visits of each patient at the patient's own level, which decides nothing.
fn visits(patients: usize) -> String {
    let mut text = "x,patient,y\n".to_owned();
    for i in 0..4 * patients {
        let patient = i / 4;
        let x = ((patient * 7) as f64 * 1.3).sin() * 2.0 + 0.01 * (i as f64 * 0.9).sin();
        writeln!(text, "{x},p{patient},{}", if patient * 5 % 3 == 0 { "yes" } else { "no" }).expect("text");
    }
    text
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("JSON")
}

fn holds(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "'{part}' in\n{text}"));
}

#[test]
fn rows_of_a_patient_are_left_out_together() {
    let bench = Bench::new();
    bench.write("v.csv", visits(20));
    let rough = ["--kernel", "matern12", "--likelihood", "probit", "--lengthscales", "single", "--label", "y"];
    let fit = |more: &[&str]| bench.run(&[&["fit", "v.csv"], &rough[..], more].concat()).ok();
    holds(&fit(&["--drop", "patient"]), &["Leave-one-out, by"]);
    holds(&fit(&["--group", "patient"]), &["Leave-group-out", "20 groups by patient, of 4 rows at most", "LGO NLP"]);
    let page = ["--group", "patient", "--report", "r.html"];
    fit(&page);
    let page = std::fs::read_to_string(bench.path("r.html")).unwrap();
    holds(
        &page,
        &["leave-group-out", "20 groups by “patient”", "without all rows of its group", "were left out together"],
    );
    assert!(!page.to_lowercase().contains("leave-one-out"), "{page}");
    let error = |more: &[&str]| {
        let found = parse(&fit(&[more, &["--json"]].concat()));
        assert!(found["summary"]["features"].as_array().unwrap().iter().all(|f| f["name"] != "patient"));
        found["summary"]["loo"]["error"]["value"].as_f64().unwrap()
    };
    let (alone, together) = (error(&["--drop", "patient"]), error(&["--group", "patient"]));
    assert!(alone < 0.1 && together > 0.25, "{alone} {together}");
    holds(&fit(&[]), &["Column 'patient' has 20 values that repeat", "declare it as the group"]);
    let evaluate = [&["evaluate", "v.csv", "--group", "patient", "--folds", "4", "--json"], &rough[..]].concat();
    let folds = parse(&bench.run(&evaluate).ok()).to_string();
    assert!(folds.contains("error"), "{folds}");
    let refused = |more: &[&str]| bench.run(&[&["fit", "v.csv"], &rough[..], more].concat()).error();
    holds(&refused(&["--group", "y"]), &["both the label and the group"]);
    holds(&refused(&["--group", "who"]), &["who"]);
    let evaluate = [&["evaluate", "v.csv", "--group", "patient", "--folds", "21"], &rough[..]].concat();
    holds(&bench.run(&evaluate).error(), &["21 folds need 21 groups but there are 20"]);
    bench.write("gap.csv", visits(20).replacen("p3", "", 1));
    let gap = [&["fit", "gap.csv", "--group", "patient"], &rough[..]].concat();
    holds(&bench.run(&gap).error(), &["gap.csv, line 14 has no group"]);
}

#[test]
fn costs_move_the_threshold_and_predict_heeds_it_when_asked() {
    let bench = Bench::new();
    bench.write("d.csv", disc(80));
    let fit = |more: &[&str]| bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..], more].concat());
    let positives = |more: &[&str]| {
        let out = bench.run(&[&["predict", "m.gpc", "d.csv"], more].concat()).ok();
        out.lines().filter(|line| line.starts_with("out,")).count()
    };
    holds(&fit(&["--cost", "fn=9,fp=1"]).ok(), &["positive from a probability of", "fp / (fp + fn) is 0.100"]);
    let (plain, learned, bayes) = (positives(&[]), positives(&["--decide"]), positives(&["--decide=bayes"]));
    assert!(learned > plain && bayes > plain, "{plain} {learned} {bayes}");
    fit(&["--threshold", "1"]).ok();
    assert_eq!(positives(&["--decide"]), 0);
    fit(&[]).ok();
    holds(&bench.run(&["predict", "m.gpc", "d.csv", "--decide"]).error(), &["no threshold to decide by"]);
    holds(&fit(&["--threshold", "1.5"]).error(), &["--threshold is 1.5"]);
    holds(&fit(&["--cost", "fn=0,fp=1"]).error(), &["cost fn is 0"]);
    assert_eq!(fit(&["--cost", "fn=5"]).code, Some(2));
    bench.write("s.csv", support::species(30));
    let several = [&["fit", "s.csv", "--label", "species", "--cost", "fn=2,fp=1"], &QUICK[..]].concat();
    holds(&bench.run(&several).error(), &["fn and fp and thresholds decide between two classes, but there are 3"]);
}

#[test]
fn costs_of_named_errors_decide_between_any_number_of_classes() {
    let bench = Bench::new();
    bench.write("s.csv", support::species(60));
    let fit = |costs: &str| {
        bench.run(&[&["fit", "s.csv", "--label", "species", "--cost", costs, "-o", "m.gpc"], &QUICK[..]].concat())
    };
    let names = parse(&bench.run(&[&["fit", "s.csv", "--label", "species", "--json"], &QUICK[..]].concat()).ok());
    let names: Vec<String> = names["summary"]["classes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| c["class"].as_str().unwrap().to_owned())
        .collect();
    let (a, b, c) = (&names[0], &names[1], &names[2]);
    // Taking the first class for another is so dear that every row is decided to be of it.
    holds(
        &fit(&format!("{a}:{b}=1e9, {a}:{c}=1e9")).ok(),
        &["Decisions of least expected cost", "by the most probable class"],
    );
    let of_first = |more: &[&str]| {
        let out = bench.run(&[&["predict", "m.gpc", "s.csv"], more].concat()).ok();
        out.lines().filter(|line| line.starts_with(&format!("{a},"))).count()
    };
    assert_eq!(of_first(&["--decide"]), 60);
    assert!(of_first(&[]) < 40);
    holds(&fit(&format!("{a}:nobody=2")).error(), &["'nobody', which is no class; the classes are"]);
    holds(&fit(&format!("{a}:{a}=2")).error(), &["costs nothing"]);
    holds(&fit(&format!("{a}:{b}=-2")).error(), &["is -2; it must be 0 or more"]);
    for wrong in ["five", "fn=1,a:b=2", "a-b=3"] {
        assert_eq!(fit(wrong).code, Some(2), "{wrong}");
    }
    bench.write("d.csv", disc(80));
    let two = [&["fit", "d.csv", "--label", "y", "--cost", "out:in=9"], &QUICK[..]].concat();
    holds(&bench.run(&two).ok(), &["fp / (fp + fn) is 0.100"]);
}

#[test]
fn an_audit_can_be_edited_and_read_back() {
    let bench = Bench::new();
    let named = disc(90)
        .lines()
        .enumerate()
        .map(|(i, line)| format!("{line},{}\n", if i == 0 { "who".into() } else { format!("n{i}") }))
        .collect::<String>();
    bench.write("d.csv", named);
    let robust = ["--label", "y", "--kernel", "se", "--likelihood", "robust", "--lengthscales", "single"];
    let audit = [&["audit", "d.csv", "--id", "who", "-o", "s.csv"], &robust[..]].concat();
    let out = bench.run(&audit).ok();
    holds(
        &out,
        &[
            "labels suspect\nexpected to be wrong: ",
            "labelled otherwise",
            "the label error is ",
            "contradicted by lines",
            "mended",
            "never mend labels of rows",
        ],
    );
    let json = parse(&bench.run(&[&audit[..], &["--json"]].concat()).ok());
    let first = &json["suspects"][0];
    let line = first["line"].as_u64().unwrap();
    assert_eq!(first["id"], format!("n{}", line - 1).as_str());
    assert!(first["values"]["a"].is_string() && first["values"].get("who").is_none());
    let labels: Vec<String> = disc(90).lines().skip(1).map(|l| l.rsplit(',').next().unwrap().to_owned()).collect();
    for row in first["contradicted_by"].as_array().unwrap() {
        assert_eq!(labels[row.as_u64().unwrap() as usize - 1], first["suggested"].as_str().unwrap());
    }
    // Every 17th label of the disc is wrong, five of ninety.
    let (low, high) = (json["wrong"]["low"].as_u64().unwrap(), json["wrong"]["high"].as_u64().unwrap());
    assert!(low <= 5 && 5 <= high, "{low} {high}");
    // The likelihood was named, so that nothing was compared.
    assert!(json["rates"]["per_class"] == false && json["rates"].get("gain").is_none(), "{}", json["rates"]);
    for class in json["classes"].as_array().unwrap() {
        let share = |end: &str| class["share"][end].as_f64().unwrap();
        assert!(
            share("low") <= share("value") && share("value") <= share("high") && class["hidden"]["expected"].is_f64()
        );
    }
    let csv = std::fs::read_to_string(bench.path("s.csv")).unwrap();
    holds(
        &csv,
        &["row,line,label,suggested,probability_wrong,probability_of_label,action,contradicted_by,id,value of a"],
    );
    let edited = csv.replacen(",keep,", ",change,", 1).replacen(",keep,", ",drop,", 1);
    bench.write("edited.csv", &edited);
    let fit = |file: &str| {
        bench.run(&[&["fit", "d.csv", "--drop", "who", "--corrections", file, "--json"], &robust[..]].concat())
    };
    let summary = parse(&fit("edited.csv").ok());
    assert_eq!(summary["summary"]["rows"], 89);
    let of = |class: &str| {
        let classes = summary["summary"]["classes"].as_array().unwrap().clone();
        classes.into_iter().find(|c| c["class"] == class).unwrap()["rows"].as_u64().unwrap() as usize
    };
    let before = labels.iter().filter(|l| *l == "in").count();
    assert!(of("in").abs_diff(before) <= 2 && of("in") + of("out") == 89);
    bench.write("other.csv", csv.replace(",in,out,", ",green,out,").replace(",out,in,", ",green,in,"));
    holds(&fit("other.csv").error(), &["but was corrected from 'green'"]);
    bench.write("odd.csv", csv.replacen(",keep,", ",mend,", 1));
    holds(&fit("odd.csv").error(), &["odd.csv, line 2", "mend"]);
}
