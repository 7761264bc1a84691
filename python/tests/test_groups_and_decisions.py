"""Groups, costs, audits and corrections."""

import numpy as np
import pytest

from gpclass import GPClassifier, load

QUICK = {"kernel": "se", "likelihood": "probit", "lengthscales": "single"}


def visits(patients=20):
    patient = np.repeat(np.arange(patients), 4)
    x = 2.0 * np.sin(9.1 * patient) + 0.01 * np.sin(0.9 * np.arange(len(patient)))
    return x.reshape(-1, 1), np.where(patient * 5 % 3 == 0, "yes", "no"), patient


def test_rows_of_a_group_are_left_out_together():
    X, y, patient = visits()
    rough = {**QUICK, "kernel": "matern12"}
    plain, grouped = GPClassifier(**rough).fit(X, y), GPClassifier(**rough).fit(X, y, groups=patient)
    assert plain.groups_ is None and grouped.groups_ == {"name": "groups", "groups": 20, "largest": 4}
    assert plain.loo_scores_["error"]["value"] < 0.1 < 0.25 < grouped.loo_scores_["error"]["value"]
    alone = GPClassifier(**rough).fit(X, y, groups=np.arange(len(y)))
    assert np.array_equal(alone.loo_proba_, plain.loo_proba_)
    with pytest.raises(ValueError, match="groups has 3 entries, but there are 80 rows"):
        GPClassifier(**rough).fit(X, y, groups=[1, 2, 3])
    with pytest.raises(ValueError, match="every row is of the group 'a'"):
        GPClassifier(**rough).fit(X, y, groups=["a"] * len(y))


def test_costs_move_the_threshold(tmp_path):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 1))
    y = X[:, 0] + rng.normal(size=120) > 0
    model = GPClassifier(**QUICK, cost={"fn": 9, "fp": 1}).fit(X, y)
    low, high = model.decision_["interval"]
    assert 0 <= low < high <= 1 and model.decision_["bayes"] == pytest.approx(0.1)
    assert model.decide(X).sum() > model.predict(X).sum()
    assert np.array_equal(model.decide(X, by="bayes"), model.predict_proba(X)[:, 1] >= model.decision_["bayes"])
    model.save(tmp_path / "m.gpc")
    assert np.array_equal(load(tmp_path / "m.gpc").decide(X), model.decide(X))
    assert GPClassifier(**QUICK, threshold=1.0).fit(X, y).decide(X).sum() == 0
    assert np.array_equal(GPClassifier(**QUICK, cost={True: {False: 9}}).fit(X, y).decide(X), model.decide(X))
    for wrong, sentence in [({"cost": {"fn": 1}}, "give both costs"), ({"cost": {"fn": 1, "fp": 1}, "threshold": 0.5}, "both cost and")]:
        with pytest.raises(ValueError, match=sentence):
            GPClassifier(**QUICK, **wrong).fit(X, y)
    with pytest.raises(ValueError, match="no threshold to decide by"):
        GPClassifier(**QUICK).fit(X, y).decide(X)


