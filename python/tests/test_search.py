"""Ways to search for hyperparameters, where they start, and which point of a search is taken."""

import numpy as np
import pytest

from gpclass import SE, Bias, GPClassifier, Noise, fixed

STEP = {"kernel": "se", "likelihood": "step", "lengthscales": "single", "n_jobs": 1}


def values(model, name):
    return np.array([entry["values"][name] for entry in model.trace_])


def test_em_ep_goes_its_own_way_to_nearly_the_same_evidence(blobs):
    X, y = blobs
    direct = GPClassifier(**STEP).fit(X, y)
    em = GPClassifier(**STEP, search="em-ep").fit(X, y)
    # Both start alike; EM needs many more steps, each of which counts the rows on the wrong side.
    assert em.trace_[0]["log_evidence"] == pytest.approx(direct.trace_[0]["log_evidence"], rel=1e-4)
    assert em.n_iter_ > 2 * direct.n_iter_
    counts = len(y) * values(em, "eps")[1:]
    np.testing.assert_allclose(counts, np.round(counts), atol=1e-9)
    assert len(set(np.round(len(y) * values(direct, "eps"), 6))) > 3, "the direct search moves eps continuously"
    assert abs(em.log_evidence_ - direct.log_evidence_) < 0.1


@pytest.mark.filterwarnings("ignore::gpclass.ConvergenceWarning")
def test_em_ep_by_the_posterior_does_not_count(blobs):
    X, y = blobs
    em = GPClassifier(**STEP, search="em-ep-posterior", max_iter=8).fit(X, y)
    counts = len(y) * values(em, "eps")[1:]
    assert (np.abs(counts - np.round(counts)) > 1e-3).any()


def test_ep_cv_improves_left_out_probabilities(blobs):
    X, y = blobs
    arguments = {"kernel": "se", "likelihood": "robust", "lengthscales": "single", "n_jobs": 1}
    model = GPClassifier(**arguments, search="ep-cv").fit(X, y)
    nlp = [entry["loo_nlp"] for entry in model.trace_]
    assert min(nlp) < nlp[0] - 0.01
    # What it maximises is the log-probability of left-out labels, also where the objective is left as it is.
    np.testing.assert_allclose([entry["objective"] for entry in model.trace_], -np.array(nlp), rtol=1e-9)
    assert model.loo_scores_["nlp_nats"]["value"] == pytest.approx(min(nlp), abs=1e-4)
    by_error = GPClassifier(**arguments, search="ep-cv", objective="loo-auc").fit(X, y)
    assert by_error.trace_[0]["objective"] != pytest.approx(-nlp[0])


def test_two_step_moves_only_the_bias_at_the_end(blobs):
    X, y = blobs
    arguments = {"kernel": "se", "likelihood": "probit-bias", "lengthscales": "single", "n_jobs": 1}
    first = GPClassifier(**arguments, objective="loo-nlp").fit(X, y)
    both = GPClassifier(**arguments, search="two-step").fit(X, y)
    for name in ("v0", "l", "v1"):
        assert both.hyperparameters_[name] == pytest.approx(first.hyperparameters_[name], rel=1e-12)
    assert abs(both.hyperparameters_["b"] - first.hyperparameters_["b"]) > 0.01
    other = GPClassifier(**arguments, search=("two-step", 0.7)).fit(X, y)
    assert other.hyperparameters_["b"] != pytest.approx(both.hyperparameters_["b"])


def test_two_step_needs_a_bias(blobs, quick):
    with pytest.raises(ValueError, match="needs a likelihood with a free bias b, which probit has not; use probit-bias"):
        GPClassifier(**quick, search="two-step").fit(*blobs)


@pytest.mark.parametrize(
    ("initial", "start"),
    [
        ("emep-synthetic", {"eps": 0.01, "v0": 1.0, "v1": 1e-8, "l": 0.1}),
        ("emep-real", {"eps": 0.01, "v0": 1.0, "v1": 1e-4, "l": 0.05}),
        ("robust", {"eps": 0.01, "v0": 1.0, "v1": 1e-8, "l": 0.5}),
        ("given", {"eps": 0.03, "v0": 1.0, "v1": 1.0, "l": 1.0}),
    ],
)
@pytest.mark.parametrize("kernel", ["se", SE() + Bias()], ids=["named", "composed"])
@pytest.mark.filterwarnings("ignore::gpclass.GPClassWarning")
def test_published_starts(blobs, kernel, initial, start):
    model = GPClassifier(kernel=kernel, likelihood="robust", lengthscales="single", initial=initial, max_iter=1, n_jobs=1)
    assert model.fit(*blobs).trace_[0]["values"] == pytest.approx(start)


