//! Fits that are killed go on from their checkpoints, and bad checkpoints are of no harm.

#![cfg(unix)]

mod support;

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::{Bench, disc};

/// A fit with inducing rows, whose searches and posteriors are noted as they are found.
const FIT: [&str; 20] = [
    "fit",
    "d.csv",
    "--label",
    "y",
    "--inducing",
    "30",
    "--neighbours",
    "10",
    "--kernel",
    "se",
    "--likelihood",
    "probit",
    "--lengthscales",
    "single",
    "--threads",
    "1",
    "-o",
    "m.gpc",
    "--checkpoint-every",
    "0",
];

fn bench() -> Bench {
    let bench = Bench::new();
    bench.write("d.csv", disc(400));
    bench
}

fn predictions(bench: &Bench) -> String {
    bench.run(&["predict", "m.gpc", "d.csv"]).ok()
}

#[test]
fn a_killed_fit_goes_on_and_ends_as_if_nothing_had_been() {
    let bench = bench();
    let mut child = bench.command(&FIT).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (checkpoint, begun) = (bench.path("m.gpc.checkpoint"), Instant::now());
    while !checkpoint.exists() {
        assert!(begun.elapsed() < Duration::from_secs(300), "no checkpoint");
        assert!(child.try_wait().unwrap().is_none(), "the fit was over before it was killed");
        std::thread::sleep(Duration::from_millis(2));
    }
    // SIGKILL.
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!bench.path("m.gpc").exists() && checkpoint.exists());

    let again = bench.run(&FIT);
    assert!(again.err.contains("went on from the checkpoint 'm.gpc.checkpoint'"), "{}", again.err);
    again.ok();
    assert!(!checkpoint.exists(), "it goes when the fit is done");
    let resumed = predictions(&bench);
    let whole = bench.run(&[&FIT[..], &["--checkpoint", "off"]].concat());
    assert!(!whole.err.contains("checkpoint"), "{}", whole.err);
    whole.ok();
    assert_eq!(resumed, predictions(&bench));
}

#[test]
fn checkpoints_that_are_of_no_use_are_told_and_passed_over() {
    let bench = bench();
    bench.write("m.gpc.checkpoint", "this is no checkpoint");
    let damaged = bench.run(&FIT);
    assert!(damaged.err.contains("'m.gpc.checkpoint' is damaged and was not used"), "{}", damaged.err);
    damaged.ok();
    assert!(!bench.path("m.gpc.checkpoint").exists());

    // One that was left by a fit of other options.
    let mut child = bench.command(&FIT).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !bench.path("m.gpc.checkpoint").exists() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let other = bench.run(&[&FIT[..], &["--seed", "5"]].concat());
    assert!(other.err.contains("is of other rows, options or another version"), "{}", other.err);
    other.ok();
}

#[test]
fn a_checkpoint_that_cannot_be_written_ends_no_fit() {
    let bench = bench();
    let refused = bench.run(&[&FIT[..], &["--checkpoint", "no/folder/c"]].concat()).error();
    assert!(refused.contains("no/folder/c") && refused.contains("create it first"), "{refused}");
    let refused = bench.run(&[&FIT[..19], &["-1"]].concat()).error();
    assert!(refused.contains("--checkpoint-every is -1"), "{refused}");
    if cfg!(target_os = "linux") {
        let full = bench.run(&[&FIT[..], &["--checkpoint", "/dev/full"]].concat());
        assert!(full.err.contains("the checkpoint cannot be written, and the fit goes on without"), "{}", full.err);
        full.ok();
        assert!(fs::metadata("/dev/full").is_ok() && bench.path("m.gpc").exists());
    }
}
