//! Ctrl-C is heard within a second, whatever is going on.

#![cfg(unix)]

mod support;

use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use support::{Bench, QUICK, Ran, disc};

/// Rows on which one inference takes longer than anybody waits.
const MANY: usize = 5_000;
/// A second, and what a busy machine adds to start and end a process.
const SOON: Duration = Duration::from_millis(2_500);

fn interrupt(child: &Child) {
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
}

/// Starts a command, interrupts it when it is at work and returns how it ended.
#[track_caller]
fn interrupted(bench: &Bench, args: &[&str]) -> Ran {
    let child = bench.command(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(2_000));
    interrupt(&child);
    let start = Instant::now();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert!(start.elapsed() < SOON, "{args:?}: {:?}", start.elapsed());
    assert_eq!(ran.code, Some(130), "{ran:?}");
    ran
}

#[test]
fn during_a_fit_an_evaluation_an_audit_and_an_inference_of_many_rows() {
    let bench = Bench::new();
    bench.write("d.csv", disc(MANY)).write("m.gpc", "old");
    let labelled =
        |command: &'static str| [&[command, "d.csv", "--label", "y", "--memory", "100G"], &QUICK[..]].concat();
    for args in [
        [&labelled("fit")[..], &["-o", "m.gpc", "--report", "r.html"]].concat(),
        [&labelled("evaluate")[..], &["--folds", "2"]].concat(),
        [&labelled("audit")[..], &["-o", "s.csv"]].concat(),
        ["infer", "d.csv", "--label", "y", "--fix", "v0=1,l=1", "--memory", "100G", "-o", "i.json"].to_vec(),
    ] {
        let ran = interrupted(&bench, &args);
        assert!(ran.err.ends_with("stopped; nothing was written\n"), "{ran:?}");
        assert_eq!(bench.files(), ["d.csv", "m.gpc"]);
        assert_eq!(std::fs::read(bench.path("m.gpc")).unwrap(), b"old");
    }
}

#[test]
fn while_rows_are_awaited_and_predicted() {
    let bench = Bench::new();
    bench.write("d.csv", disc(40));
    bench.run(&[&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &QUICK[..]].concat()).ok();
    let mut command = bench.command(&["predict", "m.gpc", "-", "-o", "p.csv", "--block", "1"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut input, disc(500).as_bytes()).unwrap();
    std::thread::sleep(Duration::from_millis(1_000));
    interrupt(&child);
    let start = Instant::now();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!((ran.code, ran.err.as_str()), (Some(130), "stopped; nothing was written\n"));
    assert_eq!(bench.files(), ["d.csv", "m.gpc"]);
}

#[test]
fn a_second_time_ends_at_once_what_wants_to_save() {
    let bench = Bench::new();
    bench.write("d.csv", disc(MANY));
    let args =
        [&["fit", "d.csv", "--label", "y", "-o", "m.gpc", "--save-partial", "--memory", "100G"], &QUICK[..]].concat();
    let child = bench.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(2_000));
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(1_500));
    interrupt(&child);
    let start = Instant::now();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert_eq!(bench.files(), ["d.csv"]);
}

/// Of many rows too: once a search has ended there is something to keep, which the checkpoint shows.
#[test]
fn a_fit_of_many_rows_keeps_the_best_so_far() {
    let bench = Bench::new();
    bench.write("d.csv", disc(6_000));
    let few = ["--inducing", "30", "--neighbours", "0"];
    let kept = ["--save-partial", "--checkpoint", "so_far", "--checkpoint-every", "0"];
    let args = [&["fit", "d.csv", "--label", "y", "-o", "m.gpc"], &few[..], &kept].concat();
    let child = bench.command(&args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while !bench.path("so_far").exists() {
        assert!(start.elapsed() < Duration::from_secs(120), "no search has ended");
        std::thread::sleep(Duration::from_millis(20));
    }
    interrupt(&child);
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!(ran.code, Some(130), "{ran:?}");
    assert!(ran.err.ends_with("stopped; the best model so far is given\n"), "{ran:?}");
    assert_eq!(bench.files(), ["d.csv", "m.gpc", "so_far"]);
    bench.run(&["predict", "m.gpc", "d.csv", "-o", "p.csv"]).ok();
}
