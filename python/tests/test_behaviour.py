"""What scikit-learn tests of its own Gaussian-process classifier, where it applies, and what it lacks."""

import re

import numpy as np
import pytest
from scipy.stats import norm

from gpclass import SE, Bias, ConvergenceWarning, GPClassifier, Linear, Matern32, fixed, infer
from gpclass.kernels import RationalQuadratic

KERNELS = [
    SE(v0=2.0, l=0.7) + Bias(v1=0.5),
    SE(ard=True, v0=2.0, l=[0.7, 0.2, 0.4]),
    Linear(ard=True, w=0.3) + Matern32(v0=1.5, l=0.5),
    RationalQuadratic(v0=2.0, alpha=1.3, l=0.6) * Bias(v1=1.1),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("objective", ["evidence", "loo-nlp"])
def test_gradient_is_the_derivative(blobs, kernel, objective):
    X, y = blobs
    found = infer(X, y, kernel, objective=objective)
    names, params = kernel.parameter_names(3), kernel._params(3)
    h = 1e-5
    for i, name in enumerate(names):
        up, down = (_moved(kernel, params, i, np.exp(s * h)) for s in (1, -1))
        slope = (infer(X, y, up, objective=objective).objective - infer(X, y, down, objective=objective).objective) / (2 * h)
        key = "log_" + re.sub(r"\[x(\d)\]", r"\1", name)
        assert found.objective_grad[key] == pytest.approx(slope, rel=1e-4, abs=1e-6), name
    assert (found.grad == found.objective_grad) == (objective == "evidence")


def _moved(kernel, params, position, factor):
    """The kernel with its parameter at that position multiplied."""
    import copy

    left = [position]

    def visit(node):
        node = copy.copy(node)
        if hasattr(node, "parts"):
            node.parts = tuple(visit(part) for part in node.parts)
            return node
        for field in node._fields:
            value = getattr(node, field)
            group = list(value) if isinstance(value, tuple) else [value] * (3 if node.ard and field in "lw" else 1)
            if 0 <= left[0] < len(group):
                changed = group[left[0]]
                group[left[0]] = type(changed)(changed.value * factor, changed.fixed, changed.prior)
                setattr(node, field, tuple(group) if len(group) > 1 else group[0])
            left[0] -= len(group)
        return node

    return visit(kernel)


def test_likelihood_gradient_is_the_derivative(blobs):
    X, y = blobs
    kernel = SE(v0=2.0, l=0.7)
    at = lambda eps: infer(X, y, kernel, "robust", likelihood_values={"eps": eps})  # noqa: E731
    slope = (at(0.05 + 1e-6).log_z - at(0.05 - 1e-6).log_z) / 2e-6
    assert at(0.05).grad["lik_eps"] == pytest.approx(slope, rel=1e-5)


def test_inference_is_consistent(blobs):
    X, y = blobs
    found = infer(X, y, SE(v0=2.0, l=0.7), X_test=X)
    assert found.converged
    # alpha = K^-1 mu, and sites give the posterior: Sigma = (K^-1 + T)^-1.
    np.testing.assert_allclose(found.prior @ found.alpha, found.post_mean, rtol=1e-9)
    T = np.diag(found.tau)
    sigma = np.linalg.solve(np.eye(len(y)) + found.prior @ T, found.prior)
    np.testing.assert_allclose(np.diag(sigma), found.post_var, rtol=1e-8)
    np.testing.assert_allclose(found.test_mean, found.post_mean, rtol=1e-8)
    np.testing.assert_allclose(found.test_prob, norm.cdf(found.post_mean / np.sqrt(1 + found.post_var)), rtol=1e-9)
    left_out = norm.cdf(np.where(y == 1, 1, -1) * found.cav_mean / np.sqrt(1 + found.cav_var))
    np.testing.assert_allclose(found.loo_prob_y, left_out, rtol=1e-9)
    np.testing.assert_allclose(np.exp(found.loo_logp), found.loo_prob_y, rtol=1e-12)
    assert found.loo_logp_sum == pytest.approx(found.loo_logp.sum(), rel=1e-12)
    assert found.outcome == found.report["outcome"] == "converged" and found.mode is None


def test_only_a_fixed_point_is_convergence(blobs):
    X, y = blobs
    for inference, converged in [("ep", True), ("ep-sequential", True), ("laplace", True), ("ls", True), ("adf", False)]:
        found = infer(X, y, SE(v0=2.0, l=0.7), inference=inference)
        assert found.method == inference and found.converged == converged
        model = GPClassifier(kernel="se", likelihood="probit", lengthscales="single", inference=inference).fit(X, y)
        assert model.converged_ == converged


def test_two_rows_against_the_bivariate_orthant():
    # p(y) = E[Phi(-f1) Phi(f2)] is an orthant probability of a bivariate normal, which has an arcsine formula:
    # z ~ N(0, K + I) with the sign of the first flipped.
    k = np.exp(-0.5)
    exact = 0.25 + np.arcsin(-k / 2.0) / (2 * np.pi)
    found = infer([[0.0], [1.0]], [-1, 1], SE(v0=1.0, l=1.0))
    assert found.log_z == pytest.approx(np.log(exact), abs=2e-3)


def test_probabilities_are_probabilities(blobs, quick):
    X, y = blobs
    model = GPClassifier(**quick).fit(X, y)
    wide = np.vstack([X, 1e3 * X, 1e-9 * X])
    p = model.predict_proba(wide)
    assert ((p >= 0) & (p <= 1)).all()
    np.testing.assert_allclose(p.sum(axis=1), 1.0, rtol=0, atol=1e-15)
    np.testing.assert_allclose(model.predict_log_proba(wide), np.log(p), rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(model.predict(wide), (p[:, 1] > 0.5).astype(int))
    np.testing.assert_array_equal(model.decision_function(wide) > 0, p[:, 1] > 0.5)
    assert model.score(X, y) > 0.85


def test_latent_mean_and_variance_give_the_probability(blobs, quick):
    X, y = blobs
    model = GPClassifier(**quick).fit(X, y)
    mean, variance = model.latent(X)
    np.testing.assert_allclose(norm.cdf(mean / np.sqrt(1 + variance)), model.predict_proba(X)[:, 1], rtol=1e-10)


def test_learning_improves_the_evidence(blobs):
    X, y = blobs
    kernel = SE(v0=1.0, l=1.0)
    start = GPClassifier(kernel=kernel, likelihood="probit", priors=None, max_iter=0)
    with pytest.warns(ConvergenceWarning, match="ended early"):
        start.fit(X, y)
    end = GPClassifier(kernel=kernel, likelihood="probit", priors=None).fit(X, y)
    assert end.log_evidence_ > start.log_evidence_ + 1.0
    assert end.converged_ and not start.converged_
    assert end.hyperparameters_["l"] != pytest.approx(1.0)


def test_the_optimum_has_no_slope(blobs):
    X, y = blobs
    model = GPClassifier(
        kernel=SE(v0=1.0, l=1.0), likelihood="probit", priors=None, standardise=False, tol=1e-5
    ).fit(X, y)
    h = model.hyperparameters_
    found = infer(X, y, SE(v0=h["v0"], l=h["l"]))
    assert max(map(abs, found.grad.values())) < 1e-3
    assert found.log_z == pytest.approx(model.log_evidence_, rel=1e-8)


def test_fixed_kernels_stay(blobs):
    X, y = blobs
    kernel = SE(v0=fixed(3.0), l=fixed(0.4)) + Bias(v1=fixed(0.7))
    model = GPClassifier(kernel=kernel, likelihood="probit").fit(X, y)
    assert model.hyperparameters_ == {"v0": 3.0, "l": 0.4, "v1": 0.7}
    held = GPClassifier(kernel="se", likelihood="robust", fixed={"eps": 0.1}).fit(X, y)
    assert held.hyperparameters_["eps"] == pytest.approx(0.1)


def test_restarts_are_never_worse(blobs):
    X, y = blobs
    arguments = {"kernel": SE(ard=True, v0=1.0, l=1e-3), "likelihood": "probit", "priors": None, "random_state": 3}
    none = GPClassifier(**arguments).fit(X, y)
    some = GPClassifier(**arguments, n_restarts=2).fit(X, y)
    assert some.log_evidence_ >= none.log_evidence_ - 1e-6


def test_seeds_repeat_and_threads_do_not_matter(blobs, quick):
    X, y = blobs
    fits = [GPClassifier(**quick, n_restarts=1, random_state=5, n_jobs=n).fit(X, y).predict_proba(X) for n in (1, 1, 2)]
    np.testing.assert_array_equal(fits[0], fits[1])
    np.testing.assert_array_equal(fits[0], fits[2])


def test_weight_two_is_the_row_twice(blobs):
    X, y = blobs
    weights = np.arange(len(y)) % 3
    weighted = GPClassifier().fit(X, y, sample_weight=weights)
    repeated = GPClassifier().fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), rtol=1e-7)
    assert weighted.loo_proba_.shape == (len(y), 2) and np.isfinite(weighted.label_error_proba_).all()


