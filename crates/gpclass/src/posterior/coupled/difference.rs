//! How far each function of a row is from what the site compares it with (multiclass 2.3, 3).
//!
//! A site sees `f_ic - pi_iᵀ f_i / s_i`, a function's difference from the mean of its hub, and nothing of what the functions have in common.
//! Its variance needs no covariance between functions: with `Y_c = L⁻¹ E_c D_c⁻¹`,
//!
//! ```text
//! Var = Σ_d w_d² V_id + |Y_c e_i - Lᵀ e_i / s_i|²,   w = e_c - pi_i / s_i,   V = held
//!     = Σ_d w_d² V_id + |Y_c e_i|² - 2 (E_c D_c⁻¹)_ii / s_i + P_ii / s_i²
//! ```
//!
//! and the share of a scalar site in `h = u + f_y - f_c` that is left to the others, `1 - tau Var h`, is `(R_cc)_ii / pi_ic`.
//!
//! No term is larger than the inverse of a precision, however large the prior variances are. Only `|Y_c e_i|² = (E_c P⁻¹ E_c)_ii / pi²` needs
//! work of order n³. It lies between `E_ii² / P_ii` and `E_ii` (over `pi²`), and where it lies between them changes little from one
//! sweep of a search to the next, so that it can be estimated.

use super::held::Held;
use super::memory::for_functions;
use super::{CoupledFactor, VANISHING, is_empty};
use crate::interrupt::Interrupt;
use crate::prior::Failure;
use gpclass_linalg::{Mat, Op, add_self_product, map_tasks, solve_lower_in_place, vector};

/// Where `log (E_c P⁻¹ E_c)_ii` lies between its bounds, before it was ever computed: 1 is the lower bound, where functions and rows are
/// all alike.
const USUAL_PLACE: f64 = 0.95;

/// Functions solved for at once where the products of their columns are wanted too, a matrix of all rows each.
const SOLVED_AT_ONCE: usize = 2;

/// What a search needs of `f_ic - pi_iᵀ f_i / s_i`, rows x functions each; zeros in rows without a site.
#[derive(Clone, Debug)]
pub(crate) struct Differences {
    /// Their variances.
    pub var: Mat,
    /// `(R_cc)_ii / pi_ic`.
    pub slack: Mat,
}

/// Of a function: `(E_c D_c⁻¹)_ii` and `|Y_c e_i|²` of every row.
struct Terms {
    diagonal: Vec<f64>,
    squares: Vec<f64>,
}

impl Terms {
    fn at(&self, i: usize) -> (f64, f64) {
        (self.diagonal[i], self.squares[i])
    }
}

impl CoupledFactor {
    /// The differences.
    pub(crate) fn differences(&self, interrupt: Interrupt<'_>) -> Result<Differences, Failure> {
        let each = for_functions(self.functions(), |c| {
            let (y, terms) = self.solved(c, interrupt)?;
            self.spare.put(y);
            Ok(terms)
        })?;
        self.by_pair(|i, c| Some(each[c].at(i))).ok_or(super::IMPROPER)
    }

    /// The differences, and the lower triangle of `Σ_c E_c P⁻¹ E_c = Σ_c (Y_c D_c)ᵀ Y_c D_c`: a gradient that follows need not solve for the
    /// same columns again.
    pub(crate) fn differences_and_square(&self, interrupt: Interrupt<'_>) -> Result<(Differences, Mat), Failure> {
        let (n, functions) = (self.rows(), self.functions());
        let mut square = self.spare.take(n)?;
        (0..n).for_each(|j| square.col_mut(j)[j..].fill(0.0));
        let mut each = Vec::with_capacity(functions);
        for first in (0..functions).step_by(SOLVED_AT_ONCE) {
            let group = map_tasks(SOLVED_AT_ONCE.min(functions - first), |k| self.solved(first + k, interrupt));
            for (k, solved) in group.into_iter().enumerate() {
                let (mut y, terms) = solved?;
                let pi = self.pi.col(first + k);
                (0..n).for_each(|j| y.col_mut(j).iter_mut().for_each(|value| *value *= pi[j]));
                add_self_product(&mut square, 1.0, &y, Op::Transpose);
                self.spare.put(y);
                each.push(terms);
            }
        }
        let found = self.by_pair(|i, c| Some(each[c].at(i))).ok_or(super::IMPROPER)?;
        Ok((found, square))
    }

