//! Matrices that are made again and again, and how many of them there are at once.

use super::held::Square;
use crate::prior::Failure;
use gpclass_linalg::{OutOfMemory, map_tasks};
use std::sync::{Mutex, MutexGuard};

/// Functions worked on at once where there are threads: each holds two matrices of all rows while it is.
const AT_ONCE: usize = 4;

/// Results of `task` for every function, in order; the first failure otherwise.
pub(super) fn for_functions<R: Send>(
    functions: usize,
    task: impl Fn(usize) -> Result<R, Failure> + Sync,
) -> Result<Vec<R>, Failure> {
    let mut all = Vec::with_capacity(functions);
    for first in (0..functions).step_by(AT_ONCE) {
        let group = map_tasks(AT_ONCE.min(functions - first), |k| task(first + k));
        for result in group {
            all.push(result?);
        }
    }
    Ok(all)
}

/// Square matrices of one size that are not in use. Clones are empty.
#[derive(Debug)]
pub(super) struct Shelf<M>(Mutex<Vec<M>>);

impl<M> Default for Shelf<M> {
    fn default() -> Self {
        Shelf(Mutex::new(Vec::new()))
    }
}

impl<M> Clone for Shelf<M> {
    fn clone(&self) -> Self {
        Shelf::default()
    }
}

impl<M: Square> Shelf<M> {
    fn matrices(&self) -> MutexGuard<'_, Vec<M>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A matrix of `n` rows and columns with anything in it.
    pub fn take(&self, n: usize) -> Result<M, OutOfMemory> {
        let used = self.matrices().pop();
        match used {
            Some(used) if used.size() == n => Ok(used),
            _ => M::of_size(n),
        }
    }

    pub fn put(&self, matrix: M) {
        self.matrices().push(matrix);
    }

    /// Frees what is there.
    pub fn clear(&self) {
        self.matrices().clear();
    }
}