def test_class_weight_moves_the_boundary(quick):
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(-0.5, 1, 60), rng.normal(0.5, 1, 12)]).reshape(-1, 1)
    y = np.repeat(["often", "rare"], [60, 12])
    plain = GPClassifier(**quick).fit(X, y).predict_proba([[0.0]])[0, 1]
    balanced = GPClassifier(**quick, class_weight="balanced").fit(X, y).predict_proba([[0.0]])[0, 1]
    assert balanced > plain + 0.1


def test_leave_one_out_is_close_to_refitting(blobs):
    X, y = blobs
    kernel = SE(v0=fixed(2.0), l=fixed(0.5))
    arguments = {"kernel": kernel, "likelihood": "probit", "standardise": False}
    model = GPClassifier(**arguments).fit(X, y)
    for i in (0, 17, 42):
        others = np.arange(len(y)) != i
        refit = GPClassifier(**arguments).fit(X[others], y[others]).predict_proba(X[[i]])[0]
        np.testing.assert_allclose(model.loo_proba_[i], refit, atol=5e-3)
    assert set(model.loo_scores_) >= {"error", "nlp_nats", "auc"}


def test_relevance_finds_the_feature(blobs):
    X, y = blobs
    model = GPClassifier(kernel="se", lengthscales="ard").fit(X, y)
    assert list(model.relevance_) == ["x1", "x2", "x3"]
    assert max(model.relevance_, key=model.relevance_.get) == "x1"
    assert sum(model.relevance_.values()) == pytest.approx(1.0)
    assert model.effects_["x1"] > 0.2 and set(model.effect_errors_) == set(model.effects_)
    assert all(0 <= error < 0.1 for error in model.effect_errors_.values())


