//! Every command on real files.

mod support;

use serde_json::Value;
use support::{Bench, QUICK, disc};

fn fitted(extra: &[&str]) -> Bench {
    let bench = Bench::new();
    bench.write("d.csv", disc(60));
    let args = [&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..], extra].concat();
    bench.run(&args).ok();
    bench
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"))
}

#[test]
fn fit_tells_a_screenful_and_writes_the_model() {
    let bench = Bench::new();
    bench.write("d.csv", disc(60));
    let ran = bench.run(&["fit", "d.csv", "--label", "y", "-o", "m.gpc", "--lengthscales", "single"]);
    assert!(ran.err.contains("model written to m.gpc"), "{}", ran.err);
    let out = ran.ok();
    for part in
        ["60 rows", "2 continuous and 1 discrete", "log evidence", "v0", "Leave-one-out", "Relevance", "Suspect"]
    {
        assert!(out.contains(part), "{part}: {out}");
    }
    assert!(out.lines().count() < 50 && out.lines().all(|line| line.chars().count() < 240), "{out}");
    assert!(!out.contains('\u{1b}'));
    assert_eq!(bench.files(), ["d.csv", "m.gpc"]);
}

#[test]
fn reports_are_written() {
    let bench = fitted(&["--report", "r.html", "--plots", "figures"]);
    assert!(std::fs::read_to_string(bench.path("r.html")).unwrap().contains("</html>"));
    let names: Vec<String> = std::fs::read_dir(bench.path("figures"))
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    let drawings: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix(".svg")).collect();
    assert!(drawings.len() >= 5, "{drawings:?}");
    for drawing in drawings {
        let svg = std::fs::read_to_string(bench.path(&format!("figures/{drawing}.svg"))).unwrap();
        let picture = std::fs::read(bench.path(&format!("figures/{drawing}.png"))).unwrap();
        assert_eq!(&picture[..8], b"\x89PNG\r\n\x1a\n", "{drawing}");
        // Twice as many pixels as the drawing has units.
        let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap());
        let size = format!(r#"width="{}" height="{}""#, f64::from(number(16)) / 2.0, f64::from(number(20)) / 2.0);
        assert!(svg.contains(&size), "{drawing}: {size}");
    }
}

#[test]
fn reports_break_scores_down_by_a_column_that_need_not_be_learned_from() {
    let bench = Bench::new();
    let table = disc(60);
    let rows = table.lines().enumerate().map(|(i, line)| {
        let ward = if i == 0 { "ward" } else { ["north", "south"][i % 2] };
        format!("{line},{ward}\n")
    });
    bench.write("d.csv", rows.collect::<String>());
    let fit = [&["fit", "d.csv", "--label", "y", "--drop", "ward"], &QUICK[..]].concat();
    let by = [&fit[..], &["--report", "r.html", "--by", "ward", "-o", "m.gpc"]].concat();
    bench.run(&by).ok();
    let page = std::fs::read_to_string(bench.path("r.html")).unwrap();
    assert!(
        page.contains("Is it as good for every “ward”?") && page.contains("<td>north</td><td class=\"number\">30</td>")
    );
    let plain = bench.run(&fit).ok();
    assert!(plain.contains("2 continuous and 1 discrete"), "{plain}");
    assert_eq!(bench.run(&by).ok(), plain, "it is not learned from");
    let unknown = bench.run(&[&fit[..], &["--report", "r.html", "--by", "wing"]].concat());
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.err.contains("--by names column 'wing'"), "{}", unknown.err);
}

#[test]
fn quiet_says_nothing_on_standard_error_and_json_has_the_facts() {
    let bench = Bench::new();
    bench.write("d.csv", disc(60));
    let args = [&["fit", "d.csv", "--label", "y", "--quiet", "--json"], &QUICK[..]].concat();
    let ran = bench.run(&args);
    assert_eq!(ran.err, "");
    let json = parse(&ran.ok());
    assert_eq!(json["summary"]["rows"], 60);
    assert_eq!(json["summary"]["candidates"].as_array().unwrap().len(), 1);
    assert_eq!(json["provenance"]["source"], "d.csv");
    assert_eq!(json["spec"]["fit"]["lengthscales"], "single");
}

