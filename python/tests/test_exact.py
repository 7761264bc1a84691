"""Simulated truth against closed forms, scipy's integrals and expectation propagation."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import multivariate_normal, norm

from gpclass import SE, Bias, ConvergenceWarning, Noise, infer, sample

QUICK = {"samples": 500, "points": 1021, "n_jobs": 1}
KERNEL = SE(v0=2.0, l=0.7)


@pytest.fixture
def five():
    X = np.array([[-1.6], [-0.7], [0.1], [0.9], [2.0]])
    return X, np.array([-1, 1, -1, 1, 1])


def orthant(prior, signs, sigma=1.0, bias=0.0):
    """The evidence of a probit by scipy: P(-y (f + noise) <= y bias)."""
    cov = np.outer(signs, signs) * prior + sigma**2 * np.eye(len(signs))
    law = multivariate_normal(cov=cov, abseps=1e-6, releps=1e-6, maxpts=200_000, seed=1)
    return np.log(law.cdf(np.asarray(signs) * bias))


def test_evidence_of_two_rows_is_a_closed_form():
    found = sample([[0.0], [1.0]], [-1, 1], SE(v0=1.0, l=1.0), **QUICK)
    truth = np.log(0.25 - np.arcsin(np.exp(-0.5) / 2) / (2 * np.pi))
    assert found.method == "orthant"
    assert abs(found.log_evidence - truth) <= 4 * found.log_evidence_error + 1e-9


def test_evidence_is_the_orthant_probability(five):
    X, y = five
    near = infer(X, y, KERNEL)
    found = sample(X, y, KERNEL, **QUICK)
    truth = orthant(near.prior, y)
    assert abs(found.log_evidence - truth) <= 4 * found.log_evidence_error + 1e-5
    assert found.log_evidence_error < 1e-3
    assert found.log_evidence == pytest.approx(near.log_z, abs=0.03)
    shifted = {"likelihood_values": {"b": 0.4}, **QUICK}
    found = sample(X, y, KERNEL + Bias(v1=0.5), "probit-bias", **shifted)
    assert found.log_evidence == pytest.approx(orthant(near.prior + 0.5, y, bias=0.4), abs=1e-3)


def test_moments_and_probabilities_agree_with_expectation_propagation(five):
    X, y = five
    X_test = np.array([[-1.0], [0.5], [1.5], [8.0]])
    near, found = infer(X, y, KERNEL, X_test=X_test), sample(X, y, KERNEL, X_test=X_test, n_jobs=1)
    np.testing.assert_allclose(found.test_probability, near.test_prob, atol=0.03)
    np.testing.assert_allclose(found.mean, near.post_mean, atol=0.06)
    np.testing.assert_allclose(found.variance, near.post_var, atol=0.1)
    np.testing.assert_allclose(found.test_mean, near.test_mean, atol=0.06)
    np.testing.assert_allclose(found.test_variance, near.test_var, atol=0.1)
    assert found.diagnostics["largest_r_hat"] < 1.01 and found.diagnostics["fewest_effective_samples"] > 1000
    assert found.diagnostics["effective_runs"] is None and found.warnings == []
    # A row with label y* has the joint evidence of all six rows over that of the five.
    for x, p, error in zip(X_test, found.test_probability, found.test_probability_error):
        six = infer(np.vstack([X, x]), [*y, 1], KERNEL).prior
        truth = np.exp(orthant(six, [*y, 1]) - orthant(near.prior, y))
        assert abs(p - truth) <= 4 * error + 1e-3


@pytest.mark.parametrize(
    "likelihood, values, p",
    [
        ("robust", {"eps": 0.1}, lambda f: 0.1 + 0.8 * norm.cdf(f)),
        ("logistic", {}, lambda f: 1 / (1 + np.exp(-f))),
    ],
)
def test_other_likelihoods_are_annealed(likelihood, values, p):
    """One row: every number is an integral over one latent value."""
    found = sample([[0.0]], [1], SE(v0=4.0, l=1.0), likelihood, likelihood_values=values, X_test=[[0.0]], **QUICK)
    moment = lambda g: quad(lambda f: g(f) * p(f) * norm.pdf(f, scale=2.0), -20, 20, epsabs=1e-12)[0]  # noqa: E731
    z = moment(lambda f: 1.0)
    mean = moment(lambda f: f) / z
    assert found.method == "annealed" and found.diagnostics["effective_runs"] > 10
    assert abs(found.log_evidence - np.log(z)) <= 4 * found.log_evidence_error
    assert abs(found.mean[0] - mean) <= 4 * found.mean_error[0]
    assert abs(found.variance[0] - moment(lambda f: (f - mean) ** 2) / z) <= 4 * found.variance_error[0]
    assert abs(found.test_probability[0] - moment(p) / z) <= 4 * found.test_probability_error[0]


def test_a_step_with_noise_is_a_probit(five):
    X, y = five
    found = sample(X, y, KERNEL + Noise(v2=1.0), "step", likelihood_values={"eps": 0.0}, **QUICK)
    assert found.log_evidence == pytest.approx(orthant(infer(X, y, KERNEL).prior, y), abs=1e-3)
    assert found.diagnostics["averaged_noise"] > 1.0


def test_results_follow_from_the_seed_alone(five):
    X, y = five
    run = lambda **options: sample(X, y, KERNEL, X_test=X, **{**QUICK, "samples": 50, **options})  # noqa: E731
    first, again, other = run(random_state=3), run(random_state=3, n_jobs=2), run(random_state=4)
    assert first.log_evidence == again.log_evidence != other.log_evidence
    np.testing.assert_array_equal(first.mean, again.mean)
    np.testing.assert_array_equal(first.test_probability, again.test_probability)
    assert not np.array_equal(first.mean, other.mean)


def test_short_chains_are_reported():
    X = np.arange(30.0).reshape(-1, 1)
    with pytest.warns(ConvergenceWarning, match="burn-in"):
        found = sample(
            X, np.arange(30) % 2, SE(v0=1e4, l=1.0), burn_in=0, samples=20, thin=1, points=16, n_jobs=1
        )
    assert len(found.warnings) == 2


@pytest.mark.parametrize(
    "options, error, match",
    [
        ({"samples": 0}, ValueError, "samples is 0"),
        ({"thin": -1}, ValueError, "thin"),
        ({"chains": 2.5}, TypeError, "an integer"),
        ({"X_test": [[0.0, 1.0]]}, ValueError, "X_test has 2 columns"),
        ({"kernel": SE(v0=1.0)}, ValueError, "no value for l"),
        ({"likelihood_values": {"zeta": 1.0}}, ValueError, "zeta"),
    ],
)
def test_wrong_arguments_are_refused(five, options, error, match):
    X, y = five
    with pytest.raises(error, match=match):
        sample(X, y, **{"kernel": KERNEL, **options})


@pytest.mark.skipif(os.name != "posix", reason="on Windows os.kill with SIGINT ends the process")
@pytest.mark.parametrize("likelihood", ["probit", "logistic"])
def test_an_interrupt_ends_it(likelihood):
    X = np.linspace(-3, 3, 200).reshape(-1, 1)
    short = {"samples": 4, "thin": 1, "points": 1000, "temperatures": 1000, "n_jobs": 1}
    start = time.monotonic()
    sample(X, X[:, 0] > 0, SE(v0=1.0, l=1.0), likelihood, **short)
    hundredth = time.monotonic() - start
    long = short | {"points": 10**5, "temperatures": 10**5}
    previous = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        start = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            sample(X, X[:, 0] > 0, SE(v0=1.0, l=1.0), likelihood, **long)
        # The signal would also be noticed after the last draw.
        assert time.monotonic() - start < 50 * hundredth
    finally:
        signal.signal(signal.SIGINT, previous)
