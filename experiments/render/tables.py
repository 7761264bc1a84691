"""Tables of results: from comparisons to the blocks that show them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

from ..compare import Comparison, Records, compare_table
from ..ranks import Ranking, rank_table
from ..scores import DIRECTION
from ..spec import Table
from .blocks import NOTHING, Grid, Number
from .numbers import between, plus_minus, signed

#: What origins of splits are called.
ORIGINS = {"ida": "original splits", "gen": "generated splits", "fold": "folds", "made": "drawn here"}


@dataclass(frozen=True)
class Result:
    """A table with everything measured for it."""

    table: Table
    compared: dict[tuple[str, str], Comparison]

    @classmethod
    def of(cls, table: Table, records: Records) -> Result:
        return cls(table, compare_table(table, records))

    @property
    def rows(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row for row, _ in self.compared))

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(column for _, column in self.compared))

    @cached_property
    def measured(self) -> tuple[str, ...]:
        """Columns with results."""
        return tuple(c for c in self.columns if any(k[1] == c and v.estimate().splits for k, v in self.compared.items()))

    @cached_property
    def sources(self) -> tuple[str, ...]:
        """Origins of splits anywhere in the table."""
        return tuple(dict.fromkeys(s for c in self.compared.values() for s in c.sources))

    @cached_property
    def ranking(self) -> Ranking | None:
        """Of all columns that have results."""
        return rank_table(self.table, self.compared, self.measured) if self.table.ranked else None

    def with_verdict(self, verdict: str) -> list[Comparison]:
        return [c for c in self.compared.values() if c.verdict() == verdict]


def grid(result: Result) -> Grid:
    """One line per row; where splits have several origins, lines below for each."""
    rows = []
    best = _best(result)
    sized = result.table.sized
    for row in result.rows:
        cells = [result.compared.get((row, column)) for column in result.columns]
        numbers = [_number(c, None, c is not None and (row, c.cell.column) in best) for c in cells]
        rows.append((row, *_training_rows(sized, cells), _splits(result, cells), *numbers))
        origins = [s for s in result.sources if any(c is not None and s in c.sources for c in cells)]
        for source in origins if len(origins) > 1 else ():
            counts = between(c.estimate(source).splits for c in cells if c is not None and source in c.sources)
            blank = [""] * sized
            rows.append((f"· {ORIGINS.get(source, source)}", *blank, counts, *(_number(c, source, False) for c in cells)))
    head = (result.table.corner, *(["rows"] * sized), "splits", *result.columns)
    return Grid(head, tuple(rows), fixed=2 + sized)


def _training_rows(sized, cells):
    counts = between(count for c in cells if c is not None for count in c.rows)
    return [counts or NOTHING] if sized else []


def _splits(result, cells):
    """How many splits a row rests on, by origin where the table has several."""
    parts = []
    for source in result.sources:
        counts = between(c.estimate(source).splits for c in cells if c is not None and source in c.sources)
        parts.append(f"{counts} {source}" if len(result.sources) > 1 and counts else counts)
    return " + ".join(part for part in parts if part) or NOTHING


def _number(compared, source, best):
    if compared is None:
        return Number("")
    digits, ours = compared.table.digits, compared.estimate(source)
    return Number(
        ours=plus_minus(ours.mean, ours.se, digits),
        published="" if source or not compared.cell.published else published_text(compared),
        z=signed(compared.z(source)),
        verdict="" if source else compared.verdict(),
        best=best,
        footnote="" if source else _lost(compared),
    )


def published_text(compared: Comparison) -> str:
    printed = compared.cell.published
    return plus_minus(printed.value, printed.spread, compared.table.digits)


def ours_text(compared: Comparison) -> str:
    ours = compared.estimate()
    return plus_minus(ours.mean, ours.se, compared.table.digits)


def _lost(compared):
    """Says that the mean leaves out runs."""
    lost = {"failed": compared.failed, "undefined": compared.undefined}
    return ", ".join(f"{count} {what}" for what, count in lost.items() if count)


def _best(result):
    """Cells that are best, to the digits shown, among those of the same problem and score."""
    groups = defaultdict(list)
    for key, compared in result.compared.items():
        if compared.estimate().splits and DIRECTION.get(compared.cell.score, 0):
            groups[compared.cell.problem, compared.cell.score].append(key)
    best = set()
    for (_, score), keys in groups.items():
        shown = {k: round(DIRECTION[score] * result.compared[k].estimate().mean, result.table.digits) for k in keys}
        if len(keys) > 1:
            best |= {key for key in keys if shown[key] == max(shown.values())}
    return best
