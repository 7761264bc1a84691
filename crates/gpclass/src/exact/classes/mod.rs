//! The whole question for several classes, whose functions meet in every label.
//!
//! Sampled are the differences of functions that the labels depend on ([`pairs`]), by the same chains and along the same
//! path as for two classes. A sample comes with the standard normals that made it, so that the functions themselves are known
//! at the training rows, and are independent Gaussians at any other point.

mod pairs;
mod points;
mod probabilities;
mod problem;

pub use problem::ClassProblem;

use super::check::evidence;
use super::reference::Reference;
use super::slice::{Start, sample_posterior};
use super::{
    CheckControl, CheckOptions, Diagnostics, EvidenceMethod, ExactError, LatentEstimate, PriorFactor, Simulated,
};
use pairs::Pairs;
use points::Points;

/// The true posterior of several classes, up to the standard errors given.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassPosterior {
    /// Log evidence.
    pub log_z: Simulated,
    /// How the evidence was computed.
    pub method: EvidenceMethod,
    /// At each training row; its probabilities are those of one more label there.
    pub train: Vec<ClassEstimate>,
    /// At each new point.
    pub test: Vec<ClassEstimate>,
    /// The probability that the label of each training row is wrong, given all labels; none for a row of weight zero.
    pub wrong: Vec<Option<Simulated>>,
    /// Whether the samples are enough to believe the rest.
    pub diagnostics: Diagnostics,
}

/// What is true at one point. Both lists are in the order of the classes.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassEstimate {
    /// Posteriors of the latent functions there.
    pub latent: Vec<LatentEstimate>,
    /// `P(y = c)`.
    pub probability: Vec<Simulated>,
}

/// As [`check`](super::check), for several classes. Without label error the evidence of the multinomial probit is an orthant
/// probability; otherwise it is annealed.
///
/// Meant for small problems: with C classes the work per sample grows with C² n².
pub fn check_classes(
    problem: &ClassProblem,
    options: &CheckOptions,
    control: CheckControl,
) -> Result<ClassPosterior, ExactError> {
    problem.validate()?;
    let priors = problem.covariances.iter().map(PriorFactor::new).collect::<Result<Vec<_>, _>>()?;
    let pairs = Pairs::new(problem, &priors);
    let log_p = |_: usize, differences: &[f64]| problem.log_p(differences);
    let terms = pairs.terms(&log_p);
    let reference = Reference::new(&pairs.map, &terms, control.guide);
    let samples = sample_posterior(Start::Drawn, &reference, &options.slice, control.interrupt)?;
    let (log_z, method, effective_runs) = evidence(&pairs.covariance(), &reference, options, control.interrupt)?;
    let points = Points { problem, samples: &samples, seed: options.slice.seed, interrupt: control.interrupt };
    let (rows, new) = (points.at_training_rows(&priors), points.at_new_points(&priors)?);
    let latent = rows.latent();
    let of_function = (0..problem.observations.count).map(|c| problem.of(&priors, c));
    let diagnostics = Diagnostics::new(of_function, latent.iter().flatten(), effective_runs, options);
    let (train, wrong) = rows.estimates_and_wrong(&latent)?;
    let test = new.estimates(&new.latent())?;
    Ok(ClassPosterior { log_z, method, train, test, wrong, diagnostics })
}

#[cfg(test)]
mod tests;
