"""Twelve two-class tables as people have them, with columns of words and missing cells, in stratified splits.

Seventy percent of the rows are for training. Columns of words are categories; a missing cell stays missing.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from ..spec import Problem, Task
from .multi import stratified

SPLITS = 20
SEED = 2026
TRAINING_SHARE = 0.7
#: Data set: label of the positive class.
POSITIVE = {
    "abalone9-18": "positive",
    "bupa": "2",
    "cleveland-0_vs_4": "positive",
    "crx": "positive",
    "glass1": "positive",
    "haberman": "positive",
    "sonar": "M",
    "tic-tac-toe": "positive",
    "vehicle1": "positive",
    "wdbc": "M",
    "wisconsin": "4",
    "yeast1": "positive",
}


def file_of(name):
    return f"tables/{name}.csv"


@cache
def loaded(path, positive):
    """Inputs with words as codes, positive labels, and the positions of the columns of words."""
    table = pd.read_csv(path, dtype={"label": str})
    inputs = table.drop(columns="label")
    words = [name for name in inputs.columns if not pd.api.types.is_numeric_dtype(inputs[name])]
    for name in words:
        codes = pd.factorize(inputs[name], sort=True)[0]
        inputs[name] = np.where(codes < 0, np.nan, codes)
    positions = tuple(inputs.columns.get_loc(name) for name in words)
    return inputs.to_numpy(float), (table["label"] == positive).to_numpy(), positions


def split_of(number, name):
    def make(folder, split):
        X, y, categorical = loaded(folder / file_of(name), POSITIVE[name])
        train = stratified(y, round(TRAINING_SHARE * len(y)), np.random.default_rng([SEED, number, split]))
        test = np.ones(len(y), dtype=bool)
        test[train] = False
        return Task(X[train], y[train], X[test], y[test], categorical, seed=split)

    return make


def mixed_small(_, split):
    """Two numbers, one of them with missing cells, and a category, small enough for a quick run."""
    rng = np.random.default_rng([SEED, split])
    X = np.column_stack([rng.normal(size=(200, 2)), np.arange(200) % 3])
    y = X[:, 0] + np.array([-1.0, 0.0, 1.0])[X[:, 2].astype(int)] + rng.normal(size=200) > 0
    X[rng.random(200) < 0.05, 1] = np.nan
    return Task(X[:60], y[:60], X[60:], y[60:], (2,), seed=split)


PROBLEMS = (
    *(Problem(name, SPLITS, split_of(number, name), (file_of(name),)) for number, name in enumerate(POSITIVE)),
    Problem("mixed-small", SPLITS, mixed_small),
)
