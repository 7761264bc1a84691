"""Reasons for predictions: against brute force in Python, and against the package shap where it is installed."""

import itertools
import math

import gpclass
import numpy as np
import pytest
from gpclass import GPClassifier


def brute_force(f, row, background):
    """Shapley values from the definition: mean over the background, sum over coalitions."""
    columns = len(row)

    def v(taken):
        mixed = background.copy()
        mixed[:, list(taken)] = row[list(taken)]
        return f(mixed).mean()

    values = np.zeros(columns)
    for p in range(columns):
        others = [q for q in range(columns) if q != p]
        for size in range(columns):
            weight = math.factorial(size) * math.factorial(columns - 1 - size) / math.factorial(columns)
            for taken in itertools.combinations(others, size):
                values[p] += weight * (v((*taken, p)) - v(taken))
    return values


def background_of(X, most):
    """Evenly spaced rows, as the library takes them."""
    kept = min(len(X), most)
    return X[[k * len(X) // kept for k in range(kept)]]


def test_log_odds_and_latent_means_agree_with_brute_force(blobs, quick):
    X, y = blobs
    model = GPClassifier(**quick).fit(X, y)
    for scale, f in (("log-odds", model.decision_function), ("latent", lambda rows: model.latent(rows)[0])):
        why = model.explain(X[:2], scale=scale, background=8)
        assert why.values.shape == (2, 3) and list(why.feature_names) == ["x1", "x2", "x3"]
        np.testing.assert_allclose(why.values.sum(axis=1) + why.base_values, f(X[:2]), atol=1e-10)
        np.testing.assert_array_equal(why.error_std, 0.0)
        for row in range(2):
            np.testing.assert_allclose(why.values[row], brute_force(f, X[row], background_of(X, 8)), atol=1e-9)


def test_several_classes_have_an_axis_of_their_own(quick):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3))
    y = np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    model = GPClassifier(**quick).fit(X, y)
    why = model.explain(X[:3], background=6)
    assert why.values.shape == (3, 3, 3) and list(why.output_names) == ["a", "b", "c"]
    np.testing.assert_allclose(why.values.sum(axis=1) + why.base_values, model.decision_function(X[:3]), atol=1e-9)
    rows, adds = model.witnesses(X[:3], k=60, of_class="b")
    np.testing.assert_allclose(adds.sum(axis=1), model.latent(X[:3])[0][:, 1], atol=1e-9)
    with pytest.raises(ValueError, match="of_class is 'd'; it must be one of 'a', 'b', 'c'"):
        model.witnesses(X[:1], of_class="d")


def test_drawn_orders_tell_their_error(blobs, quick):
    X, y = blobs
    model = GPClassifier(**quick).fit(X, y)
    exact = model.explain(X[:4], background=10)
    drawn = model.explain(X[:4], background=10, exact=0, orders=20, random_state=3)
    np.testing.assert_allclose(drawn.values.sum(axis=1), exact.values.sum(axis=1), atol=1e-10)
    assert (drawn.error_std > 0).all()
    assert (np.abs(drawn.values - exact.values) < 5 * drawn.error_std).all()


def test_witnesses_sum_to_the_latent_mean_and_tell_labels_and_values(blobs, quick, tmp_path):
    X, y = blobs
    model = GPClassifier(**quick).fit(X, y)
    rows, adds = model.witnesses(X[:2], k=60)
    assert rows.shape == (2, 60) and (np.diff(np.abs(adds), axis=1) <= 0).all()
    np.testing.assert_allclose(adds.sum(axis=1), model.latent(X[:2])[0], atol=1e-9)
    model.save(tmp_path / "m.gpc")
    told = gpclass.load(tmp_path / "m.gpc").training_rows(rows[0, :4])
    assert told["label"] == [str(label) for label in y[rows[0, :4]]] or told["label"] == list(y[rows[0, :4]])
    np.testing.assert_allclose(np.column_stack([told[f"x{j}"] for j in (1, 2, 3)]), X[rows[0, :4]], atol=1e-9)
    with pytest.raises(ValueError, match="there is no training row 60"):
        model.training_rows([60])


def test_frames_with_categories_are_explained_by_column(quick):
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"size": rng.normal(size=40), "colour": rng.choice(["red", "blue"], size=40)})
    frame.loc[::5, "size"] = np.nan
    model = GPClassifier(**quick).fit(frame, (frame["colour"] == "red").to_numpy())
    why = model.explain(frame[:3])
    assert list(why.feature_names) == ["size", "colour"] and why.data.shape == (3, 2)
    np.testing.assert_allclose(why.values.sum(axis=1) + why.base_values, model.decision_function(frame[:3]), atol=1e-9)
    assert (np.abs(why.values[:, 1]) > np.abs(why.values[:, 0])).all()


def test_options_are_checked(blobs, quick):
    X, y = blobs
    model = GPClassifier(**quick).fit(X, y)
    for options, words in (
        ({"scale": "odds"}, "scale is 'odds'; it must be one of 'log-odds', 'latent'"),
        ({"background": 0}, "background is 0; it must be at least 1"),
        ({"orders": 1}, "orders is 1; it must be at least 2"),
        ({"exact": 17}, "exact is 17; it must be at most 16"),
    ):
        with pytest.raises(ValueError, match=words):
            model.explain(X[:1], **options)


def test_slopes_of_linear_models(blobs):
    X, y = blobs
    model = GPClassifier(kernel="linear", likelihood="logistic").fit(X, y)
    first = model.slopes()[0]
    assert first["column"] == "x1" and first["low"] < first["mean"] < first["high"]
    assert first["odds_ratio"] == pytest.approx(math.exp(first["mean"]), rel=1e-5)
    shift = np.array([[X[:, 0].std(), 0.0, 0.0], [0.0, 0.0, 0.0]])
    mean = model.latent(shift)[0]
    assert mean[0] - mean[1] == pytest.approx(first["mean"], abs=1e-9)
    assert GPClassifier(kernel="se", likelihood="probit").fit(X, y).slopes() is None


def test_shap_agrees_and_its_plots_take_the_explanation(blobs, quick):
    shap = pytest.importorskip("shap")
    X, y = blobs
    model = GPClassifier(**quick).fit(X, y)
    why = model.explain(X[:3], background=20)
    assert isinstance(why, shap.Explanation)
    theirs = shap.explainers.Exact(model.decision_function, shap.maskers.Independent(background_of(X, 20)))(X[:3])
    np.testing.assert_allclose(why.values, theirs.values, atol=1e-8)
    np.testing.assert_allclose(why.base_values, theirs.base_values, atol=1e-8)
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    shap.plots.waterfall(why[0], show=False)
    plt.close("all")
    shap.plots.beeswarm(why, show=False)
    plt.close("all")
