//! What a fitted model says about its features: one varied at a time, or two over a plane.
//!
//! Everything is computed from the posterior in closed form; nothing is sampled, so the same model gives the same curves.

mod class_effects;
mod effects;
mod error;
mod setting;
mod surface;

pub use class_effects::{ClassEffect, ClassEffectPoint, class_effects};
pub use effects::{EffectCurve, EffectOptions, EffectPoint, class_effect_curves, effect_curves};
pub use error::ExplainError;
pub use setting::FeatureValue;
pub use surface::{DecisionSurface, SurfaceAxis, SurfaceOptions, SurfacePoint, decision_surface};
