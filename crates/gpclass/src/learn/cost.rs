//! What a fit will take, estimated before it begins.

use super::combine::{MOST_POLISHED, Polishing, families, portion_rows};
use super::many::{MOST_MEMBERS, families_of_many};
use super::{Approach, Combine, FitOptions, Lengthscales, ManyRows, Priors, classes};
use crate::data::{LabelValues, Table};
use crate::inference::Method;
use crate::model::{Multiclass, TrainingData};
use crate::prior::READY_BYTES;
use gpclass_linalg::{Mat, cholesky_in_place};

/// Matrices of rows x rows that every fitted candidate keeps: its covariance, its posterior.
const KEPT: f64 = 4.0;
/// Those that a search, or the integral over hyperparameters, has in hand besides.
const IN_HAND: f64 = 2.5;
/// Factorisations that the search of one candidate takes, by count of their cost at many rows.
const SEARCH: f64 = 70.0;
/// Those that the integral over its hyperparameters adds where candidates are compared.
const INTEGRAL: f64 = 80.0;
/// The share of a search that a loose one takes.
const TRIED: f64 = 0.5;
/// The share of a search that a few steps from good values take.
const POLISHED: f64 = 0.4;
/// Evaluations of the evidence with its gradient that one search takes.
const EVALUATIONS: f64 = 9.0;
/// Factorisations that one inference takes.
const INFERENCE: f64 = 8.0;
/// Matrices of inducing x inducing rows that an inference by way of them has in hand.
const SPARSE_MATRICES: f64 = 24.0;
/// Its multiplications for every training row, in squares of the number of inducing rows (scale 6).
const SPARSE_PASSES: f64 = 30.0;
/// The same of a look at each row when it is inferred from others.
const SPARSE_LOOK: f64 = 3.0;
/// Sweeps of the inference around a row that is refined alone.
const REFINING_SWEEPS: f64 = 20.0;
/// Operations for every row besides: views, neighbours, duplicates, scores.
const EVERY_ROW: f64 = 1e6;
/// Numbers of a row that a fit holds for each of its columns and each model that predicts, beside what it holds of the columns once;
/// and those for each model alone: sites, means, variances, twice.
const COLUMN_COPIES: f64 = 4.0;
const ROW_NUMBERS: f64 = 18.0;
/// Bytes of a process that holds nothing.
const EMPTY: f64 = (32_u64 << 20) as f64;
/// Blocks that hyperparameters of many rows are learned from, and the rows of a matrix whose factorisations cost as much as what is
/// done with one of them, small matrices and judging rows included.
const BLOCKS: f64 = 16.0;
const BLOCK_ROWS: f64 = 680.0;
/// Ways to make such blocks that a stack compares.
const DESIGNS: f64 = 2.0;
/// Rows at which the work that grows with their square costs as much as a half of the work that grows with their cube.
const SQUARE_ROWS: f64 = 2000.0;

/// Rows of the matrix by whose factorisation a machine's speed is measured: milliseconds.
const TRIAL_ROWS: usize = 300;

/// Memory and work, to within a factor of two or so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Rows that are learned from.
    pub rows: usize,
    /// Most memory in use at a time, in bytes.
    pub bytes: f64,
    /// Work, in Cholesky factorisations of a matrix of rows x rows.
    pub cholesky: f64,
}

/// What a fit is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Training rows.
    pub rows: usize,
    /// Columns that are learned from.
    pub features: usize,
    /// Classes, at least two.
    pub classes: usize,
}

impl Size {
    /// The size of a table with its labels.
    pub fn of_table(table: &Table, labels: &LabelValues) -> Size {
        Size { rows: table.rows(), features: table.columns().len(), classes: labels.distinct().max(2) }
    }

    /// The size of encoded rows.
    pub fn of(data: &TrainingData) -> Size {
        Size { rows: data.rows(), features: data.inputs().features().len(), classes: data.targets().count() }
    }
}

/// What one candidate takes, relative to rows x rows numbers and to factorisations of a matrix of that size.
struct Share {
    kept: f64,
    in_hand: f64,
    search: f64,
    integral: f64,
}

