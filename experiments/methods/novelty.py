"""Whether rows that are like nothing seen are told from test rows: ours, and two that do nothing else."""

from __future__ import annotations

import numpy as np
from sklearn.ensemble import IsolationForest
from sklearn.neighbors import LocalOutlierFactor

from ..scores import area_under_curve
from ..spec import Method, Outcome
from .base import fitted, gp_estimator, with_probabilities
from .today import one_hot

#: How far rows are moved, in standard deviations of a column among the training rows.
STEP = 3.0
#: Test rows that are moved at most.
MOST_ROWS = 500
SEED = 2026


def moved(task, all_columns):
    """Test rows with one number, or every number, moved up or down."""
    rng = np.random.default_rng([SEED, task.seed])
    X = task.X_test[:MOST_ROWS].copy()
    numbers = np.array([j for j in range(X.shape[1]) if j not in task.categorical])
    steps = STEP * rng.choice([-1.0, 1.0], size=X.shape) * np.nanstd(task.X, axis=0)
    chosen = np.zeros(X.shape, dtype=bool)
    if all_columns:
        chosen[:, numbers] = True
    else:
        chosen[np.arange(len(X)), rng.choice(numbers, size=len(X))] = True
    return np.where(chosen, X + steps, X)


def areas(task, novelty):
    """Shares of pairs of a test row and a moved one in which the moved one is the more novel."""
    plain = np.asarray(novelty(task.X_test[:MOST_ROWS]))
    found = {}
    for name, all_columns in (("novelty_one_column", False), ("novelty_all_columns", True)):
        other = np.asarray(novelty(moved(task, all_columns)))
        is_moved = np.repeat([False, True], [len(plain), len(other)])
        found[name] = area_under_curve(is_moved, np.concatenate([plain, other]))
    return found


def ours(task, _):
    model = gp_estimator(task, discrete=True)
    outcome = fitted(model, task, with_probabilities)
    outcome.facts |= areas(task, model.novelty)
    return outcome


def detector(name, make):
    def run(task, _):
        model = one_hot(task, make(task)).fit(task.X)
        return Outcome(facts=areas(task, lambda X: -model.score_samples(X)))

    return Method(name, run)


METHODS = (
    Method("novelty gpclass", ours, abilities=("novelty",)),
    detector("novelty isolation forest", lambda task: IsolationForest(random_state=task.seed)),
    detector("novelty local outlier factor", lambda task: LocalOutlierFactor(novelty=True)),
)
