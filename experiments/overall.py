"""Columns of a table against one of them, over data sets: whose mean is better, and by more than chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from .compare import STANDARD_ERRORS, Comparison, Estimate
from .scores import DIRECTION
from .spec import Table


#: Differences of fewer splits are never clear.
LEAST_SPLITS = 3


@dataclass(frozen=True)
class Duel:
    """One column against the rival."""

    #: Rows by whose mean is better, and those where the difference is beyond its standard errors.
    better: tuple[str, ...]
    worse: tuple[str, ...]
    clearly_better: tuple[str, ...]
    clearly_worse: tuple[str, ...]
    rows: int


def lead(ours: Comparison, theirs: Comparison) -> Estimate:
    """By how much the first is better, split by split."""
    direction = DIRECTION.get(ours.cell.score, 0) or -1
    first, second = ours.by_split(), theirs.by_split()
    return Estimate(tuple(direction * (first[k] - second[k]) for k in sorted(set(first) & set(second))))


def is_clear(found: Estimate) -> bool:
    """Beyond its standard errors, of which two splits tell too little."""
    return found.splits >= LEAST_SPLITS and abs(found.mean) > STANDARD_ERRORS * found.se


def duel(compared: Mapping[tuple[str, str], Comparison], rows, column: str, rival: str) -> Duel:
    leads = {row: lead(compared[row, column], compared[row, rival]) for row in rows if (row, rival) in compared}
    leads = {row: found for row, found in leads.items() if found.splits}
    better = tuple(row for row, found in leads.items() if found.mean > 0)
    worse = tuple(row for row, found in leads.items() if found.mean < 0)
    clear = {row for row, found in leads.items() if is_clear(found)}
    clearly = [tuple(row for row in side if row in clear) for side in (better, worse)]
    return Duel(better, worse, *clearly, len(leads))


def means(table: Table, compared: Mapping[tuple[str, str], Comparison], columns) -> tuple[tuple[str, ...], dict[str, float]]:
    """The rows in which all columns have results of a split, and the columns' means over them. A row counts by the splits that
    all columns have, since a hard split that one of them lacks would favour it."""
    by_row = {}
    for row in dict.fromkeys(cell.row for cell in table.cells):
        values = [compared[row, column].by_split() for column in columns]
        common = set.intersection(*map(set, values)) if values else set()
        if common:
            by_row[row] = [np.mean([scores[split] for split in sorted(common)]) for scores in values]
    average = np.mean(list(by_row.values()), axis=0) if by_row else ()
    return tuple(by_row), dict(zip(columns, map(float, average)))
