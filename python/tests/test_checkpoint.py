"""Fits that are killed go on from their checkpoints."""

from __future__ import annotations

import subprocess
import sys
import time
import warnings

import numpy as np
import pytest

from gpclass import GPClassifier

ARGUMENTS = {
    "kernel": "se",
    "likelihood": "probit",
    "lengthscales": "single",
    "inducing": 30,
    "neighbours": 10,
    "n_jobs": 1,
}
SCRIPT = """
import sys
from gpclass import GPClassifier
sys.path.insert(0, sys.argv[2])
from test_checkpoint import ARGUMENTS, rows
GPClassifier(checkpoint=sys.argv[1], checkpoint_every=0, **ARGUMENTS).fit(*rows())
"""


def rows():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 3))
    return X, np.sin(2 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=len(X)) > 0


def test_a_killed_fit_goes_on_to_the_same_end(tmp_path, request):
    X, y = rows()
    path = tmp_path / "fit.checkpoint"
    child = subprocess.Popen([sys.executable, "-c", SCRIPT, str(path), str(request.path.parent)])
    begun = time.monotonic()
    while not path.exists():
        assert child.poll() is None and time.monotonic() - begun < 300
        time.sleep(0.002)
    child.kill()
    child.wait()
    assert path.exists()
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        resumed = GPClassifier(checkpoint=path, **ARGUMENTS).fit(X, y)
    assert not path.exists()
    np.testing.assert_array_equal(resumed.predict_proba(X), GPClassifier(**ARGUMENTS).fit(X, y).predict_proba(X))


def test_bad_checkpoints_are_told(tmp_path):
    X, y = rows()
    path = tmp_path / "fit.checkpoint"
    path.write_bytes(b"this is no checkpoint")
    with pytest.warns(UserWarning, match="is damaged and was not used"):
        GPClassifier(checkpoint=path, **ARGUMENTS).fit(X, y)
    with pytest.warns(UserWarning, match="could not be written"):
        GPClassifier(checkpoint=tmp_path / "no" / "file", checkpoint_every=0, **ARGUMENTS).fit(X, y)
    with pytest.raises(ValueError, match="checkpoint_every"):
        GPClassifier(checkpoint=path, checkpoint_every=-1, **ARGUMENTS).fit(X, y)
