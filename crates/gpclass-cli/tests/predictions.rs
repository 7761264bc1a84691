//! What `predict` and `audit` write: JSON lines, harmless CSV, advice that can be followed, one note of a kind.

mod support;

use serde_json::Value;
use support::{Bench, QUICK, disc};

fn fitted(table: &str, extra: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.write("d.csv", table);
    bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..], extra].concat()).ok();
    bench
}

#[test]
fn json_predictions_are_lines_with_the_facts_of_the_csv() {
    let bench = fitted(&disc(60), &[]);
    let csv = bench.run(&["predict", "m.gpc", "d.csv", "--keep", "c"]).ok();
    let ran = bench.run(&["predict", "m.gpc", "d.csv", "--keep", "c", "--json", "--block", "7"]);
    let facts: Value = serde_json::from_str(&ran.err).unwrap();
    assert_eq!(facts["rows"], 60);
    let out = ran.ok();
    assert_eq!(out.lines().count(), 60);
    for (i, (json, csv)) in out.lines().zip(csv.lines().skip(1)).enumerate() {
        let row: Value = serde_json::from_str(json).unwrap();
        let fields: Vec<&str> = csv.split(',').collect();
        let number = |at: usize| fields[at].parse::<f64>().unwrap();
        assert_eq!((row["row"].as_u64(), row["line"].as_u64()), (Some(i as u64 + 1), Some(i as u64 + 2)));
        assert_eq!((row["kept"]["c"].as_str(), row["label"].as_str()), (Some(fields[0]), Some(fields[1])));
        assert_eq!(row["probabilities"]["out"].as_f64(), Some(number(2)));
        let total: f64 = ["in", "out"].iter().map(|class| row["probabilities"][class].as_f64().unwrap()).sum();
        assert!((total - 1.0).abs() < 1e-12);
        assert_eq!(row["latent_mean"].as_f64(), Some(number(3)));
        assert_eq!(row["latent_sd"].as_f64(), Some(number(4)));
        assert_eq!(row["novelty"].as_f64(), Some(number(5)));
        assert_eq!(row["unlike_training"].as_bool(), fields[6].parse().ok());
    }
    assert!(bench.run(&["predict", "m.gpc", "d.csv", "--json", "-o", "p.jsonl", "--quiet"]).err.is_empty());
    assert_eq!(std::fs::read_to_string(bench.path("p.jsonl")).unwrap().lines().count(), 60);
}

#[test]
fn rows_unlike_the_training_rows_are_flagged_and_left_open_if_asked() {
    let bench = Bench::new();
    bench.write("d.csv", disc(60));
    let linear = ["--kernel", "linear", "--likelihood", "probit", "--lengthscales", "single"];
    bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &linear[..]].concat()).ok();
    bench.write("new.csv", "a,b,c\n0.1,0.2,x\n300,0.2,x\n");
    let ran = bench.run(&["predict", "m.gpc", "new.csv"]);
    assert!(ran.err.contains("1 of them are unlike the training rows (novelty above 0.99)"), "{}", ran.err);
    let fields = |text: &str| -> Vec<Vec<String>> {
        text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    let plain = fields(&ran.ok());
    assert_eq!((plain[0][5].as_str(), plain[1][5].as_str()), ("false", "true"));
    assert!(!plain[1][0].is_empty());
    let asked = ["predict", "m.gpc", "new.csv", "--abstain", "--nearest", "2"];
    let open = fields(&bench.run(&asked).ok());
    assert_eq!((open[0][0] == plain[0][0], open[1][0].as_str()), (true, ""));
    assert_eq!(open[1][1..6], plain[1][1..6], "the numbers stay");
    let json = bench.run(&[&asked[..], &["--json"]].concat());
    let facts: Value = serde_json::from_str(&json.err).unwrap();
    assert_eq!(facts["unlike_training"], 1);
    for (line, csv) in json.ok().lines().zip(&open) {
        let row: Value = serde_json::from_str(line).unwrap();
        assert_eq!(row["label"].as_str().unwrap_or_default(), csv[0]);
        for k in 0..2 {
            assert_eq!(row["nearest"][k]["row"].to_string(), csv[6 + k]);
        }
        let distance = |k: usize| row["nearest"][k]["distance"].as_f64().unwrap();
        assert!(distance(0) <= distance(1));
    }
}

