//! Names that a terminal would obey, that deceive a reader or that fill the screen.

mod support;

use support::{Bench, QUICK, disc};

/// Colours, a bell, a title, a line end, a carriage return, a C1 control and a mark of direction.
const HOSTILE: &str = "\u{1b}[31mred\u{7}\u{1b}]0;title\u{7}\r\u{9b}2J\u{202e}txt";

/// Nothing in a text for people may be hidden.
#[track_caller]
fn harmless(text: &str) {
    let hidden = |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
    assert!(!text.contains(hidden), "{text:?}");
    assert!(text.lines().all(|line| line.chars().count() <= 2_000), "a line of {:?}", text.lines().map(str::len).max());
}

/// A table whose column, category, class and file names are all hostile, and one very long.
fn hostile() -> Bench {
    let bench = Bench::new();
    let long = "x".repeat(10_000);
    let table: String = disc(60)
        .lines()
        .enumerate()
        .map(|(i, line)| match i {
            0 => format!("\"a{HOSTILE}\",\"b\nc\",\"c{long}\",y\n"),
            _ => line.replace(",x,", &format!(",\"x{HOSTILE}\",")).replace("out", &format!("\"out{HOSTILE}\"")) + "\n",
        })
        .collect();
    bench.write("d.csv", &table).write("d\u{1b}[31m.csv", &table);
    bench
}

#[test]
fn no_command_lets_them_through() {
    let bench = hostile();
    let quick = |args: &[&'static str]| [args, &QUICK[..]].concat();
    let fit = quick(&["fit", "d.csv", "--label", "y", "-o", "m.gpc", "--suspect", "0"]);
    for args in [
        fit,
        quick(&["fit", "d\u{1b}[31m.csv", "--label", "y", "-o", "m\u{1b}[31m.gpc"]),
        quick(&["audit", "d.csv", "--label", "y", "--top", "5"]),
        quick(&["evaluate", "d.csv", "--label", "y", "--folds", "2"]),
        vec!["explain", "m.gpc", "d.csv"],
        vec!["explain", "m\u{1b}[31m.gpc"],
        vec!["predict", "m.gpc", "d.csv", "-o", "p.csv"],
    ] {
        let ran = bench.run(&args);
        harmless(&ran.err);
        let out = ran.ok();
        harmless(&out);
        assert!(args[0] == "predict" || args[0] == "evaluate" || out.contains("\\u{1b}[31mred\\u{7}"), "{out}");
    }
    // Files hold the true text.
    assert!(std::fs::read_to_string(bench.path("p.csv")).unwrap().contains(HOSTILE));
}

#[test]
fn no_error_lets_them_through() {
    let bench = hostile();
    bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..]].concat()).ok();
    bench.write("s\u{1b}[2J.toml", format!("[fit]\n\"{}\" = 1\n", "bad\\u001B[31m\\u202E"));
    for args in [
        ["fit", "none\u{1b}[31m.csv", "--label", "y"].to_vec(),
        ["fit", "d.csv", "--label", "no\u{1b}[31m\u{202e}"].to_vec(),
        ["fit", "d.csv", "--label", "y", "--spec", "s\u{1b}[2J.toml"].to_vec(),
        ["fit", "d.csv", "--label", "y", "--positive", "no\u{1b}[31m"].to_vec(),
        ["fit", "d.csv", "--label", "y", "--fix", "v\u{1b}[31m=1"].to_vec(),
        ["fit", "d.csv", "--label", "y", "-o", "no\u{1b}[31m/m.gpc"].to_vec(),
        ["explain", "m.gpc", "--features", "no\u{1b}[31m"].to_vec(),
        ["predict", "d\u{1b}[31m.csv", "d.csv"].to_vec(),
        ["fit", "d.csv", "--label", "y", "unexpected\u{7}\u{1b}[31m"].to_vec(),
    ] {
        let ran = bench.run(&args);
        assert!(matches!(ran.code, Some(1 | 2)), "{ran:?}");
        harmless(&ran.err);
        // What is wrong with the command line itself leaves such characters out.
        assert!(ran.code == Some(2) || ran.err.contains("\\u{1b}"), "{args:?}: {}", ran.err);
    }
}

#[test]
fn json_is_harmless_and_reads_back() {
    let bench = hostile();
    let fit = [&["fit", "d.csv", "--label", "y", "-o", "m.gpc", "--json"], &QUICK[..]].concat();
    for out in [bench.run(&fit).ok(), bench.run(&["explain", "m.gpc", "--json"]).ok()] {
        harmless(&out.replace(&"x".repeat(10_000), ""));
        let json: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(json["summary"]["features"][0]["name"], format!("a{HOSTILE}"));
    }
}
