"""Fitting again on the relevant features."""

import numpy as np
import pandas as pd
import pytest

from gpclass import GPClassifier, refit_on_relevant


@pytest.fixture(scope="module")
def rows():
    X = np.random.default_rng(2).normal(size=(80, 5))
    return X, X[:, 3] + 0.5 * X[:, 1] > 0


@pytest.fixture(scope="module")
def first(rows):
    return GPClassifier(kernel="se", likelihood="probit", lengthscales="ard", n_jobs=1).fit(*rows)


def test_the_relevant_columns_are_kept_in_their_order(rows, first):
    X, y = rows
    again = refit_on_relevant(first, X, y, count=2)
    assert (again.columns, again.names) == ([1, 3], ["x2", "x4"])
    same = GPClassifier(**first.get_params()).fit(X[:, [1, 3]], y)
    np.testing.assert_array_equal(again.estimator.predict_proba(X[:, [1, 3]]), same.predict_proba(X[:, [1, 3]]))
    assert first.n_features_in_ == 5


def test_a_share_is_of_the_largest_effect(rows, first):
    X, y = rows
    effects = np.array(first._model.prior_effects())
    for share in (0.0, 0.3, 1.0, 2.0):
        kept = np.flatnonzero(effects >= min(share, 1.0) * effects.max()).tolist()
        assert refit_on_relevant(first, X, y, share=share).columns == kept


def test_frames_with_categories_and_classifiers_not_yet_fitted(rows):
    X, y = rows
    frame = pd.DataFrame({"a": X[:, 0], "kind": np.where(y, "p", "q"), "b": X[:, 2]})
    frame.loc[:9, "kind"] = np.where(y[:10], "q", "p")
    for categorical in ("from_dtype", ["kind"], [1], [False, True, False]):
        model = GPClassifier(
            kernel="se", likelihood="probit", lengthscales="ard", categorical_features=categorical, n_jobs=1
        )
        again = refit_on_relevant(model, frame, y, count=1)
        assert (again.names, again.columns) == (["kind"], [1])
        assert list(again.estimator.feature_names_in_) == ["kind"]
        assert not hasattr(model, "effects_")


@pytest.mark.parametrize("options", [{}, {"share": 0.1, "count": 1}, {"count": 0}, {"share": -0.5}])
def test_exactly_one_choice_is_needed(rows, first, options):
    with pytest.raises(ValueError, match="count|share"):
        refit_on_relevant(first, *rows, **options)
