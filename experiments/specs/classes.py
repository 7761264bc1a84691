"""Several classes: our default, our other ways, and what people use today; and labels that were changed on purpose."""

from __future__ import annotations

from ..problems.classes import FILES, FLIP_RATES, FLIPPED, flipped_name
from ..spec import Cell, Study, Table
from .beyond import SCORES, contest

OURS = {
    "gpclass": "gpclass",
    "joint EP": "classes joint EP",
    "softmax Laplace": "classes softmax Laplace",
    "one-vs-rest": "classes one-vs-rest",
}
THEIRS = {
    "sklearn GPC": "sklearn GPC",
    "logistic regression": "untuned logistic regression",
    "SVC calibrated": "untuned SVC calibrated",
    "random forest": "untuned random forest",
    "gradient boosting": "untuned gradient boosting",
    "CatBoost": "untuned CatBoost",
}
COLUMNS = OURS | THEIRS
FINDERS = {"gpclass": "gpclass", "cleanlab": "classes confident learning"}
#: Peers that a quick run shows nothing new about.
NOT_QUICK = ("sklearn GPC", "untuned SVC calibrated", "untuned random forest", "untuned gradient boosting", "untuned CatBoost")
#: Sets of many classes or nearly a thousand training rows, and what takes minutes on each.
LONG = ("vowel", "yeast", "car", "digits", "satellite", "letter")
SLOW = (OURS["joint EP"], OURS["softmax Laplace"], OURS["one-vs-rest"], THEIRS["sklearn GPC"])

STUDIES = (
    Study(
        "classes",
        problems=tuple(FILES),
        methods=tuple(COLUMNS.values()),
        splits={"quick": 1, "default": 5, "full": None},
        fewer={("three-clouds", method): {"quick": 0} for method in NOT_QUICK}
        | {(problem, method): {"default": 1} for problem in LONG for method in SLOW},
        quick=("three-clouds",),
    ),
    Study(
        "classes wrong labels",
        problems=tuple(flipped_name(name, rate) for name in FLIPPED for rate in FLIP_RATES),
        methods=tuple(FINDERS.values()),
        splits={"quick": 1, "default": 5, "full": None},
        fewer={("three-clouds-flip10", FINDERS["cleanlab"]): {"quick": 0}},
        quick=("three-clouds-flip10",),
    ),
)
NOTE = (
    "Five stratified splits; 60 % of the rows are for training and all others are tested. Sets of more than 1500 rows (car, "
    "digits, satellite, letter) are represented by 1500 of them, drawn once. Every class has a training row. Models of all "
    "classes together, our choice by evidence and scikit-learn's take minutes where there are many classes or rows (vowel, yeast, car, "
    "digits, satellite, letter): there they have one split. `gpclass` is the default and is told which columns are categories, nothing else; `joint EP` and `softmax Laplace` "
    "are one model of all classes with one squared exponential and one lengthscale; `one-vs-rest` is our automatic choice of one model for one "
    "class against the others in turn, normalised. The others have the settings that they come with, on standardised numbers "
    "and one-hot columns for categories (declared as such for gradient boosting and CatBoost), but for logistic regression, "
    "which may iterate until it converges, a forest of 300 trees, and Platt's sigmoids in five folds around the SVC. "
    "Probabilities below 2^-52 count as that in the NLP. The calibration error is that of the predicted class."
)
WRONG = (
    "The splits of the tables above, with 5, 10 or 15 % of the training labels changed to any of the other classes. A row of "
    "ours is named if its label is wrong with a probability of at least 1/2; `cleanlab` names rows by the probabilities that a "
    "forest of 300 trees gives in five-fold cross-validation (confident learning). *Precision*: share of the named rows whose "
    "label was changed (runs that name no row do not count); *recall*: share of the changed labels that are named; "
    "*restored*: among the changed labels that are named, the share for which the suggested label is the one before the change."
)


def found_labels():
    for name in FLIPPED:
        for rate in FLIP_RATES:
            for score in ("precision", "recall", "restored"):
                for head, method in FINDERS.items():
                    row, problem = f"{name}, {100 * rate:.0f} %", flipped_name(name, rate)
                    yield Cell(row, f"{score}, {head}", problem, method, score)


TABLES = (
    *(
        contest("Classes", "Several classes", score, tuple(FILES), COLUMNS, NOTE, rival="CatBoost", sized=True)
        for score in SCORES
    ),
    Table(
        "Classes wrong labels",
        "Several classes with wrong labels: how many of the suspects are wrong, and how many wrong labels are found",
        tuple(found_labels()),
        corner="labels changed",
        note=WRONG,
    ),
)
