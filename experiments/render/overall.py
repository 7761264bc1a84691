"""Below a table of many data sets: means, ranks and how often each method beats the rival."""

from __future__ import annotations

from ..compare import STANDARD_ERRORS
from ..overall import LEAST_SPLITS, duel, means
from .blocks import NOTHING, Block, Grid, Text
from .markdown import plain
from .numbers import fixed
from .tables import Result


def overall_blocks(result: Result) -> list[Block]:
    """Nothing for tables without a rival, or before there are results."""
    table, columns = result.table, result.measured
    complete, found = means(table, result.compared, columns)
    if table.rival is None or not found:
        return []
    ranks = dict(zip(result.ranking.columns, result.ranking.average, strict=True)) if result.ranking else {}
    rows = [
        (f"mean of {len(complete)} data sets", *(fixed(found[c], table.digits) for c in columns)),
        ("average rank", *(fixed(ranks.get(c), 2) for c in columns)),
    ]
    if table.rival in columns:
        rows += _duels(result, columns)
    return [Grid(("over all data sets", *columns), tuple(rows)), *_behind(result, columns)]


def _duels(result, columns):
    rival = result.table.rival
    found = {c: duel(result.compared, result.rows, c, rival) for c in columns if c != rival}
    counts = {
        f"better than {rival}": lambda d: f"{len(d.better)} of {d.rows}",
        f"clearly better than {rival}": lambda d: str(len(d.clearly_better)),
        f"clearly worse than {rival}": lambda d: str(len(d.clearly_worse)),
    }
    return [(head, *(count(found[c]) if c in found else NOTHING for c in columns)) for head, count in counts.items()]


def _behind(result, columns):
    """Where the first column, our default, is clearly behind another; of times, the table tells enough."""
    first, *others = columns
    if all(cell.score == "fit_seconds" for cell in result.table.cells):
        return []
    lines = []
    for other in others:
        rows = duel(result.compared, result.rows, first, other).clearly_worse
        if rows:
            lines.append(f"- {plain(other)}: {', '.join(map(plain, rows))}")
    told = f"*Clearly*: the mean of the differences, split by split, is beyond {STANDARD_ERRORS:g} of its standard errors, "
    told += f"and there are at least {LEAST_SPLITS} of them. "
    told += "Means are over the splits that all methods have. "
    if not lines:
        enough = sum(result.compared[row, first].estimate().splits >= LEAST_SPLITS for row in result.rows)
        return [Text(f"{told}On none of the {enough} data sets with that many is {plain(first)} clearly behind another method.")]
    return [Text(f"{told}{plain(first)} is clearly behind\n\n" + "\n".join(lines))]