#[test]
fn predictions_match_by_name_and_do_not_depend_on_blocks() {
    let bench = fitted(&[]);
    let out = bench.run(&["predict", "m.gpc", "d.csv"]).ok();
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "label,p(out),latent_mean,latent_sd,novelty,unlike_training");
    assert_eq!(lines.len(), 61);
    // Columns in another order, an extra one, read from standard input in small blocks, written to a file.
    let turned: Vec<String> = disc(60)
        .lines()
        .map(|line| line.split(',').rev().collect::<Vec<_>>().join(","))
        .enumerate()
        .map(|(i, line)| if i == 0 { format!("id,{line}") } else { format!("r{i},{line}") })
        .collect();
    bench.write("turned.csv", turned.join("\n"));
    let args = ["predict", "m.gpc", "turned.csv", "-o", "p.csv", "--block", "7", "--keep", "id"];
    let ran = bench.run(&args);
    assert!(ran.err.contains("60 rows"), "{}", ran.err);
    ran.ok();
    let written = std::fs::read_to_string(bench.path("p.csv")).unwrap();
    let without_id: Vec<&str> = written.lines().map(|line| line.split_once(',').unwrap().1).collect();
    assert_eq!(without_id, lines);
    assert!(written.lines().nth(1).unwrap().starts_with("r1,"));
}

#[test]
fn unseen_and_missing_values_are_counted() {
    let bench = fitted(&["--on-missing", "impute"]);
    bench.write("new.csv", "a,b,c\n0.1,0.2,never\n,0.3,x\n0.5,0.5,\n");
    let ran = bench.run(&["predict", "m.gpc", "new.csv"]);
    assert!(ran.err.contains("never seen in training") && ran.err.contains("missing value"), "{}", ran.err);
    assert_eq!(ran.ok().lines().count(), 4);
    let quiet = bench.run(&["predict", "m.gpc", "new.csv", "--quiet"]);
    assert_eq!(quiet.err, "");
}

