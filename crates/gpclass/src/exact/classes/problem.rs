//! What is asked about several classes.

use crate::exact::ExactError;
use crate::exact::error::{at_least, same_size};
use crate::inference::joint::{ClassObservations, JointInferred};
use crate::likelihood::Link;
use crate::posterior::Sites;
use crate::special::{log_add_exp, log_phi};
use gpclass_linalg::Mat;

/// Several classes under given prior covariances. Every list over functions has one entry for all of them, or one for each.
#[derive(Clone, Copy, Debug)]
pub struct ClassProblem<'a> {
    /// Of the training rows: n x n, lower triangle; may be singular.
    pub covariances: &'a [Mat],
    /// The labels and what ties them to the functions; weights must be whole.
    pub observations: &'a ClassObservations<'a>,
    /// Covariances of the training rows with new points, n x m.
    pub cross: &'a [Mat],
    /// The m prior variances of the new points.
    pub diag: &'a [Vec<f64>],
}

impl ClassProblem<'_> {
    /// Sites for [`CheckControl`](crate::exact::CheckControl) from an inference that comes near the posterior.
    pub fn guide(&self, near: &JointInferred) -> Sites {
        let (pi, alpha, mean) = (&near.pi, &near.alpha, &near.mean);
        let mut sites = Sites::none(0);
        for i in self.copies() {
            let (own, copies) = (self.own(i), self.weight(i));
            let total: f64 = (0..self.observations.count).map(|c| pi[(i, c)]).sum();
            for c in self.others(i) {
                // The probit's sites are these. Of those of the softmax, sums of squares of all differences within a row,
                // only the differences from the own class are kept, which makes the Gaussian wider: the safe side.
                let (tau, noise) = match self.observations.link {
                    Link::Probit { .. } => (pi[(i, c)] / pi[(i, own)], alpha[(i, own)] / copies),
                    Link::Softmax { .. } => (pi[(i, own)] * pi[(i, c)] / (total * copies), 0.0),
                };
                let tau = tau.max(0.0);
                sites.tau.push(tau);
                // The slope at the mean stays what it is, so that the mean does.
                sites.nu.push(tau * (noise + mean[(i, own)] - mean[(i, c)]) - alpha[(i, c)] / copies);
            }
        }
        sites
    }

    /// The entry of function `c` in a list over functions.
    pub(super) fn of<'e, T>(&self, each: &'e [T], c: usize) -> &'e T {
        &each[if each.len() == 1 { 0 } else { c }]
    }

    /// The row of every copy: as many of each row as it weighs, since weights are powers of its term.
    pub(super) fn copies(&self) -> impl Iterator<Item = usize> {
        (0..self.observations.len()).flat_map(|i| std::iter::repeat_n(i, self.weight(i) as usize))
    }

    pub(super) fn weight(&self, i: usize) -> f64 {
        self.observations.weights.map_or(1.0, |w| w[i])
    }

    /// The position of the class of row `i`.
    pub(super) fn own(&self, i: usize) -> usize {
        self.observations.classes[i].position()
    }

    /// The positions of the other classes.
    pub(super) fn others(&self, i: usize) -> impl Iterator<Item = usize> + use<> {
        let own = self.own(i);
        (0..self.observations.count).filter(move |&c| c != own)
    }

    /// The log-probability of a label, given the differences of its function from the others; with the noise of its own
    /// function where there is some.
    pub(super) fn log_p(&self, differences: &[f64]) -> f64 {
        let clean = match self.observations.link {
            Link::Probit { .. } => differences.iter().map(|&d| log_phi(d)).sum(),
            Link::Softmax { .. } => -differences.iter().fold(0.0, |total, &d| log_add_exp(total, -d)),
        };
        match self.label_error() {
            0.0 => clean,
            rho => log_add_exp(rho.ln(), self.kept().ln() + clean),
        }
    }

    /// The probability of a label whose probability without label error is `clean`.
    pub(super) fn with_label_error(&self, clean: f64) -> f64 {
        self.label_error() + self.kept() * clean
    }

    /// `rho`.
    pub(super) fn label_error(&self) -> f64 {
        self.observations.link.label_error()
    }

    /// `1 - C rho`.
    fn kept(&self) -> f64 {
        1.0 - self.observations.count as f64 * self.label_error()
    }

    /// Refuses what has no meaning.
    pub(super) fn validate(&self) -> Result<(), ExactError> {
        let ClassObservations { classes, count, link, weights } = *self.observations;
        at_least("classes", count, 2)?;
        let several = [
            ("the covariances", self.covariances.len()),
            ("the cross-covariances", self.cross.len()),
            ("the lists of prior variances of new points", self.diag.len()),
        ];
        if let Some(&(what, found)) = several.iter().find(|(_, found)| *found != 1 && *found != count) {
            return Err(ExactError::PerClass { what, found, classes: count });
        }
        for c in 0..count {
            same_size("the covariance", self.of(self.covariances, c).rows(), classes.len())?;
            same_size("a list of new points", self.of(self.cross, c).cols(), self.cross[0].cols())?;
        }
        if let Some(row) = classes.iter().position(|class| class.position() >= count) {
            return Err(ExactError::UnknownClass { row, class: self.own(row), classes: count });
        }
        let label_error = link.label_error();
        if !(label_error >= 0.0 && count as f64 * label_error < 1.0) {
            return Err(ExactError::LabelError { value: label_error, classes: count });
        }
        let Some(weights) = weights else { return Ok(()) };
        same_size("the weights", weights.len(), classes.len())?;
        match weights.iter().position(|&w| !(w >= 0.0 && w.is_finite() && w.fract() == 0.0)) {
            Some(row) => Err(ExactError::Weight { row, weight: weights[row] }),
            None => Ok(()),
        }
    }
}
