//! The factor in single precision: for the early sweeps of a search, which later ones correct.

use super::difference::Differences;
use super::memory::{Shelf, for_functions};
use super::{CoupledFactor, FunctionPriors, row_total};
use crate::interrupt::Interrupt;
use crate::prior::{Failure, Prior};
use gpclass_linalg::{Mat, SingleMat, squared_norm};
use std::sync::Mutex;

/// The trace of `D_c^½ K_c D_c^½`, which bounds what single precision loses of `B_c = I + D_c^½ K_c D_c^½`.
const LARGEST_TRACE: f64 = 2e4;
/// Precisions below this leave single precision's range.
const LEAST_PRECISION: f64 = 1e-25;
/// Below this value of `pi_i V_i` single precision leaves too little of the quick formula for the variance.
const WEAK: f64 = 1e-2;

/// What one function adds to the factor.
struct Own {
    information: SingleMat,
    held: Vec<f64>,
    log_det: f64,
}

impl CoupledFactor<SingleMat> {
    /// As [`watched`](CoupledFactor::watched), in single precision; `None` where that would not do.
    pub(crate) fn rough(
        prior: &FunctionPriors,
        pi: &Mat,
        recycled: Option<Self>,
        interrupt: Interrupt<'_>,
    ) -> Result<Option<Self>, Failure> {
        let (n, functions) = (prior.rows(), prior.functions());
        if !suits(prior, pi) {
            return Ok(None);
        }
        let (lent, mut chol, spare) = match recycled {
            Some(old) if old.total.len() == n => (old.information, old.chol, old.spare),
            _ => (Vec::new(), SingleMat::default(), Shelf::default()),
        };
        let lent: Vec<_> = lent.into_iter().map(|old| Mutex::new(Some(old))).collect();
        let each = for_functions(functions, |c| {
            interrupt.check()?;
            let lent = lent.get(c).and_then(|old| old.lock().ok()?.take());
            let out = lent.map_or_else(|| SingleMat::try_zeros(n), Ok)?;
            own(prior.of(c), pi.col(c), out, &spare)
        })?;
        let Some(each) = each.into_iter().collect::<Option<Vec<Own>>>() else { return Ok(None) };
        if chol.size() != n {
            chol = spare.take(n)?;
        }
        interrupt.check()?;
        for j in 0..n {
            let column = chol.lower_mut(j);
            column.fill(0.0);
            each.iter().for_each(|own| column.iter_mut().zip(own.information.lower(j)).for_each(|(p, e)| *p += e));
        }
        let hub: Vec<f64> = (0..n).map(|i| f64::from(chol.lower(i)[0])).collect();
        if chol.cholesky_in_place().is_err() {
            return Ok(None);
        }
        let log_det = each.iter().map(|own| own.log_det).sum::<f64>() + log_det(&chol);
        let held = Mat::from_columns(n, functions, each.iter().flat_map(|own| own.held.iter().copied()).collect());
        let information = each.into_iter().map(|own| own.information).collect();
        let total = (0..n).map(|i| row_total(pi, i)).collect();
        let (prior, pi) = (prior.clone(), pi.clone());
        Ok(Some(CoupledFactor { prior, pi, total, information, held, hub, chol, log_det, square: None, spare }))
    }

    /// The differences, and where `log (E_c P⁻¹ E_c)_ii` lies between its bounds. `None` where single precision lost them.
    pub(crate) fn rough_differences(&self, interrupt: Interrupt<'_>) -> Result<Option<(Differences, Mat)>, Failure> {
        let n = self.rows();
        let squares = for_functions(self.functions(), |c| {
            interrupt.check()?;
            let mut y = self.spare.take(n)?;
            (0..n).for_each(|j| y.lower_mut(j).copy_from_slice(self.information[c].lower(j)));
            y.mirror_lower();
            self.chol.solve_lower_in_place(&mut y);
            let squares: Vec<f64> = (0..n).map(|j| squared_norm(y.column(j)) / self.pi[(j, c)].powi(2)).collect();
            self.spare.put(y);
            Ok(squares)
        })?;
        let diagonal = |i: usize, c: usize| self.information_diagonal(i, c) / self.pi[(i, c)];
        let found = self.by_pair(|i, c| Some((diagonal(i, c), squares[c][i])));
        let place = Mat::from_fn(n, self.functions(), |i, c| self.place(i, c, squares[c][i]));
        Ok(found.map(|found| (found, place)))
    }
}

