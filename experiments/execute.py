"""One run, inside a worker process."""

from __future__ import annotations

import hashlib
import os
import subprocess
import traceback
from datetime import datetime, timezone
from functools import cache
from pathlib import Path

# One thread per worker: runs are parallel already, and times stay comparable. Set before numerical libraries load.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")

import gpclass  # noqa: E402

from . import catalogue, records  # noqa: E402
from .plan import made_from, needs  # noqa: E402
from .records import FORMAT, Key  # noqa: E402
from .scores import scores  # noqa: E402


def execute(key: Key, data: Path | None, folder: Path) -> str | None:
    """Does a run and writes its record. Gives the reason if the method failed, which is recorded too."""
    problem, method = catalogue.all_problems()[key.problem], catalogue.all_methods()[key.method]
    record = {
        "format": FORMAT,
        "problem": key.problem,
        "method": key.method,
        "split": key.split,
        "made_from": made_from(key, data),
        "engine": None if method.foreign else engine(),
        "commit": commit(),
        "finished": datetime.now(timezone.utc).isoformat(timespec="seconds"),
    }
    failure = None
    try:
        task = problem.make(data, key.split)
        outcome = method.run(task, _needed(key, folder))
        record |= {
            "source": task.source,
            "seed": task.seed,
            "rows": len(task.y),
            "scores": scores(task.y_test, outcome.log_proba, outcome.positive),
            "facts": outcome.facts,
            "fit_seconds": outcome.fit_seconds,
            "predict_seconds": outcome.predict_seconds,
        }
    except Exception as error:  # noqa: BLE001 - a method that fails on one split must not end the others
        failure = f"{type(error).__name__}: {error}"
        record |= {"failed": failure, "traceback": traceback.format_exc(limit=-3)}
    records.write(folder, key, record)
    return failure


def _needed(key, folder):
    """Records that the run builds upon, by method; its own of the split before under the name `before`."""
    found = {}
    for needed in needs(key):
        record = records.read(needed.path(folder))
        if "failed" in record:
            raise RuntimeError(f"it builds upon {needed}, which failed")
        found["before" if needed.method == key.method else needed.method] = record
    return found


@cache
def commit():
    """The commit that is checked out here; `None` outside a repository."""
    call = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short=10", "HEAD"]
    try:
        return subprocess.run(call, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None


@cache
def engine():
    """Version and build of the package, so that records of different builds can be told apart."""
    built = hashlib.sha256(Path(gpclass._core.__file__).read_bytes()).hexdigest()[:12]
    return f"{gpclass.__version__}-{built}"