    /// `Y_c` of a function, and what the differences need of it.
    fn solved(&self, c: usize, interrupt: Interrupt<'_>) -> Result<(Mat, Terms), Failure> {
        interrupt.check()?;
        let mut y = self.spare.take(self.rows())?;
        let diagonal = self.scaled_information(c, &mut y);
        solve_lower_in_place(&self.chol, &mut y);
        let squares = y.columns().map(|y| vector::dot(y, y)).collect();
        Ok((y, Terms { diagonal, squares }))
    }

    /// `E_c D_c⁻¹ = I - E_c K_c`, written to `out`; returns its diagonal. The column of a vanishing precision comes from the latter.
    fn scaled_information(&self, c: usize, out: &mut Mat) -> Vec<f64> {
        self.information[c].unpack(out);
        for j in 0..self.rows() {
            let pi = self.pi[(j, c)];
            let column = out.col_mut(j);
            if pi.abs() > VANISHING {
                column.iter_mut().for_each(|value| *value /= pi);
            } else if !is_empty(&self.pi, j) {
                let product = self.information[c].mul(self.prior.of(c).covariance().col(j));
                column.iter_mut().zip(product).for_each(|(value, product)| *value = -product);
                column[j] += 1.0;
            }
        }
        out.diag()
    }
}

impl<E: Held> CoupledFactor<E> {
    /// The differences from places that an earlier factor had; `None` where there are precisions that do not allow it.
    pub(crate) fn estimated_differences(&self, place: Option<&Mat>) -> Option<Differences> {
        self.by_pair(|i, c| {
            let (pi, e) = (self.pi[(i, c)], self.information_diagonal(i, c));
            let share = e / self.hub[i];
            let usable = pi > VANISHING && share > 0.0 && share <= 1.0;
            let place = place.map_or(USUAL_PLACE, |place| place[(i, c)]);
            usable.then(|| (e / pi, e / pi * share.powf(place) / pi))
        })
    }

    /// From `(E_c D_c⁻¹)_ii` and `|Y_c e_i|²` of every row with a site and every function.
    pub(super) fn by_pair(&self, terms: impl Fn(usize, usize) -> Option<(f64, f64)>) -> Option<Differences> {
        let (n, functions) = (self.rows(), self.functions());
        let (mut var, mut slack) = (Mat::zeros(n, functions), Mat::zeros(n, functions));
        for i in (0..n).filter(|&i| !is_empty(&self.pi, i)) {
            let s = self.total[i];
            for c in 0..functions {
                let (diagonal, square) = terms(i, c)?;
                let weighted = |d: usize| {
                    let weight = f64::from(u8::from(d == c)) - self.pi[(i, d)] / s;
                    weight * weight * self.held[(i, d)]
                };
                let held: f64 = (0..functions).map(weighted).sum();
                var[(i, c)] = held + (square - 2.0 * diagonal / s + self.hub[i] / (s * s)).max(0.0);
                slack[(i, c)] = diagonal - self.pi[(i, c)] * square;
            }
        }
        Some(Differences { var, slack })
    }

    /// `log (pi² square / E_ii) / log (E_ii / P_ii)`.
    pub(super) fn place(&self, i: usize, c: usize, square: f64) -> f64 {
        let (pi, e) = (self.pi[(i, c)], self.information_diagonal(i, c));
        let place = (pi / e * pi * square).ln() / (e / self.hub[i]).ln();
        if place.is_finite() { place.clamp(0.0, 1.0) } else { USUAL_PLACE }
    }
}
