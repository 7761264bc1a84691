//! How often the labels of two classes are wrong: as often in both, or, where the evidence asks for it, each by its own share
//! (math 8.3).

use super::held::{Held, Shares};
use crate::learn::{Approach, Contender, Control, WrongLabels};
use crate::likelihood::{Likelihood, LikelihoodFamily};
use crate::model::FittedModel;
use serde::{Deserialize, Serialize};

/// Share of what a second parameter is worth that the gain with the functions held must reach before they are inferred again.
const HINT: f64 = 0.5;
/// Inferences that either hypothesis may take to settle.
const ROUNDS: usize = 6;
/// Change of a share below which it has settled: relative to it, or as such.
const SETTLED: (f64, f64) = (0.02, 1e-4);

/// The shares of wrong labels of two classes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ErrorRates {
    /// Of the rows that are truly negative, the share labelled positive.
    pub negative: f64,
    /// Of the rows that are truly positive, the share labelled negative.
    pub positive: f64,
    /// Whether each class has a share of its own.
    pub per_class: bool,
    /// By how much two shares explain the labels better than a common one, in nats of log evidence; nothing where the model was
    /// named and so not compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
    /// The gain from which on each class has its own: half the logarithm of the number of rows (Schwarz 1978).
    pub worth: f64,
}

impl ErrorRates {
    pub(super) fn shares(&self) -> Shares {
        [self.negative, self.positive]
    }

    /// Whether they can be shares of wrong labels.
    pub(in crate::classifier) fn are_sound(&self) -> bool {
        let numbers = [self.gain.unwrap_or(0.0), self.worth];
        self.shares().iter().all(|share| (0.0..0.5).contains(share)) && numbers.iter().all(|n| n.is_finite())
    }

    /// The mean of several, by their shares in what is told.
    fn mixed(each: &[(f64, ErrorRates)]) -> Option<ErrorRates> {
        let (_, first) = each.first()?;
        let mean = |of: &dyn Fn(&ErrorRates) -> f64| each.iter().map(|(share, rates)| share * of(rates)).sum::<f64>();
        Some(ErrorRates {
            negative: mean(&|rates| rates.negative),
            positive: mean(&|rates| rates.positive),
            per_class: each.iter().any(|(_, rates)| rates.per_class),
            gain: first.gain.map(|_| mean(&|rates| rates.gain.unwrap_or(0.0))),
            worth: first.worth,
        })
    }
}

/// What a contender that knows a label error makes of the labels.
pub(in crate::classifier) struct Doubts {
    pub wrong: WrongLabels,
    /// Of two classes.
    pub rates: Option<ErrorRates>,
}

impl Doubts {
    /// Of these contenders by their shares, where each knows a label error. `restored` gives one's posterior; `compared` is false
    /// where the likelihood was named.
    pub fn of(
        contenders: &[(f64, &Contender)],
        compared: bool,
        restored: &dyn Fn(&Contender) -> Option<FittedModel>,
        control: &Control,
    ) -> Doubts {
        let (mut sum, mut rates): (Option<WrongLabels>, Vec<(f64, ErrorRates)>) = (None, Vec::new());
        for &(share, contender) in contenders {
            let Some(own) = &contender.wrong_labels else { continue };
            let told = Told { contender, own, control };
            let (wrong, of_classes) = match told.shares() {
                None => (own.clone(), None),
                Some(at) => {
                    let (rates, wrong) = told.rates(at, compared, restored);
                    (wrong.unwrap_or_else(|| own.clone()), Some(rates))
                }
            };
            rates.extend(of_classes.map(|rates| (share, rates)));
            match &mut sum {
                None => sum = Some(wrong.scaled(share)),
                Some(sum) => sum.add(&wrong.scaled(share)),
            }
        }
        Doubts { wrong: sum.unwrap_or_default(), rates: ErrorRates::mixed(&rates) }
    }
}

/// One contender and the labels as it sees them.
struct Told<'a> {
    contender: &'a Contender,
    own: &'a WrongLabels,
    control: &'a Control,
}

