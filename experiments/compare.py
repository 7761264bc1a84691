"""Our numbers beside the published ones: means over splits, standard errors, and differences in standard errors."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .scores import DIRECTION
from .spec import Cell, Table

#: A difference counts from this many standard errors on.
STANDARD_ERRORS = 2.0
#: Fewer splits than this do not tell their own standard deviation.
FEW_SPLITS = 5
#: The order in which origins of splits are shown.
SOURCES = ("ida", "gen", "fold", "made")
SPREADS = ("sd", "se", "single")


class Records:
    """Records by problem and method, ordered by split."""

    def __init__(self, records: Iterable[dict]):
        self.done, self.failed = defaultdict(list), defaultdict(list)
        for record in sorted(records, key=lambda r: (r["problem"], r["method"], r["split"])):
            kept = self.failed if "failed" in record else self.done
            kept[record["problem"], record["method"]].append(record)

    def of(self, problem: str, method: str) -> list[dict]:
        """Records of runs that did not fail."""
        return self.done.get((problem, method), [])

    def problems(self) -> set[str]:
        return {problem for problem, _ in (*self.done, *self.failed)}


@dataclass(frozen=True)
class Estimate:
    """The mean of a score over splits."""

    values: tuple[float, ...]

    @property
    def splits(self) -> int:
        return len(self.values)

    @property
    def mean(self) -> float:
        return float(np.mean(self.values)) if self.values else math.nan

    @cached_property
    def sd(self) -> float:
        """Standard deviation over splits; not a number for fewer than two."""
        return float(np.std(self.values, ddof=1)) if self.splits > 1 else math.nan

    @property
    def se(self) -> float:
        """Standard error of the mean, as if splits were independent."""
        return self.sd / math.sqrt(self.splits) if self.splits > 1 else math.nan


@dataclass(frozen=True)
class Comparison:
    """A cell with what was measured, all numbers in the table's unit."""

    table: Table
    cell: Cell
    #: Scores by origin of the split (in the order of `SOURCES`) and by its number.
    values: Mapping[str, Mapping[int, float]]
    #: Runs that failed, and runs where the score is not defined.
    failed: int = 0
    undefined: int = 0
    #: Different numbers of training rows.
    rows: tuple[int, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(self.values)

    def by_split(self, source: str | None = None) -> dict[int, float]:
        """Scores by number of split, of one origin or of all."""
        chosen = self.values.values() if source is None else [self.values.get(source, {})]
        return {split: value for scores in chosen for split, value in scores.items()}

    def estimate(self, source: str | None = None) -> Estimate:
        return Estimate(tuple(self.by_split(source).values()))

    @property
    def published_se(self) -> float | None:
        return published_se(self.table, self.cell)

    def z(self, source: str | None = None) -> float | None:
        """Difference from the published number in standard errors."""
        return difference(self.table, self.cell, self.estimate(source))

    def verdict(self, source: str | None = None) -> str:
        """One word: `missing`, `unpublished`, `unclear` (no standard error), `within`, `better`, `worse`, or `differs` for
        scores that have no better direction."""
        return verdict(self.cell, self.estimate(source), self.z(source))


def verdict(cell: Cell, ours: Estimate, z: float | None) -> str:
    if not ours.splits:
        return "missing"
    if cell.published is None:
        return "unpublished"
    if z is None:
        return "unclear"
    if abs(z) <= STANDARD_ERRORS:
        return "within"
    direction = DIRECTION.get(cell.score, 0)
    return "differs" if direction == 0 else "better" if z * direction > 0 else "worse"


def compare_table(table: Table, records: Records) -> dict[tuple[str, str], Comparison]:
    """Comparisons by row and column, in the table's order."""
    if table.spread not in SPREADS:
        raise ValueError(f"'{table.name}' has the spread '{table.spread}'; it must be one of {', '.join(SPREADS)}")
    compared = {}
    for cell in table.cells:
        if (cell.row, cell.column) in compared:
            raise ValueError(f"'{table.name}' has two cells in row '{cell.row}' and column '{cell.column}'")
        compared[cell.row, cell.column] = compare(table, cell, records)
    return compared


def compare(table: Table, cell: Cell, records: Records) -> Comparison:
    values, undefined = defaultdict(dict), 0
    done = records.of(cell.problem, cell.method)
    for record in done:
        value = value_of(record, cell.score)
        if value is None:
            undefined += 1
        else:
            values[origin(record)][record["split"]] = table.scale * value
    ordered = {source: values[source] for source in sorted(values, key=_place)}
    published_se(table, cell)  # raises if the table is incomplete, with or without records
    failed = len(records.failed.get((cell.problem, cell.method), ()))
    rows = tuple(sorted({record["rows"] for record in done if "rows" in record}))
    return Comparison(table, cell, ordered, failed, undefined, rows)


def value_of(record: dict, score: str) -> float | None:
    """A score of a record: from its scores, its facts or the record itself; `None` if it is not a finite number there."""
    for place in (record.get("scores") or {}, record.get("facts") or {}, record):
        if score in place:
            value = place[score]
            return float(value) if isinstance(value, (int, float)) and math.isfinite(value) else None
    return None


def origin(record: dict) -> str:
    """`ida` for `ida:7`."""
    return str(record.get("source", "made")).split(":")[0]


def _place(source):
    return (SOURCES.index(source), "") if source in SOURCES else (len(SOURCES), source)


def published_splits(table: Table, cell: Cell) -> int | None:
    """Over how many splits the published number is a mean; given by row, problem or column."""
    for name in (cell.row, cell.problem, cell.column):
        if name in table.published_splits:
            return table.published_splits[name]
    return None


def published_se(table: Table, cell: Cell) -> float | None:
    """Standard error of a published mean, where the table tells."""
    printed, splits = cell.published, published_splits(table, cell)
    if printed is None or printed.spread is None or table.spread == "single":
        return None
    if table.spread == "se":
        return printed.spread
    if splits is None:
        raise ValueError(
            f"'{table.name}' gives standard deviations but does not say over how many splits for row '{cell.row}', "
            f"column '{cell.column}'; add it to published_splits"
        )
    return printed.spread / math.sqrt(splits)


def difference(table: Table, cell: Cell, ours: Estimate) -> float | None:
    """(ours - published) in standard errors of that difference; `None` where no standard error is known."""
    if cell.published is None or not ours.splits:
        return None
    width = _standard_error(table, cell, ours)
    gap = ours.mean - cell.published.value
    if width is None:
        return None
    if width > 0.0:
        return gap / width
    return 0.0 if abs(gap) <= 0.5 * 10.0**-table.digits else math.copysign(math.inf, gap)


def _standard_error(table, cell, ours):
    """Of the difference; `None` if no standard deviation over splits is known.

    What one side does not tell is taken from the other: a published number without spread has our standard deviation, and
    few splits of ours have the published one, since a standard deviation of two or three numbers says little.
    """
    splits = 1 if table.spread == "single" else published_splits(table, cell)
    theirs, sd = published_se(table, cell), ours.sd
    if ours.splits < FEW_SPLITS and theirs is not None and splits is not None:
        sd = theirs * math.sqrt(splits)
    if math.isnan(sd):
        return None
    if theirs is None:
        theirs = sd / math.sqrt(splits) if splits else 0.0
    return math.hypot(sd / math.sqrt(ours.splits), theirs)
