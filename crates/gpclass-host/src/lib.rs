//! What the tool and the Python package need of the machine they run on, written once for both: files that are written
//! whole or not at all, files that are read up to a limit, memory that is free, a number of threads that makes sense.

#![warn(missing_docs)]

pub mod checkpoint;
pub mod input;
pub mod memory;
pub mod output;
pub mod threads;
