//! Tables that are read twice, of which a part is learned from, and of which any number of rows is predicted.

mod support;

use support::{Bench, QUICK, disc, disc_with};

/// So few bytes that the cells of no table are kept.
const TWICE: [&str; 2] = ["--kept-cells", "1"];

/// A fit of many rows that takes little.
const SPARSE: [&str; 4] = ["--inducing", "20", "--neighbours", "0"];

fn fit<'a>(data: &'a str, output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["fit", data, "--label", "y", "-o", output], &QUICK[..], more].concat()
}

#[test]
fn a_table_read_twice_gives_the_same_model() {
    let bench = Bench::new();
    let missing = disc_with(200, 7, 0, "").replace(",x,", ",2021-03-04,");
    bench.write("d.csv", &missing);
    let once = bench.run(&fit("d.csv", "once.gpc", &[]));
    let twice = bench.run(&fit("d.csv", "twice.gpc", &TWICE));
    assert_eq!(once.err.replace("once", "twice"), twice.err);
    assert_eq!(once.ok(), twice.ok());
    let predict = |model: &str| bench.run(&["predict", model, "d.csv"]).ok();
    assert_eq!(predict("once.gpc"), predict("twice.gpc"));
    for command in ["evaluate", "audit"] {
        let run = |more: &[&str]| bench.run(&[&[command, "d.csv", "--label", "y"], &QUICK[..], more].concat()).ok();
        assert_eq!(run(&[]), run(&TWICE), "{command}");
    }
}

#[test]
fn a_table_read_twice_is_refused_by_the_same_places() {
    let bench = Bench::new();
    for (content, more, said) in [
        (disc_with(60, 40, 0, "abc"), &["--continuous", "a"][..], "d.csv, line 42, column 'a': 'abc' is not a number"),
        (disc_with(60, 40, 3, ""), &[], "d.csv, line 42 has no label; fill it in or remove the row"),
        (disc_with(60, 40, 1, ""), &["--on-missing", "error"], "d.csv, line 42, column 'b' has no value; fill it in"),
        (disc_with(60, 40, 3, "in,out"), &[], "d.csv, line 42 has 5 fields where 4 are expected"),
        (disc(60).replacen("a,b", "b,b", 1), &[], "'d.csv' has two columns named 'b' (columns 1 and 2)"),
    ] {
        bench.write("d.csv", content);
        let (once, twice) = (fit("d.csv", "m.gpc", more), fit("d.csv", "m.gpc", &[more, &TWICE].concat()));
        let (once, twice) = (bench.run(&once).error(), bench.run(&twice).error());
        assert!(once.contains(said), "{once}");
        assert_eq!(once, twice);
    }
}

/// What is allowed and how many rows of how many it makes, from the line that says so.
fn drawn(err: &str) -> (usize, usize) {
    let line = err.lines().find(|line| line.contains("rows are learned from")).unwrap_or_else(|| panic!("{err}"));
    let words: Vec<&str> = line.split(' ').collect();
    (words[1].parse().unwrap(), words[3].parse().unwrap())
}

#[test]
fn rows_beyond_memory_are_not_learned_from_and_this_is_said() {
    let bench = Bench::new();
    bench.write("d.csv", disc(60_000));
    let run = |more: &[&str]| bench.run(&fit("d.csv", "m.gpc", &[&SPARSE[..], &TWICE, more].concat()));
    let ran = run(&["--memory", "60M", "--json"]);
    let (some, all) = drawn(&ran.err);
    assert!(all == 60_000 && (10_000..60_000).contains(&some), "{}", ran.err);
    assert!(ran.err.contains("drawn so that every class keeps its share: all would need about"), "{}", ran.err);
    let json: serde_json::Value = serde_json::from_str(&ran.ok()).unwrap();
    assert_eq!(json["summary"]["loo"]["rows"].as_u64(), Some(some as u64));
    // Rows that are not drawn are looked at all the same.
    bench.write("d.csv", disc_with(60_000, 59_998, 3, ""));
    let error = run(&["--memory", "60M"]).error();
    assert_eq!(error, "d.csv, line 60000 has no label; fill it in or remove the row");
    bench.write("d.csv", disc_with(60_000, 59_998, 0, ""));
    let error = run(&["--memory", "60M", "--on-missing", "error"]).error();
    assert!(error.starts_with("d.csv, line 60000, column 'a' has no value"), "{error}");
}

/// The most memory that a prediction of so many rows takes, in kB.
#[cfg(target_os = "linux")]
fn peak_of_prediction(bench: &Bench, rows: usize) -> u64 {
    bench.write("new.csv", disc(rows));
    let mut child = bench.command(&["predict", "m.gpc", "new.csv", "-o", "p.csv", "-q"]).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let peak = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
        most = most.max(peak.unwrap_or(0));
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    let written = std::fs::read_to_string(bench.path("p.csv")).unwrap();
    assert_eq!(written.lines().count(), rows + 1);
    most
}

#[cfg(target_os = "linux")]
#[test]
fn predictions_of_many_rows_take_the_memory_of_few() {
    let bench = Bench::new();
    bench.write("d.csv", disc(40));
    bench.run(&fit("d.csv", "m.gpc", &[])).ok();
    let (few, many) = (peak_of_prediction(&bench, 10_000), peak_of_prediction(&bench, 150_000));
    // The table alone has ten megabytes more, its predictions fifteen.
    assert!(many < few + 4_000, "{few} kB for few, {many} kB for many");
}
