"""What a user gets who says nothing but which columns are categories, and what people use instead: scikit-learn's
classifiers, each in the pipeline that a competent user would write (choices by cross-validated log-loss)."""

from __future__ import annotations

import numpy as np
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.gaussian_process import GaussianProcessClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegressionCV
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.svm import SVC

from .base import estimator, gp

SCORING = "neg_log_loss"
FOLDS = 5


def folds(task):
    """Every class in every fold, where it has the rows for it."""
    rarest = np.unique(task.y, return_counts=True)[1].min()
    return StratifiedKFold(int(min(FOLDS, max(rarest, 2))), shuffle=True, random_state=task.seed)


def columns(task, categories, numbers):
    """Categories, which come first, and numbers, each in their way."""
    others = [j for j in range(task.X.shape[1]) if j not in task.categorical]
    return ColumnTransformer([("categories", categories, list(task.categorical)), ("numbers", numbers, others)])


def one_hot(task, model):
    """Numbers standardised, missing ones at their mean; a missing category is one of its own."""
    numbers = make_pipeline(SimpleImputer(), StandardScaler())
    return make_pipeline(columns(task, OneHotEncoder(handle_unknown="ignore", sparse_output=False), numbers), model)


def with_declared_categories(task, make):
    """For trees that take categories and missing values as such; `make` gets the argument that declares the categories."""
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan)
    prepared = columns(task, encoder, StandardScaler())
    return make_pipeline(prepared, make(categorical_features=list(range(len(task.categorical)))))


def searched(task, model, grid):
    return GridSearchCV(model, grid, scoring=SCORING, cv=folds(task))


def gaussian_process(task):
    return one_hot(task, GaussianProcessClassifier(1.0 * RBF(1.0), random_state=task.seed))


def support_vectors(task):
    """C and gamma by the log-loss of probabilities that were calibrated by Platt's sigmoid."""
    calibrated = CalibratedClassifierCV(SVC(), cv=folds(task), ensemble=False)
    grid = {"estimator__C": np.logspace(-1, 3, 5), "estimator__gamma": np.logspace(-2, 1, 4) / task.X.shape[1]}
    return one_hot(task, searched(task, calibrated, grid))


def logistic(task):
    return one_hot(task, LogisticRegressionCV(Cs=10, l1_ratios=(0.0,), cv=folds(task), scoring=SCORING, max_iter=2000))


def forest(task):
    """Leaves of several rows, if they are better, since forests of pure leaves give probabilities of zero."""
    trees = RandomForestClassifier(n_estimators=100, random_state=task.seed)
    return one_hot(task, searched(task, trees, {"min_samples_leaf": [1, 3, 10]}))


def boosting(task):
    """Histogram gradient boosting with categories as such; how fast and how long it learns is searched."""
    grid = {"learning_rate": [0.03, 0.1], "max_iter": [50, 150]}

    def make(**categories):
        return searched(task, HistGradientBoostingClassifier(random_state=task.seed, **categories), grid)

    return with_declared_categories(task, make)


METHODS = (
    # The second version combines its candidates.
    gp("gpclass", discrete=True, version=2),
    gp("gpclass EP-CV", discrete=True, version=2, objective="loo-nlp"),
    estimator("sklearn GPC", gaussian_process),
    estimator("SVC calibrated", support_vectors),
    estimator("logistic regression", logistic),
    estimator("random forest", forest),
    estimator("gradient boosting", boosting),
)