/// Whether precisions and variances stay within what single precision can tell apart.
fn suits(prior: &FunctionPriors, pi: &Mat) -> bool {
    let narrow = |c: usize| {
        let trace: f64 = pi.col(c).iter().zip(prior.of(c).diag()).map(|(pi, k)| pi * k).sum();
        prior.of(c).as_sparse().is_none() && trace <= LARGEST_TRACE
    };
    pi.as_slice().iter().all(|pi| *pi >= LEAST_PRECISION) && (0..prior.functions()).all(narrow)
}

/// `E_c`, written to `out`, with what belongs to it; `None` where `B_c` has no factor in single precision.
fn own(prior: &Prior, pi: &[f64], mut out: SingleMat, spare: &Shelf<SingleMat>) -> Result<Option<Own>, Failure> {
    let n = pi.len();
    let k = prior.covariance();
    let root: Vec<f64> = pi.iter().map(|pi| pi.sqrt()).collect();
    let (mut chol, mut inverse) = (spare.take(n)?, spare.take(n)?);
    for j in 0..n {
        let entries = chol.lower_mut(j).iter_mut().zip(&k.col(j)[j..]).zip(&root[j..]);
        entries.for_each(|((b, k), r)| *b = (k * (r * root[j])) as f32);
        chol.lower_mut(j)[0] += 1.0;
    }
    let factored = chol.cholesky_in_place().is_ok();
    let found = factored.then(|| {
        chol.invert_lower(&mut inverse);
        inverse.lower_gram(&mut out);
        let single: Vec<f32> = root.iter().map(|r| *r as f32).collect();
        for j in 0..n {
            out.lower_mut(j).iter_mut().zip(&single[j..]).for_each(|(e, r)| *e *= r * single[j]);
        }
        let held = held(&k, pi, &inverse, &out);
        Own { information: out, held, log_det: log_det(&chol) }
    });
    [chol, inverse].into_iter().for_each(|matrix| spare.put(matrix));
    Ok(found)
}

/// `V = diag(K - K E K)`: `(1 - diag(B⁻¹)) / pi` or, where that cancels, `diag(E K) / pi`.
fn held(k: &Mat, pi: &[f64], inverse: &SingleMat, information: &SingleMat) -> Vec<f64> {
    let n = pi.len();
    let mut explained: Vec<f64> = (0..n).map(|i| 1.0 - squared_norm(inverse.lower(i))).collect();
    let weak: Vec<bool> = explained.iter().map(|explained| *explained < WEAK).collect();
    if weak.contains(&true) {
        let products = diagonal_of_product(information, k);
        (0..n).filter(|&i| weak[i]).for_each(|i| explained[i] = products[i]);
    }
    explained.iter().zip(pi).map(|(explained, pi)| explained / pi).collect()
}

/// `diag(E K)` for symmetric matrices.
fn diagonal_of_product(e: &SingleMat, k: &Mat) -> Vec<f64> {
    let n = k.rows();
    let mut sums = vec![0.0; n];
    for j in 0..n {
        let (e, k) = (e.lower(j), &k.col(j)[j..]);
        let (own, below) = sums[j..].split_first_mut().expect("a row for every column");
        *own += f64::from(e[0]) * k[0];
        for ((sum, e), k) in below.iter_mut().zip(&e[1..]).zip(&k[1..]) {
            let product = f64::from(*e) * k;
            *sum += product;
            *own += product;
        }
    }
    sums
}

fn log_det(chol: &SingleMat) -> f64 {
    2.0 * (0..chol.size()).map(|i| f64::from(chol.lower(i)[0]).ln()).sum::<f64>()
}
