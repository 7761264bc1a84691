"""Problems of Kuss and Rasmussen (2005), on which approximate inference is compared; ionosphere and crabs are in `kim`.

Three are cut into ten folds, drawn once; USPS (threes against fives) has its split into 767 and 773 rows. Rows of
Wisconsin with a missing value are left out, and the zeros of Pima that stand for missing values stay, as in that work.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from ..spec import Problem, Task

FOLDS = 10
SEED = 2005
#: Data set: file, and label of the positive class.
FILES = {
    "sonar": ("kuss/sonar.csv", "M"),
    "wisconsin": ("kuss/breast_cancer_wisconsin.csv", "malignant"),
    "pima768": ("kuss/pima768.csv", "1"),
}
USPS = ("kuss/usps35_train.csv.gz", "kuss/usps35_test.csv.gz")


@cache
def _table(path, positive):
    """Complete rows of a file."""
    table = pd.read_csv(path, dtype={"label": str}).dropna()
    return table.drop(columns="label").to_numpy(float), (table["label"] == positive).to_numpy()


def fold(file, positive):
    def make(data, split):
        X, y = _table(data / file, positive)
        order = np.random.default_rng(SEED).permutation(len(y))
        test = np.zeros(len(y), dtype=bool)
        test[order[split::FOLDS]] = True
        return Task(X[~test], y[~test], X[test], y[test], source="fold", seed=split)

    return make


def usps(data, _):
    (X, y), (X_test, y_test) = (_table(data / file, "3") for file in USPS)
    return Task(X, y, X_test, y_test)


def two_clouds(data, split):
    """Overlapping clouds of points, small enough for a quick run."""
    rng = np.random.default_rng([SEED, split])
    y = rng.random(200) < 0.5
    X = rng.normal(size=(200, 2)) + np.where(y, 0.8, -0.8)[:, None]
    return Task(X[:40], y[:40], X[40:], y[40:], seed=split)


PROBLEMS = (
    *(Problem(f"{name}-folds", FOLDS, fold(*where), files=where[:1]) for name, where in FILES.items()),
    Problem("usps-3-vs-5", 1, usps, files=USPS),
    Problem("two-clouds", 5, two_clouds),
)
