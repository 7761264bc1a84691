//! The module `gpclass._core`: conversions between Python's arrays and the library's types, and nothing else.
//!
//! Structured options and reports cross the border as JSON in the library's own serialised form, so that this crate
//! need not change when they gain fields.

mod calibrate;
mod candidates;
mod checkpoint;
mod compare;
mod convert;
mod cost;
mod errors;
mod exact;
mod export;
mod features;
mod files;
mod infer;
mod model;
mod problem;
mod shard;
mod vocabulary;
mod watch;
mod why;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    use super::*;

    #[pymodule_export]
    use calibrate::calibration;
    #[pymodule_export]
    use candidates::kernel_parameters;
    #[pymodule_export]
    use compare::{critical_difference, friedman, rank, resampled_t_test, signed_rank_test};
    #[pymodule_export]
    use exact::sample;
    #[pymodule_export]
    use features::{choose_features, feature_names};
    #[pymodule_export]
    use files::{most_threads, parse_size, read_model_file, write_file};
    #[pymodule_export]
    use infer::infer;
    #[pymodule_export]
    use model::Model;
    #[pymodule_export]
    use shard::shard_step;
    #[pymodule_export]
    use vocabulary::{compared, options};
    #[pymodule_export]
    use why::{reasons, slopes, training_rows, witnesses};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
