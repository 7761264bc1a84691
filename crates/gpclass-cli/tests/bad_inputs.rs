//! Everything that can be wrong with what the program is given: one sentence each, exit code 1, nothing half-written.

mod support;

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::{Bench, QUICK, Ran, disc, disc_with};

/// The sentence about a table that cannot be fitted.
fn refused(content: impl AsRef<[u8]>) -> String {
    let bench = Bench::new();
    bench.write("d.csv", content);
    let sentence = bench.run(&["fit", "d.csv", "--label", "y", "-o", "m.gpc"]).error();
    assert_eq!(bench.files(), ["d.csv"], "{sentence}");
    sentence
}

#[track_caller]
fn says(sentence: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(sentence.contains(part), "no '{part}' in: {sentence}"));
}

#[test]
fn files() {
    let bench = Bench::new();
    says(&bench.run(&["fit", "no.csv", "--label", "y"]).error(), &["cannot find 'no.csv'"]);
    says(&bench.run(&["fit", ".", "--label", "y"]).error(), &["is a folder"]);
    says(&refused(""), &["'d.csv' is empty"]);
    says(&refused("a,b,y\n"), &["has a header but no rows"]);
    says(&refused(b"a,y\n1,\xff\xfe\n2,b\n"), &["line 2", "not UTF-8"]);
    says(&refused(b"\x00\x01\x02binary\x00"), &["binary"]);
}

#[test]
fn shapes() {
    says(&refused("a,b,y\n1,2,n\n3,4\n5,6,p\n"), &["d.csv, line 3", "2 fields", "3"]);
    says(&refused("a,a,y\n1,2,n\n3,4,p\n"), &["two columns named 'a'"]);
    let bench = Bench::new();
    bench.write("d.csv", disc(20));
    says(&bench.run(&["fit", "d.csv", "--label", "Y"]).error(), &["no column 'Y'", "did you mean 'y'?"]);
    says(&bench.run(&["fit", "d.csv", "--label", "y", "--drop", "cc"]).error(), &["'cc'", "--drop"]);
    says(&bench.run(&["fit", "d.csv", "--label", "y", "--positive", "on"]).error(), &["'on'", "'in'"]);
    says(&bench.run(&["fit", "d.csv", "--label", "y", "--weights", "c"]).error(), &["'x' is not a number"]);
}

#[test]
fn a_line_of_100_megabytes() {
    let bench = Bench::new();
    let mut content = b"a,y\n1,n\n".to_vec();
    content.resize(100 << 20, b'7');
    bench.write("d.csv", content);
    says(&bench.run(&["fit", "d.csv", "--label", "y"]).error(), &["line 3", "longer than"]);
}

#[test]
fn classes() {
    says(&refused("a,y\n1,n\n2,n\n3,n\n"), &["every label is 'n'", "two classes"]);
    says(&refused("a,y\n1,n\n2,p\n3,q\n"), &["each of the 3 rows has a label of its own", "an id"]);
    says(&refused("a,y\n1,n\n2,\n3,p\n"), &["d.csv, line 3 has no label"]);
}

#[test]
fn values() {
    says(&refused("a,b,y\n1,,n\n2,,p\n3,NA,n\n"), &["column 'b'", "no values at all", "--drop b"]);
    says(&refused(disc_with(20, 3, 0, "inf")), &["line 5", "'inf' is infinite"]);
    says(&refused("a;y\n1,5;n\n2,5;p\n3,5;n\n"), &["line 2", "--decimal-comma"]);
    says(&refused("a;y\n1,234,567;n\n2,000,000;p\n"), &["--thousands"]);
    let bench = Bench::new();
    bench.write("d.csv", "a;y\n1,5;n\n2,5;p\n0,5;n\n3,5;p\n1,25;n\n2,75;p\n");
    let args = [&["fit", "d.csv", "--label", "y", "--decimal-comma"], &QUICK[..]].concat();
    bench.run(&args).ok();
}