impl Share {
    /// Of classes modelled in this way. Together they have a packed matrix each, some that they share, and sweeps of some six
    /// factorisations for each (multiclass 10); against the rest they share the covariance.
    fn of(classes: usize, multiclass: Multiclass) -> Share {
        let c = classes as f64;
        match multiclass {
            _ if classes == 2 => Share { kept: KEPT, in_hand: IN_HAND, search: SEARCH, integral: INTEGRAL },
            Multiclass::OneVsRest | Multiclass::ExactlyOne => Share {
                kept: 1.0 + (KEPT - 1.0) * c,
                in_hand: IN_HAND * c.min(4.0),
                search: SEARCH * c,
                integral: INTEGRAL * c,
            },
            Multiclass::Joint | Multiclass::Auto => {
                Share { kept: 2.0 + 0.5 * c, in_hand: 4.0 + 0.5 * c, search: 280.0 * c, integral: 160.0 * c }
            }
        }
    }
}

impl Cost {
    /// Of [`fit`](super::fit): the candidates that `options` leave open, in the way that the limits allow. `memory` is as in
    /// [`Control`](super::Control).
    pub fn of_fit(size: &Size, options: &FitOptions, memory: Option<f64>) -> Cost {
        Self::of_candidates(size, candidates(size, options), options, memory)
    }

    /// Of [`fit_candidates`](super::fit_candidates) with this many.
    pub fn of_candidates(size: &Size, candidates: usize, options: &FitOptions, memory: Option<f64>) -> Cost {
        let approach = Approach::of(options, size);
        let multiclass = match options.multiclass {
            _ if approach == Approach::Sparse => Multiclass::ExactlyOne,
            Multiclass::Auto if size.classes > 2 && classes::affordable(size, candidates, options, memory).is_err() => {
                Multiclass::ExactlyOne
            }
            asked => asked,
        };
        match approach {
            Approach::Exact => {}
            Approach::Blocks => return Self::by_blocks(size, candidates, options, false, multiclass),
            Approach::Sparse => return Self::by_blocks(size, candidates, options, true, multiclass),
        }
        let Share { kept, in_hand, search, integral } = Share::of(size.classes, multiclass);
        if options.combined() == Combine::Stack && candidates > 1 {
            return Self::of_stack(size, candidates, options, multiclass);
        }
        let (candidates, starts) = (candidates.max(1) as f64, (1 + options.restarts) as f64);
        let (integral, steps) = if candidates > 1.0 { (integral, 2.0) } else { (0.0, 1.0) };
        // Every candidate is kept to the end, and every start's end until the best is known.
        let matrices = kept * (candidates + starts - 1.0) + in_hand * steps;
        Self::new(size.rows, matrices, candidates * (search * starts + integral))
    }

    /// Of candidates that are tried on a part of the rows, of which some are learned on all and then predict together.
    fn of_stack(size: &Size, candidates: usize, options: &FitOptions, multiclass: Multiclass) -> Cost {
        let share = Share::of(size.classes, multiclass);
        let starts = (1 + options.restarts) as f64;
        let searches = |count: usize, of: f64, rows: usize| {
            Self::new(rows, 0.0, count as f64 * starts * of * share.search).cholesky
                * (rows as f64 / size.rows as f64).powi(3)
        };
        let members = candidates.min(MOST_POLISHED);
        let cholesky = match portion_rows(size.rows, size.classes, multiclass) {
            Some(part) => {
                let polishing = Polishing::of(size, multiclass);
                let polished = searches(candidates.min(polishing.members), POLISHED * polishing.share(), size.rows);
                searches(candidates, TRIED, part) + polished
            }
            None => searches(candidates, TRIED, size.rows),
        };
        // Searches follow each other; then every member has its covariance and its factor.
        let matrices = (share.kept + share.in_hand).max(0.5 * share.kept * members as f64 + 1.0);
        let n = size.rows as f64;
        Cost { rows: size.rows, bytes: matrices * n * n * 8.0, cholesky }
    }

    /// Work of one evaluation of the evidence with its gradient on all rows, in floating-point operations.
    pub(super) fn of_evaluation(size: &Size, multiclass: Multiclass) -> f64 {
        let search = Share::of(size.classes, multiclass).search;
        Self::new(size.rows, 0.0, search / EVALUATIONS).cholesky * (size.rows as f64).powi(3) / 3.0
    }

