//! How several classes are modelled.

use crate::named::named;

/// How more than two classes are modelled. Two classes always have one function, unless a model asks for
/// [`Joint`](Multiclass::Joint) itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Multiclass {
    /// Together where likelihood, method, time and memory allow it, else one class against the rest.
    #[default]
    Auto,
    /// A function for every class, inferred together: one evidence, one model.
    Joint,
    /// Every class against all others by binary inference, the probabilities normalised.
    OneVsRest,
}

named!(Multiclass, "multiclass", {
    Auto = "auto": "Together where that can be done, else one class against the rest";
    Joint = "joint": "A function for every class, inferred together";
    OneVsRest = "one-vs-rest" or "one_vs_rest" or "ovr": "Every class against the rest, the probabilities normalised";
});

impl Multiclass {
    /// Whether nothing is asked for.
    pub fn is_auto(&self) -> bool {
        *self == Multiclass::Auto
    }
}
