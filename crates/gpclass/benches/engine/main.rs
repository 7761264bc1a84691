//! What the engine costs, in multiples of one Cholesky factorisation of the same size: `make bench`.
//!
//! Everything runs on one thread, interleaved in one process and timed by the thread's CPU clock, so that the ratios
//! mean something even where the seconds do not. `--quick` runs small sizes once or twice, to see that it works.

mod cases;
mod memory;
mod problem;
mod timing;

use cases::{Bench, Case};
use gpclass::linalg::with_threads;
use gpclass::model::ModelError;
use std::process::ExitCode;
use timing::Runs;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// How much is run.
struct Plan {
    sizes: &'static [usize],
    repetitions: usize,
}

const FULL: Plan = Plan { sizes: &[250, 500, 1000, 2000], repetitions: 7 };
const QUICK: Plan = Plan { sizes: &[100, 250], repetitions: 2 };
/// Cholesky factorisations per repetition: the unit of everything else is worth measuring well.
const UNITS_PER_REPETITION: usize = 5;

fn main() -> ExitCode {
    // Cargo adds `--bench` on its own.
    let plan = if std::env::args().any(|arg| arg == "--quick") { QUICK } else { FULL };
    println!("One thread, CPU time, best (median) of {} interleaved runs.", plan.repetitions);
    println!("chol: in multiples of one Cholesky factorisation of the n x n matrix B. error: relative, of log Z.");
    println!("memory: peak, in n x n matrices of doubles. target: best case on well-behaved data.");
    let outcome = with_threads(1, || plan.sizes.iter().try_for_each(|&n| measure(n, plan.repetitions)));
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs all cases at one size and prints their table.
fn measure(n: usize, repetitions: usize) -> Result<(), ModelError> {
    let bench = Bench::new(n)?;
    let cases = bench.cases();
    let mut unit = Runs::default();
    let mut timed: Vec<Runs> = cases.iter().map(|_| Runs::default()).collect();
    for _ in 0..repetitions {
        for _ in 0..UNITS_PER_REPETITION {
            let mut b = bench.matrix().clone();
            let factored = unit.time(|| gpclass::linalg::cholesky_in_place(&mut b));
            assert!(factored.is_ok(), "B is positive definite by construction");
        }
        for (case, runs) in cases.iter().zip(&mut timed) {
            runs.time(|| bench.run(case.work))?;
        }
    }
    println!("\nn = {n}: one Cholesky {:.3} ({:.3}) ms", 1e3 * unit.best(), 1e3 * unit.median());
    println!(
        "{:<40} {:>8} {:>9} {:>7} {:>8} {:>7} {:>7}",
        "", "chol", "(median)", "target", "error", "sweeps", "memory"
    );
    for (case, runs) in cases.iter().zip(&timed) {
        print_row(n, &bench, case, runs, &unit)?;
    }
    Ok(())
}

fn print_row(n: usize, bench: &Bench, case: &Case, runs: &Runs, unit: &Runs) -> Result<(), ModelError> {
    let (seen, bytes) = memory::peak_of(|| bench.run(case.work));
    let seen = seen?;
    let matrices = bytes as f64 / (8 * n * n) as f64;
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let error = seen.log_z.zip(bench.reference(case.work)).map(|(z, exact)| ((z - exact) / exact).abs());
    println!(
        "{:<40} {:>8.2} {:>9} {:>7} {:>8} {:>7} {:>7.2}",
        case.name,
        runs.best() / unit.best(),
        format!("({:.2})", runs.median() / unit.median()),
        or_dash(case.target(n).map(|t| format!("{t}"))),
        or_dash(error.map(|e| format!("{e:.0e}"))),
        or_dash(seen.sweeps.map(|s| s.to_string())),
        matrices,
    );
    Ok(())
}
