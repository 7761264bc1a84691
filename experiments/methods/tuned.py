"""What people use for tables of thousands of rows, tuned on a fifth of the training rows and then fitted to all of them."""

from __future__ import annotations

import time

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

from ..spec import Method
from .base import fitted, with_probabilities
from .today import one_hot
from .untuned import with_categories

VALIDATION_SHARE = 0.2
LEAVES = (15, 31, 63, 127)
#: Trees at most, and how many may bring nothing before a fit ends.
TREES, PATIENCE = 3000, 50
RATE = 0.05
#: Rows that C and gamma are chosen on.
SEARCHED_ROWS = 3000


def parts(task, rows=None):
    """Positions of the rows to fit to and of those to choose by; at most `rows` in all."""
    chosen = np.arange(len(task.y))
    if rows is not None and rows < len(chosen):
        chosen, _ = train_test_split(chosen, train_size=rows, stratify=task.y, random_state=task.seed)
    return train_test_split(chosen, test_size=VALIDATION_SHARE, stratify=task.y[chosen], random_state=task.seed)


def lightgbm(task):
    """Leaves and trees by the log-loss of the validation rows."""
    from lightgbm import LGBMClassifier, early_stopping

    columns = list(task.categorical)
    frame = with_categories(task.X, columns)
    fit, judge = parts(task)

    def make(leaves, trees):
        return LGBMClassifier(
            num_leaves=leaves, n_estimators=trees, learning_rate=RATE, random_state=task.seed, verbose=-1, n_jobs=1
        )

    tried = []
    for leaves in LEAVES:
        model = make(leaves, TREES)
        model.fit(
            frame.iloc[fit],
            task.y[fit],
            eval_set=[(frame.iloc[judge], task.y[judge])],
            callbacks=[early_stopping(PATIENCE, verbose=False)],
        )
        tried.append((model.best_score_["valid_0"]["binary_logloss"], leaves, max(model.best_iteration_, 1)))
    _, leaves, trees = min(tried)
    return make_pipeline(FunctionTransformer(with_categories, kw_args={"columns": columns}), make(leaves, trees))


def support_vectors(task):
    """C and gamma by the log-loss of the validation rows, among few rows; Platt's sigmoid in three folds."""
    fit, judge = parts(task, SEARCHED_ROWS)

    def make(c, gamma):
        return one_hot(task, CalibratedClassifierCV(SVC(C=c, gamma=gamma), cv=3, ensemble=False))

    def loss(c, gamma):
        model = make(c, gamma).fit(task.X[fit], task.y[fit])
        return log_loss(task.y[judge], model.predict_proba(task.X[judge]))

    grid = [(c, g / task.X.shape[1]) for c in (1.0, 10.0, 100.0) for g in (0.1, 1.0, 10.0)]
    return make(*min(grid, key=lambda pair: loss(*pair)))


def tuned(name, make, **others):
    """A method from `make(task)`, which tunes; that is part of its time of learning."""

    def run(task, _):
        start = time.process_time()
        model = make(task)
        tuning = time.process_time() - start
        outcome = fitted(model, task, with_probabilities)
        outcome.fit_seconds += tuning
        return outcome

    return Method(name, run, foreign=True, **others)


METHODS = (
    tuned("tuned LightGBM", lightgbm, packages=("lightgbm",)),
    tuned("tuned SVC calibrated", support_vectors),
)
