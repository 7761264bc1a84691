//! The benchmark's data: two balanced classes, three features that tell them apart and three that do not.

use gpclass::data::{Inputs, Sign};
use gpclass::kernel::{Kernel, Scales};
use gpclass::linalg::Mat;
use gpclass::model::{ModelError, TrainingData};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use rand_distr::{Distribution, StandardNormal};
use std::sync::Arc;

pub const FEATURES: usize = 6;
/// Of a table that kernels are measured on.
const TABLE_FEATURES: usize = 10;
const INFORMATIVE: usize = 3;
pub const LENGTHSCALE: f64 = 2.5;
pub const VARIANCE: f64 = 4.0;
const TEST_ROWS: usize = 10_000;
/// The warm start comes from hyperparameters this factor away.
const CHANGE: f64 = 1.1;

/// Training and test rows with a kernel that suits them.
pub struct Problem {
    pub data: Arc<TrainingData>,
    /// The same rows, every other of weight one half.
    pub halved: Arc<TrainingData>,
    pub test: Inputs,
    pub kernel: Kernel,
    /// The same kernel with every parameter changed a little.
    pub changed: Kernel,
}

impl Problem {
    /// `n` training rows; the same ones in every run.
    pub fn new(n: usize) -> Result<Self, ModelError> {
        let mut rng = ChaCha12Rng::seed_from_u64(n as u64);
        let (inputs, labels) = draw(n, &mut rng);
        let (test, _) = draw(TEST_ROWS, &mut rng);
        let kernel = |change: f64| {
            let l = change / (LENGTHSCALE * LENGTHSCALE);
            Kernel::squared_exponential(change * VARIANCE, Scales::Ard(vec![l; FEATURES]))
        };
        let weights = (0..n).map(|i| if i % 2 == 0 { 0.5 } else { 1.0 }).collect();
        let halved = Arc::new(TrainingData::weighted(inputs.clone(), labels.clone(), Some(weights))?);
        let data = Arc::new(TrainingData::new(inputs, labels)?);
        Ok(Problem { data, halved, test, kernel: kernel(1.0), changed: kernel(CHANGE) })
    }
}

/// Rows of more features, for kernels that look at each by itself.
pub struct Table {
    inputs: Inputs,
    adjoint: Mat,
    pub steps: Kernel,
    pub terms: Kernel,
}

impl Table {
    /// `n` rows; the same ones in every run.
    pub fn new(n: usize) -> Self {
        let mut rng = ChaCha12Rng::seed_from_u64(n as u64);
        let inputs = Inputs::continuous(normals(n, TABLE_FEATURES, &mut rng));
        let adjoint = Mat::from_fn(n, n, |i, j| ((i + j) as f64).sin());
        let shares = || Scales::Ard(vec![1.0 / TABLE_FEATURES as f64; TABLE_FEATURES]);
        let (steps, terms) = (Kernel::l1_product(VARIANCE, shares()), Kernel::additive(shares(), 1.0));
        Table { inputs, adjoint, steps, terms }
    }

    /// What a step of learning asks of a kernel.
    pub fn matrix_and_gradient(&self, kernel: &Kernel) {
        std::hint::black_box(kernel.gram(&self.inputs));
        std::hint::black_box(kernel.pull_back(&self.inputs, &self.adjoint));
    }
}

/// Rows of alternating class y: x1..x3 ~ N(y, 1), x4..x6 ~ N(0, 1).
fn draw(rows: usize, rng: &mut ChaCha12Rng) -> (Inputs, Vec<Sign>) {
    let labels: Vec<Sign> = (0..rows).map(|i| if i % 2 == 0 { Sign::Positive } else { Sign::Negative }).collect();
    let values = Mat::from_fn(rows, FEATURES, |i, j| {
        let noise: f64 = StandardNormal.sample(rng);
        if j < INFORMATIVE { labels[i].sign() + noise } else { noise }
    });
    (Inputs::continuous(values), labels)
}

/// Independent standard normal numbers.
pub fn normals(rows: usize, cols: usize, rng: &mut ChaCha12Rng) -> Mat {
    Mat::from_fn(rows, cols, |_, _| StandardNormal.sample(rng))
}