    /// Of searches by blocks, and the posterior of all rows at the end of each; of a stack, which learns from two designs of
    /// blocks, at the end of those that predict.
    fn by_blocks(size: &Size, candidates: usize, options: &FitOptions, sparse: bool, multiclass: Multiclass) -> Cost {
        let share = Share::of(size.classes, multiclass);
        let (candidates, starts) = (candidates.max(1), (1 + options.restarts) as f64);
        let stacked = options.combined() == Combine::Stack;
        let (searches, of) = if stacked { (DESIGNS * candidates as f64, POLISHED) } else { (candidates as f64, 1.0) };
        let of_rows = |rows: f64| (rows / size.rows as f64).powi(3);
        let members = if stacked { candidates.min(MOST_MEMBERS) as f64 } else { candidates as f64 + starts - 1.0 };
        let posterior = if sparse {
            Self::of_sparse_members(size, &options.many_rows, members + if stacked { 1.0 } else { 0.0 })
        } else {
            let work = match multiclass {
                Multiclass::OneVsRest | Multiclass::ExactlyOne => INFERENCE * size.classes as f64,
                Multiclass::Joint | Multiclass::Auto => Self::of_inference_work(size.classes),
            };
            let matrices = if stacked {
                // As if it were of few rows, so that as many rows as memory is said to be enough for do fit in.
                (share.kept + share.in_hand).max(0.5 * share.kept * candidates.min(MOST_POLISHED) as f64 + 1.0)
            } else {
                share.kept * members + share.in_hand
            };
            Self::new(size.rows, matrices, work)
        };
        let search = BLOCKS * of * share.search * of_rows(BLOCK_ROWS);
        let work = if sparse { posterior.cholesky } else { members * posterior.cholesky };
        Cost { cholesky: searches * starts * search + work, ..posterior }
    }

    /// Of one inference at given hyperparameters with its gradient, of classes together.
    pub fn of_inference(rows: usize, classes: usize) -> Cost {
        let Share { kept, in_hand, .. } = Share::of(classes, Multiclass::Joint);
        Self::new(rows, kept + in_hand, Self::of_inference_work(classes))
    }

    fn of_inference_work(classes: usize) -> f64 {
        if classes == 2 { INFERENCE } else { 30.0 * classes as f64 }
    }

    /// Of one inference by way of `inducing` rows with its gradient, every class against the rest.
    pub fn of_sparse_inference(rows: usize, inducing: usize, classes: usize) -> Cost {
        let (n, m, functions) = (rows as f64, inducing as f64, if classes == 2 { 1.0 } else { classes as f64 });
        let bytes = 8.0 * (n * m + functions * SPARSE_MATRICES * m * m);
        // A factorisation is n³ / 3.
        Cost { rows, bytes, cholesky: 3.0 * functions * SPARSE_PASSES * (m / n.max(1.0)).powi(2) }
    }

    /// Of posteriors by way of inducing rows, one after the other, each with the rows that are left out: their covariance by way
    /// of the inducing rows, and an inference of those around each (scale 4).
    fn of_sparse_members(size: &Size, many: &ManyRows, members: f64) -> Cost {
        let (n, m) = (size.rows as f64, many.inducing_rows(size.rows) as f64);
        let functions = if size.classes == 2 { 1.0 } else { size.classes as f64 };
        let inferred = many.inferred_rows(size.rows);
        let (inferred, looked_at) = inferred.map_or((n, 0.0), |rows| (rows as f64, n));
        let passes = m * m * (SPARSE_PASSES * inferred + SPARSE_LOOK * looked_at);
        let near = many.refinement().map_or(0.0, |refinement| refinement.neighbours as f64);
        let left_out = many.scoring_rows(size.rows).map_or(n, |rows| rows as f64);
        let of_row = near * (2.0 * near * m + m * m + REFINING_SWEEPS * near * near);
        let work = functions * members * (passes + left_out * of_row) + EVERY_ROW * n;
        // Those of one search go before the next one's come; in the end, if they are few, every model that predicts has its own.
        let projections = 8.0 * inferred * m;
        let at_once = if 8.0 * n * m <= READY_BYTES as f64 { members } else { 1.0 };
        let rows = 8.0 * n * (size.features as f64 * (COLUMN_COPIES + members) + ROW_NUMBERS * functions * members);
        let bytes = EMPTY + projections * at_once + rows + 8.0 * functions * SPARSE_MATRICES * m * m;
        // A factorisation is n³ / 3.
        Cost { rows: size.rows, bytes, cholesky: 3.0 * work / n.max(1.0).powi(3) }
    }

