"""Is our automatic choice of one model, the default of version 0.1, worse than the best method of a paper anywhere? Paired
over the splits that both have."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from gpclass.compare import resampled_t_test

from .compare import Records, value_of
from .methods.combined import BEST
from .scores import DIRECTION
from .spec import Table

DEFAULT = BEST
SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Contest:
    """A problem of a paper's table: its best method, by our runs, against the default."""

    table: Table
    problem: str
    score: str
    #: The best method, and the scores of both by split, in the table's unit.
    best: str
    theirs: np.ndarray
    ours: np.ndarray
    direction: int

    @property
    def lead(self) -> float:
        """How much better the default is on average."""
        return self.direction * float(np.mean(self.ours - self.theirs))

    @property
    def p(self) -> float:
        """Two-sided, by the t-test for pairs; not a number for fewer than three splits. Splits overlap, so that the true
        value is larger."""
        if len(self.ours) < 3:
            return math.nan
        difference = self.ours - self.theirs
        if np.all(difference == difference[0]):
            return 1.0 if difference[0] == 0.0 else 0.0
        # Nothing is corrected for: the sizes of the splits differ between papers.
        return resampled_t_test(self.ours, self.theirs, test_to_train=0.0).p_value

    @property
    def verdict(self) -> str:
        if math.isnan(self.p):
            return "too few splits"
        if self.p >= SIGNIFICANT:
            return "no significant difference"
        return "default better" if self.lead > 0 else "default worse"


def contests(tables: Iterable[Table], records: Records) -> list[Contest]:
    """Contests for the problems and scores of all tables with published numbers, where the default has run."""
    found = []
    for table in tables:
        groups = {}
        for cell in table.cells:
            if cell.published and DIRECTION.get(cell.score) and cell.score != "log_evidence":
                groups.setdefault((cell.problem, cell.score), []).append(cell.method)
        for (problem, score), methods in groups.items():
            found += filter(None, [_contest(table, problem, score, methods, records)])
    return found


def _contest(table, problem, score, methods, records):
    ours = _scores(table, records, problem, DEFAULT, score)
    theirs = {method: _scores(table, records, problem, method, score) for method in methods}
    theirs = {method: scores for method, scores in theirs.items() if scores}
    common = sorted(set(ours).intersection(*theirs.values())) if theirs else []
    if not common:
        return None
    direction = DIRECTION[score]
    means = {method: direction * np.mean([scores[k] for k in common]) for method, scores in theirs.items()}
    best = max(means, key=means.get)
    pick = lambda scores: np.array([scores[k] for k in common])  # noqa: E731
    return Contest(table, problem, score, best, pick(theirs[best]), pick(ours), direction)


def _scores(table, records, problem, method, score):
    values = {record["split"]: value_of(record, score) for record in records.of(problem, method)}
    return {split: table.scale * value for split, value in values.items() if value is not None}
