"""Small generated problems: Breiman's twonorm, ringnorm and waveform, for runs without data files."""

from __future__ import annotations

import numpy as np

from ..spec import Problem, Task

TRAINING_ROWS, TEST_ROWS = 80, 400
PARTITIONS = 10
SEED = 1996


def twonorm(y, generator, features=20):
    """Two spherical normals of unit variance whose means are a and -a, a = 2/sqrt(20) in every feature (Breiman 1996)."""
    mean = 2.0 / np.sqrt(features)
    return generator.normal(size=(len(y), features)) + np.where(y, mean, -mean)[:, None]


def ringnorm(y, generator, features=20):
    """A normal of variance 4 around zero, and one of unit variance, the positive class, around a = 1/sqrt(20)."""
    normal = generator.normal(size=(len(y), features))
    return np.where(y[:, None], normal + 1.0 / np.sqrt(features), 2.0 * normal)


def waveform(y, generator):
    """Twenty-one noisy points of a mixture of two of three triangles (Breiman et al. 1984): the positive class is the
    first mixture, the other class the two others, as in the IDA set."""
    points = np.arange(1, 22)
    triangles = [np.maximum(6 - np.abs(points - centre), 0) for centre in (11, 15, 7)]
    pairs = np.array([(0, 1), (0, 2), (1, 2)])
    pair = pairs[np.where(y, 0, generator.integers(1, 3, size=len(y)))]
    share = generator.uniform(size=(len(y), 1))
    first, second = (np.array(triangles)[pair[:, k]] for k in (0, 1))
    return share * first + (1 - share) * second + generator.normal(size=(len(y), len(points)))


def _problem(number, points, positive_share):
    def make(_, split):
        generator = np.random.default_rng([SEED, number, split])
        y = generator.uniform(size=TRAINING_ROWS + TEST_ROWS) < positive_share
        X = points(y, generator)
        n = TRAINING_ROWS
        return Task(X[:n], y[:n], X[n:], y[n:], seed=split)

    return Problem(f"{points.__name__}-small", PARTITIONS, make)


SHARES = {twonorm: 0.5, ringnorm: 0.5, waveform: 1 / 3}
PROBLEMS = tuple(_problem(number, points, share) for number, (points, share) in enumerate(SHARES.items()))
