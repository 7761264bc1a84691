//! The number that a candidate is judged by. Numbers of one kind are compared, never of two.

use super::Contender;
use super::integral::NotIntegrated;
use serde::{Deserialize, Serialize};

/// What a score is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ScoreKind {
    /// The log evidence with the hyperparameters integrated out under their priors.
    Integrated,
    /// The log evidence, or the leave-one-out log-probability of all labels where that is the objective, less one nat
    /// for every hyperparameter that the data determine.
    Penalised,
    /// The plain log evidence of a candidate that stands alone.
    Evidence,
    /// The leave-one-out criterion that was the objective, where it is no log-probability.
    Criterion,
    /// The log-probability of all labels, each as the other rows predict it, of candidates that predict together.
    LeftOut,
}

/// What candidates are to be judged by where the objective is the evidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::learn) enum Scoring {
    /// Nothing: there is one candidate.
    Alone,
    /// The evidence with the hyperparameters integrated out, which takes many inferences.
    Compared,
    /// The labels left out.
    LeftOut,
}

/// What the choice between candidates is made by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// The larger, the better the candidate; in nats unless it is a criterion.
    pub value: f64,
    /// What the number is: scores of different kinds are never compared.
    pub kind: ScoreKind,
}

/// The scores that a candidate can be given.
#[derive(Clone, Debug)]
pub(in crate::learn) enum Scores {
    /// One, which its rivals have too.
    Only(Score),
    /// The log evidence integrated where that could be done, and penalised in any case.
    Evidence { integrated: Result<f64, NotIntegrated>, penalised: f64 },
}

impl Scores {
    /// The best there is for this candidate by itself.
    pub fn preferred(&self) -> Score {
        self.given(self.not_integrated().is_none())
    }

    /// Why the integrated score is missing where candidates should have it.
    pub fn not_integrated(&self) -> Option<&NotIntegrated> {
        match self {
            Scores::Only(_) => None,
            Scores::Evidence { integrated, .. } => integrated.as_ref().err(),
        }
    }

    fn given(&self, may_be_integrated: bool) -> Score {
        match self {
            Scores::Only(score) => *score,
            Scores::Evidence { integrated: Ok(value), .. } if may_be_integrated => {
                Score { value: *value, kind: ScoreKind::Integrated }
            }
            Scores::Evidence { penalised, .. } => Score { value: *penalised, kind: ScoreKind::Penalised },
        }
    }
}

/// Gives the candidates scores of one kind: integrated if every one has that, penalised otherwise.
pub(in crate::learn) fn score_alike(contenders: &mut [Contender]) {
    let all_integrated = contenders.iter().all(|c| c.scores.not_integrated().is_none());
    for contender in contenders {
        contender.judge(contender.scores.given(all_integrated));
    }
}

/// The contender with the highest score; the first of equals.
pub(in crate::learn) fn best(contenders: &[Contender]) -> usize {
    let mut best = 0;
    for (i, contender) in contenders.iter().enumerate() {
        let (own, top) = (&contender.summary, &contenders[best].summary);
        debug_assert_eq!(own.score_kind, top.score_kind, "scores of two kinds are not compared");
        if own.score > top.score {
            best = i;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Inputs, Sign};
    use crate::inference::Method;
    use crate::learn::{
        Candidate, Combine, Control, FitNote, FitOptions, Initial, KernelFamily, LikelihoodFamily, Priors, Selection,
        fit_candidates,
    };
    use crate::model::TrainingData;
    use gpclass_linalg::Mat;
    use std::sync::Arc;

    /// A squared exponential whose level is held, and a linear kernel whose level is learned.
    fn two_candidates(priors: Priors) -> Selection {
        let x = Mat::from_fn(30, 2, |i, j| ((i * (2 * j + 3)) as f64 * 0.7).sin());
        let label = |i: usize| if x[(i, 0)] > 0.1 { Sign::Positive } else { Sign::Negative };
        let labels: Vec<Sign> = (0..30).map(label).collect();
        let data = Arc::new(TrainingData::new(Inputs::continuous(x), labels).unwrap());
        let candidate = |kernel| {
            let (method, probit) = (Method::default(), LikelihoodFamily::Probit);
            Candidate::new(kernel, false, probit, &method, Initial::Heuristic, &data).unwrap()
        };
        let mut held = candidate(KernelFamily::SquaredExponential);
        assert!(held.fix("v1", 1.0).unwrap());
        let options = FitOptions { priors, combine: Combine::Evidence, ..FitOptions::default() };
        fit_candidates(&data, vec![held, candidate(KernelFamily::Linear)], &options, &Control::default()).unwrap()
    }

    fn penalties(fit: &Selection) -> Vec<&FitNote> {
        fit.notes.iter().filter(|note| note.kind() == "penalised_scores").collect()
    }

    #[test]
    fn a_candidate_without_a_proper_prior_puts_all_on_the_penalised_scale() {
        let fit = two_candidates(Priors::Custom(vec![("v1".to_owned(), None)]));
        assert!(fit.contenders[0].scores.not_integrated().is_none(), "the held level needs no prior");
        for c in &fit.contenders {
            let penalised = c.summary.log_evidence - c.summary.effective_parameters;
            let score = (c.summary.score, c.summary.score_kind);
            assert_eq!(score, (penalised, Some(ScoreKind::Penalised)), "{}", c.summary.name);
        }
        let difference = fit.contenders[0].summary.score - fit.contenders[1].summary.score;
        assert!(((fit.contenders[0].summary.weight / fit.contenders[1].summary.weight).ln() - difference).abs() < 1e-9);
        let [note] = penalties(&fit)[..] else { panic!("one note in {:?}", fit.notes) };
        let sentence = note.to_string();
        assert!(sentence.contains("those of 'linear, probit'") && sentence.contains("'v1' has no prior"), "{sentence}");
    }

    #[test]
    fn proper_priors_give_integrated_scores() {
        let fit = two_candidates(Priors::Weak);
        assert!(fit.contenders.iter().all(|c| c.summary.score_kind == Some(ScoreKind::Integrated)));
        assert!(penalties(&fit).is_empty());
    }

    #[test]
    fn without_any_prior_there_is_nothing_to_say() {
        let fit = two_candidates(Priors::None);
        assert!(fit.contenders.iter().all(|c| c.summary.score_kind == Some(ScoreKind::Penalised)));
        assert!(penalties(&fit).is_empty());
    }
}
