"""What people use instead, with the settings that each has when nothing is said. `today` has some of the same classifiers
with settings that are searched."""

from __future__ import annotations

import warnings

import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC

from .base import estimator
from .today import FOLDS, one_hot, with_declared_categories

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


def lightgbm(task):
    """Categories as pandas has them, which is how LightGBM knows them."""
    from lightgbm import LGBMClassifier

    frame = FunctionTransformer(with_categories, kw_args={"columns": list(task.categorical)})
    return make_pipeline(frame, LGBMClassifier(random_state=task.seed, verbose=-1, n_jobs=1))


def with_categories(X, columns):
    frame = pd.DataFrame(X, columns=[f"c{j}" for j in range(X.shape[1])])
    return frame.astype({f"c{j}": "category" for j in columns})


def explainable_boosting(task):
    """An additive model of binned columns and their pairs, grown by boosting."""
    from interpret.glassbox import ExplainableBoostingClassifier

    kinds = ["nominal" if j in task.categorical else "continuous" for j in range(task.X.shape[1])]
    return ExplainableBoostingClassifier(feature_types=kinds, n_jobs=1, random_state=task.seed)


METHODS = (
    estimator("untuned logistic regression", logistic),
    estimator("untuned SVC calibrated", support_vectors),
    estimator("untuned random forest", forest),
    estimator("untuned gradient boosting", boosting),
    estimator("untuned CatBoost", catboost, packages=("catboost",)),
    estimator("untuned LightGBM", lightgbm, packages=("lightgbm",)),
    estimator("untuned EBM", explainable_boosting, packages=("interpret",)),
)
