"""The six problems on which approximate inference is compared: those of Kuss and Rasmussen (2005).

Five are cut into ten folds, drawn once; USPS (threes against fives) has its split into 767 and 773 rows. Columns are
numbers throughout, as in that work: the two categories of crabs as codes, and the zeros of Pima as they are.
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
    "ionosphere": ("kim2003/ionosphere.csv", "g"),
    "sonar": ("kuss/sonar.csv", "M"),
    "wisconsin": ("kuss/breast_cancer_wisconsin.csv", "malignant"),
    "pima768": ("kuss/pima768.csv", "1"),
    "crabs": ("kim2003/crabs.csv", "M"),
}
USPS = ("kuss/usps35_train.csv.gz", "kuss/usps35_test.csv.gz")


@cache
def _table(path, positive):
    """Complete rows of a file, categories as codes."""
    table = pd.read_csv(path, dtype={"label": str}).dropna()
    X = table.drop(columns="label")
    for name in X.columns:
        if not pd.api.types.is_numeric_dtype(X[name]):
            X[name] = X[name].astype("category").cat.codes
    return X.to_numpy(float), (table["label"] == positive).to_numpy()


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
    *(Problem(f"{name}-kfold", FOLDS, fold(*where), files=where[:1]) for name, where in FILES.items()),
    Problem("usps-3-vs-5", 1, usps, files=USPS),
    Problem("two-clouds", 5, two_clouds),
)
