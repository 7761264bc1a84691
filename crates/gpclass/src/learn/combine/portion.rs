//! The part of the rows that candidates are tried on.

use crate::data::Class;
use crate::model::{Multiclass, TrainingData};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;

/// Rows that tell apart candidates of two classes.
const ROWS: usize = 400;
/// Work of several classes together for each of them, in units of that of two classes at the same rows.
const TOGETHER: f64 = 4.0;
/// A part is worth its while where there are this many times as many rows.
const WORTH: f64 = 1.25;
/// Rows of every class that are taken, where it has them.
const OF_EVERY_CLASS: usize = 5;

/// How many rows candidates are tried on; `None` if on all. The work grows with the cube of the rows and with the number of
/// classes: they are tried on as many rows as take the time that two classes do.
pub(in crate::learn) fn portion_rows(rows: usize, classes: usize, multiclass: Multiclass) -> Option<usize> {
    let work = match classes {
        2 => 1.0,
        _ if multiclass.is_against_rest() => classes as f64,
        _ => TOGETHER * classes as f64,
    };
    let enough = (ROWS as f64 / work.cbrt()).max((OF_EVERY_CLASS * classes) as f64);
    (rows as f64 > WORTH * enough).then_some(enough as usize)
}

/// That many rows, of every class as many as its share, drawn by the seed and in their order; rows of no weight are not among
/// them.
pub(super) fn portion(data: &TrainingData, rows: usize, seed: u64) -> Arc<TrainingData> {
    let weighs = |row: usize| data.weights().is_none_or(|weights| weights[row] > 0.0);
    let of_class = |class: Class| -> Vec<usize> {
        (0..data.rows()).filter(|&row| data.labels()[row] == class && weighs(row)).collect()
    };
    let classes: Vec<Vec<usize>> = Class::first(data.targets().count()).map(of_class).collect();
    let total: usize = classes.iter().map(Vec::len).sum();
    let mut chosen = Vec::with_capacity(rows + OF_EVERY_CLASS * classes.len());
    for (class, mut own) in classes.into_iter().enumerate() {
        let share = (own.len() * rows).div_ceil(total.max(1));
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(class as u64);
        own.shuffle(&mut rng);
        own.truncate(share.max(OF_EVERY_CLASS));
        chosen.extend(own);
    }
    chosen.sort_unstable();
    Arc::new(data.with_rows(&chosen))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Inputs, Targets};
    use gpclass_linalg::Mat;

    fn data(weights: Option<Vec<f64>>) -> TrainingData {
        let label = |i: usize| Class::from(if i.is_multiple_of(100) { 2 } else { u16::from(i.is_multiple_of(3)) });
        let targets = Targets::new((0..1000).map(label).collect(), 3).unwrap();
        TrainingData::weighted(Inputs::continuous(Mat::from_fn(1000, 1, |i, _| i as f64)), targets, weights).unwrap()
    }

    #[test]
    fn it_has_every_class_by_its_share_and_always_the_same_rows() {
        let part = portion(&data(None), 300, 0);
        let counts = part.targets().rows_of_class();
        assert!(counts[2] == OF_EVERY_CLASS && (300..310).contains(&part.rows()), "{counts:?}");
        assert!(counts[0].abs_diff(198) < 3 && counts[1].abs_diff(99) < 3, "{counts:?}");
        let rows = |part: &TrainingData| part.inputs().values().as_slice().to_vec();
        assert_eq!(rows(&part), rows(&portion(&data(None), 300, 0)));
        assert_ne!(rows(&part), rows(&portion(&data(None), 300, 1)));
        assert!(rows(&part).is_sorted());
    }

    #[test]
    fn rows_of_no_weight_are_not_drawn() {
        let weights: Vec<f64> = (0..1000).map(|i| if i < 500 { 0.0 } else { 2.0 }).collect();
        let part = portion(&data(Some(weights)), 300, 0);
        assert!(part.inputs().values().as_slice().iter().all(|x| *x >= 500.0));
        assert!(part.weights().unwrap().iter().all(|w| *w == 2.0));
    }

    #[test]
    fn few_rows_are_all_tried_and_many_classes_on_fewer() {
        let (joint, rest) = (Multiclass::Joint, Multiclass::ExactlyOne);
        assert_eq!((portion_rows(500, 2, joint), portion_rows(501, 2, joint)), (None, Some(400)));
        let (together, each) = (portion_rows(2000, 10, joint).unwrap(), portion_rows(2000, 10, rest).unwrap());
        assert!(together < each && each < 300, "{together} {each}");
        assert_eq!(portion_rows(2000, 100, joint), Some(500));
    }
}
