"""How a fit runs: on how many threads, and who watches."""

from __future__ import annotations

import logging
import numbers
import os
import sys
import warnings

import numpy as np
from joblib import effective_n_jobs

from . import _options
from ._core import most_threads, parse_size
from ._warnings import FitWarning

log = logging.getLogger("gpclass")


def threads(n_jobs):
    """How many threads the library may use; None for all. Negative numbers count back from all cores, as scikit-learn's."""
    if n_jobs is None:
        return None if effective_n_jobs(-1) > 1 else 1
    if not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise ValueError(f"n_jobs is {n_jobs!r}; give a number of threads, -1 for all cores, or None")
    if n_jobs == -1:
        return None
    wanted, most = int(effective_n_jobs(int(n_jobs))), most_threads()
    if wanted > most:
        sentence = f"n_jobs is {n_jobs}; {most} threads are used, four per core, for more would be in each other's way"
        warnings.warn(sentence, FitWarning, stacklevel=3)
    return min(wanted, most)


def memory(limit):
    """The bytes that a fit may need; None for what is free."""
    if limit is None:
        return None
    bytes = parse_size(limit) if isinstance(limit, str) else limit
    if not isinstance(bytes, numbers.Real) or isinstance(bytes, bool) or not 1 <= bytes < 2**63:
        raise ValueError(f"memory_limit is {limit!r}; give a number of bytes, a text such as '4G' or '500M', or None")
    return int(bytes)


class _Shown(logging.StreamHandler):
    """Writes to what is standard error at the time."""

    def __init__(self):
        super().__init__()
        self.setFormatter(logging.Formatter("[gpclass] %(message)s"))

    @property
    def stream(self):
        return sys.stderr

    @stream.setter
    def stream(self, stream):
        pass


def _make_heard():
    """Progress goes to the logger 'gpclass'; where nobody has set up logging, to standard error."""
    if not log.isEnabledFor(logging.INFO):
        log.setLevel(logging.INFO)
    if not log.hasHandlers():
        log.addHandler(_Shown())


def checkpoint(path, every):
    """The file and the seconds between two checkpoints, as the core takes them."""
    seconds = _options.number("checkpoint_every", every, least=0.0)
    return None if path is None else (os.fspath(path), seconds)


def watcher(callback, verbose):
    """What is called for every iteration, or None."""
    if callback is not None and not callable(callback):
        raise TypeError(f"callback is {callback!r}; it must be callable with one dict")
    if not verbose:
        return callback

    _make_heard()

    def watch(entry):
        log.info(
            "%s: iteration %d, log evidence %.3f, left-out NLP %.4f, %.1f s",
            entry["candidate"], entry["iteration"], entry["log_evidence"], entry["loo_nlp"], entry["seconds"],
        )
        if callback is not None:
            callback(entry)

    return watch
