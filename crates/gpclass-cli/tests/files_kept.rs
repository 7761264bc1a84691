//! Nothing that is there is lost: outputs that are inputs, failures halfway, what killed runs leave.

#![cfg(unix)]

mod support;

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Stdio;
use support::{Bench, QUICK, disc};

/// A table `d.csv` and a model `m.gpc` fitted on it.
fn fitted() -> Bench {
    let bench = Bench::new();
    bench.write("d.csv", disc(40));
    bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..]].concat()).ok();
    bench
}

/// Runs a command that must be refused before it touches any file.
#[track_caller]
fn refused(bench: &Bench, args: &[&str], parts: &[&str]) {
    let read = |name: &String| fs::read(bench.path(name)).ok();
    let before: Vec<_> = bench.files().iter().map(|name| (name.clone(), read(name))).collect();
    let sentence = bench.run(args).error();
    parts.iter().for_each(|part| assert!(sentence.contains(part), "no '{part}' in: {sentence}"));
    let after: Vec<_> = bench.files().iter().map(|name| (name.clone(), read(name))).collect();
    assert_eq!(before, after, "{args:?}");
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let bench = fitted();
    bench.write("s.toml", "");
    fs::create_dir(bench.path("sub")).unwrap();
    symlink("d.csv", bench.path("link.csv")).unwrap();
    fs::hard_link(bench.path("d.csv"), bench.path("hard.csv")).unwrap();
    for output in ["d.csv", "./sub/../d.csv", "link.csv", "hard.csv"] {
        let parts = [output, "'d.csv', which is read"];
        let fit = |option| [&["fit", "d.csv", "--label", "y", option, output], &QUICK[..]].concat();
        refused(&bench, &fit("-o"), &parts);
        refused(&bench, &fit("--report"), &parts);
        refused(&bench, &["predict", "m.gpc", "d.csv", "-o", output], &parts);
        refused(&bench, &["audit", "d.csv", "--label", "y", "-o", output], &parts);
        refused(&bench, &["infer", "d.csv", "--label", "y", "--fix", "v0=1,l=1", "-o", output], &parts);
    }
    refused(&bench, &["predict", "m.gpc", "d.csv", "-o", "m.gpc"], &["'m.gpc', which is read"]);
    refused(
        &bench,
        &["fit", "d.csv", "--label", "y", "--spec", "s.toml", "-o", "s.toml"],
        &["'s.toml', which is read"],
    );
    let test = ["infer", "d.csv", "--label", "y", "--fix", "v0=1,l=1", "--test", "hard.csv", "-o", "hard.csv"];
    refused(&bench, &test, &["which is read"]);
}

#[test]
fn the_file_behind_a_stream_counts_too() {
    let bench = fitted();
    let open = |append: bool| fs::File::options().read(!append).append(append).open(bench.path("d.csv")).unwrap();
    let before = fs::read(bench.path("d.csv")).unwrap();
    // gpclass predict m.gpc - -o d.csv < d.csv
    let mut command = bench.command(&["predict", "m.gpc", "-", "-o", "d.csv"]);
    let ran = support::Ran::from(command.stdin(open(false)).output().unwrap());
    assert!(ran.error().contains("'standard input', which is read"));
    // gpclass predict m.gpc d.csv >> d.csv, and the same for commands that print
    for args in
        [&["predict", "m.gpc", "d.csv"][..], &["explain", "m.gpc", "d.csv"], &["evaluate", "d.csv", "--label", "y"]]
    {
        let mut command = bench.command(args);
        let ran = support::Ran::from(command.stdout(open(true)).stderr(Stdio::piped()).output().unwrap());
        assert!(ran.error().contains("cannot write 'standard output': it is 'd.csv'"), "{args:?}");
    }
    assert_eq!(fs::read(bench.path("d.csv")).unwrap(), before);
}

