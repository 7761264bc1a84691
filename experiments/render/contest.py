"""The default against the best method of each paper, as a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from ..compare import Records
from ..default import DEFAULT, SIGNIFICANT, contests
from ..spec import Table
from .blocks import NOTHING, Block, Grid, Heading, Text

NOTE = (
    f"For every data set of the papers' tables: `{DEFAULT}`, which is our classifier with nothing said but which columns are "
    "categories and that the best candidate is taken alone (`combine='best'`, the default of version 0.1), against whichever of the paper's methods is best in our runs. Differences are over the splits that both "
    "have run on, positive where the default is better; p is that of the two-sided t-test for pairs. Splits overlap, so the true "
    f"p is larger; and the best of several methods is favoured by having been picked. Below {SIGNIFICANT:g} a difference counts."
)
HEAD = ("table", "problem", "score", "best of the paper", "its mean", "default", "lead of the default", "p", "splits", "verdict")


#: Its remark in `remarks.py`.
REMARK = "our default"


def contest_blocks(tables: Iterable[Table], records: Records, remarks: Mapping[str, str]) -> list[Block]:
    rows = tuple(_row(contest) for contest in contests(tables, records))
    if not rows:
        return []
    counts = {verdict: sum(row[-1] == verdict for row in rows) for verdict in dict.fromkeys(row[-1] for row in rows)}
    counted = ", ".join(f"{verdict}: {count}" for verdict, count in counts.items())
    heading = Heading("Our default against the best method of each paper", 2)
    said = [Text(remarks[REMARK])] if REMARK in remarks else []
    return [heading, Text(NOTE), Text(f"Of {len(rows)} comparisons, {counted}."), Grid(HEAD, rows, fixed=2), *said]


def _row(contest):
    number = f"{{:.{contest.table.digits}f}}".format
    p = NOTHING if math.isnan(contest.p) else f"{contest.p:.3f}"
    return (
        contest.table.name, contest.problem, contest.score, contest.best, number(np.mean(contest.theirs)),
        number(np.mean(contest.ours)), f"{contest.lead:+.{contest.table.digits}f}", p, str(len(contest.ours)), contest.verdict,
    )  # fmt: skip