    fn new(rows: usize, matrices: f64, cholesky: f64) -> Cost {
        let n = rows as f64;
        Cost { rows, bytes: matrices * n * n * 8.0, cholesky: cholesky * (1.0 + SQUARE_ROWS / n.max(1.0)) }
    }

    /// Several of these, `at_once` at a time.
    pub fn repeated(self, times: usize, at_once: usize) -> Cost {
        let side_by_side = at_once.min(times).max(1) as f64;
        Cost { bytes: self.bytes * side_by_side, cholesky: self.cholesky * times as f64 / side_by_side, ..self }
    }

    /// The most rows that would do with this many bytes.
    pub fn rows_within(&self, bytes: f64) -> usize {
        (self.rows as f64 * (bytes / self.bytes).sqrt()) as usize
    }

    /// One factorisation, for a caller with a clock to find out how fast the machine is.
    pub fn trial() {
        let entry = |i, j| if i == j { 2.0 } else { 1.0 / (2 + i + j) as f64 };
        let mut matrix = Mat::from_fn(TRIAL_ROWS, TRIAL_ROWS, entry);
        // The matrix is diagonally dominant enough to have a factor; were it not, the time would still be a time.
        let _ = cholesky_in_place(&mut matrix);
    }

    /// Seconds where [`trial`](Self::trial) takes `trial` of them.
    pub fn seconds_by_trial(&self, trial: f64) -> f64 {
        self.seconds(TRIAL_ROWS, trial)
    }

    /// Seconds, if a factorisation of a matrix of `rows` x `rows` takes `seconds`.
    pub fn seconds(&self, rows: usize, seconds: f64) -> f64 {
        self.cholesky * seconds * (self.rows as f64 / rows as f64).powi(3)
    }
}

