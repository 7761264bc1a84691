use super::*;
use crate::data::{Feature, FeatureKind};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Correlated numbers: three directions in five columns.
fn rows(n: usize, seed: u64) -> Inputs {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut normal = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
    let hidden: Vec<[f64; 3]> = (0..n).map(|_| [normal(), normal(), normal()]).collect();
    let mix = [[3.0, 0.0, 1.0], [0.0, 10.0, 0.0], [1.0, 5.0, 0.0], [0.2, 0.0, 0.1], [0.0, 1.0, 1.0]];
    Inputs::continuous(Mat::from_fn(n, 5, |i, j| (0..3).map(|k| mix[j][k] * hidden[i][k]).sum()))
}

fn moved(inputs: &Inputs, by: impl Fn(usize, usize) -> f64) -> Inputs {
    let values = inputs.values();
    let values = Mat::from_fn(values.rows(), values.cols(), |i, c| values[(i, c)] + by(i, c));
    Inputs::new(inputs.features().to_vec(), values)
}

#[test]
fn one_ordinary_row_in_a_hundred_is_flagged_and_moved_rows_are() {
    let novelty = Novelty::new(&rows(300, 1));
    let share = |inputs: &Inputs| {
        let values = novelty.of(inputs).unwrap();
        assert!(values.iter().all(|v| (0.0..=1.0).contains(v)));
        values.iter().filter(|v| **v > UNLIKE_TRAINING).count() as f64 / values.len() as f64
    };
    let ordinary = rows(2000, 2);
    assert!((0.002..0.025).contains(&share(&ordinary)), "{}", share(&ordinary));
    // Against the correlation of the first two columns with the third: no column alone is out of its range.
    let against = moved(&ordinary, |i, c| if c == 2 { if i % 2 == 0 { 5.0 } else { -5.0 } } else { 0.0 });
    assert!(share(&against) > 0.95, "{}", share(&against));
    let far = moved(&ordinary, |_, c| if c == 1 { 100.0 } else { 0.0 });
    assert_eq!(share(&far), 1.0);
}

#[test]
fn training_rows_are_compared_with_the_others_only() {
    let training = rows(80, 3);
    let novelty = Novelty::new(&training);
    let left_out = novelty.of_training(&training).unwrap();
    let (within, n) = (novelty.of(&training).unwrap(), training.rows());
    assert!(left_out.iter().zip(&within).all(|(out, own)| own <= out), "a row is never unlike itself");
    // The share that is left when row 5 was truly left out, by a process without it.
    let rest: Vec<usize> = (0..n).filter(|i| *i != 5).collect();
    let places = Places::new(&training);
    let all = steps(&places, places.values());
    let without = Mat::from_fn(n - 1, n - 1, |i, j| all[(rest[i], rest[j])]);
    let cross = Mat::from_fn(n - 1, 1, |i, _| all[(rest[i], 5)]);
    let want = Process::new(without, STEP_NOISE).left(cross, &[1.0])[0];
    assert!((novelty.steps.process.left_out()[5] - want).abs() < 1e-10);
}

#[test]
fn units_do_not_matter() {
    let (training, new) = (rows(120, 4), rows(30, 5));
    let scaled = |inputs: &Inputs| {
        let values = inputs.values();
        let unit = |c: usize| [1.0, 1e-6, 1e4, 7.0, 1.0][c];
        Inputs::continuous(Mat::from_fn(values.rows(), 5, |i, c| 3.0 + unit(c) * values[(i, c)]))
    };
    let plain = Novelty::new(&training).of(&new).unwrap();
    let other = Novelty::new(&scaled(&training)).of(&scaled(&new)).unwrap();
    assert!(plain.iter().zip(&other).all(|(a, b)| (a - b).abs() < 1e-6));
}

/// A constant number, and categories: what differs from all is unlike all.
#[test]
fn categories_constants_and_many_rows() {
    let n = 700;
    let one_hot = |i: usize, c: usize| if i % 2 + 1 == c { std::f64::consts::FRAC_1_SQRT_2 } else { 0.0 };
    let features = vec![
        Feature { name: "constant".to_owned(), kind: FeatureKind::Continuous, columns: 0..1 },
        Feature { name: "colour".to_owned(), kind: FeatureKind::Discrete, columns: 1..3 },
    ];
    let training = Inputs::new(features.clone(), Mat::from_fn(n, 3, |i, c| if c == 0 { 0.0 } else { one_hot(i, c) }));
    let novelty = Novelty::new(&training);
    assert!(novelty.of_training(&training).unwrap().iter().all(|v| *v < UNLIKE_TRAINING));
    let of =
        |row: [f64; 3]| novelty.of(&Inputs::new(features.clone(), Mat::from_columns(1, 3, row.to_vec()))).unwrap()[0];
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert!(of([0.0, half, 0.0]) < UNLIKE_TRAINING);
    assert!(of([0.0, 0.0, 0.0]) > UNLIKE_TRAINING, "a category that was never seen");
    assert!(of([5.0, half, 0.0]) > UNLIKE_TRAINING, "another value of a constant");
    assert!(matches!(novelty.of(&rows(2, 1)), Err(ModelError::Features { .. })));
    let bad = Inputs::new(features, Mat::from_columns(1, 3, vec![f64::NAN, half, 0.0]));
    assert!(matches!(novelty.of(&bad), Err(ModelError::Input { .. })));
}
