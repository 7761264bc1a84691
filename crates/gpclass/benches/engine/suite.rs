//! What the tables of measurements have in common.

use gpclass::linalg::Mat;

/// The accuracy asked of log Z, relative.
const EIGHT_DIGITS: f64 = 1e-8;
/// Tolerances tried for it, the loosest first.
const LADDER: [f64; 7] = [1e-2, 3e-3, 1e-3, 3e-4, 1e-5, 1e-6, 1e-8];
/// Tolerances of the runs that log Z is compared with.
pub const TIGHT: f64 = 1e-10;

/// Whatever can go wrong in a run.
pub type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What a run says about itself.
#[derive(Default)]
pub struct Seen {
    pub log_z: Option<f64>,
    pub sweeps: Option<usize>,
}

/// One measured piece of work.
pub struct Case<W> {
    pub name: String,
    pub work: W,
    /// The cost aimed at, in units of the suite.
    pub aim: Option<f64>,
}

/// Pieces of work on one problem.
pub trait Suite {
    type Work: Copy;

    /// The heading of its table.
    fn title(&self) -> String;

    /// The matrix whose Cholesky factorisation is measured beside everything else.
    fn matrix(&self) -> &Mat;

    /// The unit of costs, in factorisations of that matrix.
    fn unit(&self) -> f64;

    /// The peak memory aimed at, in matrices of that size.
    fn memory_aim(&self) -> f64;

    fn cases(&self) -> Result<Vec<Case<Self::Work>>, Failure>;

    fn run(&self, work: Self::Work) -> Result<Seen, Failure>;

    /// Log Z of a run to the tightest tolerance, for work that finds it.
    fn exact(&self, work: Self::Work) -> Option<f64>;

    /// The relative error of the log evidence that a run found.
    fn error(&self, work: Self::Work, seen: &Seen) -> Option<f64> {
        let exact = self.exact(work)?;
        seen.log_z.map(|z| ((z - exact) / exact).abs())
    }

    /// The loosest tolerance of the ladder with which log Z is right to eight digits.
    fn loosest(&self, work: impl Fn(f64) -> Self::Work) -> Result<f64, Failure> {
        for tolerance in LADDER {
            let seen = self.run(work(tolerance))?;
            if self.error(work(tolerance), &seen).is_some_and(|error| error <= EIGHT_DIGITS) {
                return Ok(tolerance);
            }
        }
        Ok(TIGHT)
    }
}