#[test]
fn formulas_are_made_harmless_if_asked() {
    let table = disc(60).replace("out", "=cmd").replace(",x,", ",-5,").replace(",y,", ",@SUM(A1),");
    let bench = fitted(&table, &["--discrete", "c"]);
    let plain = bench.run(&["predict", "m.gpc", "d.csv", "--keep", "c"]).ok();
    assert!(plain.lines().any(|line| line.starts_with("@SUM(A1),=cmd,")), "{plain}");
    let safe = bench.run(&["predict", "m.gpc", "d.csv", "--keep", "c", "--safe-csv"]).ok();
    assert!(safe.lines().any(|line| line.starts_with("'@SUM(A1),'=cmd,")), "{safe}");
    assert!(safe.lines().any(|line| line.starts_with("-5,")), "{safe}");
    let numbers = |text: &str| text.lines().map(|l| l.rsplit(',').next().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(numbers(&plain), numbers(&safe));
    let audit = [&["audit", "d.csv", "--label", "y", "--top", "60", "-o", "s.csv", "--safe-csv"], &QUICK[..]].concat();
    bench.run(&audit).ok();
    let suspects = std::fs::read_to_string(bench.path("s.csv")).unwrap();
    assert!(suspects.contains(",'=cmd,") && !suspects.contains(",=cmd,"), "{suspects}");
    assert!(bench.run(&["predict", "--help"]).ok().contains("spreadsheet"));
}

#[test]
fn a_missing_value_is_explained_by_what_can_be_done() {
    let bench = fitted(&disc(60), &["--on-missing", "error"]);
    bench.write("new.csv", "a,b,c\n1,2,x\n1,,y\n");
    for command in [vec!["predict", "m.gpc", "new.csv", "--block", "1"], vec!["explain", "m.gpc", "new.csv"]] {
        let sentence = bench.run(&command).error();
        for part in
            ["new.csv, line 3", "column 'b' has no value", "fit the model again with --on-missing auto or impute"]
        {
            assert!(sentence.contains(part), "{sentence}");
        }
    }
    // The advice works.
    for advised in [&["--on-missing", "auto"][..], &["--on-missing", "impute"], &[]] {
        let bench = fitted(&disc(60), advised);
        bench.write("new.csv", "a,b,c\n1,2,x\n1,,y\n");
        let ran = bench.run(&["predict", "m.gpc", "new.csv"]);
        assert!(ran.err.contains("Column 'b' had 1 missing value, replaced by the usual value"), "{ran:?}");
        ran.ok();
    }
}

#[test]
fn a_note_is_printed_once() {
    let bench = Bench::new();
    let table: String = disc(60)
        .lines()
        .enumerate()
        .map(|(i, l)| if i == 3 { format!(",{}\n", l.split_once(',').unwrap().1) } else { l.to_owned() + "\n" })
        .collect();
    bench.write("d.csv", table);
    let ran = bench.run(&[&["fit", "d.csv", "--label", "y", "--on-missing", "impute"], &QUICK[..]].concat());
    let said = format!("{}{}", ran.err, ran.out);
    assert_eq!(said.matches("missing value").count(), 1, "{said}");
    let mut notes: Vec<&str> = said.lines().filter(|l| l.starts_with("note: ") || l.starts_with("  - ")).collect();
    let count = notes.len();
    notes.sort_unstable();
    notes.dedup();
    assert_eq!(notes.len(), count, "{said}");
}

#[test]
fn progress_is_silent_where_nobody_watches() {
    let bench = Bench::new();
    bench.write("d.csv", disc(120));
    let evaluate = [&["evaluate", "d.csv", "--label", "y", "--folds", "3"], &QUICK[..]].concat();
    assert_eq!(bench.run(&evaluate).err, "");
    let fit = bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..]].concat());
    assert!(!fit.err.contains(['\r', '\u{1b}']) && !fit.err.contains("iteration"), "{}", fit.err);
    let predict = bench.run(&["predict", "m.gpc", "d.csv", "-o", "p.csv", "--block", "2"]);
    assert_eq!(predict.err.lines().count(), 1, "{}", predict.err);
}
