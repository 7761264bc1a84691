"""Seven two-class tables of 4,601 to 48,842 rows in stratified splits of our own; adult comes with its own test rows.

Seventy percent of the rows are for training. Letters A to M stand against N to Z. Columns of words are categories; a missing
cell stays missing, for categories a category of its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd

from ..spec import Problem, Task
from .multi import stratified

SPLITS = 5
SEED = 90210
TRAINING_SHARE = 0.7


@dataclass(frozen=True)
class LargeTable:
    """A file and the labels of its positive class."""

    name: str
    file: str
    positive: tuple[str, ...]
    #: Rows that are for testing in every split, where the table comes with some.
    test_file: str | None = None


LARGE = (
    LargeTable("phoneme", "large/phoneme.csv.gz", ("1",)),
    LargeTable("spambase", "large/spambase.csv.gz", ("spam",)),
    LargeTable("mammography", "large/mammography.csv.gz", ("1",)),
    LargeTable("eeg_eye", "large/eeg_eye.csv.gz", ("1",)),
    LargeTable("magic", "large/magic.csv.gz", ("g",)),
    LargeTable("letter", "multi/letter.csv.gz", tuple("ABCDEFGHIJKLM")),
    LargeTable("adult", "large/adult_train.csv.gz", (">50K",), "large/adult_test.csv.gz"),
)


@cache
def loaded(folder, table):
    """Inputs with words as codes, positive labels, the positions of the columns of words, and which rows are for testing."""
    files = [file for file in (table.file, table.test_file) if file]
    parts = [pd.read_csv(folder / file, dtype={"label": str}) for file in files]
    rows = pd.concat(parts, ignore_index=True)
    inputs = rows.drop(columns="label")
    words = [name for name in inputs.columns if not pd.api.types.is_numeric_dtype(inputs[name])]
    for name in words:
        codes = pd.factorize(inputs[name], sort=True)[0]
        inputs[name] = np.where(codes < 0, codes.max() + 1, codes)
    positions = tuple(inputs.columns.get_loc(name) for name in words)
    for_test = np.arange(len(rows)) >= len(parts[0])
    return inputs.to_numpy(float), rows["label"].isin(table.positive).to_numpy(), positions, for_test


def split_of(number, table):
    def make(folder, split):
        X, y, categorical, test = loaded(folder, table)
        if table.test_file:
            train = np.flatnonzero(~test)
        else:
            train = stratified(y, round(TRAINING_SHARE * len(y)), np.random.default_rng([SEED, number, split]))
            test = np.ones(len(y), dtype=bool)
            test[train] = False
        return Task(X[train], y[train], X[test], y[test], categorical, seed=split)

    return make


def waves(_, split):
    """Waves in two of four numbers, few enough rows for a quick run."""
    rng = np.random.default_rng([SEED, split])
    X = rng.normal(size=(900, 4))
    y = np.sin(3.0 * X[:, 0]) + X[:, 1] + 0.5 * rng.normal(size=len(X)) > 0
    return Task(X[:600], y[:600], X[600:], y[600:], seed=split)


PROBLEMS = (
    *(
        Problem(
            f"large {table.name}",
            1 if table.test_file else SPLITS,
            split_of(number, table),
            tuple(file for file in (table.file, table.test_file) if file),
        )
        for number, table in enumerate(LARGE)
    ),
    Problem("waves", SPLITS, waves),
)
