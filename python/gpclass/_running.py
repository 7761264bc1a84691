"""How a fit runs: on how many threads, and who watches."""

from __future__ import annotations

import numpy as np
from joblib import effective_n_jobs


def threads(n_jobs):
    """How many threads the library may use; None for all."""
    if n_jobs is None:
        return None if effective_n_jobs(-1) > 1 else 1
    if not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise ValueError(f"n_jobs is {n_jobs!r}; give a number of threads, -1 for all cores, or None")
    return None if n_jobs == -1 else int(effective_n_jobs(int(n_jobs)))


def watcher(callback, verbose):
    """What is called for every iteration, or None."""
    if callback is not None and not callable(callback):
        raise TypeError(f"callback is {callback!r}; it must be callable with one dict")
    if not verbose:
        return callback

    def watch(entry):
        print(
            f"[gpclass] {entry['candidate']}: iteration {entry['iteration']}, "
            f"log evidence {entry['log_evidence']:.3f}, left-out NLP {entry['loo_nlp']:.4f}, {entry['seconds']:.1f} s"
        )
        if callback is not None:
            callback(entry)

    return watch
