"""The data sets of EMEP Table 1 in ten folds, and ROBUST's thyroid in halves with changed training labels."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from ..spec import Problem, Task
from .wrong_labels import with_wrong_labels

FOLDS = 10
#: Code of a category that is missing: a category of its own.
MISSING_CATEGORY = -1.0
FLIP_RATES = (0.0, 0.05, 0.10, 0.15)
#: The paper has ten; more tell how much of a difference is chance.
HALVES = 100

#: Name, file, positive class and discrete columns, as EMEP Table 1 counts them.
SETS = (
    ("heart-folds", "heart_hungarian", "1", ("sex", "cp", "fbs", "restecg", "exang", "slope", "thal")),
    ("thyroid-folds", "thyroid", "abnormal", ()),
    ("ionosphere-folds", "ionosphere", "g", ()),
    ("crabs-folds", "crabs", "M", ("sp", "index")),
    ("pima-folds", "pima_tr", "Yes", ()),
)


def file_of(stem):
    return f"kim2003/{stem}.csv"


@cache
def table(path: Path, positive: str, discrete: tuple[str, ...]):
    """Numbers, labels and the positions of discrete columns. Missing categories get their code, missing numbers stay NaN."""
    frame = pd.read_csv(path)
    y = frame.pop("label").astype(str).to_numpy() == positive
    for name in discrete:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            frame[name] = pd.factorize(frame[name], sort=True)[0]
        frame[name] = frame[name].fillna(MISSING_CATEGORY)
    positions = tuple(frame.columns.get_loc(name) for name in discrete)
    return frame.to_numpy(dtype=float), y, positions


def parts(X, y, categorical, train, test, **others):
    """A task of these rows. Missing numbers become the mean of the training rows (zero if there is none)."""
    filled = X.copy()
    for column in np.flatnonzero(np.isnan(X).any(axis=0)):
        known = X[train, column][~np.isnan(X[train, column])]
        filled[np.isnan(X[:, column]), column] = known.mean() if known.size else 0.0
    return Task(filled[train], y[train], filled[test], y[test], categorical=categorical, **others)


def folds(stem, positive, discrete):
    """Ten random folds of equal size; the split is the number of the fold that is tested."""

    def make(data, split):
        X, y, categorical = table(data / file_of(stem), positive, discrete)
        order = np.random.default_rng(2003).permutation(len(y))
        tested = np.isin(np.arange(len(y)), order[split::FOLDS])
        return parts(X, y, categorical, np.flatnonzero(~tested), np.flatnonzero(tested), source="fold", seed=split)

    return make


def flipped_halves(rate):
    """Random halves, the smaller for training, the same at all rates. Higher rates change further labels."""

    def make(data, split):
        X, y, _ = table(data / file_of("thyroid"), "abnormal", ())
        rng = np.random.default_rng([2008, split])
        train, test = np.split(rng.permutation(len(y)), [len(y) // 2])
        return with_wrong_labels(parts(X, y, (), train, test, source="made", seed=split), rate, rng)

    return make


PROBLEMS = tuple(
    Problem(name, FOLDS, folds(stem, positive, discrete), (file_of(stem),)) for name, stem, positive, discrete in SETS
) + tuple(
    Problem(f"thyroid-flip{round(100 * rate):02d}", HALVES, flipped_halves(rate), (file_of("thyroid"),)) for rate in FLIP_RATES
)