/// How many models are tried, at most.
pub(super) fn candidates(size: &Size, options: &FitOptions) -> usize {
    if options.combined() == Combine::Stack {
        return match Approach::of(options, size) {
            Approach::Exact => families(options, size).len(),
            Approach::Blocks | Approach::Sparse => families_of_many(options, size).len(),
        };
    }
    let kernels = if options.kernel.is_none() { 3 } else { 1 };
    let several = options.lengthscales == Lengthscales::Auto && size.features > 1;
    let spread = match (several, &options.priors) {
        (false, _) => 0,
        (true, Priors::None) => 1,
        (true, _) => 2,
    };
    let robust = options.likelihood.is_none() && matches!(options.method, Method::Ep(_));
    kernels + spread + usize::from(robust)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{KernelFamily, LikelihoodFamily};

    fn alone() -> FitOptions {
        FitOptions {
            kernel: Some(KernelFamily::SquaredExponential),
            likelihood: Some(LikelihoodFamily::Probit),
            lengthscales: Lengthscales::Single,
            ..FitOptions::default()
        }
    }

    fn exact(options: FitOptions) -> FitOptions {
        FitOptions { many_rows: ManyRows { exact: true, ..ManyRows::default() }, ..options }
    }

    fn compared() -> FitOptions {
        FitOptions { combine: Combine::Best, ..FitOptions::default() }
    }

    #[test]
    fn memory_grows_with_the_square_and_work_with_the_cube() {
        let exact = exact(compared());
        let cost = |rows| Cost::of_fit(&Size { rows, features: 5, classes: 2 }, &exact, None);
        let (one, two) = (cost(4000), cost(8000));
        assert_eq!(two.bytes, 4.0 * one.bytes);
        // 8 for the cube, less what grows with the square only: (1 + 1/4) / (1 + 1/2).
        let ratio = two.seconds(300, 1e-3) / one.seconds(300, 1e-3);
        assert!((ratio - 8.0 * 1.25 / 1.5).abs() < 1e-12, "{ratio}");
        assert_eq!(one.rows_within(two.bytes), 8000);
    }

    #[test]
    fn open_choices_and_restarts_cost_more() {
        let size = Size { rows: 1000, features: 5, classes: 2 };
        let cost = |options: &FitOptions| Cost::of_fit(&size, options, None);
        let (alone, all) = (alone(), FitOptions::default());
        let best = compared();
        let of = |features| Size { features, ..size };
        assert_eq!([5, 1].map(|features| candidates(&of(features), &best)), [6, 4]);
        assert_eq!([5, 1].map(|features| candidates(&of(features), &all)), [6, 5]);
        assert_eq!(candidates(&size, &alone), 1);
        assert!(cost(&best).bytes > 3.0 * cost(&alone).bytes);
        assert!(cost(&all).bytes < 12.0 * 8e6 && cost(&all).cholesky < cost(&best).cholesky);
        assert!(cost(&best).cholesky > 5.0 * cost(&alone).cholesky && cost(&all).cholesky > cost(&alone).cholesky);
        let restarted = FitOptions { restarts: 3, ..alone.clone() };
        assert_eq!(cost(&restarted).cholesky, 4.0 * cost(&alone).cholesky);
        assert!(cost(&restarted).bytes > 2.0 * cost(&alone).bytes);
        let folds = cost(&alone).repeated(10, 2);
        assert_eq!((folds.bytes, folds.cholesky), (2.0 * cost(&alone).bytes, 5.0 * cost(&alone).cholesky));
    }

    #[test]
    fn inducing_rows_make_work_and_memory_grow_with_the_rows() {
        let cost = |rows| Cost::of_sparse_inference(rows, 400, 2);
        let (one, two) = (cost(20_000), cost(40_000));
        assert!((two.seconds(300, 1e-3) / one.seconds(300, 1e-3) - 2.0).abs() < 1e-9);
        assert!(two.bytes < 2.0 * one.bytes && two.bytes > 1.5 * one.bytes);
        assert!(one.bytes < 0.02 * Cost::of_inference(20_000, 2).bytes);
    }

    #[test]
    fn fits_of_many_rows_are_affordable() {
        let cost = |rows, options: &FitOptions| Cost::of_fit(&Size { rows, features: 8, classes: 2 }, options, None);
        let seconds = |rows, options: &FitOptions| cost(rows, options).seconds(300, 1e-3);
        for options in [FitOptions::default(), compared(), alone()] {
            let whole = exact(options.clone());
            assert!(seconds(4_000, &options) < 0.5 * seconds(4_000, &whole), "{options:?}");
            assert!(seconds(20_000, &options) < 0.02 * seconds(20_000, &whole), "{options:?}");
            assert!(cost(20_000, &options).bytes < 0.05 * cost(20_000, &whole).bytes, "{options:?}");
            // What is learned from blocks costs the same for any number of rows.
            assert!(seconds(200_000, &options) < 10.0 * seconds(20_000, &options), "{options:?}");
            let unrefined =
                FitOptions { many_rows: ManyRows { neighbours: Some(0), ..options.many_rows }, ..options.clone() };
            assert!(seconds(20_000, &unrefined) < seconds(20_000, &options), "{options:?}");
        }
    }

    #[test]
    fn classes_together_cost_more_until_they_are_not() {
        let options = exact(FitOptions::default());
        let cost = |classes, rows, memory| Cost::of_fit(&Size { rows, features: 5, classes }, &options, memory);
        let (two, three) = (cost(2, 100, None), cost(3, 100, None));
        assert!(three.cholesky > 3.0 * two.cholesky && three.bytes < 2.0 * two.bytes);
        // Where memory is short, or the rows are many, every class stands against the rest.
        let rest = FitOptions { multiclass: Multiclass::OneVsRest, ..options.clone() };
        let against = |rows| Cost::of_fit(&Size { rows, features: 5, classes: 3 }, &rest, None);
        assert_eq!(cost(3, 100, Some(0.9 * three.bytes)), against(100));
        assert_eq!(cost(3, 8000, None), against(8000));
        // Three classes are tried on fewer rows than two.
        let ratio = against(1000).cholesky / cost(2, 1000, None).cholesky;
        assert!(ratio > 2.4 && ratio < 3.05, "{ratio}");
        // Polishing has a limit.
        let many = |classes| Cost::of_fit(&Size { rows: 1200, features: 5, classes }, &rest, None).cholesky;
        assert!(many(26) < 1.6 * many(13), "{} and {}", many(26), many(13));
    }
}
