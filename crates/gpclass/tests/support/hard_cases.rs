//! Data sets and models at the edge of what floating point holds.

use crate::fixtures::{curved, label, normals, training};
use gpclass::data::Sign;
use gpclass::kernel::{Kernel, Scales};
use gpclass::likelihood::Likelihood;
use gpclass::linalg::Mat;
use gpclass::model::TrainingData;
use std::sync::Arc;

pub struct DataSet {
    pub name: &'static str,
    pub data: Arc<TrainingData>,
}

pub fn data_sets() -> Vec<DataSet> {
    let set = |name, x: Mat, y: Vec<Sign>| DataSet { name, data: training(x, y) };
    let cloud = normals(11, 24, 3);
    let thirds: Vec<usize> = (0..30).map(|i| i / 3).collect();
    let tripled = cloud.select_rows(&thirds);
    let constant = Mat::from_fn(24, 3, |i, j| if j == 1 { cloud[(i, j)] } else { 0.7 });
    let origin = Mat::from_fn(24, 3, |i, j| if i % 8 == 0 { 0.0 } else { cloud[(i, j)] });
    let contradictory = (0..30).map(|i| label(i % 3 == 0)).collect();
    let many = normals(12, 51, 2);
    let separable = normals(13, 30, 2);
    let separable_labels = (0..30).map(|i| label(separable[(i, 0)] > 0.0)).collect();
    vec![
        set("duplicate rows", tripled.clone(), curved(&tripled, 0)),
        set("contradictory duplicates", tripled, contradictory),
        set("constant columns", constant.clone(), curved(&constant, 5)),
        set("rows at the origin", origin.clone(), curved(&origin, 5)),
        set("one row", normals(14, 1, 2), vec![Sign::Positive]),
        set("one class only", cloud.clone(), vec![Sign::Negative; 24]),
        set("one row of each class", normals(15, 2, 2), vec![Sign::Positive, Sign::Negative]),
        set("one positive in 51", many, (0..51).map(|i| label(i == 17)).collect()),
        set("separable", separable, separable_labels),
    ]
}

pub const VARIANCES: [f64; 5] = [1e-8, 1.0, 1e3, 1e6, 1e8];
pub const LENGTHSCALES: [f64; 5] = [1e-6, 1e-2, 1.0, 1e2, 1e6];

/// A squared exponential on every lengthscale, and the linear kernel; without and with a bias as strong as the signal.
pub fn kernels(variance: f64) -> Vec<Kernel> {
    let mut kernels = vec![Kernel::linear(Scales::Single(variance))];
    for scale in LENGTHSCALES {
        kernels.push(Kernel::squared_exponential(variance, Scales::Single(1.0 / (scale * scale))));
    }
    kernels.push(kernels[3].clone() + Kernel::bias(variance));
    kernels
}

/// A likelihood with the noise v2 that the covariance carries for it.
pub struct Noisy {
    pub likelihood: Likelihood,
    pub v2: f64,
}

pub fn noisy_likelihoods() -> Vec<Noisy> {
    let mut all = Vec::new();
    for eps in [0.0, 1e-6, 0.01, 0.2] {
        all.push(Noisy { likelihood: Likelihood::step(eps).expect("valid"), v2: 0.01 });
        for sigma in [1e-3, 1.0] {
            all.push(Noisy { likelihood: Likelihood::full(eps, 0.3, sigma).expect("valid"), v2: 0.0 });
        }
    }
    all.push(Noisy { likelihood: Likelihood::probit(), v2: 0.0 });
    all.push(Noisy { likelihood: Likelihood::probit_bias(-2.0).expect("valid"), v2: 0.0 });
    all.push(Noisy { likelihood: Likelihood::probit_noise(1e-3).expect("valid"), v2: 0.0 });
    all.push(Noisy { likelihood: Likelihood::logistic(), v2: 0.0 });
    all
}

impl Noisy {
    /// The variance of the noise about the signal, however it is modelled; that of the logistic is about 3.
    pub fn noise_var(&self) -> f64 {
        if self.likelihood == Likelihood::logistic() { 3.0 } else { self.v2 + self.likelihood.sigma().powi(2) }
    }
}

pub fn with_noise(kernel: &Kernel, v2: f64) -> Kernel {
    if v2 > 0.0 { kernel.clone() + Kernel::noise(v2) } else { kernel.clone() }
}
