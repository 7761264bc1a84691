"""Two-class tables as people have them, with the IDA sets: our default and what people use, each as it comes."""

from __future__ import annotations

from ..problems.ida import PARTITIONS
from ..problems.tables import POSITIVE
from ..spec import Study
from .beyond import contest

OURS = {"gpclass": "gpclass", "gpclass, the best alone": "gpclass best"}
THEIRS = {
    "CatBoost": "untuned CatBoost",
    "LightGBM": "untuned LightGBM",
    "EBM": "untuned EBM",
    "random forest": "untuned random forest",
    "SVC calibrated": "untuned SVC calibrated",
    "logistic regression": "untuned logistic regression",
    "sklearn GPC": "sklearn GPC",
}
COLUMNS = OURS | THEIRS
#: Peers that a quick run shows nothing new about.
NOT_QUICK = tuple(THEIRS[head] for head in ("CatBoost", "EBM", "random forest", "SVC calibrated", "sklearn GPC"))
PROBLEMS = (*POSITIVE, *PARTITIONS)

STUDIES = (
    Study(
        "tables",
        problems=PROBLEMS,
        methods=tuple(COLUMNS.values()),
        splits={"quick": 1, "default": 5, "full": None},
        fewer={("mixed-small", method): {"quick": 0} for method in NOT_QUICK},
        quick=("mixed-small",),
    ),
)
NOTE = (
    "Twelve tables in five stratified splits, 70 % of the rows for training, and the thirteen IDA sets in the first five of "
    "their own splits. No set has more than 1500 training rows, and none is cut. `gpclass` is the default and is told which "
    "columns are categories, nothing else; `gpclass, the best alone` takes the one model that scores best instead of "
    "combining several. The others have the settings that they come with; exceptions are a forest of 300 trees, Platt's sigmoids in five folds "
    "around the SVC, as many iterations as logistic regression needs to converge, and a lengthscale that scikit-learn's GPC learns. Logistic regression, the forest, the "
    "SVC and that GPC see standardised numbers and one-hot columns; CatBoost, LightGBM and EBM are told which columns are categories. Missing "
    "numbers (four cells of cleveland-0\\_vs\\_4) are the mean of the training rows for these four; the others take them as they "
    "are. One thread. Probabilities below 2^-52 count as that in the NLP, for all methods."
)
TABLES = tuple(
    contest("Tables", "Tables", score, PROBLEMS, COLUMNS, NOTE, rival="CatBoost", sized=True)
    for score in ("nlp", "error", "auc", "calibration_error", "fit_seconds")
)
