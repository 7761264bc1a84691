//! How several classes are modelled.

use crate::likelihood::{ClassProbabilities, Gaussian, Likelihood};
use crate::named::named;

/// Log-odds beyond this are as good as certain, and nothing finite beside them counts.
const CERTAIN: f64 = 1e100;

/// How more than two classes are modelled. Two classes always have one function, unless a model asks for
/// [`Joint`](Multiclass::Joint) itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Multiclass {
    /// Together where likelihood, method, time and memory allow it, else against the rest.
    #[default]
    Auto,
    /// A function for every class, inferred together: one evidence, one model.
    Joint,
    /// Every class against all others by binary inference, the probabilities normalised.
    OneVsRest,
    /// The same, given that exactly one of the classes is right: `p_c Π_{d ≠ c} (1 - p_d)`, normalised. It knows what the functions of
    /// the other classes say against them, which makes it less cautious where classes hardly overlap.
    ExactlyOne,
}

named!(Multiclass, "multiclass", {
    Auto = "auto": "Together where that can be done, else against the rest";
    Joint = "joint": "A function for every class, inferred together";
    OneVsRest = "one-vs-rest" or "one_vs_rest" or "ovr": "Every class against the rest, the probabilities normalised";
    ExactlyOne = "exactly-one" or "exactly_one": "Every class against the rest, given that exactly one is right";
});

impl Multiclass {
    /// Whether nothing is asked for.
    pub fn is_auto(&self) -> bool {
        *self == Multiclass::Auto
    }

    /// Whether every class has a function of its own against all others.
    pub fn is_against_rest(self) -> bool {
        matches!(self, Multiclass::OneVsRest | Multiclass::ExactlyOne)
    }

    /// The logarithm of what the probability of a class is in proportion to, by its function against the rest.
    pub(super) fn log_claim(self, likelihood: &Likelihood, latent: Gaussian) -> f64 {
        let ClassProbabilities { logs: [against, own], .. } = likelihood.class_probabilities(latent);
        match self {
            Multiclass::ExactlyOne => (own - against).clamp(-CERTAIN, CERTAIN),
            Multiclass::OneVsRest | Multiclass::Joint | Multiclass::Auto => own,
        }
    }
}
