//! How many threads make sense.

use std::num::NonZeroUsize;

/// More threads than this for each core only wait for each other.
const PER_CORE: usize = 4;

/// Cores that this process may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The most threads that are used, however many are asked for.
pub fn most() -> usize {
    PER_CORE * cores()
}