@pytest.mark.parametrize("initial", ["heuristic", "emep-real", "given"])
@pytest.mark.filterwarnings("ignore::gpclass.GPClassWarning")
def test_own_values_are_always_the_start(blobs, initial):
    kernel = SE(v0=3.0, l=fixed(0.2)) + Bias()
    model = GPClassifier(kernel=kernel, likelihood=("full", {"eps": 0.07}), initial=initial, max_iter=1, n_jobs=1)
    start = model.fit(*blobs).trace_[0]["values"]
    assert start["v0"] == pytest.approx(3.0) and start["eps"] == pytest.approx(0.07) and "l" not in start
    assert start["b"] == pytest.approx(0.0) and start["sigma"] == pytest.approx(1.0)
    assert start["v1"] == pytest.approx(1e-4 if initial == "emep-real" else 1.0)


def test_heuristic_starts_follow_the_rows(blobs):
    X, y = blobs
    arguments = {"kernel": SE() + Bias(), "likelihood": "probit", "standardise": False, "n_jobs": 1}
    near, far = (GPClassifier(**arguments).fit(scale * X, y).trace_[0]["values"]["l"] for scale in (1.0, 10.0))
    assert near / far == pytest.approx(100.0)


def test_likelihood_starts_are_learned(blobs):
    X, y = blobs
    arguments = {"kernel": "se", "lengthscales": "single", "n_jobs": 1}
    free = GPClassifier(**arguments, likelihood=("robust", {"eps": 0.2})).fit(X, y)
    assert free.trace_[0]["values"]["eps"] == pytest.approx(0.2)
    assert abs(free.hyperparameters_["eps"] - 0.2) > 0.05
    assert "b" not in free.hyperparameters_ and "sigma" not in free.hyperparameters_, "robust is label error alone"
    several = GPClassifier(**arguments, likelihood=["probit", ("robust", {"eps": 0.1})]).fit(X, y)
    assert len(several.candidates_) == 2
    for likelihood, said in [
        (("robust", {"epsilon": 0.1}), 'no parameter named "epsilon"; it has eps$'),
        (("full", {"epsilon": 0.1}), 'no parameter named "epsilon"; it has eps, b, sigma'),
        (("step", {"eps": 0.7}), "label error eps is 0.7"),
        (("robst", {"eps": 0.1}), "likelihood is 'robst'"),
    ]:
        with pytest.raises(ValueError, match=said):
            GPClassifier(**arguments, likelihood=likelihood).fit(X, y)


def test_step_has_noise_however_the_kernel_is_named(blobs):
    X, y = blobs
    one = GPClassifier(**STEP).fit(X, y)
    several = GPClassifier(**{**STEP, "kernel": ["se", "linear"]}).fit(X, y)
    own = GPClassifier(**{**STEP, "kernel": SE() + Bias() + Noise()}).fit(X, y)
    assert "v2" in one.hyperparameters_ and "v2" in several.hyperparameters_
    assert own.log_evidence_ == pytest.approx(one.log_evidence_, abs=0.01)


def best_by_path(path, entries):
    if path == "loo-nlp":
        return min(entries, key=lambda e: e["loo_nlp"])
    return min(entries, key=lambda e: (e["loo_error"], -e["log_evidence"]))


@pytest.mark.parametrize("path", ["loo-error", "loo-nlp"])
def test_path_takes_the_best_point_of_the_search(path):
    # Few rows and five features that say nothing: the evidence climbs on after left-out predictions have become worse.
    rng = np.random.default_rng(8)
    X = rng.normal(size=(40, 6))
    y = X[:, 0] + rng.normal(size=40) > 0
    arguments = {"kernel": "se", "likelihood": "probit", "lengthscales": "ard", "priors": None, "n_jobs": 1}
    end = GPClassifier(**arguments).fit(X, y)
    chosen = GPClassifier(**arguments, path=path).fit(X, y)
    assert chosen.trace_[-1]["values"] == end.trace_[-1]["values"] == pytest.approx(end.hyperparameters_), "the same search"
    best = best_by_path(path, chosen.trace_)
    assert best["iteration"] != chosen.trace_[-1]["iteration"], "a search whose end is not its best point"
    assert chosen.hyperparameters_ == pytest.approx(best["values"], rel=1e-12)
    assert chosen.log_evidence_ == pytest.approx(best["log_evidence"], abs=1e-3)
    assert chosen.loo_scores_["nlp_nats"]["value"] == pytest.approx(best["loo_nlp"], abs=1e-4)
    assert chosen.log_evidence_ < end.log_evidence_


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"search": "newton"}, "search is 'newton'; it must be one of 'direct'"),
        ({"search": ("em-ep", 0.5)}, "search is 'em-ep'; it must be one of 'two-step'"),
        ({"search": ("two-step", -1.0)}, "parameter of the search is -1.0"),
        ({"initial": "zero"}, "initial is 'zero'; it must be one of 'heuristic'"),
        ({"path": "start"}, "path is 'start'; it must be one of 'end'"),
        ({"search": "em-ep", "objective": "loo-nlp"}, "search em-ep climbs the evidence, but the objective is loo-nlp"),
        ({"search": "ep-cv", "n_restarts": 2}, "starts once"),
    ],
)
def test_what_does_not_fit_is_said(blobs, arguments, said):
    with pytest.raises(ValueError, match=said):
        GPClassifier(**arguments).fit(*blobs)
