//! Threads: when a single operation uses them, and how independent tasks do.

use faer::Par;

/// Below this size threads cost a Cholesky more than they save (measured: 0.9x at 500, 1.2x at 1000, 1.5x at 2000).
const THREADED_FROM: usize = 1000;

/// The parallelism for one operation on matrices of about `n` rows. Uses the thread pool it is called in.
pub(crate) fn parallelism(n: usize) -> Par {
    #[cfg(feature = "rayon")]
    if n >= THREADED_FROM && rayon::current_num_threads() > 1 {
        return Par::rayon(0);
    }
    let _ = (n, THREADED_FROM);
    Par::Seq
}

/// Applies `task` to `0..count` in parallel where there are threads; results in order.
pub fn map_tasks<R: Send>(count: usize, task: impl Fn(usize) -> R + Sync) -> Vec<R> {
    // A worker may come fresh from a backend kernel that ran for another thread.
    let clean_task = |i| {
        crate::clear_vector_state();
        task(i)
    };
    #[cfg(feature = "rayon")]
    {
        use rayon::prelude::*;
        (0..count).into_par_iter().map(clean_task).collect()
    }
    #[cfg(not(feature = "rayon"))]
    (0..count).map(clean_task).collect()
}

/// Runs `work` with `threads` threads (0: one per core). Without the `rayon` feature it just runs it.
pub fn with_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    #[cfg(feature = "rayon")]
    if let Ok(pool) = rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
        return pool.install(work);
    }
    let _ = threads;
    work()
}
