"""Frames, categories, labels of all kinds, missing values."""

import numpy as np
import pytest

from gpclass import DataWarning, GPClassifier

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")


def mixed(n=60):
    rng = np.random.default_rng(3)
    colour = rng.choice(["red", "green", "blue"], size=n)
    size = rng.normal(size=n)
    y = np.where((colour == "red") | (size > 1.0), "yes", "no")
    return {"colour": colour, "size": size, "flag": rng.random(n) > 0.5}, y


FRAMES = {
    "pandas object": lambda d: pd.DataFrame(d),
    "pandas category": lambda d: pd.DataFrame(d).astype({"colour": "category"}),
    "pandas string": lambda d: pd.DataFrame(d).astype({"colour": "string", "size": "Float64", "flag": "boolean"}),
    "polars": lambda d: pl.DataFrame({k: v.tolist() for k, v in d.items()}),
    "polars categorical": lambda d: pl.DataFrame({k: v.tolist() for k, v in d.items()}).with_columns(
        pl.col("colour").cast(pl.Categorical)
    ),
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES.keys())
def test_frames_agree(make, quick):
    data, y = mixed()
    reference = GPClassifier(**quick).fit(pd.DataFrame(data), y)
    model = GPClassifier(**quick).fit(make(data), y)
    assert list(model.relevance_) == ["colour", "size", "flag"]
    np.testing.assert_array_equal(model.predict_proba(make(data)), reference.predict_proba(pd.DataFrame(data)))
    assert model.score(make(data), y) > 0.85


def test_categories_of_arrays(quick):
    data, y = mixed()
    frame = pd.DataFrame(data)
    array = frame.to_numpy(dtype=object)
    reference = GPClassifier(**quick).fit(frame, y).predict_proba(frame)
    for chosen in ([0, 2], [-3, 2], np.array([True, False, True])):
        model = GPClassifier(**quick, categorical_features=chosen).fit(array, y)
        np.testing.assert_allclose(model.predict_proba(array), reference, rtol=1e-12)
    model = GPClassifier(**quick, categorical_features=["colour", "flag"]).fit(frame, y)
    np.testing.assert_allclose(model.predict_proba(frame), reference, rtol=1e-12)


def test_numbers_can_be_categories(quick):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, size=(50, 2)).astype(float)
    y = np.isin(X[:, 0], [0, 3])
    model = GPClassifier(**quick, categorical_features=[0]).fit(X, y)
    assert model.score(X, y) == 1.0


def test_unseen_categories_warn_and_predict(quick):
    data, y = mixed()
    model = GPClassifier(**quick).fit(pd.DataFrame(data), y)
    new = pd.DataFrame({"colour": ["violet"], "size": [0.0], "flag": [True]})
    with pytest.warns(DataWarning, match="never seen in training"):
        assert 0 < model.predict_proba(new)[0, 1] < 1


@pytest.mark.parametrize(
    "labels",
    [
        [True, False],
        ["ill", "well"],
        [3, 17],
        [-1.0, 2.0],
        pd.Categorical(["x", "y"]),
        np.array(["a", "b"], dtype=object),
    ],
    ids=str,
)
def test_labels_keep_their_kind(blobs, quick, labels):
    X, y = blobs
    labels = np.asarray(labels)
    named = labels[y]
    model = GPClassifier(**quick).fit(X, named)
    assert model.classes_.dtype == named.dtype
    assert set(model.predict(X)) <= set(labels.tolist())
    series = GPClassifier(**quick).fit(pd.DataFrame(X), pd.Series(named))
    assert (series.predict(pd.DataFrame(X)) == model.predict(X)).all()


def test_missing_values(blobs, quick):
    X, y = blobs
    X = X.copy()
    X[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        GPClassifier(**quick, missing="error").fit(X, y)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    with pytest.raises(ValueError, match="data row 4 has no value in column 'b'"):
        GPClassifier(**quick, missing="error").fit(frame, y)
    with pytest.warns(DataWarning, match="Column 'b' had 1 missing value, replaced by its mean or median"):
        GPClassifier(**quick).fit(frame, y)
    with pytest.warns(DataWarning, match="replaced by its mean"):
        model = GPClassifier(**quick, missing="impute").fit(X, y)
    with pytest.warns(DataWarning):
        assert np.isfinite(model.predict_proba(X)).all()
    data, labels = mixed()
    frame = pd.DataFrame(data)
    frame.loc[2, "colour"] = None
    with pytest.warns(DataWarning, match="separate category"):
        GPClassifier(**quick, missing="category").fit(frame, labels)
    with pytest.raises(ValueError, match="no label"):
        GPClassifier(**quick).fit(X[:, :1], np.where(y == 1, "a", None))


def test_columns_are_checked_by_name(quick):
    data, y = mixed()
    frame = pd.DataFrame(data)
    model = GPClassifier(**quick).fit(frame, y)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"size": "sizes"}))
    with pytest.raises(ValueError, match="not numbers"):
        GPClassifier(**quick, categorical_features=["flag"]).fit(frame, y)
    with pytest.raises(ValueError, match="no column"):
        GPClassifier(**quick, categorical_features=["nonsense"]).fit(frame, y)
    with pytest.raises(ValueError, match="held numbers in training|not numbers"):
        model.predict(frame.assign(size="large"))


@pytest.mark.parametrize(
    "argument, error",
    [
        ({"kernel": "sex"}, ValueError),
        ({"kernel": []}, ValueError),
        ({"likelihood": "gaussian"}, ValueError),
        ({"inference": "vb"}, ValueError),
        ({"objective": "accuracy"}, ValueError),
        ({"objective": ("loo-f", 2.0)}, ValueError),
        ({"lengthscales": "many"}, ValueError),
        ({"multiclass": "ovo"}, ValueError),
        ({"class_kernels": "each"}, ValueError),
        ({"priors": 3}, ValueError),
        ({"priors": {"eps": "beta"}}, TypeError),
        ({"fixed": ["eps"]}, TypeError),
        ({"fixed": {"nonsense": 1.0}}, ValueError),
        ({"missing": "drop"}, ValueError),
        ({"categorical_features": "all"}, ValueError),
        ({"categorical_features": [9]}, ValueError),
        ({"n_restarts": -1}, ValueError),
        ({"n_restarts": 1.5}, TypeError),
        ({"max_iter": "many"}, TypeError),
        ({"tol": -1.0}, ValueError),
        ({"n_jobs": 0}, ValueError),
        ({"random_state": "seed"}, TypeError),
        ({"callback": 3}, TypeError),
    ],
    ids=str,
)
def test_arguments_are_checked_in_fit(blobs, argument, error):
    model = GPClassifier(**argument)
    with pytest.raises(error):
        model.fit(*blobs)
