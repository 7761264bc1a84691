"""Methods for several classes: ours in four ways (the default is `gpclass` of `today`), and confident learning, which finds
wrong labels. What people use instead is in `untuned`."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import cross_val_predict

from ..scores import suspects
from ..spec import Method
from .base import fitted, gp, with_probabilities
from .untuned import folds, forest

#: One squared exponential that all classes share, with one lengthscale.
PLAIN = {"multiclass": "joint", "kernel": "se", "lengthscales": "single", "combine": "best"}


def confident_learning(task, _):
    """cleanlab's suspects by the probabilities that a forest gives to left-out rows."""
    from cleanlab.filter import find_label_issues

    model = forest(task)
    outcome = fitted(model, task, with_probabilities)
    p = cross_val_predict(model, task.X, task.y, cv=folds(task), method="predict_proba")
    suspicion, suggestion = 1.0 - p[np.arange(len(task.y)), task.y], p.argmax(axis=1)
    # Its own worker processes need a start by forking, which ours do not have.
    named = find_label_issues(task.y, p, n_jobs=1)
    outcome.facts |= suspects(task.flipped, suspicion, named, suggestion == task.original)
    return outcome


METHODS = (
    gp("classes joint EP", discrete=True, likelihood="probit", **PLAIN),
    gp("classes softmax Laplace", discrete=True, likelihood="logistic", inference="laplace", **PLAIN),
    gp("classes one-vs-rest", discrete=True, multiclass="one-vs-rest", combine="best"),
    Method("classes confident learning", confident_learning, foreign=True, packages=("cleanlab",)),
)
