//! What a fitted model says about its features: one varied at a time, or two over a plane; which of them matter; why a row
//! is predicted as it is; and how unlike the training rows it is.
//!
//! Curves and planes are computed from the posterior in closed form. The same model gives the same numbers.

mod class_effects;
mod effects;
mod error;
mod novelty;
mod reasons;
mod relevance;
mod row_values;
mod setting;
mod slopes;
mod surface;
mod together;

pub use class_effects::{ClassEffect, ClassEffectPoint, class_effects};
pub use effects::{EffectCurve, EffectOptions, EffectPoint, IndividualEffect, class_effect_curves, effect_curves};
pub use error::ExplainError;
pub use novelty::{Novelty, UNLIKE_TRAINING};
pub use reasons::{Background, Parts, ReasonOptions, ReasonScale, Reasons, latent_reasons, reasons};
pub use relevance::{Relevance, RowCost, Sample, Seen, leading, ranking, relevances};
pub use row_values::row_values;
pub use setting::{EffectShape, FeatureValue};
pub use slopes::{Change, Slope, Slopes, slopes};
pub use surface::{DecisionSurface, SurfaceAxis, SurfaceOptions, SurfacePoint, decision_surface};
pub use together::{
    Together, Weighed, class_effect_curves_together, class_effects_together, decision_surface_together,
};
