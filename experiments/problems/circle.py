"""Generated problems of EMEP 5.1, TAN 5.2 and ROBUST 6: points in and out of a circle, and six features of which three matter.

The papers show one draw each; here every split is another draw, so that theirs can be compared with the distribution.
"""

from __future__ import annotations

import numpy as np

from ..spec import Problem, Task

DRAWS = 100
RADIUS_SQUARED = 0.5
OUTLIERS = 2


def circle(outliers, train=40, test=960):
    """Points uniform in [-1, 1]², positive outside the circle; some training labels are changed."""

    def make(_, split):
        rng = np.random.default_rng([2003, split])
        X = rng.uniform(-1.0, 1.0, size=(train + test, 2))
        y = (X**2).sum(axis=1) >= RADIUS_SQUARED
        flipped = np.zeros(train, dtype=bool)
        flipped[rng.choice(train, OUTLIERS, replace=False)] = True
        flipped &= outliers
        return Task(X[:train], y[:train] ^ flipped, X[train:], y[train:], original=y[:train], seed=split)

    return make


def six_features(train=300, test=100):
    """x1, x2, x3 ~ N(y, 1) with y = ±1 equally likely; x4, x5, x6 ~ N(0, 1)."""

    def make(_, split):
        rng = np.random.default_rng([2004, split])
        y = rng.random(train + test) < 0.5
        X = rng.normal(size=(train + test, 6))
        X[:, :3] += np.where(y, 1.0, -1.0)[:, None]
        return Task(X[:train], y[:train], X[train:], y[train:], seed=split)

    return make


PROBLEMS = (
    Problem("circle-clean", DRAWS, circle(outliers=False)),
    Problem("circle-outliers", DRAWS, circle(outliers=True)),
    Problem("six-features", DRAWS, six_features()),
    Problem("six-features-tiny", DRAWS, six_features(train=60)),
)
