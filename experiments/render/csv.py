"""A table of results as CSV: one line per cell and origin of splits, with all digits."""

from __future__ import annotations

import csv
import io
import math

from .tables import Result

HEAD = (
    "table,row,column,problem,method,score,origin,splits,mean,sd,se,failed,undefined,published,published_spread,"
    "published_se,z,verdict"
).split(",")
#: The name of all origins together.
ALL = "all"


def write(result: Result) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    for compared in result.compared.values():
        for source in (None, *compared.sources):
            writer.writerow(["" if _absent(value) else value for value in _line(compared, source)])
    return text.getvalue()


def _line(compared, source):
    cell, ours, printed = compared.cell, compared.estimate(source), compared.cell.published
    return (
        compared.table.name,
        cell.row,
        cell.column,
        cell.problem,
        cell.method,
        cell.score,
        source or ALL,
        ours.splits,
        ours.mean,
        ours.sd,
        ours.se,
        compared.failed if source is None else None,
        compared.undefined if source is None else None,
        printed and printed.value,
        printed and printed.spread,
        compared.published_se,
        compared.z(source),
        compared.verdict(source),
    )


def _absent(value):
    return value is None or (isinstance(value, float) and math.isnan(value))
