"""Gene expression in colon tissue (Alon et al. 1999), in TAN's protocol: ten random splits into 42 training and 20 test rows.

The paper does not say how the intensities were prepared. Here they are logarithms, which the papers on these data take
because intensities spread over four decades; methods then standardise every gene by the training rows.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pandas as pd

from ..spec import Problem, Task

FILE = "colon/colon.csv.gz"
TRAINING_ROWS = 42
SPLITS = 10
SEED = 1999


@cache
def _tissues(path):
    table = pd.read_csv(path)
    return np.log10(table.drop(columns="label").to_numpy(float)), (table["label"] == "tumour").to_numpy()


def colon(data, split):
    X, y = _tissues(data / FILE)
    order = np.random.default_rng([SEED, split]).permutation(len(y))
    train, test = order[:TRAINING_ROWS], order[TRAINING_ROWS:]
    return Task(X[train], y[train], X[test], y[test], seed=split)


def few_relevant_genes(features=500, relevant=20, rows=62):
    """Data of the same shape, smaller: a few columns shift with the class, the others do not."""

    def make(_, split):
        rng = np.random.default_rng([SEED, 1, split])
        y = rng.random(rows) < 0.6
        X = rng.normal(size=(rows, features))
        X[:, :relevant] += np.where(y, 0.6, -0.6)[:, None]
        n = TRAINING_ROWS
        return Task(X[:n], y[:n], X[n:], y[n:], seed=split)

    return make


PROBLEMS = (
    Problem("colon", SPLITS, colon, files=(FILE,)),
    Problem("few-relevant-genes", SPLITS, few_relevant_genes()),
)
