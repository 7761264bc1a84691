"""Two-class tables of thousands of rows: our default and what people use there."""

from __future__ import annotations

from ..problems.large import LARGE
from ..spec import Study
from .beyond import contest

COLUMNS = {
    "gpclass": "gpclass",
    "LightGBM tuned": "tuned LightGBM",
    "HistGradientBoosting": "untuned gradient boosting",
    "SVC calibrated": "tuned SVC calibrated",
    "SVGP": "SVGP",
    "logistic regression": "untuned logistic regression",
}
PROBLEMS = tuple(f"large {table.name}" for table in LARGE)
#: Tables of which an SVC of all rows takes too long.
TOO_MANY_ROWS = tuple(f"large {name}" for name in ("magic", "letter", "adult", "eeg_eye"))

STUDIES = (
    Study(
        "large",
        problems=PROBLEMS,
        methods=tuple(COLUMNS.values()),
        splits={"quick": 1, "default": 1, "full": None},
        fewer={(problem, "tuned SVC calibrated"): {"default": 0, "full": 0} for problem in TOO_MANY_ROWS}
        | {("waves", method): {"quick": 0} for method in ("untuned gradient boosting", "tuned SVC calibrated", "SVGP")},
        quick=("waves",),
    ),
)
NOTE = (
    "Stratified splits of our own, 70 % of the rows for training; adult is tested on its own test rows. `gpclass` is the default and "
    "is told which columns are categories, nothing else: above 1,500 rows it learns from 16 blocks of 350 rows, above 5,000 by way of 600 "
    "inducing rows with a refinement around every prediction. LightGBM's leaves and trees are chosen by the log-loss of a "
    "fifth of the training rows, then it is fitted to all; HistGradientBoosting and logistic regression come as they are; C and gamma of the SVC, "
    "which is run where there are at most 10,000 training rows, are chosen on 3,000. SVGP is GPflow's with 500 inducing points that move, Matern 3/2 with "
    "a lengthscale a column, 2,000 steps of Adam on 256 rows each. One thread. Probabilities below 2^-52 count as that in the NLP, for all methods."
)
TABLES = tuple(
    contest("Large", "Large", score, PROBLEMS, COLUMNS, NOTE, rival="LightGBM tuned", sized=True)
    for score in ("nlp", "error", "fit_seconds", "peak_megabytes")
)
