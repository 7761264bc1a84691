//! Means: products with `I - R K` and `R` (multiclass 2.2).

use super::held::{Held, Square};
use super::{CoupledFactor, VANISHING, by_function, norm};
use gpclass_linalg::{Mat, vector};

/// Rounds of refinement of a mean solve at most. At a prior variance of 1e6 the first answer is wrong in its fourth digit, and
/// three rounds bring all digits there are (multiclass 2.2).
const REFINEMENTS: usize = 3;
/// What a solve leaves of its right-hand side when all digits are wanted.
const ALL_DIGITS: f64 = 1e-15;
/// A round of refinement is worth it while it leaves less than this share of what the last one left.
const WORTHWHILE: f64 = 0.5;

impl<E: Held> CoupledFactor<E> {
    /// `alpha = nu - T mu` and `mu = Sigma nu = K alpha`, rows x functions, to all digits there are.
    pub fn solve(&self, nu: &Mat) -> (Mat, Mat) {
        self.solve_to(ALL_DIGITS, nu)
    }

    /// As [`solve`](Self::solve), refined until `nu - T mu - alpha` is no more than this share of `nu`.
    pub(crate) fn solve_to(&self, share: f64, nu: &Mat) -> (Mat, Mat) {
        let mut alpha = self.without_prior(nu);
        let mut mu = self.prior.times(&alpha);
        let mut left = f64::INFINITY;
        for _ in 0..REFINEMENTS {
            let lacking = self.lacking(nu, &alpha, &mu);
            let before = std::mem::replace(&mut left, norm(&lacking));
            // The comparison is false, and the loop ends, for what is no number.
            let refine = left > share * norm(nu) && left < WORTHWHILE * before;
            if !refine {
                break;
            }
            let step = self.without_prior(&lacking);
            vector::add_scaled(alpha.as_mut_slice(), 1.0, step.as_slice());
            mu = self.prior.times(&alpha);
        }
        (alpha, mu)
    }

    /// `nu - T mu - alpha`.
    fn lacking(&self, nu: &Mat, alpha: &Mat, mu: &Mat) -> Mat {
        let mut lacking = self.site_times(mu);
        for ((value, nu), alpha) in lacking.as_mut_slice().iter_mut().zip(nu.as_slice()).zip(alpha.as_slice()) {
            *value = nu - *value - alpha;
        }
        lacking
    }

    /// `x - R K x`, to the digits that one pass gives.
    ///
    /// With `w_c = (I - E_c K_c) x_c` and `t = P⁻¹ Σ_c (x_c - w_c)` it is `w_c + E_c t`.
    pub fn without_prior(&self, x: &Mat) -> Mat {
        let mut out = by_function(x, |c, x| self.without_own_prior(c, x));
        let mut shared = row_sums(x);
        out.columns().for_each(|column| vector::add_scaled(&mut shared, -1.0, column));
        self.add_shared(1.0, shared, &mut out);
        self.balance(&row_sums(x), &mut out);
        out
    }

    /// `R x`, rows x functions.
    pub fn information_times(&self, x: &Mat) -> Mat {
        let mut out = by_function(x, |c, x| self.information[c].times(x));
        let shared = row_sums(&out);
        self.add_shared(-1.0, shared, &mut out);
        out
    }

    /// `(I - E_c K_c) x = E_c D_c⁻¹ x`; where a precision vanishes, through `K_c`.
    fn without_own_prior(&self, c: usize, x: &[f64]) -> Vec<f64> {
        let pi = self.pi.col(c);
        let strong = |i: usize| pi[i].abs() > VANISHING;
        let mut divided: Vec<f64> = (0..x.len()).map(|i| if strong(i) { x[i] / pi[i] } else { 0.0 }).collect();
        let rest: Vec<f64> = (0..x.len()).map(|i| if strong(i) { 0.0 } else { x[i] }).collect();
        let through_prior = rest.iter().any(|x| *x != 0.0);
        if through_prior {
            vector::add_scaled(&mut divided, -1.0, &self.prior.of(c).times(&rest));
        }
        let mut out = self.information[c].times(&divided);
        if through_prior {
            vector::add_scaled(&mut out, 1.0, &rest);
        }
        out
    }

    /// `out_c += scale E_c P⁻¹ shared`.
    fn add_shared(&self, scale: f64, shared: Vec<f64>, out: &mut Mat) {
        let shared = self.chol.solve(shared);
        let passed_on = by_function(out, |c, _| self.information[c].times(&shared));
        vector::add_scaled(out.as_mut_slice(), scale, passed_on.as_slice());
    }

    /// Makes the rows of `out` sum to `sums`. Those of `I - R K` do exactly, since `Σ_c R_cd = 0`; a prior variance many orders
    /// of magnitude above the rest would magnify what rounding leaves of that.
    fn balance(&self, sums: &[f64], out: &mut Mat) {
        let excess: Vec<f64> =
            row_sums(out).iter().zip(sums).zip(&self.total).map(|((got, sum), total)| (got - sum) / total).collect();
        for c in 0..out.cols() {
            let column = out.col_mut(c).iter_mut().zip(self.pi.col(c)).zip(&excess);
            column.for_each(|((value, pi), excess)| *value -= pi * excess);
        }
    }

    /// `T x` for every row.
    pub fn site_times(&self, x: &Mat) -> Mat {
        let data = x.as_slice().iter().zip(self.pi.as_slice()).map(|(x, pi)| x * pi).collect();
        let mut out = Mat::from_columns(x.rows(), x.cols(), data);
        let means: Vec<f64> = row_sums(&out).iter().zip(&self.total).map(|(sum, total)| sum / total).collect();
        for c in 0..x.cols() {
            let column = out.col_mut(c).iter_mut().zip(self.pi.col(c)).zip(&means);
            column.for_each(|((value, pi), mean)| *value -= pi * mean);
        }
        out
    }
}

/// `Σ_c x_ic` for every row.
fn row_sums(x: &Mat) -> Vec<f64> {
    let mut sums = vec![0.0; x.rows()];
    x.columns().for_each(|column| vector::add_scaled(&mut sums, 1.0, column));
    sums
}
