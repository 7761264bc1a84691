"""Data sets of several classes, in stratified splits, and four of them with changed training labels.

Sets of more than 1500 rows are represented by 1500 of them, drawn once. Sixty percent of the rows are for training, and all
others are tested. Every class has at least one training row, so that a class of few rows (two of ecoli's
have two) may be missing from the test rows but never from training.
"""

from __future__ import annotations

import numpy as np

from ..spec import Problem, Task
from .multi import loaded, stratified
from .wrong_labels import with_wrong_labels

SPLITS = 5
SEED = 2026
MOST_ROWS = 1500
TRAINING_SHARE = 0.6
FILES = {
    "iris": "multi/iris.csv",
    "wine": "multi/wine.csv",
    "glass": "multi/glass.csv",
    "ecoli": "multi/ecoli.csv",
    "vehicle": "multi/vehicle.csv",
    "vowel": "multi/vowel.csv",
    "yeast": "multi/yeast.csv",
    "car": "multi/car.csv",
    "digits": "multi/digits8x8.csv.gz",
    "satellite": "multi/satellite.csv.gz",
    "letter": "multi/letter.csv.gz",
}
#: Positions of columns that are categories in truth: all of car's, and the speaker of a vowel.
CATEGORICAL = {"car": tuple(range(6)), "vowel": (0,)}
FLIPPED = ("iris", "wine", "vowel", "vehicle")
FLIP_RATES = (0.05, 0.10, 0.15)


def flipped_name(name, rate):
    return f"{name}-flip{round(100 * rate):02d}"


def split_of(name, file):
    number = list(FILES).index(name)

    def make(folder, split):
        X, labels = loaded(folder, file)
        if len(labels) > MOST_ROWS:
            kept = stratified(labels, MOST_ROWS, np.random.default_rng([SEED, number]))
            X, labels = X[kept], labels[kept]
        y = np.unique(labels, return_inverse=True)[1]
        train = stratified(y, round(TRAINING_SHARE * len(y)), np.random.default_rng([SEED, number, split]))
        test = np.ones(len(y), dtype=bool)
        test[train] = False
        return Task(X[train], y[train], X[test], y[test], CATEGORICAL.get(name, ()), seed=split)

    return make


def flipped(make, rate):
    """The same splits as without changed labels; test labels are never changed."""
    return lambda folder, split: with_wrong_labels(make(folder, split), rate, np.random.default_rng([SEED, split]))


def three_clouds(_, split):
    """Overlapping clouds of points around the corners of a triangle, small enough for a quick run."""
    rng = np.random.default_rng([SEED, split])
    y = rng.permutation(np.arange(240) % 3)
    corners = 2.0 * np.array([[0.0, 1.0], [-0.87, -0.5], [0.87, -0.5]])
    X = corners[y] + rng.normal(size=(len(y), 2))
    return Task(X[:60], y[:60], X[60:], y[60:], seed=split)


PROBLEMS = (
    *(Problem(name, SPLITS, split_of(name, file), (file,), version=3) for name, file in FILES.items()),
    *(
        Problem(flipped_name(name, rate), SPLITS, flipped(split_of(name, FILES[name]), rate), (FILES[name],), version=3)
        for name in FLIPPED
        for rate in FLIP_RATES
    ),
    Problem("three-clouds", SPLITS, three_clouds),
    Problem("three-clouds-flip10", SPLITS, flipped(three_clouds, 0.10)),
)
