"""Kim & Ghahramani 2008, Outlier robust Gaussian process classification: Tables 1 and 2, Figure 1, and how well wrong labels are found."""

from __future__ import annotations

from functools import partial

from ..spec import Cell, Figure, Published, Study, Table
from .tan_figures import panels

CIRCLE = {"GPC with eps = 0": "ROBUST circle GPC", "robust GPC": "ROBUST circle robust GPC"}
RATES = {"0": "thyroid-flip00", "5": "thyroid-flip05", "10": "thyroid-flip10", "15": "thyroid-flip15"}
#: Table 2: log evidences and errors in percent at the rates above.
EVIDENCES = {
    "GPC": ((-24.4, 0.6), (-41.8, 0.8), (-51.8, 1.1), (-60.2, 1.0)),
    "robust GPC": ((-27.8, 0.5), (-41.7, 0.8), (-50.9, 0.7), (-59.2, 0.7)),
    "MS-robust GPC": ((-24.4, 0.6), (-41.0, 0.7), (-50.5, 0.7), (-58.6, 0.8)),
}
ERRORS = {
    "SVM": ((4.07, 0.60), (5.09, 0.96), (6.76, 1.10), (8.80, 1.13)),
    "GPC": ((3.70, 0.36), (4.90, 0.77), (7.50, 0.88), (8.15, 1.42)),
    "robust GPC": ((4.54, 0.55), (5.28, 0.56), (6.30, 0.89), (6.94, 0.75)),
    "MS-robust GPC": ((3.70, 0.36), (4.54, 0.62), (6.76, 0.76), (6.85, 0.73)),
}
OURS = "gpclass"

STUDIES = (
    Study(
        "ROBUST circle",
        problems=("circle-outliers",),
        methods=tuple(CIRCLE.values()),
        splits={"quick": 2, "default": 20, "full": None},
        quick=("circle-outliers",),
    ),
    Study(
        "ROBUST thyroid",
        problems=tuple(RATES.values()),
        methods=(*(f"ROBUST {name}" for name in ERRORS), OURS),
        splits={"quick": 1, "default": 10, "full": None},
        quick=("circle-outliers",),
    ),
)


def by_rate(score, rows):
    """A table with one column per rate; `rows` maps names to printed numbers, none for our default."""
    for row, numbers in rows.items():
        for (rate, problem), number in zip(RATES.items(), numbers or len(RATES) * [None]):
            method = OURS if row == OURS else f"ROBUST {row}"
            yield Cell(row, f"{rate} %", problem, method, score, Published(*number) if number else None)


def found_labels(score):
    """How wrong labels are found, which the paper does not ask."""
    return (cell for cell in by_rate(score, {"robust GPC": None, OURS: None}) if score == "named" or cell.column != "0 %")


def circle_cells(row, score, published):
    return (Cell(row, column, "circle-outliers", method, score, Published(value)) for (column, method), value in zip(CIRCLE.items(), published))


PROTOCOL = (
    "Ten random halves of ours, 107 training rows; the same halves and nested sets of changed labels at all rates. v0 = 1, v1 = 1e-8 and "
    "l = 0.05 are held, v2 is learned by EM-EP (from 0.1, which the paper does not give), eps by ROBUST (20) from 0.01. The paper says "
    "nothing about scaling: with standardised columns the evidence of GPC without changed labels is -23.6 ± 1.0 on our halves, "
    "with raw ones -32.1 ± 0.9; the paper has -24.4 ± 0.6, so columns are standardised. "
)

TABLES = (
    Table(
        "ROBUST Table 1",
        "ROBUST Table 1: the circle with two wrong labels",
        cells=(
            *circle_cells("log evidence", "log_evidence", (-26.96, -25.31)),
            *circle_cells("error", "error", (0.0708, 0.0240)),
            *(Cell("eps", column, "circle-outliers", method, "eps") for column, method in CIRCLE.items()),
        ),
        digits=4,
        spread="single",
        note="The paper shows one draw (errors of 7.08 % and 2.40 %); ours is the distribution over draws. v0 = 1, v1 = 1e-8 and l = 0.5 are held.",
    ),
    Table(
        "ROBUST Table 2, evidence",
        "ROBUST Table 2: log evidence on thyroid with changed training labels",
        cells=tuple(by_rate("log_evidence", EVIDENCES)),
        corner="labels changed",
        digits=1,
        note=PROTOCOL,
    ),
    Table(
        "ROBUST Table 2, error",
        "ROBUST Table 2: test error (%) on thyroid with changed training labels",
        cells=tuple(by_rate("error", ERRORS | {OURS: None})),
        corner="labels changed",
        scale=100.0,
        note=PROTOCOL + f"'{OURS}' is our default, which the paper does not have. Test labels are never changed.",
    ),
) + tuple(
    Table(
        f"Wrong labels, {title}",
        f"Wrong labels found on thyroid: {title}",
        cells=tuple(found_labels(score)),
        corner="labels changed",
        note="A row is named if its label is wrong with probability of at least 1/2. Labels are changed at random, so those of rows between "
        "the classes cannot be found by any method.",
    )
    for title, score in (
        ("precision", "precision"),
        ("recall", "recall"),
        ("precision among as many rows as were changed", "precision_at_count"),
        ("rows named", "named"),
    )
)

FIGURES = (
    Figure(
        "ROBUST Figure 1",
        "ROBUST Figure 1: the circle with two wrong labels",
        partial(panels, "circle-outliers", {"(c) GPC": CIRCLE["GPC with eps = 0"], "(d) robust GPC": CIRCLE["robust GPC"]}),
        note="First of our draws; wrong labels are circled.",
    ),
)