#[test]
fn audit_lists_flipped_rows_by_line() {
    let bench = Bench::new();
    bench.write("d.csv", disc(120));
    let args = ["audit", "d.csv", "--label", "y", "--kernel", "se", "--lengthscales", "single", "-o", "s.csv"];
    let out = bench.run(&args).ok();
    // Row i is in line i + 2; every 17th row from the sixth on is flipped.
    let flipped = |line: u64| (line - 2) % 17 == 5;
    let csv = std::fs::read_to_string(bench.path("s.csv")).unwrap();
    let lines: Vec<u64> = csv.lines().skip(1).map(|row| row.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert!(lines.len() >= 3, "{out}");
    assert!(lines.iter().filter(|&&line| flipped(line)).count() * 3 >= lines.len() * 2, "{out}");
    let json = parse(&bench.run(&[&args[..8], &["--top", "2", "--json"]].concat()).ok());
    assert_eq!(json["suspects"].as_array().unwrap().len(), 2);
    assert!(json["suspects"][0]["probability"].as_f64() >= json["suspects"][1]["probability"].as_f64());
}

#[test]
fn evaluate_scores_folds_and_splits() {
    let bench = Bench::new();
    bench.write("d.csv", disc(60));
    let args = [&["evaluate", "d.csv", "--label", "y", "--folds", "3"], &QUICK[..]].concat();
    let out = bench.run(&args).ok();
    for part in ["3 test sets", "error (%)", "NLP (bits)", "Brier", "AUC", "calibration", "±"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let json = parse(&bench.run(&[&args[..], &["--json"]].concat()).ok());
    let error = json["scores"][0]["summaries"][0]["mean"]["value"].as_f64().unwrap();
    assert!(error < 0.4, "{error}");
    let split: Vec<String> = disc(60)
        .lines()
        .enumerate()
        .map(|(i, line)| {
            format!(
                "{line},{}",
                if i == 0 {
                    "part"
                } else if i % 3 == 0 {
                    "test"
                } else {
                    "train"
                }
            )
        })
        .collect();
    bench.write("s.csv", split.join("\n"));
    let args = [&["evaluate", "s.csv", "--label", "y", "--split", "part"], &QUICK[..]].concat();
    assert!(bench.run(&args).ok().contains("1 test sets"));
}

#[test]
fn specs_are_compared_with_tests() {
    let bench = Bench::new();
    bench.write("d.csv", disc(60));
    let spec = |kernel: &str| {
        format!(
            "[fit]\nkernel = \"{kernel}\"\nlikelihood = \"probit\"\nlengthscales = \"single\"\nfixed = [[\"v1\", 1.0]]\n"
        )
    };
    bench.write("se.toml", spec("se")).write("lin.toml", spec("linear"));
    bench.write("m32.toml", spec("matern32"));
    let args = ["evaluate", "d.csv", "--label", "y", "--folds", "4", "--compare", "se.toml", "lin.toml", "m32.toml"];
    let out = bench.run(&args).ok();
    for part in ["se", "lin", "m32", "Friedman", "Nemenyi", "Wilcoxon", "resampled"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    bench.write("bad.toml", "[fit]\nkernal = \"linear\"\n");
    let error = bench.run(&["fit", "d.csv", "--label", "y", "--spec", "bad.toml"]).error();
    assert!(error.contains("unknown key 'fit.kernal'"), "{error}");
    bench.write("bad.toml", "[fit]\nkernel = \"cubic\"\n");
    let error = bench.run(&["fit", "d.csv", "--label", "y", "--spec", "bad.toml"]).error();
    assert!(error.contains("bad.toml") && error.contains("cubic"), "{error}");
}

#[test]
fn explain_shows_effects() {
    let bench = fitted(&[]);
    let out = bench.run(&["explain", "m.gpc"]).ok();
    for part in ["Fitted on d.csv", "Effect of a", "95 % band", "Relevance", "v0"] {
        assert!(out.contains(part), "{part}: {out}");
    }
    let json = parse(&bench.run(&["explain", "m.gpc", "d.csv", "--features", "c,b", "--points", "5", "--json"]).ok());
    assert_eq!(json["effects"][0]["points"].as_array().unwrap().len(), 3);
    let points = json["effects"][1]["points"].as_array().unwrap();
    assert_eq!(points.len(), 5);
    for p in points {
        let number = |name: &str| p[name].as_f64().unwrap();
        assert!(number("low") <= number("probability") && number("probability") <= number("high"), "{p}");
    }
    assert_eq!(json["data"]["rows"], 60);
    assert!(json["data"]["unlike_training"].as_u64().unwrap() <= 2, "{}", json["data"]);
    for relevance in json["summary"]["relevances"].as_array().unwrap() {
        assert!(relevance["error"].as_f64().unwrap() < 0.1, "{relevance}");
    }
    bench.write("far.csv", "a,b,c\n1000,1000,x\n0,0,x\n");
    let far: Value = parse(&bench.run(&["explain", "m.gpc", "far.csv", "--json"]).ok());
    assert_eq!(far["data"]["unlike_training"], 1, "{far}");
    let error = bench.run(&["explain", "m.gpc", "--features", "A"]).error();
    assert!(error.contains("did you mean 'a'"), "{error}");
}

#[test]
fn demo_finds_flipped_labels() {
    let bench = Bench::new();
    let out = bench.run(&["demo"]).ok();
    assert!(out.contains("of the 10 flipped labels were found"), "{out}");
    let found: usize = out.lines().last().unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(found >= 7, "{out}");
    assert_eq!(bench.files(), ["demo.csv", "demo.gpc", "demo.html"]);
    let page = std::fs::read_to_string(bench.path("demo.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("</html>"));
    bench.run(&["predict", "demo.gpc", "demo.csv", "-o", "p.csv"]).ok();
}

#[test]
fn options_reach_the_model() {
    let bench = Bench::new();
    bench.write("d.csv", disc(60));
    let fit = |extra: &[&str]| {
        let args = [&["fit", "d.csv", "--label", "y", "--json", "--kernel", "se", "--lengthscales", "single"], extra];
        parse(&bench.run(&args.concat()).ok())
    };
    let json = fit(&["--likelihood", "logistic", "--inference", "laplace", "--fix", "v0=2.5", "--positive", "in"]);
    assert_eq!(json["summary"]["method"], "laplace");
    assert_eq!(json["summary"]["likelihood"], "logistic");
    assert_eq!(json["summary"]["classes"][1]["class"], "in");
    let v0 = &json["summary"]["hyperparameters"][0];
    assert_eq!((v0["value"].as_f64(), v0["fixed"].as_bool()), (Some(2.5), Some(true)));
    for (objective, likelihood) in
        [("loo-error", "probit"), ("loo-nlp", "probit"), ("loo-f", "probit-bias"), ("loo-auc", "probit")]
    {
        let json = fit(&["--objective", objective, "--likelihood", likelihood, "--seed", "3", "--no-standardise"]);
        assert_eq!(json["provenance"]["seed"], 3);
    }
    let json =
        fit(&["--inference", "ls", "--priors", "none", "--combine", "evidence", "--restarts", "1", "--drop", "c"]);
    assert_eq!(json["summary"]["features"].as_array().unwrap().len(), 2);
}

#[test]
fn help_and_completions() {
    let bench = Bench::new();
    for command in ["fit", "predict", "evaluate", "explain", "audit", "infer", "demo", "completions"] {
        let help = bench.run(&[command, "--help"]).ok();
        assert!(help.contains("Example"), "{command}");
    }
    assert!(bench.run(&["--help"]).ok().contains("Exit codes"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(bench.run(&["completions", shell]).ok().contains("gpclass"));
    }
    assert_eq!(bench.run(&["fit"]).code, Some(2));
    assert_eq!(bench.run(&["nonsense"]).code, Some(2));
}