#[test]
fn options() {
    let bench = Bench::new();
    bench.write("d.csv", disc(30));
    let fit = |extra: &[&str]| bench.run(&[&["fit", "d.csv", "--label", "y"], &QUICK[..], extra].concat());
    says(&fit(&["--fix", "v7=1"]).error(), &["'v7'", "v0"]);
    says(&fit(&["--zeta", "0.2"]).error(), &["--zeta", "loo-f"]);
    says(&fit(&["--objective", "loo-f", "--zeta", "2"]).error(), &["--zeta is 2"]);
    says(&fit(&["--objective", "loo-error", "--tau", "-1"]).error(), &["--tau"]);
    says(&fit(&["--spec", "none.toml"]).error(), &["cannot find 'none.toml'"]);
    says(&fit(&["--suspect", "7"]).error(), &["--suspect is 7"]);
    let folds = [&["evaluate", "d.csv", "--label", "y", "--folds", "29"], &QUICK[..]].concat();
    says(&bench.run(&folds).error(), &["29 folds"]);
    assert_eq!(fit(&["--kernel", "cubic"]).code, Some(2));
}

#[test]
fn models() {
    let bench = Bench::new();
    bench.write("d.csv", disc(40)).write("new.csv", "a,b\n1,2\n").write("text.csv", "a,b,c\n1,two,x\n");
    bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..]].concat()).ok();
    let model = std::fs::read(bench.path("m.gpc")).unwrap();
    let mut newer = model.clone();
    newer[8] = 200;
    let mut damaged = model.clone();
    damaged[model.len() / 2] ^= 4;
    bench.write("cut.gpc", &model[..model.len() / 3]).write("newer.gpc", newer).write("damaged.gpc", damaged);
    let predict = |model: &str, data: &str| bench.run(&["predict", model, data, "-o", "p.csv"]).error();
    says(&predict("none.gpc", "d.csv"), &["cannot find 'none.gpc'"]);
    says(&predict("d.csv", "d.csv"), &["'d.csv'", "not a gpclass model"]);
    says(&predict("cut.gpc", "d.csv"), &["'cut.gpc'", "ends after"]);
    says(&predict("newer.gpc", "d.csv"), &["format version 200"]);
    says(&predict("damaged.gpc", "d.csv"), &["checksum"]);
    says(&predict("m.gpc", "new.csv"), &["no column 'c'"]);
    says(&predict("m.gpc", "text.csv"), &["'two' is not a number"]);
    assert!(!bench.files().contains(&"p.csv".to_owned()));
}

