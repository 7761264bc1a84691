//! Matrices that are made again and again, and how many of them there are at once.

use crate::prior::Failure;
use gpclass_linalg::{Mat, OutOfMemory, map_tasks};
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
#[derive(Debug, Default)]
pub(super) struct Shelf(Mutex<Vec<Mat>>);

impl Clone for Shelf {
    fn clone(&self) -> Self {
        Shelf::default()
    }
}

impl Shelf {
    fn matrices(&self) -> MutexGuard<'_, Vec<Mat>> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A matrix of `n` rows and columns with anything in it.
    pub fn take(&self, n: usize) -> Result<Mat, OutOfMemory> {
        let used = self.matrices().pop();
        match used {
            Some(used) if used.rows() == n => Ok(used),
            _ => Mat::try_zeros(n, n),
        }
    }

    pub fn put(&self, matrix: Mat) {
        self.matrices().push(matrix);
    }

    /// Frees what is there.
    pub fn clear(&self) {
        self.matrices().clear();
    }
}
