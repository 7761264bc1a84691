"""Inference by way of inducing rows, and its refinement."""

import json
import pathlib

import numpy as np
import pytest

import gpclass
from gpclass import SE, Bias, infer

REFERENCE = pathlib.Path(__file__).parents[2] / "crates/gpclass/tests/reference_sparse"


def test_reference_values():
    case = json.loads((REFERENCE / "robust_bias_negative_tau_a.json").read_text())
    kernel, likelihood = case["kernel"], case["likelihood"]
    found = infer(
        case["X_encoded"],
        case["y"],
        SE(ard=True, v0=kernel["v0"], l=kernel["l"]) + Bias(v1=kernel["v1"]),
        "full",
        likelihood_values={"eps": likelihood["eps"], "b": likelihood["b"], "sigma": likelihood["sigma2"] ** 0.5},
        X_test=case["Xtest_encoded"],
        inducing=case["Z_encoded"],
        jitter=kernel["jitter_relative_to_v0"],
        refine=8,
    )
    assert found.converged and found.inducing == len(case["Z_encoded"]) and found.n_negative_sites > 0
    assert found.log_z == pytest.approx(case["log_evidence"], abs=1e-6)
    np.testing.assert_allclose(found.residual_variance, case["residual_variance_D"], atol=1e-6)
    np.testing.assert_allclose(found.test_prob, case["prediction"]["probability"], atol=1e-6)
    np.testing.assert_allclose(found.refined_prob, case["refined"]["probability"], atol=1e-6)
    np.testing.assert_allclose(found.post_mean, case["latent"]["mean"], atol=1e-5)
    assert found.grad["lik_eps"] == pytest.approx(case["gradient"]["eps"], abs=1e-4)


def test_several_classes_and_mistakes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.digitize(X[:, 0], [-0.5, 0.5])
    kernel = SE(v0=4.0, l=0.5)
    found = infer(X, y, kernel, inducing=X[::4], refine=60, X_test=X[:5])
    exact = infer(X, y, kernel, multiclass="one-vs-rest", X_test=X[:5])
    assert found.multiclass == "one-vs-rest" and found.inducing == 15
    np.testing.assert_allclose(found.refined_prob, exact.test_prob, atol=1e-5)
    with pytest.raises(ValueError, match="inducing has 1 columns, but X has 2"):
        infer(X, y, kernel, inducing=X[:5, :1])
    with pytest.raises(ValueError, match="give inducing too"):
        infer(X, y, kernel, refine=5)
    with pytest.raises(ValueError, match="laplace does not infer by way of inducing rows"):
        infer(X, y > 1, kernel, inference="laplace", inducing=X[:5])
    with pytest.raises(ValueError, match="one-vs-rest"):
        infer(X, y, kernel, multiclass="joint", inducing=X[:5])
    assert gpclass.infer is infer
