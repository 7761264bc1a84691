"""At the same hyperparameters EP's probabilities are close to the sampler's, which are those of orthants."""

import numpy as np
import pytest
from experiments.methods import inference
from experiments.problems.kuss import two_clouds
from experiments.spec import Task
from experiments.specs import inference as spec
from scipy.stats import multivariate_normal


@pytest.fixture(scope="module")
def records():
    task = two_clouds(None, 0)
    found = {}
    for method in inference.METHODS:
        assert set(method.after) <= set(found)
        found[method.name] = {"split": 0, "facts": method.run(task, found).facts}
    return found


def test_evidence_of_ep_agrees_with_the_sampler(records):
    """EP is a little below the truth for a probit."""
    truth, ep = (records[name]["facts"] for name in (inference.SAMPLER, inference.EP))
    assert 0.0 < truth["log_evidence_error"] < 0.01
    assert 0.0 < truth["log_evidence"] - ep["log_evidence"] < 0.3


def test_probabilities_of_ep_are_nearer_to_the_sampler(records):
    truth = records[inference.SAMPLER]["facts"]
    assert truth[f"gap {inference.EP}"] < 0.01
    assert truth[f"gap {inference.EP}"] < 0.5 * truth[f"gap {inference.LAPLACE_AT_EP}"]


def test_each_learns_by_its_own_evidence(records):
    at_ep, own = (records[name]["facts"] for name in (inference.LAPLACE_AT_EP, inference.LAPLACE))
    assert own["log_evidence"] > at_ep["log_evidence"]


def test_figure_is_drawn_from_records_and_without_them(records):
    for lookup in (lambda problem, method: [records[method]], lambda problem, method: []):
        assert len(spec.FIGURES[0].draw(lookup).axes) == len(spec.PROBLEMS)


def test_probabilities_are_ratios_of_orthant_probabilities():
    """p(y* | y) = p(y, y*) / p(y), and p(y) is the orthant probability of N(0, yy' o (K + I)): computed here by scipy."""
    X, y, v0, scale = np.array([[0.0], [0.7], [1.1], [2.5], [0.9]]), np.array([False, True, True, False, True]), 9.0, 0.8
    sign = np.where(y, 1.0, -1.0)
    covariance = np.outer(sign, sign) * (v0 * np.exp(-0.5 * scale * (X - X.T) ** 2) + np.eye(5))
    with_test, without = (multivariate_normal.cdf(np.zeros(k), cov=covariance[:k, :k], abseps=1e-8) for k in (5, 4))
    p, facts = inference.sampler(Task(X[:4], y[:4], X[4:], y[4:]), v0, scale)
    assert facts["probability_error"] < 0.004
    assert abs(p[0] - with_test / without) < 4.0 * facts["probability_error"]
