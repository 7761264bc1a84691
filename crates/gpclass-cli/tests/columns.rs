//! Tables as people have them: identifiers, missing values, dates, orders, truth values.

mod support;

use serde_json::Value;
use support::{Bench, QUICK, Ran, wobble};

/// Rows `id,age,visit,size,smokes,y`, every fourth age missing; the class follows from age and size.
fn patients(rows: usize) -> String {
    let row = |i: usize| {
        let size = i * 5 % 3;
        let age = 40.0 + 20.0 * wobble(i, 0);
        let ill = age / 20.0 + size as f64 + 0.5 * wobble(i, 1) > 3.0;
        let age = if i % 4 == 3 { String::new() } else { format!("{age:.1}") };
        let visit = format!("2021-{:02}-{:02}", 1 + i * 7 % 12, 1 + i * 11 % 28);
        let (smokes, class) = (["true", "false"][i * 3 % 7 % 2], ["well", "ill"][usize::from(ill)]);
        format!("{},{age},{visit},{},{smokes},{class}\n", 1001 + i, ["S", "M", "L"][size])
    };
    "id,age,visit,size,smokes,y\n".to_owned() + &(0..rows).map(row).collect::<String>()
}

fn fit(bench: &Bench, extra: &[&str]) -> Ran {
    bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..], extra].concat())
}

fn summary(bench: &Bench, extra: &[&str]) -> Value {
    let told = fit(bench, &[&["--json", "--quiet"], extra].concat()).ok();
    serde_json::from_str::<Value>(&told).expect("JSON")["summary"].clone()
}

fn features(summary: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let list = summary["features"].as_array().expect("features");
    list.iter().map(|f| (text(&f["name"]), text(&f["kind"]))).collect()
}

fn note(summary: &Value, kind: &str) -> Option<String> {
    let notes = summary["data_notes"].as_array().expect("notes");
    let found: Vec<&Value> = notes.iter().filter(|note| note["kind"] == kind).collect();
    assert!(found.len() < 2, "one note of a kind");
    found.first().map(|note| note["text"].as_str().expect("text").to_owned())
}

#[test]
fn a_table_as_it_is() {
    let bench = Bench::new();
    bench.write("d.csv", patients(60));
    let told = summary(&bench, &["--ordered", "size=S,M,L"]);
    let named = |name: &str, kind: &str| (name.to_owned(), kind.to_owned());
    let (continuous, discrete) = ("continuous", "discrete");
    assert_eq!(
        features(&told),
        [
            named("age", continuous),
            named("visit", continuous),
            named("size", continuous),
            named("smokes", discrete),
            named("age is missing", discrete)
        ]
    );
    assert!(note(&told, "left_out").unwrap().starts_with("Column 'id' was left out: it has the name of an identifier"));
    assert!(note(&told, "dates").unwrap().contains("'visit' holds dates"));
    let missing = note(&told, "missing").unwrap();
    assert!(
        missing.contains("had 15 missing values, replaced by its median and told apart by the feature"),
        "{missing}"
    );
    // New rows need no id; what cannot be read is missing, and counted.
    bench.write("new.csv", "age,visit,size,smokes\n50,2021-02-03,M,TRUE\n,soon,XL,false\n");
    let ran = bench.run(&["predict", "m.gpc", "new.csv", "-o", "p.csv"]);
    assert!(
        ran.err.contains("Columns 'visit' and 'size' had 2 values that are no dates, or none of the levels"),
        "{ran:?}"
    );
    assert!(ran.err.contains("Column 'age' had 1 missing value"), "{ran:?}");
    let counted = bench.run(&["--json", "predict", "m.gpc", "new.csv", "-o", "p.csv"]).err;
    let counted: Value = serde_json::from_str(&counted).unwrap();
    let of = |at: usize, what: &str| counted["columns"][at][what].as_u64().unwrap();
    assert_eq!((of(0, "imputed"), of(1, "unread"), of(2, "unread"), of(3, "unseen")), (1, 1, 1, 0));
    for command in [vec!["explain", "m.gpc"], vec!["explain", "m.gpc", "d.csv", "--features", "size,age is missing"]] {
        bench.run(&command).ok();
    }
    fit(&bench, &["--report", "r.html"]).ok();
    assert!(std::fs::read_to_string(bench.path("r.html")).unwrap().contains("was left out"));
    for command in ["audit", "evaluate"] {
        let ran = bench.run(&[&[command, "d.csv", "--label", "y"], &QUICK[..]].concat());
        assert_eq!(ran.err.contains("'id' was left out"), command == "evaluate", "{ran:?}");
        ran.ok();
    }
}