@pytest.mark.parametrize("classes", [2, 3])
def test_features_that_carry_nothing_gain_nothing(classes):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 5))
    score = 1.5 * X[:, 0] + rng.normal(size=120)
    y = np.digitize(score, np.quantile(score, np.arange(1, classes) / classes))
    model = GPClassifier().fit(X, y)
    certain = {name: gain / model.gain_errors_[name] for name, gain in model.gains_.items()}
    # Without what the model took of noise, left-out rows may even be predicted better.
    assert certain.pop("x1") > 4 and max(certain.values()) < 2.5
    assert model.gains_["x1"] > 10 * max(model.gains_[name] for name in certain)
    assert "of no use to left-out rows" in model.summary()
    grouped = GPClassifier(kernel="se").fit(X, y, groups=np.arange(120) // 3)
    assert grouped.gains_ is None and grouped.gain_errors_ is None


def test_rows_unlike_the_training_rows_are_told(blobs):
    X, y = blobs
    model = GPClassifier(kernel="linear", likelihood="probit").fit(X, y)
    novelty = model.novelty(np.vstack([X[:5], X[:5] + 30]))
    assert novelty.shape == (10,) and (novelty[:5] < 0.99).all() and (novelty[5:] > 0.99).all()
    rows, distances = model.nearest(X[:4], k=3)
    assert rows.shape == distances.shape == (4, 3) and list(rows[:, 0]) == [0, 1, 2, 3]
    assert (distances[:, 0] == 0).all() and (np.diff(distances, axis=1) >= 0).all()
    with pytest.raises(ValueError, match="k is 0"):
        model.nearest(X, k=0)


def test_wrong_labels_are_suspected():
    x = np.linspace(-3, 3, 60).reshape(-1, 1)
    y = np.where(x[:, 0] > 0, 1, 0)
    y[[8, 50]] = 1 - y[[8, 50]]
    model = GPClassifier(kernel="se", combine="best").fit(x, y)
    assert model.likelihood_ == "robust"
    assert set(model.suspects()) == {8, 50}
    assert model.label_error_source_ == "chosen model"
    stacked = GPClassifier(kernel="se").fit(x, y)
    assert set(stacked.suspects()) == {8, 50} and "robust" in next(iter(stacked.members_))


def test_candidates_compete(blobs):
    X, y = blobs
    model = GPClassifier(kernel=["se", "linear", SE() + Linear()], likelihood=["probit", "logistic"], combine="best").fit(X, y)
    assert len(model.candidates_) == 6
    assert sum(c["chosen"] for c in model.candidates_) == 1
    best = max(model.candidates_, key=lambda c: c["score"])
    assert best["chosen"]
    averaged = GPClassifier(kernel=["se", "linear"], likelihood="probit", combine="evidence").fit(X, y)
    weights = [c["weight"] for c in averaged.candidates_]
    assert sum(weights) == pytest.approx(1.0) and min(weights) > 0
    np.testing.assert_allclose(averaged.predict_proba(X).sum(axis=1), 1.0)


def test_models_predict_together(blobs):
    X, y = blobs
    model = GPClassifier(kernel=["se", "linear"], likelihood="probit").fit(X, y)
    assert sum(model.members_.values()) == pytest.approx(1.0) and len(model.members_) == 2
    assert "2 models together" in repr(model)
    again = GPClassifier(kernel=["se", "linear"], likelihood="probit", time_budget=600.0).fit(X, y)
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    with pytest.raises(ValueError, match="must be a positive number"):
        GPClassifier(time_budget=0).fit(X, y)


@pytest.mark.parametrize("inference", ["ep", "ep-sequential", "adf", "laplace", "ls"])
def test_every_method_learns(blobs, inference):
    X, y = blobs
    model = GPClassifier(kernel="se", lengthscales="single", inference=inference).fit(X, y)
    assert model.score(X, y) > 0.85


@pytest.mark.parametrize("objective", ["loo-nlp", "loo-f", ("loo-f", 0.7), "loo-error", ("loo-error", 2.0), "loo-auc"])
def test_every_objective_learns(blobs, quick, objective):
    X, y = blobs
    assert GPClassifier(**quick, objective=objective).fit(X, y).score(X, y) > 0.8


def test_warm_start_continues(blobs, quick):
    X, y = blobs
    model = GPClassifier(**quick, warm_start=True).fit(X, y)
    first, evidence = model.n_iter_, model.log_evidence_
    model.fit(X, y)
    assert model.n_iter_ < first and model.log_evidence_ == pytest.approx(evidence, abs=1e-3)
