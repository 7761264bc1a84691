//! What the engine costs, in multiples of one Cholesky factorisation of the same size: `make bench`.
//!
//! Everything runs on one thread, interleaved in one process and timed by the thread's CPU clock, so that the ratios
//! mean something even where the seconds do not. `--quick` runs small sizes once or twice, to see that it works; `classes` leaves
//! out what has two classes, `blocks` all but fits that learn from blocks of rows.

mod blocks;
mod default;
mod memory;
mod probabilities;
mod problem;
mod several;
mod suite;
mod timing;
mod two;

use gpclass::linalg::with_threads;
use std::process::ExitCode;
use suite::{Case, Failure, Suite};
use timing::Runs;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// What is run.
struct Plan {
    /// Rows of problems with two classes.
    sizes: Vec<usize>,
    /// Rows of problems with several.
    several: Vec<usize>,
    /// Rows of fits that learn from blocks of them.
    blocks: Vec<usize>,
    repetitions: usize,
    /// Cases whose name contains all of these.
    words: Vec<String>,
}

const SIZES: [usize; 4] = [250, 500, 1000, 2000];
const BLOCKS_SIZES: [usize; 2] = [2000, 4000];
/// Rows from which on a fit learns from blocks.
const LEAST_BLOCKS_ROWS: usize = 1501;
const SEVERAL_SIZES: [usize; 2] = [500, 1000];
const CLASSES: [usize; 2] = [3, 10];
const REPETITIONS: usize = 7;
/// Rows from which on a whole default fit is measured.
const LEAST_DEFAULT_ROWS: usize = 250;
const QUICK_SIZES: [usize; 2] = [100, 250];
const QUICK_SEVERAL_SIZES: [usize; 1] = [100];
const QUICK_REPETITIONS: usize = 2;
/// Cholesky factorisations per repetition: the unit of everything else is worth measuring well.
const UNITS_PER_REPETITION: usize = 5;
/// The word that selects the problems with several classes.
const SEVERAL: &str = "classes";
/// The word that selects fits that learn from blocks.
const BLOCKS: &str = "blocks";

impl Plan {
    /// Numbers are sizes, `--quick` is a smoke run, other words select cases. Cargo adds `--bench` on its own.
    fn from_arguments(arguments: impl Iterator<Item = String>) -> Self {
        let (mut given, mut words, mut quick) = (Vec::new(), Vec::new(), false);
        for argument in arguments {
            match argument.parse() {
                Ok(n) => given.push(n),
                Err(_) if argument == "--quick" => quick = true,
                Err(_) if argument == "--bench" => {}
                Err(_) => words.push(argument),
            }
        }
        let (mut sizes, mut several, mut blocks) = match quick {
            true => (QUICK_SIZES.to_vec(), QUICK_SEVERAL_SIZES.to_vec(), Vec::new()),
            false => (SIZES.to_vec(), SEVERAL_SIZES.to_vec(), BLOCKS_SIZES.to_vec()),
        };
        if !given.is_empty() {
            blocks = given.iter().copied().filter(|n| *n >= LEAST_BLOCKS_ROWS).collect();
            (sizes, several) = (given.clone(), given);
        }
        if words.iter().any(|word| word == SEVERAL || word == BLOCKS) {
            sizes.clear();
        }
        if words.iter().any(|word| word == BLOCKS) {
            several.clear();
        }
        Plan { sizes, several, blocks, repetitions: if quick { QUICK_REPETITIONS } else { REPETITIONS }, words }
    }

    fn run(&self) -> Result<(), Failure> {
        for &n in &self.sizes {
            measure(&two::Bench::new(n)?, self, self.repetitions)?;
            // A whole fit takes long enough to be timed once.
            if n >= LEAST_DEFAULT_ROWS {
                measure(&default::Bench::new(n)?, self, 1)?;
            }
        }
        if self.words.iter().all(|word| blocks::NAME.contains(word)) {
            self.blocks.iter().try_for_each(|&n| blocks::print(n))?;
        }
        for &n in &self.several {
            for count in CLASSES {
                measure(&several::Bench::new(n, count)?, self, self.repetitions)?;
            }
        }
        if self.words.iter().all(|word| "class probabilities classes".contains(word)) {
            probabilities::print(self.repetitions);
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    let plan = Plan::from_arguments(std::env::args().skip(1));
    println!("One thread, CPU time, best (median) of {} interleaved runs.", plan.repetitions);
    println!(
        "chol: in multiples of one Cholesky factorisation of the n x n matrix B, with what is aimed at beside it."
    );
    println!(
        "error: relative, of log Z against a run to 1e-10. memory: peak, in n x n matrices of doubles, with its aim."
    );
    println!(
        "The first tolerance of each method is the loosest tried whose error is below 1e-8; the second its default."
    );
    match with_threads(1, || plan.run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs all cases of a suite and prints their table.
fn measure<S: Suite>(suite: &S, plan: &Plan, repetitions: usize) -> Result<(), Failure> {
    let mut cases = suite.cases()?;
    cases.retain(|case| plan.words.iter().all(|word| case.name.contains(word)));
    if cases.is_empty() {
        return Ok(());
    }
    let mut unit = Runs::default();
    let mut timed: Vec<Runs> = cases.iter().map(|_| Runs::default()).collect();
    for _ in 0..repetitions {
        for _ in 0..UNITS_PER_REPETITION {
            let mut b = suite.matrix().clone();
            let factored = unit.time(|| gpclass::linalg::cholesky_in_place(&mut b));
            assert!(factored.is_ok(), "B is positive definite by construction");
        }
        for (case, runs) in cases.iter().zip(&mut timed) {
            runs.time(|| suite.run(case.work))?;
        }
    }
    println!("\n{}: one Cholesky {:.3} ({:.3}) ms", suite.title(), 1e3 * unit.best(), 1e3 * unit.median());
    println!(
        "{:<48} {:>8} {:>9} {:>7} {:>8} {:>7} {:>7} {:>7}",
        "", "chol", "(median)", "aim", "error", "sweeps", "memory", "aim"
    );
    for (case, runs) in cases.iter().zip(&timed) {
        print_row(suite, case, runs, &unit)?;
    }
    Ok(())
}

fn print_row<S: Suite>(suite: &S, case: &Case<S::Work>, runs: &Runs, unit: &Runs) -> Result<(), Failure> {
    let (seen, bytes) = memory::peak_of(|| suite.run(case.work));
    let seen = seen?;
    let n = suite.matrix().rows();
    let matrices = bytes as f64 / (8 * n * n) as f64;
    let or_dash = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
    let error = suite.error(case.work, &seen);
    println!(
        "{:<48} {:>8.2} {:>9} {:>7} {:>8} {:>7} {:>7.2} {:>7}",
        case.name,
        runs.best() / (suite.unit() * unit.best()),
        format!("({:.2})", runs.median() / (suite.unit() * unit.median())),
        or_dash(case.aim.map(|t| format!("{t}"))),
        or_dash(error.map(|e| format!("{e:.0e}"))),
        or_dash(seen.sweeps.map(|s| s.to_string())),
        matrices,
        suite.memory_aim(),
    );
    Ok(())
}
