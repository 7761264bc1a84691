//! Hyperparameters: what every kernel and likelihood says about the numbers that can be learned.
//!
//! A parameter carries its [`Role`], from which follows all that learning and readers need to know of it. Names are for
//! printing and for what users type; nothing outside of this module reads more out of them.

mod prior;
mod role;
#[cfg(test)]
mod role_tests;
mod spread;
mod transform;

pub use prior::Prior;
pub use role::{Of, Role, Whose};
pub use spread::{Distance, Spread};
pub use transform::Transform;

/// One hyperparameter: its name, what it is, its natural value, and whether learning may move it.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Name that is unique in its kernel or likelihood, as `v0`, `se.l[age]` or `eps`.
    pub name: String,
    /// What it is, from which bounds, priors and meaning follow.
    pub role: Role,
    /// Its natural value, as the formulas have it.
    pub value: f64,
    /// Whether learning leaves it where it is.
    pub fixed: bool,
    /// The class whose function it belongs to, where every class has parameters of its own; part of the name then.
    pub class: Option<String>,
}

impl Param {
    /// A free parameter.
    pub fn free(name: impl Into<String>, role: Role, value: f64) -> Self {
        Param { name: name.into(), role, value, fixed: false, class: None }
    }

    /// The name of a feature's own parameter: `l[age]` of the group `l`.
    pub fn name_of_feature(group: &str, feature: &str) -> String {
        format!("{group}[{feature}]")
    }

    /// The parameter as the function of one class has it: `v0[setosa]`.
    pub(crate) fn of_class(self, class: &str) -> Self {
        Param { name: format!("{}[{class}]", self.name), class: Some(class.to_owned()), ..self }
    }

    /// The name without the class.
    pub fn name_without_class(&self) -> &str {
        let own = |class: &String| self.name.strip_suffix(']')?.strip_suffix(class.as_str())?.strip_suffix('[');
        self.class.as_ref().and_then(own).unwrap_or(&self.name)
    }

    /// The map to the coordinate that an optimiser moves.
    pub fn transform(&self) -> Transform {
        self.role.transform()
    }

    /// The name without feature and class: `se.l` of `se.l[age]`.
    pub fn group(&self) -> &str {
        self.split_name().0
    }

    /// Whether this is what a user means who writes `name`: the whole name, that of the group of all features' own, or
    /// either without the class.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.name_without_class() == name || self.group() == name
    }

    /// Whether `other` is this parameter in another model.
    pub fn is_same(&self, other: &Param) -> bool {
        self.name == other.name && self.role.is_like(other.role)
    }

    /// What the parameter says at its value, for a reader who knows no Gaussian processes.
    pub fn meaning(&self) -> String {
        let meaning = self.role.meaning(self.value, self.split_name().1);
        match &self.class {
            Some(class) => format!("of class {class}: {meaning}"),
            None => meaning,
        }
    }

    /// Group and feature.
    fn split_name(&self) -> (&str, Option<&str>) {
        let name = self.name_without_class();
        let of_feature = || {
            self.role.feature()?;
            let (group, rest) = name.split_once('[')?;
            Some((group, rest.strip_suffix(']')?))
        };
        of_feature().map_or((name, None), |(group, feature)| (group, Some(feature)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart_at_the_feature_alone() {
        for (group, feature) in [("l", "age"), ("se.l", "age.x"), ("linear2.w", "v0"), ("l", "a[0]"), ("w", "]")] {
            let param = Param::free(Param::name_of_feature(group, feature), Role::Scale(Of::Feature(0)), 4.0);
            assert_eq!(param.group(), group);
            assert!(param.is_called(group) && param.is_called(&param.name) && !param.is_called(feature));
            let meaning = format!("relevance of {feature}: the function bends within a length of 0.500");
            assert_eq!(param.meaning(), meaning);
        }
        let shared = Param::free("se.l", Role::Scale(Of::All), 4.0);
        assert_eq!(shared.group(), "se.l");
        assert!(!shared.is_called("l"));
        let own = Param::free("l[age]", Role::Scale(Of::Feature(0)), 4.0).of_class("a]b[");
        assert_eq!((own.name.as_str(), own.name_without_class(), own.group()), ("l[age][a]b[]", "l[age]", "l"));
        assert!(["l", "l[age]", "l[age][a]b[]"].iter().all(|name| own.is_called(name)) && !own.is_called("l[a]b[]"));
        assert_eq!(own.meaning(), "of class a]b[: relevance of age: the function bends within a length of 0.500");
        assert_eq!(shared.meaning(), "relevance of all features: the function bends within a length of 0.500");
        let rate = Param::free("l[age]", Role::Rate(Of::Feature(0)), 4.0);
        let meaning = "relevance of age, an inverse lengthscale: the function steps within a length of 0.250";
        assert_eq!(rate.meaning(), meaning);
    }
}
