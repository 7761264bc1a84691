//! The exact check against the truth of the reference values.

#[path = "support/reference.rs"]
mod reference;

use gpclass::data::Sign;
use gpclass::exact::{
    AnnealedEvidence, AnnealedOptions, CheckOptions, EvidenceMethod, ExactPosterior, OrthantOptions, Simulated,
    SliceOptions, Terms, Threshold, annealed_evidence, check, log_orthant_evidence,
};
use gpclass::likelihood::{Gaussian, Likelihood};
use gpclass::linalg::Mat;
use reference::{Case, Covariance, KernelName, LikelihoodName, Problem, Truth};

fn covariance(cov: &Covariance, a: &[f64], b: &[f64]) -> f64 {
    let signal = match cov.kernel {
        KernelName::SquaredExponential => {
            let distance: f64 = a.iter().zip(b).zip(&cov.l).map(|((a, b), l)| l * (a - b).powi(2)).sum();
            (-0.5 * distance).exp()
        }
        KernelName::Linear => a.iter().zip(b).map(|(a, b)| a * b).sum(),
    };
    cov.v0 * signal + cov.v1
}

struct Model {
    k: Mat,
    cross: Mat,
    diag: Vec<f64>,
    labels: Vec<Sign>,
    likelihood: Likelihood,
}

impl Model {
    fn new(problem: &Problem, case: &Case) -> Model {
        let (x, t, cov) = (&problem.x, &problem.test, &case.cov);
        let noise = |i, j| if i == j { cov.v2 } else { 0.0 };
        let lik = &case.lik;
        let likelihood = match lik.name {
            LikelihoodName::Logistic => Likelihood::logistic(),
            LikelihoodName::Probit | LikelihoodName::Step => Likelihood::full(lik.eps, lik.b, lik.sigma).unwrap(),
        };
        Model {
            k: Mat::from_fn(x.len(), x.len(), |i, j| covariance(cov, &x[i], &x[j]) + noise(i, j)),
            cross: Mat::from_fn(x.len(), t.len(), |i, j| covariance(cov, &x[i], &t[j])),
            diag: t.iter().map(|t| covariance(cov, t, t) + cov.v2).collect(),
            labels: problem.y.iter().map(|&y| if y > 0 { Sign::Positive } else { Sign::Negative }).collect(),
            likelihood,
        }
    }

    fn threshold(&self) -> Threshold {
        Threshold { labels: self.labels.clone(), bias: self.likelihood.b(), sigma: self.likelihood.sigma() }
    }

    /// The evidence by annealing, with the noise of the covariance moved into the likelihood.
    fn annealed(&self, noise: f64, options: &AnnealedOptions) -> AnnealedEvidence {
        let signal =
            Mat::from_fn(self.k.rows(), self.k.cols(), |i, j| self.k[(i, j)] - if i == j { noise } else { 0.0 });
        let given = |g: f64| Gaussian { mean: g, var: noise };
        let log_p = |i: usize, g: &[f64]| self.likelihood.log_predict(self.labels[i], given(g[0]));
        let terms = Terms { rows: self.labels.len(), width: 1, log_p: &log_p, threshold: None };
        annealed_evidence(&signal, &terms, options).unwrap()
    }
}

fn truth(case: &Case) -> &Truth {
    case.truth.as_ref().expect("a case with a known truth")
}

/// The more precise of the two independent estimates of the evidence.
fn true_evidence(truth: &Truth) -> Simulated {
    let sampled = Simulated { value: truth.log_z, standard_error: truth.log_z_se };
    match (truth.genz_log_z, truth.genz_se) {
        (Some(value), Some(standard_error)) if standard_error < sampled.standard_error || !truth.reliable => {
            Simulated { value, standard_error }
        }
        _ => sampled,
    }
}

fn assert_agree(ours: Simulated, truth: Simulated, what: &str) {
    let allowed = 4.0 * ours.standard_error.hypot(truth.standard_error) + 1e-12;
    assert!((ours.value - truth.value).abs() <= allowed, "{what}: {ours:?} but the truth is {truth:?}");
}

#[test]
fn orthant_evidence_agrees_with_the_truth() {
    let options = OrthantOptions { points: 512, ..Default::default() };
    for name in ["T1a", "T2a", "T3a", "P1a", "P2a", "P7a"] {
        let problem = reference::load(name);
        for case in problem.cases.iter().filter(|c| c.truth.is_some() && c.lik.eps == 0.0) {
            let model = Model::new(&problem, case);
            let ours = log_orthant_evidence(&model.k, &model.threshold(), &options).unwrap();
            assert_agree(ours, true_evidence(truth(case)), &format!("{name} {}", case.id));
            assert!(ours.standard_error < 0.02, "{name} {}: {ours:?}", case.id);
        }
    }
}

#[test]
fn annealed_evidence_agrees_with_the_truth() {
    let options = AnnealedOptions { temperatures: 1000, ..Default::default() };
    let known = |case: &&Case| case.truth.as_ref().is_some_and(|t| t.reliable) && case.lik.eps > 0.0;
    for name in ["T1a", "T2a", "T3a", "P1a"] {
        let problem = reference::load(name);
        for case in problem.cases.iter().filter(known) {
            let ours = Model::new(&problem, case).annealed(case.cov.v2, &options);
            assert_agree(ours.log_z, true_evidence(truth(case)), &format!("{name} {}", case.id));
            assert!(ours.log_z.standard_error < 0.5, "{name} {}: {ours:?}", case.id);
        }
    }
}

#[test]
fn predictions_and_latent_moments_agree_with_the_truth() {
    let problem = reference::load("P1a");
    for id in ["probit-h0", "step-eps0-h0", "step-eps01-h0"] {
        let case = problem.case(id);
        let model = Model::new(&problem, case);
        let options = CheckOptions {
            slice: SliceOptions { samples: 500, ..Default::default() },
            orthant: OrthantOptions { points: 512, ..Default::default() },
            annealed: AnnealedOptions { temperatures: 100, ..Default::default() },
            ..Default::default()
        };
        let exact = check(&model.k, &model.labels, &model.likelihood, &model.cross, &model.diag, &options).unwrap();
        let expected = if case.lik.eps > 0.0 { EvidenceMethod::Annealed } else { EvidenceMethod::Orthant };
        assert_eq!(exact.method, expected);
        let truth = truth(case);
        let (probabilities, errors) = (truth.test_prob.as_ref().unwrap(), truth.test_prob_se.as_ref().unwrap());
        for (j, found) in exact.test.iter().enumerate() {
            let expected = Simulated { value: probabilities[j], standard_error: errors[j] };
            assert_agree(found.probability, expected, &format!("{id} test point {j}"));
        }
        if case.cov.v2 == 0.0 {
            assert_latent_moments(&exact, truth, id);
        }
    }
}

/// Without v2 the latent value is the signal whose moments the reference gives.
fn assert_latent_moments(exact: &ExactPosterior, truth: &Truth, id: &str) {
    let (means, vars) = (truth.signal_post_mean.as_ref().unwrap(), truth.signal_post_var.as_ref().unwrap());
    let effective = truth.ess_min.unwrap();
    for (i, found) in exact.train.iter().enumerate() {
        let mean = Simulated { value: means[i], standard_error: (vars[i] / effective).sqrt() };
        assert_agree(found.mean, mean, &format!("{id} mean of row {i}"));
        let var = Simulated { value: vars[i], standard_error: vars[i] * (2.0 / effective).sqrt() };
        assert_agree(found.var, var, &format!("{id} variance of row {i}"));
    }
}