#[cfg(target_os = "linux")]
#[test]
fn outputs() {
    let bench = Bench::new();
    bench.write("d.csv", disc(40));
    let fit = |path: &str| bench.run(&[&["fit", "d.csv", "--label", "y", "-o", path], &QUICK[..]].concat());
    says(&fit("no/m.gpc").error(), &["the folder 'no' does not exist"]);
    says(&fit(".").error(), &["it is a folder"]);
    says(&fit("/proc/m.gpc").error(), &["cannot write '/proc/m.gpc'"]);
    says(&fit("/dev/full").error(), &["the disk is full"]);
    fit("m.gpc").ok();
    says(&bench.run(&["predict", "m.gpc", "d.csv", "-o", "/dev/full"]).error(), &["the disk is full"]);
    assert_eq!(bench.files(), ["d.csv", "m.gpc"]);
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let bench = Bench::new();
    bench.write("d.csv", disc(40)).write("many.csv", disc(20_000));
    bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..]].concat()).ok();
    let mut command = bench.command(&["predict", "m.gpc", "many.csv", "--block", "100"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("label,"));
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn standard_input() {
    let bench = Bench::new();
    let args = [&["fit", "-", "--label", "y", "--json"], &QUICK[..]].concat();
    let mut child =
        bench.command(&args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(disc(40).as_bytes()).unwrap();
    Ran::from(child.wait_with_output().unwrap()).ok();
}

/// Starts a fit that takes long, interrupts it and waits for its end.
#[cfg(unix)]
fn interrupted(bench: &Bench, extra: &[&str]) -> Ran {
    bench.write("d.csv", disc(900));
    let args = [&["fit", "d.csv", "--label", "y", "-o", "m.gpc", "--restarts", "50"], extra].concat();
    let child = bench.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(1_500));
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let start = Instant::now();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
    ran
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing_behind() {
    let bench = Bench::new();
    let ran = interrupted(&bench, &[]);
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert_eq!(bench.files(), ["d.csv"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_saves_the_best_so_far_if_asked() {
    let bench = Bench::new();
    let ran = interrupted(&bench, &["--save-partial"]);
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert_eq!(bench.files(), ["d.csv", "m.gpc"]);
    bench.run(&["predict", "m.gpc", "d.csv", "-o", "p.csv"]).ok();
}

/// Waits for the end of a child that was just interrupted, which must come within the time.
#[cfg(unix)]
fn ends_within(child: std::process::Child, time: Duration) -> Ran {
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let start = Instant::now();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert!(start.elapsed() < time, "{:?}: {ran:?}", start.elapsed());
    ran
}

/// Bound on the time from an interrupt to the end while a table is read. The promise is a second; a busy machine gets more.
#[cfg(unix)]
const HEARD: Duration = Duration::from_secs(8);

#[cfg(unix)]
#[test]
fn an_interrupt_is_heard_while_a_table_is_read() {
    let bench = Bench::new();
    bench.write("m.csv", disc(40));
    bench.run(&[&["fit", "m.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..]].concat()).ok();
    let made = std::process::Command::new("mkfifo").arg(bench.path("pipe")).status().unwrap();
    assert!(made.success());
    let commands: [&[&str]; 3] = [
        &["fit", "pipe", "--label", "y"],
        &["predict", "m.gpc", "pipe", "-o", "p.csv"],
        &["audit", "pipe", "--label", "y"],
    ];
    for args in commands {
        let spawn = || bench.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // Nobody writes: the pipe cannot even be opened.
        let child = spawn();
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(ends_within(child, HEARD).code, Some(130), "{args:?}");
        // Somebody writes a few rows and then nothing.
        let child = spawn();
        let mut pipe = std::fs::OpenOptions::new().write(true).open(bench.path("pipe")).unwrap();
        pipe.write_all(disc(10).as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(500));
        assert_eq!(ends_within(child, HEARD).code, Some(130), "{args:?}");
    }
    assert_eq!(bench.files(), ["m.csv", "m.gpc", "pipe"]);
}

/// A stream that never pauses and never ends, and that no limit stops for a while.
#[cfg(unix)]
#[test]
fn an_interrupt_is_heard_while_rows_keep_coming() {
    let bench = Bench::new();
    let mut child = bench
        .command(&["evaluate", "-", "--label", "y"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let blank = vec![b'\n'; 1 << 16];
        let rows = disc(100);
        let body = rows.split_once('\n').unwrap().1.as_bytes();
        input.write_all(rows.as_bytes()).unwrap();
        // Until the reader leaves; long stretches of blank lines keep the number of rows small.
        while input.write_all(&blank).and_then(|()| input.write_all(body)).is_ok() {}
    });
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(ends_within(child, HEARD).code, Some(130));
    writer.join().unwrap();
}

#[test]
fn headers_are_given_or_recognised() {
    let bench = Bench::new();
    let body = disc(40).split_once('\n').unwrap().1.to_owned();
    bench.write("bare.csv", &body);
    let fit = |file: &str, extra: &[&str]| bench.run(&[&["fit", file], &QUICK[..], extra].concat());
    fit("bare.csv", &["--label", "x4", "--header", "no"]).ok();
    fit("bare.csv", &["--label", "x4", "--no-header"]).ok();
    says(&fit("bare.csv", &["--label", "x4", "--header", "yes"]).error(), &["no column 'x4'"]);
    assert_eq!(fit("bare.csv", &["--label", "x4", "--header", "perhaps"]).code, Some(2));
    // 8,000 columns: the header alone is longer than what is looked at to recognise delimiter and header.
    let names: Vec<String> = (0..8_000).map(|j| format!("gene_{j:06}")).collect();
    let row = |i: usize| vec![["0", "1"][i % 2]; 8_000].join(",") + "," + ["n", "p"][i % 2];
    let rows: Vec<String> = (0..6).map(row).collect();
    bench.write("wide.csv", format!("{},y\n{}\n", names.join(","), rows.join("\n")));
    let sentence = fit("wide.csv", &["--label", "z"]).error();
    says(&sentence, &["no column 'z' (--label)", "it has: gene_000000, gene_000001"]);
    let drop = names[2..].join(",");
    fit("wide.csv", &["--label", "y", "--drop", &drop]).ok();
}

/// More rows than can be learned from are not even read, where no part of them would do.
#[test]
fn reading_stops_at_the_row_limit() {
    let bench = Bench::new();
    bench.write("d.csv", format!("a,y\n{}", "1,n\n2,p\n".repeat(20_000)));
    // All of them at once are too many: for the memory that is free, or for exact inference anywhere.
    let sentence = bench.run(&["fit", "d.csv", "--label", "y", "--exact"]).error();
    says(&sentence, &["40000 rows"]);
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../gpclass-table/tests/data/many_rows.parquet");
    let sentence = bench.run(&["audit", &data.to_string_lossy(), "--label", "y"]).error();
    says(&sentence, &["has 200000000 rows, more than the limit of 16777216"]);
}

/// Every command says where a row stands in the same way: by its line in a text file.
#[test]
fn rows_are_counted_by_their_lines() {
    let bench = Bench::new();
    bench.write("m.csv", disc(40));
    bench.run(&[&["fit", "m.csv", "--label", "y", "-o", "m.gpc", "--on-missing", "error"], &QUICK[..]].concat()).ok();
    // Lines 2 to 41; blank lines before line 25 count too.
    let with_blank_lines = |text: String| text.replacen("a,b,c,y\n", "a,b,c,y\n\n\n", 1);
    let missing = with_blank_lines(disc_with(40, 20, 0, ""));
    let no_label = with_blank_lines(disc_with(40, 20, 3, ""));
    let mut weights = String::new();
    for (i, line) in with_blank_lines(disc(40)).lines().enumerate() {
        let weight = if i == 0 { "w" } else { ["1", "-1"][usize::from(i == 23)] };
        weights += &if line.is_empty() { "\n".to_owned() } else { format!("{line},{weight}\n") };
    }
    let mut parts = String::new();
    for (i, line) in with_blank_lines(disc(40)).lines().enumerate() {
        let part = if i == 0 { "part" } else { ["train", "neither"][usize::from(i == 24)] };
        parts += &if line.is_empty() { "\n".to_owned() } else { format!("{line},{part}\n") };
    }
    bench
        .write("missing.csv", &missing)
        .write("label.csv", &no_label)
        .write("w.csv", weights)
        .write("parts.csv", parts);
    let learn = |command: &str, file: &str, extra: &[&str]| {
        let quick: &[&str] = if command == "infer" { &["--fix", "v0=1,l=1"] } else { &QUICK };
        bench.run(&[&[command, file, "--label", "y"], quick, extra].concat()).error()
    };
    for command in ["fit", "audit", "evaluate", "infer"] {
        let refusing: &[&str] = if command == "infer" { &[] } else { &["--on-missing", "error"] };
        let sentence = learn(command, "missing.csv", refusing);
        says(&sentence, &["missing.csv, line 24, column 'a' has no value", "--on-missing"]);
        says(&learn(command, "label.csv", &[]), &["label.csv, line 24 has no label"]);
        says(&learn(command, "w.csv", &["--weights", "w"]), &["w.csv, line 24 has the weight -1"]);
    }
    says(
        &learn("evaluate", "parts.csv", &["--split", "part"]),
        &["parts.csv, line 25 has 'neither' in the split column"],
    );
    for block in ["7", "4096"] {
        let sentence = bench.run(&["predict", "m.gpc", "missing.csv", "-o", "p.csv", "--block", block]).error();
        says(&sentence, &["missing.csv, line 24, column 'a' has no value"]);
    }
    says(&bench.run(&["explain", "m.gpc", "missing.csv"]).error(), &["missing.csv, line 24, column 'a' has no value"]);
    let test = ["--test", "missing.csv"];
    says(&learn("infer", "m.csv", &test), &["missing.csv, line 24, column 'a' has no value"]);
}