#[test]
fn what_is_named_is_kept() {
    let bench = Bench::new();
    bench.write("d.csv", patients(40));
    let has_id = |extra: &[&str]| features(&summary(&bench, extra)).iter().any(|(name, _)| name == "id");
    assert!(!has_id(&[]));
    for extra in [["--keep", "id"], ["--continuous", "id"], ["--discrete", "id"]] {
        assert!(has_id(&extra), "{extra:?}");
    }
    bench.write(
        "spec.toml",
        "[encoder]\nkeep = [\"id\"]\ndiscrete = [\"visit\"]\n[encoder.ordered]\nsize = [\"S\", \"M\", \"L\"]\n",
    );
    let told = summary(&bench, &["--spec", "spec.toml"]);
    let kinds: Vec<String> = features(&told).into_iter().map(|(name, kind)| format!("{name} {kind}")).collect();
    assert!(kinds.contains(&"id continuous".to_owned()) && kinds.contains(&"visit discrete".to_owned()), "{kinds:?}");
    assert!(kinds.contains(&"size continuous".to_owned()), "{kinds:?}");
    for (extra, parts) in [
        (vec!["--keep", "idd"], ["no column 'idd'", "did you mean 'id'?"]),
        (vec!["--keep", "id", "--drop", "id"], ["both --keep and --drop", "remove"]),
        (vec!["--ordered", "size"], ["COLUMN=LEVELS", "size=S,M,L"]),
        (vec!["--ordered", "size=S,M"], ["line 3 has 'L' in column 'size'", "none of its ordered levels 'S' and 'M'"]),
        (vec!["--ordered", "size=S,M,L,M"], ["'M' twice", "name each level once"]),
        (vec!["--ordered", "size=S,M,L", "--ordered", "size=L,M,S"], ["names column 'size' twice", "once"]),
        (vec!["--ordered", "sizes=S,M"], ["has no column 'sizes'", "did you mean 'size'?"]),
    ] {
        let ran = fit(&bench, &extra);
        assert_ne!(ran.code, Some(0), "{extra:?}");
        parts.iter().for_each(|part| assert!(ran.err.contains(part), "no '{part}' in {}", ran.err));
    }
}

#[test]
fn a_column_that_gives_the_class_away_is_named() {
    let bench = Bench::new();
    let leak = |leak: bool| {
        let row = |i: usize| {
            let ill = i.is_multiple_of(2);
            let after = if leak { 3.0 * f64::from(u8::from(ill)) } else { 0.0 } + wobble(i, 1);
            format!("{:.3},{after:.3},{}\n", wobble(i, 0), if ill { "ill" } else { "well" })
        };
        "x,after,y\n".to_owned() + &(0..60).map(row).collect::<String>()
    };
    bench.write("d.csv", leak(true));
    let said = note(&summary(&bench, &[]), "gives_away").expect("a note");
    assert!(said.contains("column 'after' alone tells the classes apart"), "{said}");
    bench.write("d.csv", leak(false));
    assert_eq!(note(&summary(&bench, &[]), "gives_away"), None);
}

#[test]
fn dates_in_words_are_categories_where_one_is_none() {
    let bench = Bench::new();
    // So many rows that dates come again: words that are all different would be left out as identifiers.
    bench.write("d.csv", patients(120).replacen("2021-01-01", "unknown", 1));
    let kinds = features(&summary(&bench, &[]));
    assert!(kinds.contains(&("visit".to_owned(), "discrete".to_owned())), "{kinds:?}");
    fit(&bench, &["--missing", "unknown"]).ok();
    let kinds = features(&summary(&bench, &["--missing", "unknown"]));
    assert!(kinds.contains(&("visit".to_owned(), "continuous".to_owned())), "{kinds:?}");
}
