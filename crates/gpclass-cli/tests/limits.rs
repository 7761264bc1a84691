//! What the machine can bear: threads, memory, sizes of files.

mod support;

use support::{Bench, QUICK, disc};

fn table(rows: usize) -> Bench {
    let bench = Bench::new();
    bench.write("d.csv", disc(rows));
    bench
}

#[track_caller]
fn says(sentence: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(sentence.contains(part), "no '{part}' in: {sentence}"));
}

#[test]
fn threads_are_a_sensible_number() {
    let bench = table(40);
    let fit =
        |threads: &str| bench.run(&[&["fit", "d.csv", "--label", "y", "--threads", threads], &QUICK[..]].concat());
    for few in ["0", "-3", "-99999999999999999999999"] {
        says(&fit(few).error(), &["--threads is ", "give at least 1, or leave it out"]);
    }
    for many in ["1000000", "99999999999999999999999"] {
        let ran = fit(many);
        says(&ran.err, &["threads are used, four per core"]);
        ran.ok();
    }
    assert!(!fit("1").err.contains("threads"));
    assert_eq!(fit("two").code, Some(2));
}

#[test]
fn a_fit_beyond_the_memory_is_refused_before_it_begins() {
    let bench = table(2_000);
    for args in [
        ["fit", "d.csv", "--label", "y", "-o", "m.gpc", "--memory", "50M"].to_vec(),
        ["audit", "d.csv", "--label", "y", "--memory", "50M"].to_vec(),
        ["evaluate", "d.csv", "--label", "y", "--memory", "50M"].to_vec(),
        ["infer", "d.csv", "--label", "y", "--fix", "v0=1,l=1", "--memory", "50M"].to_vec(),
    ] {
        let sentence = bench.run(&args).error();
        says(&sentence, &["needs about", "for ", "only 50 MB is allowed by --memory", "rows would do", "random part"]);
    }
    assert_eq!(bench.files(), ["d.csv"]);
    // As many rows as the sentence says do fit in.
    let sentence = bench.run(&["fit", "d.csv", "--label", "y", "--memory", "10M"]).error();
    let rows: usize = sentence.split("about ").nth(2).unwrap().split(' ').next().unwrap().parse().unwrap();
    bench.write("d.csv", disc(rows));
    bench.run(&["fit", "d.csv", "--label", "y", "--memory", "10M", "--quiet"]).ok();
    assert_eq!(bench.run(&["fit", "d.csv", "--label", "y", "--memory", "much"]).code, Some(2));
}

#[cfg(target_os = "linux")]
#[test]
fn a_fit_beyond_the_free_memory_is_refused() {
    let bench = table(30_000);
    let sentence = bench.run(&["fit", "d.csv", "--label", "y", "--exact", "--restarts", "2000"]).error();
    says(&sentence, &["needs about", "is free", "rows would do", "--memory"]);
}

#[cfg(unix)]
#[test]
fn what_a_long_fit_needs_is_said_and_a_short_one_is_silent() {
    let bench = table(5_000);
    let args = [&["fit", "d.csv", "--label", "y", "--exact", "--memory", "100G"], &QUICK[..]].concat();
    let mut command = bench.command(&args);
    let mut child = command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut errors = std::io::BufReader::new(child.stderr.take().unwrap());
    while !line.contains("this fit needs") {
        line.clear();
        assert!(std::io::BufRead::read_line(&mut errors, &mut line).unwrap() > 0);
    }
    child.kill().unwrap();
    child.wait().unwrap();
    says(&line, &["this fit needs about", "GB of memory and"]);
    bench.write("d.csv", disc(60));
    let ran = bench.run(&[&["fit", "d.csv", "--label", "y"], &QUICK[..]].concat());
    assert!(!ran.err.contains("needs about"), "{ran:?}");
}

#[test]
fn the_way_of_many_rows_is_said_in_one_line_with_what_it_needs() {
    let bench = table(300);
    let many = ["fit", "d.csv", "--label", "y", "--inducing", "20", "--neighbours", "10"];
    let ran = bench.run(&[&many[..], &QUICK[..]].concat());
    let lines: Vec<&str> = ran.err.lines().filter(|line| line.contains("stand for all")).collect();
    assert_eq!(lines.len(), 1, "{ran:?}");
    says(lines[0], &["20 rows stand for all", "10 nearest", "needs about", "of memory and", "seconds"]);
    ran.ok();
}

#[cfg(unix)]
#[test]
fn models_and_specs_have_a_size() {
    let bench = table(40);
    let sparse = |name: &str, bytes: u64| std::fs::File::create(bench.path(name)).unwrap().set_len(bytes).unwrap();
    sparse("big.gpc", (1 << 34) + 1);
    sparse("big.toml", (1 << 20) + 1);
    let predict = bench.run(&["predict", "big.gpc", "d.csv"]).error();
    says(&predict, &["'big.gpc' is larger than 17179869184 bytes", "a model file"]);
    says(&bench.run(&["explain", "big.gpc"]).error(), &["is larger than"]);
    let fit = bench.run(&["fit", "d.csv", "--label", "y", "--spec", "big.toml"]).error();
    says(&fit, &["'big.toml' is larger than 1048576 bytes", "a spec"]);
    let endless = bench.run(&["fit", "d.csv", "--label", "y", "--spec", "/dev/zero"]).error();
    says(&endless, &["is larger than 1048576 bytes"]);
}
