//! What a hyperparameter is, and all that follows from it: one table.

use super::{Prior, Spread, Transform};

/// Whether a weight is that of all features or of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Of {
    /// One weight for all of them.
    All,
    /// By its position among the inputs' features.
    Feature(usize),
}

/// Whose labels are wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// Those of both classes alike.
    All,
    /// Those of rows that are truly negative.
    Negatives,
    /// Those of rows that are truly positive.
    Positives,
}

/// What a hyperparameter is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Variance of a stationary part of the latent function.
    Signal,
    /// Inverse squared lengthscale.
    Scale(Of),
    /// Inverse lengthscale, not squared: how fast the covariance falls along a feature.
    Rate(Of),
    /// Variance of a function of one feature, among those that are added up.
    Term(Of),
    /// Inverse squared lengthscale of functions of one feature each.
    TermScale,
    /// Variance of the slopes of a linear part.
    Slope(Of),
    /// Variance of the overall level.
    Level,
    /// Variance of noise that belongs to single rows.
    RowNoise,
    /// How much a stationary part mixes lengthscales.
    Shape,
    /// Probability of a wrong label.
    LabelError(Whose),
    /// Shift of the latent value.
    Shift,
    /// Standard deviation of the likelihood's noise on the latent value.
    Softness,
}

/// A number that is the same for all data, or one that the inputs make natural: a weight of squared or plain differences, that
/// of squared differences in single features, or a share of a number that the features divide among them.
#[derive(Clone, Copy)]
enum Typical {
    Number(f64),
    Weight(Of),
    Rate(Of),
    SingleWeight,
    Share(f64),
}

impl Typical {
    fn for_inputs(self, spread: &Spread) -> f64 {
        match self {
            Typical::Number(number) => number,
            Typical::Weight(of) => spread.weight(of),
            Typical::Rate(of) => spread.rate(of),
            Typical::SingleWeight => spread.single_weight(),
            Typical::Share(total) => total / spread.features().max(1) as f64,
        }
    }
}

/// A weak prior up to the spread of the inputs.
enum Weak {
    LogNormal { median: Typical, sd: f64 },
    Normal { mean: f64, sd: f64 },
    Beta { a: f64, b: f64 },
}

/// A row of the table.
struct Facts {
    transform: Transform,
    /// Natural values between which learning keeps the parameter: wide enough to hold every sensible model of
    /// standardised inputs, narrow enough that every factorisation stays finite.
    bounds: (f64, f64),
    start: Typical,
    prior: Weak,
    /// Whether the covariance, or a part of it, is proportional to it.
    amplitude: bool,
    /// Whether the weak prior on it is the joint one on the weights of all features.
    joint: bool,
    /// In words, given the value and the feature or features.
    meaning: fn(f64, &str) -> String,
}

