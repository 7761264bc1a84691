"""Inside scikit-learn's machinery."""

import joblib
import numpy as np
import pytest
from sklearn.calibration import CalibratedClassifierCV
from sklearn.compose import ColumnTransformer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from gpclass import SE, Bias, GPClassifier


def test_pipeline_and_cross_validation(blobs, quick):
    X, y = blobs
    scores = cross_val_score(make_pipeline(StandardScaler(), GPClassifier(**quick)), X, y, cv=3, scoring="neg_log_loss")
    assert scores.mean() > -0.45


def test_grid_search_over_kernels(blobs):
    X, y = blobs
    grid = {"kernel": ["linear", SE(ard=True) + Bias()], "likelihood": ["probit"]}
    search = GridSearchCV(GPClassifier(), grid, cv=3, n_jobs=2).fit(X, y)
    assert search.best_score_ > 0.8


def test_calibration(blobs, quick):
    X, y = blobs
    model = CalibratedClassifierCV(GPClassifier(**quick), cv=3).fit(X, y)
    assert model.predict_proba(X).shape == (60, 2)


def test_column_transformer_with_frames(blobs, quick):
    pd = pytest.importorskip("pandas")
    X, y = blobs
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    transform = ColumnTransformer([("scale", StandardScaler(), ["a", "b"])], remainder="passthrough")
    model = make_pipeline(transform, GPClassifier(**quick)).set_output(transform="pandas").fit(frame, y)
    assert list(model[-1].feature_names_in_) == ["scale__a", "scale__b", "remainder__c"]
    assert list(model[-1].relevance_) == ["scale__a", "scale__b", "remainder__c"]
    assert model.score(frame, y) > 0.8


def test_joblib_parallel(blobs, quick):
    X, y = blobs

    def predict(seed):
        return GPClassifier(**quick, random_state=seed).fit(X, y).predict_proba(X)

    here = predict(1)
    for there in joblib.Parallel(n_jobs=2)(joblib.delayed(predict)(1) for _ in range(2)):
        np.testing.assert_array_equal(here, there)
    for there in joblib.Parallel(n_jobs=2, prefer="threads")(joblib.delayed(predict)(1) for _ in range(2)):
        np.testing.assert_array_equal(here, there)


def test_scikit_learn_s_own_one_versus_rest(quick):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(c, 0.4, size=(20, 2)) for c in (-2, 0, 2)])
    y = np.repeat(["a", "b", "c"], 20)
    theirs = OneVsRestClassifier(GPClassifier(**quick)).fit(X, y)
    assert theirs.score(X, y) > 0.9
    ours = GPClassifier(**quick, multiclass="one-vs-rest", class_kernels="own").fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=0.02)
