//! The library in a browser: tables in, model files, predictions and reports out, and the playground's pictures.
//!
//! Everything goes through an [`Engine`] in a worker of the page. Files arrive as bytes, answers leave as bytes, numbers or JSON,
//! and errors as one sentence. Nothing is fetched, stored or sent. The module has one thread and, as WebAssembly has, at most
//! 4 GB of memory, of which a fit may ask for [`MEMORY`].

mod choices;
mod engine;
mod estimate;
mod labelled;
mod limits;
mod look;
mod playground;
mod predict;
mod problem;

pub use choices::{Choices, Effort, Use};
pub use engine::Engine;
pub use estimate::Estimate;
pub use limits::{FILE_BYTES, MEMORY};
pub use look::Look;
pub use playground::{Picture, PlayModel, Settings};
pub use problem::Problem;
