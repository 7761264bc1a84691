//! Where a search starts: the papers' own values by name, or values read off the data.

use super::prior::role;
use crate::kernel::Kernel;
use crate::model::{Model, TrainingData};
use crate::param::Param;
use serde::{Deserialize, Serialize};

/// Initial values of the free hyperparameters. Fixed ones are never touched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Initial {
    /// Lengthscales from the spread of the inputs, amplitudes of a few units.
    #[default]
    Heuristic,
    /// EMEP footnote 3, for the circle with outliers.
    EmepSynthetic,
    /// EMEP footnote 7, for the real data sets.
    EmepReal,
    /// ROBUST section 6.
    Robust,
    /// The values that the model has.
    Given,
}

impl Initial {
    /// Sets the free parameters of `model`.
    pub fn apply(self, model: &mut Model, data: &TrainingData) {
        let spread = Spread::of(data);
        let value = |p: Param| {
            let initial = if p.fixed { None } else { self.value(&p.name, &model.kernel, &spread) };
            initial.unwrap_or(p.value)
        };
        let kernel: Vec<f64> = model.kernel.params().into_iter().map(value).collect();
        let likelihood: Vec<f64> = model.likelihood.params().into_iter().map(value).collect();
        model.kernel.set_values(&kernel);
        model.likelihood.set_values(&likelihood);
    }

    fn value(self, name: &str, kernel: &Kernel, spread: &Spread) -> Option<f64> {
        let paper = |eps, v0, v1, v2, l| match role(name) {
            "eps" => Some(eps),
            "v0" => Some(v0),
            "v1" => Some(v1),
            "v2" => Some(v2),
            "l" => Some(l),
            _ => None,
        };
        match self {
            Initial::Given => None,
            Initial::EmepSynthetic => paper(0.01, 1.0, 1e-8, 1e-6, 0.1),
            Initial::EmepReal => paper(0.01, 1.0, 1e-4, 1e-3, 0.05),
            Initial::Robust => paper(0.01, 1.0, 1e-8, 0.1, 0.5),
            Initial::Heuristic => heuristic(name, kernel, spread),
        }
    }
}

fn heuristic(name: &str, kernel: &Kernel, spread: &Spread) -> Option<f64> {
    match role(name) {
        "v0" if kernel.is_linear_weight(name) => Some(spread.weight(None)),
        "l" | "w" => Some(spread.weight(feature(name))),
        "v0" => Some(4.0),
        "v1" => Some(1.0),
        "v2" => Some(0.1),
        "alpha" | "sigma" => Some(1.0),
        "eps" => Some(0.03),
        "b" => Some(0.0),
        _ => None,
    }
}

/// The feature in `l[feature]`.
pub(in crate::learn) fn feature(name: &str) -> Option<&str> {
    let (_, rest) = name.split_once('[')?;
    rest.strip_suffix(']')
}

/// Mean squared distances between training rows, feature by feature; rows count by weight.
pub(in crate::learn) struct Spread<'a> {
    features: Vec<(&'a str, f64)>,
}

impl<'a> Spread<'a> {
    pub fn of(data: &'a TrainingData) -> Self {
        let inputs = data.inputs();
        let weight = |row: usize| data.weights().map_or(1.0, |w| w[row]);
        let n: f64 = (0..data.rows()).map(weight).sum();
        let average = |term: &dyn Fn(usize) -> f64| (0..data.rows()).map(|i| weight(i) * term(i)).sum::<f64>() / n;
        let variance = |column: &[f64]| {
            let mean = average(&|i| column[i]);
            average(&|i| (column[i] - mean) * (column[i] - mean))
        };
        let features = inputs.features().iter().map(|feature| {
            let distance = feature.columns.clone().map(|c| 2.0 * variance(inputs.values().col(c))).sum();
            (feature.name.as_str(), distance)
        });
        Spread { features: features.collect() }
    }

    /// The inverse squared lengthscale at which a typical squared distance over all features is 2; for one feature,
    /// its share of that. Constant features count as if they varied by one unit.
    pub fn weight(&self, feature: Option<&str>) -> f64 {
        let unit = |distance: f64| if distance > 0.0 { distance } else { 2.0 };
        let found = feature.and_then(|name| self.features.iter().find(|(n, _)| *n == name));
        match found {
            Some((_, distance)) => 2.0 / (unit(*distance) * self.features.len() as f64),
            None => 2.0 / unit(self.features.iter().map(|(_, distance)| distance).sum()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Inputs, Sign};
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
        for name in [None, Some("x1"), Some("x2")] {
            let (a, b) = (Spread::of(&weighted).weight(name), Spread::of(&copied).weight(name));
            assert!((a / b - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn weights_undo_the_units_of_the_inputs() {
        let unit = rows(Mat::from_fn(50, 2, |i, j| ((i * (j + 3)) as f64).sin()), None);
        let scaled = rows(Mat::from_fn(50, 2, |i, j| 1e3 * unit.inputs().values()[(i, j)]), None);
        let (a, b) = (Spread::of(&unit), Spread::of(&scaled));
        for name in [None, Some("x1"), Some("x2")] {
            assert!((a.weight(name) / b.weight(name) / 1e6 - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_constant_feature_has_a_finite_weight() {
        let data = rows(Mat::zeros(4, 1), None);
        assert_eq!(Spread::of(&data).weight(Some("x1")), 1.0);
        assert_eq!(Spread::of(&data).weight(None), 1.0);
    }
}
