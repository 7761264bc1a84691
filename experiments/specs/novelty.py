"""Does a classifier know which rows are like nothing it has seen?"""

from __future__ import annotations

from ..spec import Cell, Study, Table

COLUMNS = {
    "gpclass": "novelty gpclass",
    "isolation forest": "novelty isolation forest",
    "local outlier factor": "novelty local outlier factor",
}
PROBLEMS = ("bupa", "glass1", "sonar", "vehicle1", "wdbc", "yeast1", "banana", "diabetis", "heart", "ringnorm", "thyroid", "waveform")
SCORES = {
    "novelty_one_column": "one number of each row moved by three standard deviations",
    "novelty_all_columns": "all numbers of each row moved by three standard deviations",
}

STUDIES = (
    Study(
        "novelty",
        problems=PROBLEMS,
        methods=tuple(COLUMNS.values()),
        splits={"quick": 1, "default": 5, "full": None},
        quick=("mixed-small",),
    ),
)
NOTE = (
    "Share, in percent, of the pairs of a test row and a moved row in which the moved one counts as the more novel; 50 is chance. "
    "The splits are those of the tables above, and at most 500 test rows are moved, each up or down at random. Where columns "
    "are many or far from normal, a row with one number moved can lie among the others."
)


def table(score, title):
    cells = tuple(Cell(name, head, name, method, score) for name in PROBLEMS for head, method in COLUMNS.items())
    heads = dict(corner="data set", scale=100.0, digits=1, ranked=True, note=NOTE)
    return Table(f"Novelty, {score}", f"Novel rows: {title}", cells, **heads)


TABLES = tuple(table(score, title) for score, title in SCORES.items())
