//! Several models that predict together.

use super::{Predictions, Probabilities};
use crate::special::log_add_exp;
use gpclass_linalg::Mat;

/// How several models predict together: `p_c = (Σ_k w_k p_kc)^s / Σ_d (Σ_k w_k p_kd)^s`.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    /// The share `w_k` of every model, positive; they sum to one.
    pub weights: Vec<f64>,
    /// The power `s`: the mean of the models is itself at one, bolder above and more cautious below.
    pub sharpness: f64,
}

impl Mixture {
    /// What the models say together; each is asked by its position. Means and variances of the latent values are those of the
    /// mixture, whatever the power.
    pub fn of<E>(&self, predictions: impl Fn(usize) -> Result<Predictions, E>) -> Result<Predictions, E> {
        let mut sum = Share::of(self.weights[0], predictions(0)?);
        for (k, &weight) in self.weights.iter().enumerate().skip(1) {
            sum.add(&Share::of(weight, predictions(k)?));
        }
        let together = if self.weights.len() > 1 { sum.mixed() } else { sum.alone() };
        Ok(together.sharpened(self.sharpness))
    }
}

impl Predictions {
    /// With probabilities raised to a power and normalised; at one they are themselves, to the bit.
    pub(crate) fn sharpened(mut self, sharpness: f64) -> Self {
        if sharpness != 1.0 {
            sharpen(&mut self.log_probability, |_| sharpness);
            self.probability = Probabilities::new(each(&self.log_probability, f64::exp));
        }
        self
    }
}

/// Raises the probabilities of classes, given by their logarithms in rows x classes, to a power of each row's own and makes
/// them sum to one. A row in which no class is possible stays as it is.
pub(crate) fn sharpen(logs: &mut Mat, sharpness: impl Fn(usize) -> f64) {
    for row in 0..logs.rows() {
        let power = sharpness(row);
        let total = (0..logs.cols()).map(|c| power * logs[(row, c)]).fold(f64::NEG_INFINITY, log_add_exp);
        if total.is_finite() {
            (0..logs.cols()).for_each(|c| logs[(row, c)] = power * logs[(row, c)] - total);
        }
    }
}

/// The probabilities of one row's classes raised to a power and made to sum to one; at one they are themselves, to the bit.
pub(crate) fn sharpened(probabilities: &[f64], sharpness: f64) -> Vec<f64> {
    if sharpness == 1.0 {
        return probabilities.to_vec();
    }
    let mut logs = Mat::from_fn(1, probabilities.len(), |_, c| probabilities[c].ln());
    sharpen(&mut logs, |_| sharpness);
    logs.as_slice().iter().map(|log| log.exp()).collect()
}

/// A model's share in predictions, or the sum of several.
struct Share {
    probability: Mat,
    log_probability: Mat,
    mean: Mat,
    /// The second moments of the latent values, which add up; their variances if the share is the whole.
    spread: Mat,
}

impl Share {
    fn of(weight: f64, own: Predictions) -> Self {
        let Predictions { probability, log_probability, mean, var } = own;
        let square = |i: usize, j: usize| weight * (var[(i, j)] + mean[(i, j)] * mean[(i, j)]);
        Share {
            probability: each(probability.as_mat(), |p| weight * p),
            log_probability: each(&log_probability, |log| log + weight.ln()),
            spread: if weight == 1.0 { var.clone() } else { Mat::from_fn(var.rows(), var.cols(), square) },
            mean: each(&mean, |m| weight * m),
        }
    }

    fn add(&mut self, other: &Share) {
        let plus = |sum: &mut f64, part: f64| *sum += part;
        combine(&mut self.probability, &other.probability, plus);
        combine(&mut self.log_probability, &other.log_probability, |sum, part| *sum = log_add_exp(*sum, part));
        combine(&mut self.mean, &other.mean, plus);
        combine(&mut self.spread, &other.spread, plus);
    }

    /// The predictions of a single model.
    fn alone(self) -> Predictions {
        let Share { probability, log_probability, mean, spread: var } = self;
        Predictions { probability: Probabilities::new(probability), log_probability, mean, var }
    }

    /// The predictions of several models, whose shares sum to one.
    fn mixed(mut self) -> Predictions {
        combine(&mut self.spread, &self.mean, |square, mean| *square = (*square - mean * mean).max(0.0));
        Share { probability: each(&self.probability, |p| p.clamp(0.0, 1.0)), ..self }.alone()
    }
}

fn each(mat: &Mat, of: impl Fn(f64) -> f64) -> Mat {
    Mat::from_columns(mat.rows(), mat.cols(), mat.as_slice().iter().map(|&value| of(value)).collect())
}

fn combine(sum: &mut Mat, part: &Mat, with: impl Fn(&mut f64, f64)) {
    sum.as_mut_slice().iter_mut().zip(part.as_slice()).for_each(|(sum, &part)| with(sum, part));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Class;
    use std::convert::Infallible;

    fn predictions(classes: usize, shift: f64) -> Predictions {
        let raw = |i: usize, c: usize| 0.1 + ((i * 5 + c * 3) as f64 + shift).sin().powi(2);
        let total = |i: usize| (0..classes).map(|c| raw(i, c)).sum::<f64>();
        let p = Mat::from_fn(7, classes, |i, c| raw(i, c) / total(i));
        let functions = if classes == 2 { 1 } else { classes };
        let moment = |i: usize, c: usize| (i + c) as f64 + shift;
        Predictions {
            log_probability: each(&p, f64::ln),
            probability: Probabilities::new(p),
            mean: Mat::from_fn(7, functions, moment),
            var: Mat::from_fn(7, functions, |i, c| 1.0 + moment(i, c)),
        }
    }

    fn together(classes: usize, sharpness: f64) -> Predictions {
        let mixture = Mixture { weights: vec![0.3, 0.7], sharpness };
        mixture.of(|k| Ok::<_, Infallible>(predictions(classes, [0.0, 0.4][k]))).unwrap()
    }

    /// From the definition.
    #[test]
    fn the_mean_of_the_models_is_raised_to_the_power() {
        for classes in [2, 4] {
            let (one, two) = (predictions(classes, 0.0), predictions(classes, 0.4));
            let mean = |i: usize, class| 0.3 * one.probability(i, class) + 0.7 * two.probability(i, class);
            for sharpness in [0.6, 1.0, 2.7] {
                let got = together(classes, sharpness);
                for i in 0..7 {
                    let total: f64 = Class::first(classes).map(|class| mean(i, class).powf(sharpness)).sum();
                    for class in Class::first(classes) {
                        let want = mean(i, class).powf(sharpness) / total;
                        assert!((got.probability(i, class) - want).abs() < 1e-14);
                        assert!((got.log_probability(i, class) - want.ln()).abs() < 1e-13);
                    }
                }
                let plain = together(classes, 1.0);
                assert_eq!((&got.mean, &got.var), (&plain.mean, &plain.var), "latent values are not sharpened");
            }
        }
    }

    #[test]
    fn what_is_impossible_stays_so() {
        let mut logs = Mat::from_columns(2, 2, vec![f64::NEG_INFINITY, f64::NEG_INFINITY, 0.0, f64::NEG_INFINITY]);
        sharpen(&mut logs, |_| 2.5);
        assert_eq!(logs.as_slice(), [f64::NEG_INFINITY, f64::NEG_INFINITY, 0.0, f64::NEG_INFINITY]);
    }
}
