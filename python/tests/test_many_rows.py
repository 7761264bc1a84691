"""Fits of many rows: some stand for all, and predictions are refined."""

import numpy as np
import pytest

from gpclass import GPClassifier


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(3)
    X = rng.uniform(-2, 2, size=(460, 2))
    return X, (X[:, 0] + X[:, 1] ** 2 > 1).astype(int)


QUICK = {"kernel": "matern32", "likelihood": "probit", "lengthscales": "single"}


def test_some_rows_stand_for_all(rows):
    X, y = rows
    some = GPClassifier(inducing=40, neighbours=25, **QUICK).fit(X[:400], y[:400])
    assert some.approach_ == "sparse"
    assert any("40 rows stand for all" in note and "25 nearest" in note for note in some.notes_)
    exact = GPClassifier(exact=True, **QUICK).fit(X[:400], y[:400])
    assert exact.approach_ == "exact"
    assert some.score(X[400:], y[400:]) > 0.9
    assert np.abs(some.predict_proba(X[400:]) - exact.predict_proba(X[400:])).mean() < 0.05


def test_what_cannot_be_is_refused(rows):
    X, y = rows
    for wrong in ({"exact": True, "inducing": 5}, {"inducing": 0}, {"neighbours": -1}, {"inducing": 2.5}):
        with pytest.raises((ValueError, TypeError), match="inducing|neighbours"):
            GPClassifier(**wrong, **QUICK).fit(X[:60], y[:60])
