"""The power that the mixture of a stack is raised to."""

import numpy as np
import pytest

from gpclass import GPClassifier


@pytest.fixture(scope="module", params=[2, 3], ids=["two classes", "three classes"])
def clouds(request):
    """Clouds of points that hardly overlap, in a ring, and two columns of noise."""
    classes, rows = request.param, np.arange(120)
    angle, radius = 2.0 * np.pi * (rows % classes) / classes, 1.0 if classes == 2 else 1.25
    X = np.sin(np.outer(rows + 0.5, [12.9898, 78.233, 37.719, 93.989]))
    X[:, :2] += radius * np.column_stack([np.cos(angle), np.sin(angle)])
    return X, np.array(["red", "green", "blue"])[rows % classes]


@pytest.fixture(scope="module")
def sharp(clouds):
    return GPClassifier().fit(*clouds)


def test_it_is_told_and_can_be_switched_off(clouds, sharp):
    plain = GPClassifier(sharpen="off").fit(*clouds)
    assert sharp.sharpness_ > 1.1
    assert plain.sharpness_ == 1.0
    assert f"the power {sharp.sharpness_:.2f}" in sharp.summary()
    assert "the power" not in plain.summary()
    raised = plain.predict_proba(clouds[0]) ** sharp.sharpness_
    np.testing.assert_allclose(sharp.predict_proba(clouds[0]), raised / raised.sum(axis=1, keepdims=True), atol=1e-10)
    assert (sharp.predict(clouds[0]) == plain.predict(clouds[0])).all()
    np.testing.assert_array_equal(sharp.label_error_proba_, plain.label_error_proba_)
    for ours, theirs in zip(sharp.latent(clouds[0]), plain.latent(clouds[0])):
        np.testing.assert_array_equal(ours, theirs)


def test_other_ways_to_combine_leave_the_mixture_as_it_is(clouds):
    for arguments in ({"combine": "evidence"}, {"combine": "best"}, {"lengthscales": "single", "likelihood": "probit"}):
        assert GPClassifier(kernel="se", **arguments).fit(*clouds).sharpness_ == 1.0


def test_unknown_words_are_refused(clouds):
    with pytest.raises(ValueError, match="sharpen is 'on'; it must be one of 'auto', 'off'"):
        GPClassifier(sharpen="on").fit(*clouds)


def test_onnx_agrees(clouds, sharp):
    pytest.importorskip("onnx")
    runtime = pytest.importorskip("onnxruntime")
    session = runtime.InferenceSession(sharp.to_onnx().SerializeToString(), providers=["CPUExecutionProvider"])
    new = np.random.default_rng(1).normal(scale=2.0, size=(50, 4))
    _, probabilities, *_ = session.run(None, {"X": new})
    np.testing.assert_allclose(probabilities, sharp.predict_proba(new), rtol=0, atol=1e-6)


def test_shapley_values_sum_to_the_sharpened_log_odds(clouds, sharp):
    found = sharp.explain(clouds[0][:4])
    p = np.clip(sharp.predict_proba(clouds[0][:4]), 1e-300, 1.0)
    log_odds = np.log(p) - np.log(np.stack([np.delete(p, c, axis=1).sum(axis=1) for c in range(p.shape[1])], axis=1))
    outputs = log_odds[:, 1] if p.shape[1] == 2 else log_odds
    np.testing.assert_allclose(found.values.sum(axis=1) + found.base_values, outputs, atol=1e-8)
