//! What class probabilities of one row cost.

use crate::problem;
use crate::timing::Runs;
use gpclass::likelihood::multinomial::class_log_probabilities;
use gpclass::linalg::{Mat, Op, self_product};
use rand::SeedableRng;
use rand_chacha::ChaCha12Rng;

const CLASSES: [usize; 4] = [3, 4, 10, 26];
/// Rows in one timed run.
const ROWS: usize = 50;
/// Standard deviations of means, and of the common and the separate parts of functions.
const SPREAD: f64 = 2.0;

/// Prints microseconds per row.
pub fn print(repetitions: usize) {
    println!("\nclass probabilities of one row, microseconds");
    for count in CLASSES {
        let mut rng = ChaCha12Rng::seed_from_u64(count as u64);
        let rows: Vec<(Vec<f64>, Mat)> = (0..ROWS)
            .map(|_| {
                let mean = problem::normals(1, count, &mut rng).as_slice().iter().map(|m| SPREAD * m).collect();
                let cov = self_product(&problem::normals(count, count + 2, &mut rng), Op::Plain);
                (mean, Mat::from_fn(count, count, |c, d| cov[(c, d)] / count as f64))
            })
            .collect();
        let mut runs = Runs::default();
        for _ in 0..repetitions {
            runs.time(|| {
                rows.iter().for_each(|(mean, cov)| {
                    std::hint::black_box(class_log_probabilities(mean, cov));
                })
            });
        }
        let each = |seconds: f64| 1e6 * seconds / ROWS as f64;
        println!("{count:>3} classes {:>10.1} ({:.1})", each(runs.best()), each(runs.median()));
    }
}
