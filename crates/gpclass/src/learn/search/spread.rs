//! The spread of training inputs.

use crate::data::FeatureKind;
use crate::model::TrainingData;
use crate::param::{Distance, Spread};

/// Mean distances between training rows, feature by feature; rows count by weight.
pub(super) fn spread_of(data: &TrainingData) -> Spread {
    let inputs = data.inputs();
    let weights: Vec<f64> = (0..data.rows()).map(|row| data.weights().map_or(1.0, |w| w[row])).collect();
    let column = |c: usize| inputs.values().col(c);
    let distances = inputs.features().iter().map(|feature| {
        let squared = feature.columns.clone().map(|c| 2.0 * variance(column(c), &weights)).sum();
        let absolute = match feature.kind {
            FeatureKind::Continuous => mean_difference(column(feature.columns.start), &weights),
            FeatureKind::Discrete => squared,
        };
        Distance { squared, absolute, discrete: feature.kind == FeatureKind::Discrete }
    });
    Spread::new(distances.collect())
}

fn variance(column: &[f64], weights: &[f64]) -> f64 {
    let n: f64 = weights.iter().sum();
    let average = |term: &dyn Fn(f64) -> f64| column.iter().zip(weights).map(|(x, w)| w * term(*x)).sum::<f64>() / n;
    let mean = average(&|x| x);
    average(&|x| (x - mean) * (x - mean))
}

/// The mean size of the difference between two draws: every gap between neighbours in order lies between the pairs of
/// those below with those above.
fn mean_difference(column: &[f64], weights: &[f64]) -> f64 {
    let n: f64 = weights.iter().sum();
    let mut sorted: Vec<(f64, f64)> = column.iter().copied().zip(weights.iter().copied()).collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut below = 0.0;
    let gaps = sorted.windows(2).map(|pair| {
        below += pair[0].1 / n;
        (pair[1].0 - pair[0].0) * below * (1.0 - below)
    });
    2.0 * gaps.sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Feature, Inputs, Sign};
    use crate::param::Of;
    use gpclass_linalg::Mat;

    fn rows(values: Mat, weights: Option<Vec<f64>>) -> TrainingData {
        let labels = vec![Sign::Positive; values.rows()];
        TrainingData::weighted(Inputs::continuous(values), labels, weights).unwrap()
    }

    #[test]
    fn a_weight_counts_like_copies() {
        let x = |i: usize, j: usize| ((i * (j + 3)) as f64).sin();
        let weighted = rows(Mat::from_fn(3, 2, x), Some(vec![2.0, 0.0, 3.0]));
        let copied = rows(Mat::from_fn(5, 2, |i, j| x([0, 0, 2, 2, 2][i], j)), None);
        for of in [Of::All, Of::Feature(0), Of::Feature(1)] {
            let (a, b) = (spread_of(&weighted), spread_of(&copied));
            assert!((a.weight(of) / b.weight(of) - 1.0).abs() < 1e-14);
            assert!((a.rate(of) / b.rate(of) - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn weights_undo_the_units_of_the_inputs() {
        let unit = rows(Mat::from_fn(50, 2, |i, j| ((i * (j + 3)) as f64).sin()), None);
        let scaled = rows(Mat::from_fn(50, 2, |i, j| 1e3 * unit.inputs().values()[(i, j)]), None);
        let (a, b) = (spread_of(&unit), spread_of(&scaled));
        for of in [Of::All, Of::Feature(0), Of::Feature(1)] {
            assert!((a.weight(of) / b.weight(of) / 1e6 - 1.0).abs() < 1e-12);
            assert!((a.rate(of) / b.rate(of) / 1e3 - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn rates_come_from_the_mean_difference_of_all_pairs() {
        let data = rows(Mat::from_fn(20, 1, |i, _| ((7 * i) as f64).sin()), None);
        let x = data.inputs().values().col(0);
        let pairs: f64 = x.iter().flat_map(|a| x.iter().map(move |b| (a - b).abs())).sum::<f64>() / 400.0;
        assert!((spread_of(&data).rate(Of::All) * pairs - 1.0).abs() < 1e-14);
    }

    #[test]
    fn levels_lie_apart_where_they_differ() {
        let feature = Feature { name: "site".into(), kind: FeatureKind::Discrete, columns: 0..2 };
        // Three of one level and one of another: 6 of 16 pairs differ.
        let block = Mat::from_fn(4, 2, |i, j| if (i == 0) == (j == 0) { 0.5_f64.sqrt() } else { 0.0 });
        let data = TrainingData::new(Inputs::new(vec![feature], block), vec![Sign::Positive; 4]).unwrap();
        let spread = spread_of(&data);
        assert!((spread.rate(Of::All) - 16.0 / 6.0).abs() < 1e-12);
        assert!((spread.weight(Of::All) - 32.0 / 6.0).abs() < 1e-12);
    }

    #[test]
    fn a_constant_feature_has_a_finite_weight() {
        let data = rows(Mat::zeros(4, 1), None);
        assert_eq!(spread_of(&data).weight(Of::Feature(0)), 1.0);
        assert_eq!(spread_of(&data).weight(Of::All), 1.0);
    }
}
