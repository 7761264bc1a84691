"""The papers' data with our defaults and with what people use today."""

from __future__ import annotations

from ..methods.today import METHODS
from ..problems.ida import PARTITIONS
from ..problems.multi import CLASSES
from ..spec import Cell, Study, Table

NAMES = tuple(method.name for method in METHODS)
IMBALANCED = tuple(one.name for one in CLASSES)
SLOW = ("image", "splice")

STUDIES = (
    Study(
        "today",
        problems=(*PARTITIONS, *IMBALANCED),
        methods=NAMES,
        splits={"quick": 1, "default": 5, "full": None},
        fewer={problem: {"default": 2} for problem in SLOW},
        quick=("twonorm-small", "waveform-small"),
    ),
)
NOTE = (
    "gpclass and gpclass EP-CV are told which columns are categories and nothing else (EP-CV: and to climb the exact "
    "leave-one-out NLP instead of the evidence). The others are scikit-learn's, with numbers standardised and categories as "
    "one-hot columns (declared as such for boosting); C and gamma of the SVC, the penalty of logistic regression, the "
    "leaves of the forest and the rate and length of boosting are chosen by five-fold cross-validated log-loss. "
)
SCORES = {
    "error": ("test error in percent", 100.0, 2),
    "nlp": ("negative log-probability of test labels in nats, times 100", 100.0, 2),
    "calibration_error": ("expected calibration error over ten bins of equal counts, times 100", 100.0, 2),
    "fit_seconds": ("processor seconds of learning", 1.0, 2),
}
#: Of tables whose size is the matter.
MEMORY = {"peak_megabytes": ("peak of the process's memory in MB, with all libraries loaded", 1.0, 0)}
#: Of two classes only.
AREA = {"auc": ("area under the ROC curve, times 100", 100.0, 2)}


def contest(name, where, score, problems, columns, note, **others):
    """A ranked table with one data set per row and one method per column; `columns` maps heads to methods."""
    title, scale, digits = (SCORES | AREA | MEMORY)[score]
    cells = tuple(Cell(problem, head, problem, method, score) for problem in problems for head, method in columns.items())
    heads = dict(corner="data set", scale=scale, digits=digits, ranked=True, note=note, **others)
    return Table(f"{name} {score}", f"{where}: {title}", cells, **heads)


def table(problems, where, score):
    return contest(f"Today {where}", where, score, problems, {name: name for name in NAMES}, NOTE)


TABLES = (
    *(table(tuple(PARTITIONS), "IDA", score) for score in SCORES),
    *(table(IMBALANCED, "Imbalanced", score) for score in SCORES),
)
FIGURES = ()
