//! From columns to the numbers that a kernel sees: standardisation, levels, missing values.

mod column;
mod counts;
mod encoder;
mod inputs;
mod levels;
mod missing;
mod record;
mod standardise;
mod view;

pub use column::{Coding, ColumnEncoder, MAX_ENCODED};
pub use counts::{ColumnCounts, EncodeCounts};
pub use encoder::{Encoder, EncoderOptions};
pub use inputs::{Feature, FeatureKind, Inputs};
pub use levels::{DiscreteMissing, Levels};
pub use missing::{MissingChoice, MissingContinuous, MissingDiscrete, MissingPolicy};
pub use standardise::{ContinuousMissing, Standardise, Standardiser};
pub use view::{Curve, InputView, Ranks, Shape, Tail, View, Warp};