def test_costs_of_named_errors_decide_between_several_classes(tmp_path):
    rng = np.random.default_rng(3)
    y = np.repeat(["cold", "flu", "well"], 30)
    X = rng.normal(size=(90, 2)) + np.repeat([[0.0, 1.5], [1.5, 0.0], [-1.5, -1.5]], 30, axis=0)
    model = GPClassifier(**QUICK, cost={"flu": {"cold": 8, "well": 20}}).fit(X, y)
    matrix = np.array([[0, 1, 1], [8, 0, 20], [1, 1, 0]], dtype=float)
    expected = model.predict_proba(X) @ matrix
    assert np.array_equal(model.decide(X), model.classes_[expected.argmin(axis=1)])
    assert (model.decide(X) == "flu").sum() > (model.predict(X) == "flu").sum()
    assert np.array_equal(model.cost_decision_["matrix"], matrix)
    assert model.cost_decision_["cost"] < model.cost_decision_["plain_cost"]
    model.save(tmp_path / "m.gpc")
    assert np.array_equal(load(tmp_path / "m.gpc").decide(X), model.decide(X))
    assert np.array_equal(GPClassifier(**QUICK, cost=matrix).fit(X, y).decide(X), model.decide(X))
    for cost, sentence in [
        ({"flu": {"plague": 2}}, "'plague', which is no class; the classes are cold, flu, well"),
        ({"flu": {"cold": -1}}, "the cost of taking flu for cold"),
        ({"flu": 3}, "or errors, as"),
        (np.ones((2, 2)), "a column for each of 3 classes"),
        (1.0 - np.eye(3) + np.diag([1.0, 0.0, 0.0]), "costs nothing"),
        ({"fn": 1, "fp": 2}, "decide between two classes, but there are 3"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            GPClassifier(**QUICK, cost=cost).fit(X, y)


def test_a_label_error_of_one_class_is_learned():
    rng = np.random.default_rng(5)
    X = rng.uniform(-1.0, 1.0, size=(250, 2))
    truth = (X**2).sum(axis=1) > 0.5
    y = truth.copy()
    y[rng.permutation(np.flatnonzero(truth))[:22]] = False
    model = GPClassifier(kernel="se", likelihood="robust-per-class", lengthscales="single").fit(X, y)
    assert model.hyperparameters_["eps_negative"] < 0.03 < 0.08 < model.hyperparameters_["eps_positive"]
    assert len(model.suspects()) >= 15 and not y[model.suspects()].any()


def test_an_audit_tells_whether_labels_are_wrong_in_one_class_alone(tmp_path):
    rng = np.random.default_rng(3)
    X = rng.uniform(-2, 2, size=(300, 2))
    truth = np.hypot(X[:, 0], X[:, 1]) < 1.6
    y = truth.copy()
    y[np.flatnonzero(truth)[::7]] = False
    model = GPClassifier(kernel="se", lengthscales="single").fit(X, y)
    found = model.audit()
    assert found.rates["per_class"] and found.rates["gain"] > found.rates["worth"]
    share = {c["class"]: c["share"] for c in found.classes}
    assert share[False]["value"] < 0.03 and share[True]["low"] <= 1 / 7 <= share[True]["high"]
    assert found.classes[1]["hidden"]["expected"] == pytest.approx(found.classes[0]["wrong"]["expected"])
    model.save(tmp_path / "m.gpc")
    assert load(tmp_path / "m.gpc").audit().rates == found.rates
    assert "label error of its own" in model.report().html


def test_an_audit_is_edited_and_read_back(tmp_path):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(150, 2))
    truth = np.where(X[:, 0] > 0, "up", "down")
    y = truth.copy()
    # Among rows of the other label: wrong ones at the ends alone would be a function that bends back.
    wrong = np.flatnonzero(np.abs(X[:, 0]) > 0.7)[::9][:8]
    y[wrong] = np.where(truth[wrong] == "up", "down", "up")
    model = GPClassifier(kernel="se", likelihood="robust", lengthscales="single").fit(X, y)
    found = model.audit(ids=[f"n{i}" for i in range(150)])
    rows = np.array(list(found.suspects["row"])) - 1
    assert set(wrong) <= set(rows) and found.wrong["low"] <= 8 <= found.wrong["high"]
    assert list(found.suspects["id"]) == [f"n{row}" for row in rows]
    assert sum(c["wrong"]["expected"] for c in found.classes) == pytest.approx(found.wrong["expected"])
    near = [int(near) - 1 for near in found.suspects["contradicted_by"][0].split()]
    assert all(y[near] == found.suspects["suggested"][0])
    assert found.cleaned["mended"]["nlp_nats"]["value"] <= found.cleaned["before"]["nlp_nats"]["value"]
    table = {name: list(found.suspects[name]) for name in found.suspects.keys()}
    table["action"] = ["change"] * (len(rows) - 1) + ["drop"]
    again = GPClassifier(kernel="se", likelihood="robust", lengthscales="single").fit(X, y, corrections=table)
    # The row that was dropped has weight 0, and is judged like any row that is left out.
    assert list(again.suspects()) == [rows[-1]]
    found.to_csv(tmp_path / "s.csv")
    text = (tmp_path / "s.csv").read_text().replace("keep", "change")
    (tmp_path / "s.csv").write_text(text)
    third = GPClassifier(kernel="se", likelihood="robust", lengthscales="single").fit(X, y, corrections=tmp_path / "s.csv")
    assert len(third.suspects()) == 0
    with pytest.raises(ValueError, match="but was corrected from"):
        GPClassifier(**QUICK).fit(X, truth[::-1].copy(), corrections=table)
