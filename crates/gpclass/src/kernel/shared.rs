//! What different rows share: covariances and their pull-back where some rows stand for the others.

use super::Kernel;
use super::blocks::{Pairs, contract_between, contract_diagonal};
use crate::data::Inputs;
use gpclass_linalg::Mat;

impl Kernel {
    /// The variance of every row without what it has for itself alone: its [`diag`](Self::diag) without noise, and that of
    /// [`cross`](Self::cross) of the rows with themselves.
    pub fn shared_diag(&self, x: &Inputs) -> Vec<f64> {
        let fold = |empty: f64, op: fn(f64, f64) -> f64| {
            self.parts().fold(vec![empty; x.rows()], |mut out, part| {
                out.iter_mut().zip(part.shared_diag(x)).for_each(|(a, b)| *a = op(*a, b));
                out
            })
        };
        match self {
            Kernel::Noise(_) => vec![0.0; x.rows()],
            Kernel::Sum(_) | Kernel::PerClass(_) => fold(0.0, |a, b| a + b),
            Kernel::Product(_) => fold(1.0, |a, b| a * b),
            leaf => leaf.diag(x),
        }
    }

    /// The mean variance of the rows by the terms that look at features: v0 of a stationary kernel with bias and noise. Where
    /// no term does, of all terms.
    pub(crate) fn mean_signal(&self, x: &Inputs) -> f64 {
        let looking = self.terms().into_iter().filter(|term| self.is_signal(term));
        let total: f64 = looking.map(|term| term.shared_diag(x).iter().sum::<f64>()).sum();
        total / x.rows().max(1) as f64
    }

    /// The gradient of [`mean_signal`](Self::mean_signal) in the logarithm of every parameter.
    pub(crate) fn mean_signal_gradient(&self, x: &Inputs) -> Vec<f64> {
        let weights = vec![1.0 / x.rows().max(1) as f64; x.rows()];
        let of_term = |term: &Kernel| match self.is_signal(term) {
            true => term.pull_back_diag(x, &weights),
            false => vec![0.0; term.params().len()],
        };
        self.terms().into_iter().flat_map(of_term).collect()
    }

    /// As [`pull_back`](Self::pull_back) for the covariances of the rows of `a` with those of `b`, all of whose adjoint is
    /// given.
    pub fn pull_back_cross(&self, a: &Inputs, b: &Inputs, adjoint: &Mat) -> Vec<f64> {
        let pairs = Pairs::Between(a, b);
        contract_between(&*self.prepare(pairs), pairs, adjoint)
    }

    /// As [`pull_back`](Self::pull_back) for the variances of the rows, noise included.
    pub fn pull_back_diag(&self, x: &Inputs, adjoint: &[f64]) -> Vec<f64> {
        contract_diagonal(&*self.prepare(Pairs::Within(x)), adjoint)
    }

    /// The terms of a sum, or itself.
    fn terms(&self) -> Vec<&Kernel> {
        match self {
            Kernel::Sum(terms) => terms.iter().collect(),
            single => vec![single],
        }
    }

    fn is_signal(&self, term: &Kernel) -> bool {
        let constant = |term: &Kernel| matches!(term, Kernel::Bias(_) | Kernel::Noise(_));
        !constant(term) || self.terms().into_iter().all(constant)
    }
}