#[test]
fn an_output_that_is_another_output_is_refused() {
    let bench = fitted();
    symlink("new", bench.path("link")).unwrap();
    let fit = |extra: &[&'static str]| [&["fit", "d.csv", "--label", "y"], &QUICK[..], extra].concat();
    refused(&bench, &fit(&["-o", "new", "--report", "./new"]), &["goes to the same place"]);
    refused(&bench, &fit(&["-o", "new", "--report", "link"]), &["goes to the same place"]);
    refused(&bench, &fit(&["-o", "-"]), &["standard output is taken"]);
    fs::create_dir(bench.path("figures")).unwrap();
    refused(&bench, &fit(&["--report", "figures/r.svg", "--plots", "figures"]), &["goes to the same place"]);
}

#[test]
fn folders_protected_files_and_circles_are_refused() {
    let bench = fitted();
    fs::create_dir(bench.path("folder")).unwrap();
    bench.write("kept", "mine");
    fs::set_permissions(bench.path("kept"), std::os::unix::fs::PermissionsExt::from_mode(0o444)).unwrap();
    symlink("b", bench.path("a")).unwrap();
    symlink("a", bench.path("b")).unwrap();
    for (output, part) in [("folder", "it is a folder"), ("kept", "write-protected"), ("a", "circle")] {
        refused(&bench, &["fit", "d.csv", "--label", "y", "-o", output], &[part]);
        refused(&bench, &["fit", "d.csv", "--label", "y", "--report", output], &[part]);
        refused(&bench, &["predict", "m.gpc", "d.csv", "-o", output], &[part]);
        refused(&bench, &["audit", "d.csv", "--label", "y", "-o", output], &[part]);
        refused(&bench, &["infer", "d.csv", "--label", "y", "--fix", "v0=1,l=1", "-o", output], &[part]);
    }
    refused(&bench, &["fit", "d.csv", "--label", "y", "--plots", "kept"], &["it is not a folder"]);
}

#[test]
fn a_link_to_nowhere_is_followed() {
    let bench = fitted();
    fs::create_dir(bench.path("there")).unwrap();
    symlink("there/p.csv", bench.path("p.csv")).unwrap();
    bench.run(&["predict", "m.gpc", "d.csv", "-o", "p.csv"]).ok();
    assert!(bench.path("p.csv").is_symlink());
    assert!(fs::read_to_string(bench.path("there/p.csv")).unwrap().starts_with("label,"));
}

#[test]
fn a_failure_halfway_leaves_every_old_file() {
    let bench = fitted();
    bench.write("bad.csv", disc(40) + "1,oops,x,in\n").write("p.csv", "old");
    refused(&bench, &["predict", "m.gpc", "bad.csv", "-o", "p.csv", "--block", "10"], &["'oops' is not a number"]);
    // The report cannot be written, so the model is not replaced either.
    let before = fs::read(bench.path("m.gpc")).unwrap();
    let args = ["fit", "d.csv", "--label", "y", "-o", "m.gpc", "--report", "/dev/full"];
    assert!(bench.run(&[&args[..], &QUICK[..]].concat()).error().contains("the disk is full"));
    assert_eq!(fs::read(bench.path("m.gpc")).unwrap(), before);
    assert_eq!(bench.files(), ["bad.csv", "d.csv", "m.gpc", "p.csv"]);
}

#[test]
fn the_demo_replaces_only_its_own_files() {
    let bench = Bench::new();
    bench.write("demo.csv", "mine\n");
    refused(&bench, &["demo"], &["demo.csv' is there and was not made by this example", "--folder"]);
    // Its own files it may replace.
    fs::create_dir(bench.path("sub")).unwrap();
    for seed in ["1", "2"] {
        bench.run(&["demo", "--folder", "sub", "--seed", seed]).ok();
    }
}

/// A process number that no system gives.
const GONE: u32 = 99_999_999;

#[test]
fn the_next_run_removes_what_killed_runs_left() {
    let bench = fitted();
    // A run that is killed while it writes leaves its temporary file; standard input keeps it waiting.
    let mut command = bench.command(&["predict", "m.gpc", "-", "-o", "p.csv", "--block", "1"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, disc(2_000).as_bytes()).unwrap();
    let temporary = || bench.files().into_iter().filter(|name| name.starts_with(".gpclass-")).collect::<Vec<_>>();
    let start = std::time::Instant::now();
    while temporary().is_empty() {
        assert!(start.elapsed().as_secs() < 60);
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    // Another run leaves the living one's file alone.
    bench.run(&["predict", "m.gpc", "d.csv", "-o", "q.csv"]).ok();
    assert_eq!(temporary().len(), 1, "{:?}", bench.files());
    assert!(temporary()[0].contains(&format!("-{}-", child.id())));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(temporary().len(), 1);
    bench.write(&format!(".gpclass-{GONE}-abc.tmp"), "half").write(".other-1-abc.tmp", "not ours");
    bench.run(&["predict", "m.gpc", "d.csv", "-o", "q.csv"]).ok();
    assert_eq!(bench.files(), [".other-1-abc.tmp", "d.csv", "m.gpc", "q.csv"]);
}
