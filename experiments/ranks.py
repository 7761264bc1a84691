"""Several methods over several problems: Friedman's, Nemenyi's and Wilcoxon's tests (Demsar 2006, EPCV section 6)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from gpclass.compare import TestResult, friedman, ranks, signed_rank_test

from .scores import DIRECTION
from .spec import Table

#: Levels at which critical differences are given.
LEVELS = (0.05, 0.10)
#: Digits after the point to which differences are rounded, so that decimal ties are ties.
TIE_DIGITS = 12


@dataclass(frozen=True)
class Test:
    statistic: float
    freedom: tuple[int, ...]
    p: float


@dataclass(frozen=True)
class Ranking:
    """How methods compare over problems."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    #: Average ranks; 1 is best.
    average: np.ndarray
    friedman: Test
    iman_davenport: Test
    #: By level.
    critical_difference: Mapping[float, float]
    #: p-values of all pairs, ones on the diagonal.
    nemenyi: np.ndarray
    wilcoxon: np.ndarray


def published_columns(table: Table) -> tuple[str, ...]:
    """Columns that the paper has; tables may have others beside them."""
    return tuple(dict.fromkeys(cell.column for cell in table.cells if cell.published is not None))


def rank_table(table: Table, compared, columns: tuple[str, ...], source: str | None = None) -> Ranking | None:
    """Ranks columns of a table over the rows that are complete in them; `None` if fewer than two rows or columns remain.

    A row's scores are means over the splits that all columns have, since methods may have run on different numbers of them.
    """
    if len(columns) < 2:
        return None
    complete = {}
    for row in dict.fromkeys(cell.row for cell in table.cells):
        cells = [compared.get((row, column)) for column in columns]
        means = _means_over_common_splits(cells, source) if all(cells) else None
        if means is not None:
            complete[row] = means
    if len(complete) < 2:
        return None
    return rank(np.array(list(complete.values())), columns, tuple(complete))


def _means_over_common_splits(cells, source):
    """Means with the sign that makes less better, or `None` without common splits."""
    if len({(c.cell.problem, c.cell.score) for c in cells}) > 1:
        raise ValueError(f"row '{cells[0].cell.row}' cannot be ranked: its columns differ in more than the method")
    values = [c.by_split(source) for c in cells]
    common = set.intersection(*(set(v) for v in values))
    if not common:
        return None
    sign = -1.0 if DIRECTION.get(cells[0].cell.score, 0) > 0 else 1.0
    return [sign * math.fsum(v[split] for split in common) / len(common) for v in values]


def published_average(table: Table) -> dict[str, float]:
    """Average ranks that follow from the printed numbers, where they are complete."""
    columns = published_columns(table)
    printed = {(c.row, c.column): c.published.value for c in table.cells if c.published is not None}
    rows = dict.fromkeys(cell.row for cell in table.cells)
    sign = -1.0 if DIRECTION.get(table.cells[0].score, 0) > 0 else 1.0
    complete = [[sign * printed[row, c] for c in columns] for row in rows if all((row, c) in printed for c in columns)]
    if not complete:
        return {}
    average = np.mean([ranks(row) for row in complete], axis=0)
    return dict(zip(columns, average.tolist(), strict=True))


def rank(scores: np.ndarray, columns: tuple[str, ...], rows: tuple[str, ...]) -> Ranking:
    """Ranks columns by scores of which less is better."""
    n, k = scores.shape
    found = friedman(scores, better="lower")
    # Where all problems agree on the order, F is infinite.
    f = found.iman_davenport or TestResult(math.inf, 0.0)
    return Ranking(
        columns,
        rows,
        found.average_ranks,
        Test(found.chi_square.statistic, (k - 1,), found.chi_square.p_value),
        Test(f.statistic, (k - 1, (k - 1) * (n - 1)), f.p_value),
        {level: found.critical_difference(level) for level in LEVELS},
        found.pairwise_p_values,
        _all_wilcoxon(scores),
    )


def _all_wilcoxon(scores):
    k = scores.shape[1]
    p = np.ones((k, k))
    for i in range(k):
        for j in range(i):
            p[i, j] = p[j, i] = wilcoxon(scores[:, i], scores[:, j])
    return p


def wilcoxon(first: np.ndarray, second: np.ndarray) -> float:
    """Exact two-sided p-value of the signed-rank test, with ties and zeros too.

    Zeros are ranked with the others, and their ranks shared by both sides (Demsar 2006) or dropped, which is the same here:
    every pattern of signs of the other ranks is equally likely.
    """
    differences = np.round(first - second, TIE_DIGITS)
    return signed_rank_test(differences, zeros="pratt", exact_up_to=len(differences)).p_value
