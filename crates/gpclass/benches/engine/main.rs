//! What the engine costs, in multiples of one Cholesky factorisation of the same size: `make bench`.
//!
//! Everything runs on one thread, interleaved in one process and timed by the thread's CPU clock, so that the ratios
//! mean something even where the seconds do not. `--quick` runs small sizes once or twice, to see that it works.

mod cases;
mod memory;
mod problem;
mod timing;

use cases::{Bench, Case, Failure};
use gpclass::linalg::with_threads;
use std::process::ExitCode;
use timing::Runs;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// What is run.
struct Plan {
    sizes: Vec<usize>,
    repetitions: usize,
    /// Cases whose name contains this.
    filter: String,
}

const SIZES: [usize; 4] = [250, 500, 1000, 2000];
const REPETITIONS: usize = 7;
const QUICK_SIZES: [usize; 2] = [100, 250];
const QUICK_REPETITIONS: usize = 2;
/// Cholesky factorisations per repetition: the unit of everything else is worth measuring well.
const UNITS_PER_REPETITION: usize = 5;

impl Plan {
    /// Numbers are sizes, `--quick` is a smoke run, other words select cases. Cargo adds `--bench` on its own.
    fn from_arguments(arguments: impl Iterator<Item = String>) -> Self {
        let mut plan = Plan { sizes: Vec::new(), repetitions: REPETITIONS, filter: String::new() };
        let mut sizes = SIZES.to_vec();
        for argument in arguments {
            match argument.parse() {
                Ok(n) => plan.sizes.push(n),
                Err(_) if argument == "--quick" => {
                    (sizes, plan.repetitions) = (QUICK_SIZES.to_vec(), QUICK_REPETITIONS)
                }
                Err(_) if argument == "--bench" => {}
                Err(_) => plan.filter = argument,
            }
        }
        if plan.sizes.is_empty() {
            plan.sizes = sizes;
        }
        plan
    }
}

fn main() -> ExitCode {
    let plan = Plan::from_arguments(std::env::args().skip(1));
    println!("One thread, CPU time, best (median) of {} interleaved runs.", plan.repetitions);
    println!(
        "chol: in multiples of one Cholesky factorisation of the n x n matrix B, with what is aimed at beside it."
    );
    println!("error: relative, of log Z against a run to 1e-10. memory: peak, in n x n matrices of doubles (aim: 5).");
    println!(
        "The first tolerance of each method is the loosest tried whose error is below 1e-8; the second its default."
    );
    match with_threads(1, || plan.sizes.iter().try_for_each(|&n| measure(n, &plan))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs all cases at one size and prints their table.
fn measure(n: usize, plan: &Plan) -> Result<(), Failure> {
    let bench = Bench::new(n)?;
    let mut cases = bench.cases()?;
    cases.retain(|case| case.name.contains(&plan.filter));
    let mut unit = Runs::default();
    let mut timed: Vec<Runs> = cases.iter().map(|_| Runs::default()).collect();
    for _ in 0..plan.repetitions {
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
    println!("{:<40} {:>8} {:>9} {:>7} {:>8} {:>7} {:>7}", "", "chol", "(median)", "aim", "error", "sweeps", "memory");
    for (case, runs) in cases.iter().zip(&timed) {
        print_row(n, &bench, case, runs, &unit)?;
    }
    Ok(())
}

fn print_row(n: usize, bench: &Bench, case: &Case, runs: &Runs, unit: &Runs) -> Result<(), Failure> {
    let (seen, bytes) = memory::peak_of(|| bench.run(case.work));
    let seen = seen?;
    let matrices = bytes as f64 / (8 * n * n) as f64;
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let error = bench.error(case.work, &seen);
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
