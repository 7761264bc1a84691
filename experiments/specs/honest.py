"""Is what a fit says about itself what new rows will show?"""

from __future__ import annotations

from ..methods.honest import FOLDS
from ..problems.tables import POSITIVE
from ..spec import Cell, Study, Table

METHOD = "honest gpclass"
COLUMNS = {
    "leave-one-out": "plain_nlp",
    "corrected": "corrected_nlp",
    f"{FOLDS} folds": "folds_nlp",
    "leave-one-out - folds": "plain_minus_folds",
    "corrected - folds": "corrected_minus_folds",
}

STUDIES = (
    Study(
        "honest",
        problems=tuple(POSITIVE),
        methods=(METHOD,),
        splits={"quick": 1, "default": 1, "full": 5},
        quick=("mixed-small",),
    ),
)
NOTE = (
    "Negative log predictive probability in hundredths of a nat, of the training rows of the splits above. *leave-one-out*: by hyperparameters and weights "
    "that saw the row; *corrected*: as they would be without it, to first order, which is what a fit tells to expect; *folds*: a "
    f"cross-validation in {FOLDS} folds of everything that a fit does. Folds have a tenth fewer rows and are drawn once, so that they are themselves "
    "off by some hundredths."
)
TABLES = (
    Table(
        "Honest",
        "What the default says about itself, and what folds say about it",
        tuple(Cell(name, head, name, METHOD, score) for name in POSITIVE for head, score in COLUMNS.items()),
        corner="data set",
        scale=100.0,
        digits=1,
        note=NOTE,
    ),
)
