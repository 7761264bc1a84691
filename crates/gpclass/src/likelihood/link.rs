//! What ties the class of a row to the values that several functions have there (multiclass 1, 5, 6).

use super::multinomial::{class_log_probabilities, class_log_probability};
use super::softmax;
use super::{Likelihood, Member};
use gpclass_linalg::Mat;

/// A likelihood of several classes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Link {
    /// `p(y | f) = rho + (1 - C rho) E_u Π_{c ≠ y} Phi(u + f_y - f_c)`, `u ~ N(0, 1)`: the largest of the functions wins,
    /// each with unit Gaussian noise.
    Probit {
        /// `rho`: the probability of each particular wrong label, in [0, 1/C).
        label_error: f64,
    },
    /// `p(y | f) = exp f_y / Σ_c exp f_c`.
    Softmax {
        /// Whether probabilities of rows are averages over the functions' distribution, not those at its mean.
        averaged: bool,
    },
}

impl Link {
    /// The probability of each particular wrong label.
    pub fn label_error(self) -> f64 {
        match self {
            Link::Probit { label_error } => label_error,
            Link::Softmax { .. } => 0.0,
        }
    }

    /// Its name in sentences.
    pub fn name(self) -> &'static str {
        match self {
            Link::Probit { .. } => "multinomial probit",
            Link::Softmax { .. } => "softmax",
        }
    }

    /// Log-probabilities of all classes where the functions have this distribution.
    pub fn log_probabilities(self, mean: &[f64], cov: &Mat) -> Vec<f64> {
        match self {
            Link::Probit { label_error } => {
                let logs = class_log_probabilities(mean, cov);
                if label_error == 0.0 {
                    return logs;
                }
                let clean = 1.0 - mean.len() as f64 * label_error;
                logs.iter().map(|log| (label_error + clean * log.exp()).ln()).collect()
            }
            Link::Softmax { averaged: false } => softmax::at(mean),
            Link::Softmax { averaged: true } => softmax::averaged(mean, cov).iter().map(|p| p.ln()).collect(),
        }
    }

    /// The probability of one class, which costs a part of that of all: to about 3e-3 the same above three classes, and the
    /// same up to three.
    pub fn probability(self, class: usize, mean: &[f64], cov: &Mat) -> f64 {
        match self {
            Link::Probit { label_error } => {
                let clean = 1.0 - mean.len() as f64 * label_error;
                label_error + clean * class_log_probability(mean, cov, class).min(0.0).exp()
            }
            Link::Softmax { .. } => self.log_probabilities(mean, cov)[class].exp(),
        }
    }

    /// Log-probabilities without label error: of the class that a row has, whatever its label says.
    pub fn true_log_probabilities(self, mean: &[f64], cov: &Mat) -> Vec<f64> {
        match self {
            Link::Probit { .. } => Link::Probit { label_error: 0.0 }.log_probabilities(mean, cov),
            Link::Softmax { .. } => self.log_probabilities(mean, cov),
        }
    }
}

impl Likelihood {
    /// Its form for several classes, where it has one: the probit with or without label error, whose share `eps` of wrong labels
    /// falls on all other classes alike, and the logistic as the softmax.
    pub fn link(&self, classes: usize) -> Option<Link> {
        match self {
            Likelihood::Probit(probit) => match probit.member() {
                Member::Probit | Member::Robust => {
                    Some(Link::Probit { label_error: probit.eps() / (classes.max(2) - 1) as f64 })
                }
                Member::Step | Member::ProbitBias | Member::ProbitNoise | Member::RobustPerClass | Member::Full => None,
            },
            Likelihood::Logistic => Some(Link::Softmax { averaged: false }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::likelihood::Gaussian;

    #[test]
    fn two_classes_are_the_binary_likelihood_of_their_difference() {
        let (mean, cov) = ([0.3, -0.5], Mat::from_columns(2, 2, vec![0.9, 0.2, 0.2, 1.4]));
        let difference = Gaussian { mean: mean[1] - mean[0], var: 0.9 + 1.4 - 0.4 };
        let shrunk = Gaussian { mean: difference.mean / 2.0_f64.sqrt(), var: difference.var / 2.0 };
        let robust = Likelihood::robust(0.1).unwrap();
        let got = robust.link(2).unwrap().log_probabilities(&mean, &cov);
        assert!((got[1].exp() - robust.predict(shrunk)).abs() < 1e-12);
        let averaged = Link::Softmax { averaged: true }.log_probabilities(&mean, &cov);
        assert!((averaged[1].exp() - Likelihood::logistic().predict(difference)).abs() < 1e-10);
        let at_mean = Likelihood::logistic().link(2).unwrap().log_probabilities(&mean, &cov);
        assert!((at_mean[1].exp() - 1.0 / (1.0 + 0.8_f64.exp())).abs() < 1e-15);
    }

    #[test]
    fn one_class_has_the_probability_that_it_has_among_all() {
        for (classes, allowed) in [(2, 1e-12), (3, 1e-12), (6, 6e-3)] {
            let mean: Vec<f64> = (0..classes).map(|c| (c as f64).sin()).collect();
            let cov = Mat::from_fn(classes, classes, |c, d| if c == d { 1.0 + 0.2 * c as f64 } else { 0.15 });
            for link in [Link::Probit { label_error: 0.02 }, Link::Softmax { averaged: false }] {
                let all = link.log_probabilities(&mean, &cov);
                for (class, log) in all.iter().enumerate() {
                    let one = link.probability(class, &mean, &cov);
                    assert!((one - log.exp()).abs() < allowed, "{classes} {class} {one} {}", log.exp());
                }
            }
        }
    }

    #[test]
    fn label_error_is_shared_by_the_other_classes() {
        let robust = Likelihood::robust(0.12).unwrap();
        let link = robust.link(4).unwrap();
        assert_eq!(link, Link::Probit { label_error: 0.12 / 3.0 });
        let far = link.log_probabilities(&[60.0, 0.0, 0.0, 0.0], &Mat::identity(4));
        assert!((far[0].exp() - 0.88).abs() < 1e-12 && (far[2].exp() - 0.04).abs() < 1e-12);
        assert!(link.true_log_probabilities(&[60.0, 0.0, 0.0, 0.0], &Mat::identity(4))[0].abs() < 1e-12);
        assert_eq!(Likelihood::probit_bias(0.3).unwrap().link(3), None);
    }
}
