//! Whether one method is better than another: [`aggregate`] averages scores over data sets and splits, and [`ranks`],
//! [`wilcoxon`] and [`resampled`] test differences.

pub mod aggregate;
pub mod ranks;
pub mod resampled;
pub mod wilcoxon;
