//! Labels as terms in differences of functions (multiclass 1).
//!
//! A row of class y has one latent value for each other class c: `f_y - f_c`, and under the multinomial probit
//! `h_c = u + f_y - f_c`, where `u ~ N(0, 1)` is the noise of the own function. `u` is sampled along with the functions, not
//! integrated over in every term: `Π Phi(h_c)` is then exact however far out `h` lies, where a rule for the integral would have to
//! look for its integrand, and costs C - 1 normal integrals instead of as many for each of some dozen nodes. The price is one
//! more direction per row. As `p` is linear in the clean probability, so is its average over `u` with label error.

use super::ClassProblem;
use crate::data::Sign;
use crate::exact::{PriorFactor, Terms, Threshold};
use crate::likelihood::Link;
use gpclass_linalg::{Mat, Op, self_product};
use std::ops::Range;

/// The latent values of all copies of all rows, and how they come from standard normals.
pub(super) struct Pairs {
    /// Latent values x (directions of all functions, then one `u` for each copy if there is such noise).
    pub map: Mat,
    copies: usize,
    width: usize,
    /// Whether all terms together are one orthant probability.
    orthant: bool,
}

impl Pairs {
    /// `priors` as in the problem: one for all functions or one each.
    pub fn new(problem: &ClassProblem, priors: &[PriorFactor]) -> Pairs {
        let rows: Vec<usize> = problem.copies().collect();
        let width = problem.observations.count - 1;
        let functions = directions(problem, priors, problem.observations.count).start;
        let probit = matches!(problem.observations.link, Link::Probit { .. });
        let mut map = Mat::zeros(rows.len() * width, functions + if probit { rows.len() } else { 0 });
        for (copy, &i) in rows.iter().enumerate() {
            let own = problem.own(i);
            for (pair, c) in problem.others(i).enumerate() {
                let value = copy * width + pair;
                for (class, sign) in [(own, 1.0), (c, -1.0)] {
                    let g = problem.of(priors, class).map();
                    for (direction, z) in directions(problem, priors, class).enumerate() {
                        map[(value, z)] = sign * g[(i, direction)];
                    }
                }
                if probit {
                    map[(value, functions + copy)] = 1.0;
                }
            }
        }
        Pairs { map, copies: rows.len(), width, orthant: probit && problem.label_error() == 0.0 }
    }

    /// The likelihood, given that of one row.
    pub fn terms<'a>(&self, log_p: &'a (dyn Fn(usize, &[f64]) -> f64 + Sync)) -> Terms<'a> {
        let all_positive =
            || Threshold { labels: vec![Sign::Positive; self.copies * self.width], bias: 0.0, sigma: 1.0 };
        Terms { rows: self.copies, width: self.width, log_p, threshold: self.orthant.then(all_positive) }
    }

    /// The prior covariance of the latent values.
    pub fn covariance(&self) -> Mat {
        self_product(&self.map, Op::Plain)
    }
}

/// Which standard normals make function `c`.
pub(super) fn directions(problem: &ClassProblem, priors: &[PriorFactor], c: usize) -> Range<usize> {
    let rank = |c: usize| problem.of(priors, c).rank();
    let start = (0..c).map(rank).sum();
    start..start + if c < problem.observations.count { rank(c) } else { 0 }
}
