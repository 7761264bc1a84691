//! From columns to the numbers that a kernel sees: standardisation, levels, missing values.

mod column;
mod counts;
mod encoder;
mod indicator;
mod inputs;
mod levels;
mod missing;
mod options;
mod ordered;
mod pair_sums;
mod record;
mod standardise;
mod view;

pub(super) use column::are_dates;
pub use column::{Coding, ColumnEncoder, MAX_ENCODED};
pub use counts::{ColumnCounts, EncodeCounts};
pub use encoder::{Encoder, LeftOut};
pub use inputs::{Feature, FeatureKind, Inputs};
pub use levels::{DiscreteMissing, Levels};
pub use missing::{MissingChoice, MissingContinuous, MissingDiscrete, MissingPolicy};
pub use options::EncoderOptions;
pub use ordered::OrderedLevels;
pub(crate) use pair_sums::{KeptSums, PairSums};
pub use standardise::{ContinuousMissing, Standardise, Standardiser};
pub use view::{Curve, InputView, Ranks, Shape, Tail, View, Warp};
