//! Problems of several classes with known difficulties.

// Every test program that includes this file uses its own part of it.
#![allow(dead_code)]

use gpclass::data::{Class, Inputs};
use gpclass::inference::Method;
use gpclass::inference::ep::EpOptions;
use gpclass::inference::joint::{ClassObservations, JointInferred, JointStart};
use gpclass::interrupt::Interrupt;
use gpclass::kernel::{Kernel, Scales};
use gpclass::likelihood::Link;
use gpclass::linalg::Mat;
use gpclass::posterior::FunctionPriors;
use gpclass::prior::Prior;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, StandardNormal};

pub const PROBIT: Link = Link::Probit { label_error: 0.0 };
pub const SOFTMAX: Link = Link::Softmax { averaged: false };

/// Rows with classes, and a covariance for all functions.
#[derive(Clone)]
pub struct Problem {
    pub name: String,
    pub x: Mat,
    pub classes: Vec<Class>,
    pub count: usize,
    /// `v0`, `l` (an inverse squared lengthscale), `v1`.
    pub hyper: [f64; 3],
}

impl Problem {
    /// Rows in the plane; a row's class is the largest of `count` smooth functions with some noise.
    pub fn drawn(seed: u64, n: usize, count: usize, noise: f64, v0: f64, l: f64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let x = Mat::from_fn(n, 2, |_, _| rng.random_range(-2.0..2.0));
        let mut normal = || -> f64 { StandardNormal.sample(&mut rng) };
        let waves: Vec<[f64; 3]> = (0..3 * count).map(|_| [normal(), normal(), 3.0 * normal()]).collect();
        let value = |i: usize, c: usize| -> f64 {
            waves[3 * c..3 * c + 3].iter().map(|[a, b, phase]| (a * x[(i, 0)] + b * x[(i, 1)] + phase).sin()).sum()
        };
        let noisy = Mat::from_fn(n, count, |i, c| value(i, c) + noise * normal());
        let largest = |i: usize| (0..count).max_by(|&c, &d| noisy[(i, c)].total_cmp(&noisy[(i, d)])).unwrap_or(0);
        let classes = (0..n).map(|i| class(largest(i))).collect();
        let name = format!("n = {n}, {count} classes, v0 = {v0:e}, l = {l}");
        Problem { name, x, classes, count, hyper: [v0, l, 1.0] }
    }

    /// Every row twice, the second time with the next class in a third of them.
    pub fn contradictory(mut self) -> Self {
        let n = self.classes.len();
        let twice: Vec<usize> = (0..2 * n).map(|i| i % n).collect();
        let count = self.count;
        let turned =
            |i: usize, c: Class| if i >= n && i.is_multiple_of(3) { class((c.position() + 1) % count) } else { c };
        self.classes = twice.iter().enumerate().map(|(i, &row)| turned(i, self.classes[row])).collect();
        self.x = self.x.select_rows(&twice);
        self.renamed("contradictory duplicates")
    }

    /// A last class that only the given rows have.
    pub fn with_rare_class(mut self, rows: &[usize]) -> Self {
        rows.iter().for_each(|&i| self.classes[i] = class(self.count));
        self.count += 1;
        self.renamed(&format!("a class of {} rows", rows.len()))
    }

    /// A share of the rows in another class; which ones.
    pub fn with_flips(mut self, seed: u64, share: f64) -> (Self, Vec<usize>) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut rows: Vec<usize> = (0..self.classes.len()).collect();
        rows.shuffle(&mut rng);
        rows.truncate((share * rows.len() as f64).round() as usize);
        for &i in &rows {
            let other = self.classes[i].position() + rng.random_range(1..self.count);
            self.classes[i] = class(other % self.count);
        }
        (self, rows)
    }

    pub fn renamed(mut self, what: &str) -> Self {
        self.name = format!("{what}: {}", self.name);
        self
    }

    pub fn kernel(&self) -> Kernel {
        let [v0, l, v1] = self.hyper;
        Kernel::squared_exponential(v0, Scales::Single(l)) + Kernel::bias(v1)
    }

    /// All logarithms of hyperparameters moved.
    pub fn moved(&self, by: f64) -> Self {
        Problem { hyper: self.hyper.map(|v| v * by.exp()), ..self.clone() }
    }

    pub fn covariance(&self) -> Mat {
        self.kernel().gram(&Inputs::continuous(self.x.clone()))
    }

    pub fn priors(&self) -> FunctionPriors {
        FunctionPriors::shared(Prior::from_covariance(self.covariance()), self.count)
    }

    pub fn under(&self, link: Link) -> ClassObservations<'_> {
        ClassObservations { classes: &self.classes, count: self.count, link, weights: None }
    }

    pub fn infer(&self, method: &Method, link: Link, start: Option<&JointStart>) -> JointInferred {
        let found = method.infer_jointly(self.priors(), &self.under(link), start, Interrupt::default());
        found.unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

pub fn class(position: usize) -> Class {
    Class::at(position).expect("few classes")
}

pub fn ep(tolerance: f64) -> Method {
    Method::Ep(EpOptions { tolerance, ..EpOptions::default() })
}

/// Every number of a posterior, by name.
pub fn numbers(found: &JointInferred) -> Vec<(&'static str, Vec<f64>)> {
    let flat = |m: &Mat| m.as_slice().to_vec();
    vec![
        ("log Z", vec![found.log_z, found.by_label_error, found.report.residual]),
        ("pi", flat(&found.pi)),
        ("nu", flat(&found.nu)),
        ("alpha", flat(&found.alpha)),
        ("mean", flat(&found.mean)),
        ("variances", flat(&found.factor.marginals().var)),
        ("covariances", found.factor.row_covariances().iter().flat_map(|m| m.as_slice().to_vec()).collect()),
    ]
}
