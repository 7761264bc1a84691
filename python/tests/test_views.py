"""Models that see numeric columns warped or by rank."""

import numpy as np
import pytest

from gpclass import SE, GPClassifier
from test_onnx import check

QUICK = {"kernel": "se", "likelihood": "probit", "lengthscales": "single", "n_jobs": 1}


@pytest.fixture(scope="module")
def skewed():
    rng = np.random.default_rng(3)
    Z = rng.normal(size=(80, 3))
    Z[:, 2] = rng.integers(0, 2, size=80)
    X = np.column_stack([np.exp(2.0 * Z[:, 0]), np.sinh(3.0 * Z[:, 1]), Z[:, 2]])
    return X, Z[:, 0] + np.abs(Z[:, 1]) > 0.8


@pytest.mark.parametrize("view", ["warped", "ranked"])
def test_a_view_helps_skewed_columns_and_is_told(skewed, view, tmp_path):
    X, y = skewed
    plain, model = GPClassifier(**QUICK).fit(X, y), GPClassifier(**QUICK, inputs=view).fit(X, y)
    assert (plain.inputs_, model.inputs_) == ("standardised", view)
    assert [c["name"] for c in model.candidates_] == [f"se {view}, probit"]
    assert model.log_evidence_ > plain.log_evidence_ + 5.0
    model.save(tmp_path / "m.gpc")
    again = GPClassifier.load(tmp_path / "m.gpc")
    assert again.inputs_ == view
    far = np.vstack([X, [[1e90, -1e90, 0.0], [-5.0, 0.0, 1.0]]])
    np.testing.assert_array_equal(again.predict_proba(far), model.predict_proba(far))
    assert np.isfinite(model.predict_proba(far)).all()


def test_only_order_matters_by_rank(skewed):
    X, y = skewed
    other = np.column_stack([np.log(X[:, 0]), 1e3 * np.arcsinh(X[:, 1]), X[:, 2]])
    found = [GPClassifier(**QUICK, inputs="ranked").fit(rows, y).loo_proba_ for rows in (X, other)]
    np.testing.assert_allclose(*found, rtol=0, atol=1e-12)


def test_a_warm_start_keeps_the_view(skewed):
    X, y = skewed
    model = GPClassifier(**QUICK, inputs="ranked", warm_start=True).fit(X, y)
    model.set_params(inputs="auto").fit(X, y)
    assert model.inputs_ == "ranked"


def test_kernels_by_hand_see_the_view(skewed):
    X, y = skewed
    model = GPClassifier(kernel=[SE(), SE(ard=True)], likelihood="probit", inputs="warped", combine="evidence").fit(X, y)
    assert all(" warped, probit" in c["name"] for c in model.candidates_)


@pytest.mark.parametrize("view", ["warped", "ranked"])
def test_graphs_see_it_between_and_beyond_the_training_values(skewed, view):
    X, y = skewed
    pytest.importorskip("onnxruntime")
    new = np.vstack([X[:20] * 1.01, [[1e6, -1e6, 0.0], [-50.0, 3.0, 1.0], [0.0, 1e-3, 2.0]]])
    check(GPClassifier(**QUICK, inputs=view).fit(X, y), new)
