"""EP, Laplace's method and the sampler side by side, in the manner of Kuss and Rasmussen (2005)."""

from __future__ import annotations

from ..methods.inference import EP, LAPLACE, LAPLACE_AT_EP, SAMPLER
from ..spec import Cell, Figure, Study, Table
from .inference_figures import probabilities

#: Row of the tables: problem.
PROBLEMS = {
    "ionosphere": "ionosphere-folds",
    "sonar": "sonar-folds",
    "Wisconsin": "wisconsin-folds",
    "Pima": "pima768-folds",
    "crabs": "crabs-folds",
    "USPS 3 vs 5": "usps-3-vs-5",
}
COLUMNS = {"EP": EP, "Laplace": LAPLACE, "Laplace at EP's": LAPLACE_AT_EP, "sampler at EP's": SAMPLER}

STUDIES = (
    Study(
        "inference",
        problems=tuple(PROBLEMS.values()),
        methods=tuple(COLUMNS.values()),
        splits={"quick": 1, "default": 5, "full": None},
        quick=("two-clouds",),
    ),
)

NOTE = (
    "Squared exponential with one lengthscale and a probit, standardised inputs, no priors; folds of ten-fold "
    "cross-validation, and the usual split of USPS. `EP` and `Laplace` maximise their own evidence. The last two columns are at the "
    "hyperparameters that EP chose, so that the columns `EP`, `Laplace at EP's` and `sampler at EP's` differ by the "
    "approximation alone."
)


def cells(columns):
    """`columns`: head to method and score."""
    return tuple(
        Cell(row, head, problem, method, score)
        for row, problem in PROBLEMS.items()
        for head, (method, score) in columns.items()
    )


def table(name, title, score, more=None, note="", **others):
    columns = {head: (method, score) for head, method in COLUMNS.items()} | (more or {})
    return Table(name, title, cells(columns), corner="data", note=f"{NOTE} {note}".strip(), **others)


TABLES = (
    table(
        "inference-evidence",
        "EP, Laplace and the truth: log evidence",
        "log_evidence",
        {"error of the sampler": (SAMPLER, "log_evidence_error")},
    ),
    table(
        "inference-bits",
        "EP, Laplace and the truth: information in bits about a test label",
        "bits",
        digits=3,
        note="1 is all that there is to know in balanced classes, 0 is what the class frequencies tell.",
    ),
    table("inference-error", "EP, Laplace and the truth: test error in percent", "error", scale=100.0, digits=1),
    Table(
        "inference-gap",
        "Mean distance of test probabilities from the sampler's, at EP's hyperparameters",
        cells(
            {
                "EP": (SAMPLER, f"gap {EP}"),
                "Laplace": (SAMPLER, f"gap {LAPLACE_AT_EP}"),
                "error of the sampler": (SAMPLER, "probability_error"),
            }
        ),
        corner="data",
        digits=4,
        note=NOTE,
    ),
)

FIGURES = (
    Figure(
        "inference-probabilities",
        "Test probabilities of EP and Laplace against the sampler's",
        lambda records: probabilities(PROBLEMS, records),
        note="Every point is a test row of the splits that were run, all at the hyperparameters that EP chose.",
    ),
)
