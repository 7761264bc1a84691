//! What a user gets who says nothing: a whole default fit of a table of ten columns, timed once.

use crate::problem::{VARIANCE, normals};
use crate::suite::{Case, Failure, Seen, Suite};
use gpclass::data::{Inputs, Sign};
use gpclass::kernel::{Kernel, Scales};
use gpclass::learn::{Control, FitOptions, fit};
use gpclass::linalg::Mat;
use gpclass::model::TrainingData;
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;
use std::sync::Arc;

const COLUMNS: usize = 10;
/// The peak memory aimed at, in n x n matrices.
const MEMORY_AIM: f64 = 10.0;

/// Rows whose class depends on steps and slopes of some columns, with noise.
pub struct Bench {
    pub data: Arc<TrainingData>,
    b: Mat,
}

impl Bench {
    pub fn new(n: usize) -> Result<Self, Failure> {
        let mut rng = ChaCha12Rng::seed_from_u64(n as u64);
        let (x, noise) = (normals(n, COLUMNS, &mut rng), normals(n, 1, &mut rng));
        let latent = |i: usize| {
            let step = if x[(i, 1)] > 0.3 { 1.5 } else { -0.8 };
            x[(i, 0)] + step * x[(i, 2)] + 0.5 * x[(i, 3)].sin() + 0.7 * noise[(i, 0)]
        };
        let labels: Vec<Sign> = (0..n).map(|i| if latent(i) > 0.0 { Sign::Positive } else { Sign::Negative }).collect();
        let inputs = Inputs::continuous(x);
        let l = Scales::Single(1.0 / COLUMNS as f64);
        let mut b = (Kernel::squared_exponential(VARIANCE, l) + Kernel::noise(1.0)).gram(&inputs);
        (0..n).for_each(|i| b[(i, i)] += 1.0);
        Ok(Bench { data: Arc::new(TrainingData::new(inputs, labels)?), b })
    }
}

impl Suite for Bench {
    type Work = ();

    fn title(&self) -> String {
        format!("default fit, n = {}, {COLUMNS} columns", self.data.rows())
    }

    fn matrix(&self) -> &Mat {
        &self.b
    }

    fn unit(&self) -> f64 {
        1.0
    }

    fn memory_aim(&self) -> f64 {
        MEMORY_AIM
    }

    fn cases(&self) -> Result<Vec<Case<()>>, Failure> {
        let aim = match self.data.rows() {
            1000 => Some(1500.0),
            2000 => Some(1000.0),
            _ => None,
        };
        Ok(vec![Case { name: "default fit (members)".to_owned(), work: (), aim }])
    }

    fn run(&self, (): ()) -> Result<Seen, Failure> {
        let selection = fit(&self.data, &FitOptions::default(), &Control::default())?;
        Ok(Seen { log_z: None, sweeps: Some(selection.members.len()) })
    }

    fn exact(&self, (): ()) -> Option<f64> {
        None
    }
}