impl Role {
    /// The table. It has no wildcard: a new role does not compile until all is said about it.
    fn facts(self) -> Facts {
        use Typical::{Number, Rate, Share, SingleWeight, Weight};
        match self {
            Role::Signal => Facts {
                transform: Transform::Log,
                bounds: (1e-8, 1e6),
                start: Number(4.0),
                // A hard boundary needs a large one, which a narrow prior would soften.
                prior: Weak::LogNormal { median: Number(20.0), sd: 2.5 },
                amplitude: true,
                joint: false,
                meaning: |_, _| "variance of the latent function: large means sharp probabilities".to_owned(),
            },
            Role::Scale(of) => Facts {
                transform: Transform::Log,
                bounds: (1e-10, 1e4),
                start: Weight(of),
                prior: Weak::LogNormal { median: Weight(of), sd: 2.5 },
                amplitude: false,
                joint: of != Of::All,
                meaning: |value, of| {
                    format!("relevance of {of}: the function bends within a length of {:.3}", value.powf(-0.5))
                },
            },
            Role::Rate(of) => Facts {
                transform: Transform::Log,
                bounds: (1e-8, 1e3),
                start: Rate(of),
                // A feature's share of the variance is proportional to a small weight, of squares or of differences: it has
                // the width of the prior on an inverse squared lengthscale.
                prior: Weak::LogNormal { median: Rate(of), sd: 2.5 },
                amplitude: false,
                joint: of != Of::All,
                meaning: |value, of| {
                    format!(
                        "relevance of {of}, an inverse lengthscale: the function steps within a length of {:.3}",
                        value.recip()
                    )
                },
            },
            Role::Term(of) => Facts {
                transform: Transform::Log,
                bounds: (1e-8, 1e6),
                start: Share(2.0),
                // Narrower than that of a weight: no other parameter makes up for a variance that is wrong.
                prior: Weak::LogNormal { median: Share(2.0), sd: 1.5 },
                amplitude: true,
                joint: false,
                meaning: match of {
                    Of::All => |_, _| "variance of the function of each feature".to_owned(),
                    Of::Feature(_) => |_, of| format!("relevance of {of}: variance of its own function"),
                },
            },
            Role::TermScale => Facts {
                transform: Transform::Log,
                bounds: (1e-10, 1e4),
                start: SingleWeight,
                // Lengths from a seventh of to seven times the spread of the rows are within two standard deviations.
                prior: Weak::LogNormal { median: SingleWeight, sd: 2.0 },
                amplitude: false,
                joint: false,
                meaning: |value, _| {
                    format!("the function of a feature bends within a length of {:.3}", value.powf(-0.5))
                },
            },
            Role::Slope(Of::All) => Facts {
                transform: Transform::Log,
                bounds: (1e-8, 1e6),
                start: Weight(Of::All),
                prior: Weak::LogNormal { median: Weight(Of::All), sd: 2.0 },
                amplitude: true,
                joint: false,
                meaning: |_, _| "variance of the slopes of the linear part".to_owned(),
            },
            Role::Slope(of @ Of::Feature(_)) => Facts {
                transform: Transform::Log,
                bounds: (1e-10, 1e4),
                start: Weight(of),
                prior: Weak::LogNormal { median: Weight(of), sd: 2.5 },
                amplitude: true,
                joint: true,
                meaning: |_, of| format!("variance of the slope in {of}"),
            },
            Role::Level => Facts {
                transform: Transform::Log,
                bounds: (1e-8, 1e6),
                start: Number(1.0),
                prior: Weak::LogNormal { median: Number(1.0), sd: 3.0 },
                amplitude: true,
                joint: false,
                meaning: |_, _| "variance of the overall level, which sets the odds far from structure".to_owned(),
            },
            Role::RowNoise => Facts {
                transform: Transform::Log,
                bounds: (1e-8, 1e5),
                start: Number(0.1),
                prior: Weak::LogNormal { median: Number(0.3), sd: 2.5 },
                amplitude: true,
                joint: false,
                meaning: |_, _| "variance of noise that belongs to single rows".to_owned(),
            },
            Role::Shape => Facts {
                transform: Transform::Log,
                bounds: (1e-2, 1e3),
                start: Number(1.0),
                prior: Weak::LogNormal { median: Number(1.0), sd: 1.5 },
                amplitude: false,
                joint: false,
                meaning: |_, _| "mixture of lengths: small means many of them at once".to_owned(),
            },
            Role::LabelError(whose) => Facts {
                transform: Transform::LogitHalf,
                bounds: (1e-6, 0.45),
                start: Number(0.03),
                prior: Weak::Beta { a: 1.0, b: 10.0 },
                amplitude: false,
                joint: false,
                meaning: match whose {
                    Whose::All => |value, _| format!("share of wrong labels: {:.2} %", 100.0 * value),
                    Whose::Negatives => {
                        |value, _| format!("share of negatives labelled positive: {:.2} %", 100.0 * value)
                    }
                    Whose::Positives => {
                        |value, _| format!("share of positives labelled negative: {:.2} %", 100.0 * value)
                    }
                },
            },
            Role::Shift => Facts {
                transform: Transform::Identity,
                bounds: (-30.0, 30.0),
                start: Number(0.0),
                prior: Weak::Normal { mean: 0.0, sd: 3.0 },
                amplitude: false,
                joint: false,
                meaning: |_, _| "shift of the latent function towards the positive class".to_owned(),
            },
            Role::Softness => Facts {
                transform: Transform::Log,
                bounds: (1e-3, 1e3),
                start: Number(1.0),
                prior: Weak::LogNormal { median: Number(1.0), sd: 1.5 },
                amplitude: false,
                joint: false,
                meaning: |_, _| "noise on the latent function: large means soft decisions".to_owned(),
            },
        }
    }

    /// The map from the natural value to the coordinate that an optimiser moves.
    pub fn transform(self) -> Transform {
        self.facts().transform
    }

    /// The natural values between which learning keeps a parameter.
    pub fn bounds(self) -> (f64, f64) {
        self.facts().bounds
    }

    /// Where a search starts, on inputs of this spread.
    pub fn start(self, spread: &Spread) -> f64 {
        self.facts().start.for_inputs(spread)
    }

    /// The prior that keeps a parameter from running away where the data say nothing, on inputs of this spread. On a
    /// parameter under the joint prior: what that one says about it alone.
    pub fn weak_prior(self, spread: &Spread) -> Prior {
        match self.facts().prior {
            Weak::LogNormal { median, sd } => Prior::LogNormal { median: median.for_inputs(spread), sd },
            Weak::Normal { mean, sd } => Prior::Normal { mean, sd },
            Weak::Beta { a, b } => Prior::Beta { a, b },
        }
    }

    /// Whether the covariance, or a part of it, is proportional to it. All of these together are the scale of the latent
    /// function, which a likelihood that sees only signs does not determine (math 2).
    pub fn is_amplitude(self) -> bool {
        self.facts().amplitude
    }

    /// Whether the weak prior on it is the joint one on the weights of all features.
    pub fn is_under_joint_prior(self) -> bool {
        self.facts().joint
    }

    /// The position of the feature that it belongs to alone.
    pub fn feature(self) -> Option<usize> {
        match self {
            Role::Scale(Of::Feature(m))
            | Role::Rate(Of::Feature(m))
            | Role::Term(Of::Feature(m))
            | Role::Slope(Of::Feature(m)) => Some(m),
            _ => None,
        }
    }

    /// Whether `other` is the same but for the feature.
    pub fn is_like(self, other: Role) -> bool {
        std::mem::discriminant(&self) == std::mem::discriminant(&other)
    }

    /// What it says at a value, given the feature's name if it belongs to one alone.
    pub fn meaning(self, value: f64, feature: Option<&str>) -> String {
        (self.facts().meaning)(value, feature.unwrap_or("all features"))
    }
}
