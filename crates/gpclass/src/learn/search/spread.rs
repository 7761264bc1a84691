//! The spread of training inputs.

use crate::model::TrainingData;
use crate::param::Spread;

/// Mean squared distances between training rows, feature by feature; rows count by weight.
pub(super) fn spread_of(data: &TrainingData) -> Spread {
    let inputs = data.inputs();
    let weight = |row: usize| data.weights().map_or(1.0, |w| w[row]);
    let n: f64 = (0..data.rows()).map(weight).sum();
    let average = |term: &dyn Fn(usize) -> f64| (0..data.rows()).map(|i| weight(i) * term(i)).sum::<f64>() / n;
    let variance = |column: &[f64]| {
        let mean = average(&|i| column[i]);
        average(&|i| (column[i] - mean) * (column[i] - mean))
    };
    let distance = |columns: std::ops::Range<usize>| columns.map(|c| 2.0 * variance(inputs.values().col(c))).sum();
    Spread::new(inputs.features().iter().map(|feature| distance(feature.columns.clone())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Inputs, Sign};
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
            let (a, b) = (spread_of(&weighted).weight(of), spread_of(&copied).weight(of));
            assert!((a / b - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn weights_undo_the_units_of_the_inputs() {
        let unit = rows(Mat::from_fn(50, 2, |i, j| ((i * (j + 3)) as f64).sin()), None);
        let scaled = rows(Mat::from_fn(50, 2, |i, j| 1e3 * unit.inputs().values()[(i, j)]), None);
        let (a, b) = (spread_of(&unit), spread_of(&scaled));
        for of in [Of::All, Of::Feature(0), Of::Feature(1)] {
            assert!((a.weight(of) / b.weight(of) / 1e6 - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_constant_feature_has_a_finite_weight() {
        let data = rows(Mat::zeros(4, 1), None);
        assert_eq!(spread_of(&data).weight(Of::Feature(0)), 1.0);
        assert_eq!(spread_of(&data).weight(Of::All), 1.0);
    }
}
