"""Inference of three and more classes at given hyperparameters, held against itself, two classes and the truth."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from several import three

from gpclass import SE, Bias, ClassInference, Inference, PerClass, infer, sample


def test_inference_of_several_classes_is_consistent():
    X, y = three(40)
    found = infer(X, y, SE(v0=2.0, l=0.7), X_test=X)
    assert isinstance(found, ClassInference) and found.converged
    assert (found.classes, found.multiclass) == (["ash", "birch", "cedar"], "joint")
    np.testing.assert_allclose(found.prior @ found.alpha, found.post_mean, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(found.nu.sum(axis=1), 0.0, atol=1e-10)
    # The sites give the posterior: Sigma = (K^-1 + T)^-1 with T_i = diag(pi_i) - pi_i pi_i' / sum(pi_i), in blocks of classes.
    n, c = found.pi.shape
    precision = np.zeros((c, n, c, n))
    rows = np.arange(n)
    for a in range(c):
        for b in range(c):
            total = found.pi.sum(axis=1)
            precision[a, rows, b, rows] = (a == b) * found.pi[:, a] - found.pi[:, a] * found.pi[:, b] / total
    prior = np.kron(np.eye(c), found.prior)
    sigma = np.linalg.solve(np.eye(c * n) + prior @ precision.reshape(c * n, c * n), prior)
    np.testing.assert_allclose(np.diag(sigma).reshape(c, n).T, found.post_var, rtol=1e-6)
    np.testing.assert_allclose((sigma @ found.nu.T.ravel()).reshape(c, n).T, found.post_mean, rtol=1e-6, atol=1e-8)
    # Three classes have an orthant probability of two differences, which is the library's.
    cov = sigma.reshape(c, n, c, n)[:, 5, :, 5]
    for k in range(3):
        contrast = np.eye(3)[k] - np.delete(np.eye(3), k, axis=0)
        spread = contrast @ (cov + np.eye(3)) @ contrast.T
        p = multivariate_normal(cov=spread).cdf(contrast @ found.post_mean[5])
        assert found.test_prob[5, k] == pytest.approx(p, abs=1e-5)
    assert found.loo_logp == pytest.approx(np.log(found.loo_prob[rows, np.searchsorted(found.classes, y)]))
    assert found.test_prob_plugin is None and found.objective == found.log_z


@pytest.mark.parametrize("likelihood, inference", [("probit", "ep"), ("robust", "ep"), ("softmax", "laplace")])
@pytest.mark.parametrize("own", [False, True], ids=["shared", "own"])
def test_gradients_of_several_classes_are_derivatives(likelihood, inference, own):
    X, y = three(36)
    arguments = {"inference": inference, "likelihood_values": {"eps": 0.1} if likelihood == "robust" else None}

    def at(v0, l):  # noqa: E741
        one = lambda factor: SE(v0=v0 * factor, l=l) + Bias(v1=0.5)  # noqa: E731
        kernel = PerClass({"ash": one(1.0), "birch": SE(v0=1.5, l=0.4), "cedar": SE(v0=2.0, l=0.9)}) if own else one(1.0)
        return infer(X, y, kernel, likelihood, **arguments)

    found, h, suffix = at(2.0, 0.7), 1e-4, "[ash]" if own else ""
    slope = (at(2.0 * np.exp(h), 0.7).log_z - at(2.0 * np.exp(-h), 0.7).log_z) / (2 * h)
    assert found.grad[f"log_v0{suffix}"] == pytest.approx(slope, rel=1e-4, abs=1e-5)
    slope = (at(2.0, 0.7 * np.exp(h)).log_z - at(2.0, 0.7 * np.exp(-h)).log_z) / (2 * h)
    assert found.grad[f"log_l{suffix}"] == pytest.approx(slope, rel=1e-4, abs=1e-5)
    assert ("lik_eps" in found.grad) == (likelihood == "robust")
    assert found.prior.shape == ((3, 36, 36) if own else (36, 36))


def test_two_classes_together_are_the_binary_model(blobs):
    X, y = blobs
    binary = infer(X, y, SE(v0=2.0, l=0.7), X_test=X)
    joint = infer(X, y, SE(v0=2.0, l=0.7), "multinomial-probit", X_test=X)
    assert isinstance(binary, Inference) and isinstance(joint, ClassInference)
    assert joint.log_z == pytest.approx(binary.log_z, rel=1e-8)
    np.testing.assert_allclose((joint.post_mean[:, 1] - joint.post_mean[:, 0]) / np.sqrt(2), binary.post_mean, rtol=1e-5)
    np.testing.assert_allclose(joint.test_prob[:, 1], binary.test_prob, atol=1e-7)
    assert infer(X, y, SE(v0=2.0, l=0.7), multiclass="joint").log_z == pytest.approx(binary.log_z, rel=1e-8)
    wrong = {"likelihood_values": {"eps": 0.05}}
    binary, joint = (infer(X, y, SE(v0=2.0, l=0.7), name, **wrong) for name in ("robust", "multinomial-probit"))
    assert joint.log_z == pytest.approx(binary.log_z, rel=1e-7)
    np.testing.assert_allclose(joint.label_error, binary.label_error, atol=1e-5)


def test_a_class_may_have_no_rows():
    X, y = three(30)
    found = infer(X, y, SE(v0=2.0, l=0.7), classes=["ash", "birch", "cedar", "oak"], X_test=[[0.0, 0.0], [50.0, 50.0]])
    assert found.converged and found.classes[3] == "oak" and found.test_prob.shape == (2, 4)
    # Where nothing is known all are alike.
    np.testing.assert_allclose(found.test_prob[1], 0.25, atol=1e-6)
    assert found.test_prob[0, 3] < 0.2


def test_softmax_probabilities_are_averaged_or_at_the_mean():
    X, y = three(30)
    found = infer(X, y, SE(v0=4.0, l=0.5), "softmax", X_test=X)
    exp = np.exp(found.test_mean)
    np.testing.assert_allclose(found.test_prob_plugin, exp / exp.sum(axis=1, keepdims=True), rtol=1e-10)
    assert (found.test_prob.max(axis=1) < found.test_prob_plugin.max(axis=1) + 1e-9).mean() > 0.9


def test_inference_of_classes_against_the_rest():
    X, y = three(30)
    found = infer(X, y, SE(v0=2.0, l=0.7), multiclass="one-vs-rest", objective="loo-nlp", X_test=X)
    assert found.multiclass == "one-vs-rest"
    each = [infer(X, y == label, SE(v0=2.0, l=0.7), X_test=X) for label in found.classes]
    assert found.log_z == pytest.approx(sum(one.log_z for one in each), rel=1e-9)
    own = np.column_stack([one.test_prob for one in each])
    np.testing.assert_allclose(found.test_prob, own / own.sum(axis=1, keepdims=True), rtol=1e-8)


@pytest.mark.parametrize("likelihood", ["probit", "robust", "softmax"])
def test_inference_is_close_to_the_truth(likelihood):
    X, y = three(15)
    values = {"eps": 0.1} if likelihood == "robust" else None
    arguments = {"likelihood_values": values, "X_test": X[:4] + 0.3}
    kernel = PerClass({"ash": SE(v0=1.0, l=0.5), "birch": SE(v0=2.0, l=0.5), "cedar": SE(v0=1.0, l=1.0)})
    truth = sample(X, y, kernel, likelihood, **arguments, chains=2, burn_in=200, samples=500, shifts=8, points=1024, runs=30)
    found = infer(X, y, kernel, likelihood, **arguments)
    assert truth.classes == found.classes and truth.method == ("orthant" if likelihood == "probit" else "annealed")
    assert found.log_z == pytest.approx(truth.log_evidence, abs=0.3 + 4 * truth.log_evidence_error)
    assert truth.mean.shape == truth.variance_error.shape == (15, 3) and truth.test_probability.shape == (4, 3)
    apart = {"probit": 0.015, "robust": 0.03, "softmax": 0.06}[likelihood]  # Laplace's method is the coarsest
    assert (np.abs(found.test_prob - truth.test_probability) < apart + 4 * truth.test_probability_error).all()
    wrong = np.abs(found.label_error - truth.label_error)
    assert (wrong < 0.1 + 4 * truth.label_error_error).all() and (truth.label_error > 0).any() == (likelihood == "robust")


def test_refusals_of_inference():
    X, y = three(30)
    kernel = SE(v0=1.0, l=1.0)
    with pytest.raises(ValueError, match="likelihood is 'multinomial'; it must be one of .*'softmax'"):
        infer(X, y, kernel, "multinomial")
    with pytest.raises(ValueError, match="of all classes together"):
        infer(X, y, kernel, "softmax", multiclass="one-vs-rest")
    with pytest.raises(ValueError, match="ep .*softmax|softmax.* ep"):
        infer(X, y, kernel, "softmax", inference="ep")
    with pytest.raises(ValueError, match="not known for several classes at once"):
        infer(X, y, kernel, "step")
    with pytest.raises(ValueError, match="data row 3 has the label .*cedar"):
        infer(X, y, kernel, classes=["ash", "birch", "oak"])
    with pytest.raises(ValueError, match="not known for several classes at once"):
        sample(X, y, kernel, "step")
