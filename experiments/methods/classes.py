"""Methods for several classes: ours in four ways (the default is `gpclass` of `today`), and what people use instead, with
the settings that each has when nothing is said. `today` has the same classifiers with settings that are searched."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

from ..scores import suspects
from ..spec import Method
from .base import estimator, fitted, gp, with_probabilities
from .today import FOLDS, one_hot, with_declared_categories

#: One squared exponential that all classes share, with one lengthscale.
PLAIN = {"multiclass": "joint", "kernel": "se", "lengthscales": "single"}
TREES = 300


def logistic(task):
    """Enough iterations to converge."""
    return one_hot(task, LogisticRegression(max_iter=5000))


def folds(task):
    """As positions of rows, since scikit-learn refuses to calibrate by a number of folds that is above a class's rows."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return list(StratifiedKFold(FOLDS, shuffle=True, random_state=task.seed).split(task.X, task.y))


def support_vectors(task):
    return one_hot(task, CalibratedClassifierCV(SVC(), cv=folds(task)))


def forest(task):
    return one_hot(task, RandomForestClassifier(TREES, random_state=task.seed))


def boosting(task):
    def make(**categories):
        return HistGradientBoostingClassifier(random_state=task.seed, **categories)

    return with_declared_categories(task, make)


def catboost(task):
    """Categories as words, which is how CatBoost knows them."""
    from catboost import CatBoostClassifier

    categories = list(task.categorical)
    quiet = {"verbose": False, "thread_count": 1, "allow_writing_files": False}
    words = FunctionTransformer(with_words, kw_args={"columns": categories})
    return make_pipeline(words, CatBoostClassifier(cat_features=categories, random_seed=task.seed, **quiet))


def with_words(X, columns):
    mixed = X.astype(object)
    mixed[:, columns] = X[:, columns].astype(str)
    return mixed


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
    gp("classes one-vs-rest", discrete=True, multiclass="one-vs-rest"),
    estimator("classes logistic regression", logistic),
    estimator("classes SVC calibrated", support_vectors),
    estimator("classes random forest", forest),
    estimator("classes gradient boosting", boosting),
    estimator("classes CatBoost", catboost, packages=("catboost",)),
    Method("classes confident learning", confident_learning, packages=("cleanlab",)),
)