impl Told<'_> {
    /// The shares of its likelihood, where that is one for two classes.
    fn shares(&self) -> Option<Shares> {
        let two = self.contender.data().targets().count() == 2;
        two.then(|| self.contender.model.likelihood.error_shares())
    }

    /// The shares with what they make of the labels, where that is another than what the contender says.
    fn rates(
        &self,
        at: Shares,
        compared: bool,
        restored: &dyn Fn(&Contender) -> Option<FittedModel>,
    ) -> (ErrorRates, Option<WrongLabels>) {
        let worth = 0.5 * (self.contender.rows() as f64).ln();
        let rates =
            |[negative, positive]: Shares, per_class, gain| ErrorRates { negative, positive, per_class, gain, worth };
        let family = self.contender.model.likelihood.family();
        let free = self.contender.model.likelihood.params().iter().all(|param| !param.fixed);
        if family != LikelihoodFamily::Robust || !free || !compared {
            return (rates(at, family == LikelihoodFamily::RobustPerClass, None), None);
        }
        let held = self.held(&self.own.probability, at);
        let (common, own) = (held.best(true), held.best(false));
        let hint = held.log_likelihood(own) - held.log_likelihood(common);
        let found = match self.contender.course.approach {
            _ if hint < HINT * worth => None,
            Approach::Exact => restored(self.contender).and_then(|fitted| self.settled(&fitted)),
            // Inference of many rows is not repeated.
            _ => {
                let wrong = self.wrong_at(&held, own);
                Some(Settled { shares: own, gain: hint, wrong })
            }
        };
        match found {
            Some(Settled { shares, gain, wrong }) if gain > worth => {
                (rates(shares, true, Some(gain)), Some(WrongLabels { probability: wrong, true_class: None }))
            }
            found => (rates(at, false, Some(found.map_or(hint, |found| found.gain))), None),
        }
    }

    fn held<'a>(&'a self, wrong: &'a [f64], at: Shares) -> Held<'a> {
        let data = self.contender.data();
        Held { labels: data.labels(), weights: data.weights(), wrong, at }
    }

    fn wrong_at(&self, held: &Held<'_>, shares: Shares) -> Vec<f64> {
        let of_row = |(row, &p): (usize, &f64)| {
            let (right, wrong) = held.factors(shares, held.labels[row]);
            p * wrong / ((1.0 - p) * right + p * wrong)
        };
        held.wrong.iter().enumerate().map(of_row).collect()
    }

    /// Both hypotheses with everything but the shares as it was learned; nothing where inference fails for either.
    fn settled(&self, fitted: &FittedModel) -> Option<Settled> {
        let (_, common) = self.climbed(fitted, true)?;
        let (shares, own) = self.climbed(fitted, false)?;
        Some(Settled { shares, gain: own.log_evidence() - common.log_evidence(), wrong: own.label_error() })
    }

    /// The shares at which the evidence does not change with them to first order: its slope is that of the labels' probability
    /// with the cavities held (math 4).
    fn climbed(&self, fitted: &FittedModel, common: bool) -> Option<(Shares, FittedModel)> {
        let mut model = fitted.model().clone();
        let (mut shares, mut found) = (model.likelihood.error_shares(), fitted.clone());
        for _ in 0..ROUNDS {
            let next = self.held(&found.label_error(), shares).best(common);
            let settled = (0..2).all(|c| (next[c] - shares[c]).abs() <= SETTLED.0 * shares[c] + SETTLED.1);
            model.likelihood = Likelihood::robust_per_class(next[0], next[1]).ok()?;
            found = model.infer_with(fitted.data(), Some(&found.start()), self.control.interrupt()).ok()?;
            shares = next;
            if !found.report().outcome.converged() {
                return None;
            }
            if settled {
                break;
            }
        }
        Some((shares, found))
    }
}

/// Shares of their own for both classes.
struct Settled {
    shares: Shares,
    gain: f64,
    wrong: Vec<f64>,
}
