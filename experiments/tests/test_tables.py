"""Tables of two classes: splits with words and missing cells, peers on them, and the area under the curve."""

import numpy as np
import pytest
from experiments.catalogue import all_methods, all_problems
from experiments.plan import plan
from experiments.problems import tables
from experiments.scores import area_under_curve, scores
from experiments.spec import Method, Problem, Study
from experiments.specs.tables import THEIRS
from experiments.tests.peers import skip_without
from sklearn.metrics import roc_auc_score

MIXED = all_problems()["mixed-small"]


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "tables").mkdir()
    rows = [f"{'xyz'[k % 3]},{k if k % 7 else ''},{'positive' if k % 5 == 0 else 'negative'}" for k in range(100)]
    (tmp_path / "tables" / "crx.csv").write_text("\n".join(["word,number,label", *rows, ",3,negative"]) + "\n")
    return tmp_path


def test_words_become_codes_and_missing_cells_stay(folder):
    X, y, categorical = tables.loaded(folder / "tables" / "crx.csv", "positive")
    assert categorical == (0,) and y.sum() == 20
    assert X[:3, 0].tolist() == [0.0, 1.0, 2.0] and np.isnan(X[100, 0])
    assert np.isnan(X[::7, 1][:15]).all() and X[1, 1] == 1.0


def test_splits_keep_the_shares_of_the_classes(folder):
    tasks = [all_problems()["crx"].make(folder, split) for split in (0, 1)]
    for task in tasks:
        assert (len(task.y), task.y.sum(), len(task.y_test), task.y_test.sum()) == (71, 14, 30, 6)
    again = all_problems()["crx"].make(folder, 0)
    np.testing.assert_array_equal(again.X, tasks[0].X)
    assert not np.array_equal(tasks[0].X, tasks[1].X, equal_nan=True)


@pytest.mark.parametrize("name", THEIRS.values())
def test_peers_take_categories_and_missing_cells(name):
    method = all_methods()[name]
    skip_without(*method.packages)
    task = MIXED.make(None, 1)
    assert np.isnan(task.X).any() and np.isnan(task.X_test).any()
    # A category that no training row has.
    task.X_test[0, 2] = 7.0
    found = scores(task.y_test, method.run(task, {}).log_proba)
    assert found["error"] < 0.35 and found["auc"] > 0.7


def test_lightgbm_knows_which_columns_are_categories():
    skip_without("lightgbm")
    from experiments.methods.untuned import lightgbm

    task = MIXED.make(None, 0)
    model = lightgbm(task).fit(task.X, task.y)
    assert model[-1].booster_.pandas_categorical == [[0.0, 1.0, 2.0]]


def test_the_area_under_the_curve_counts_pairs():
    y = np.array([True, False, True, False])
    assert area_under_curve(y, np.array([3.0, 2.0, 2.0, 1.0])) == 0.875
    assert area_under_curve(y, np.array([-np.inf, np.inf, -np.inf, np.inf])) == 0.0
    assert area_under_curve(y[:1], np.array([1.0])) is None
    rng = np.random.default_rng(0)
    y, value = rng.random(300) < 0.3, rng.normal(size=300).round(1)
    assert area_under_curve(y, value) == pytest.approx(roc_auc_score(y, value))


def test_probabilities_are_ranked_by_their_odds():
    # Of probabilities next to 1, the logarithms of the other class still tell them apart.
    log_proba = np.array([[-50.0, 0.0], [-60.0, 0.0], [-1.0, np.log1p(-np.exp(-1.0))]])
    assert scores(np.array([False, True, False]), log_proba)["auc"] == 1.0


def test_tasks_without_probabilities_or_classes_have_no_scores():
    assert scores(np.array([True, False])) == {}


def test_an_unknown_ability_of_ours_leaves_a_method_out(tmp_path, monkeypatch):
    known = [Method("plain", None, abilities=("kernel", "predict_proba")), Method("new", None, abilities=("no_such_thing",))]
    monkeypatch.setattr("experiments.catalogue.all_problems", lambda: {"made": Problem("made", 2, lambda folder, split: None)})
    monkeypatch.setattr("experiments.catalogue.all_methods", lambda: {method.name: method for method in known})
    made = plan([Study("s", ("made",), ("plain", "new"), {"default": None})], "default", None, tmp_path)
    assert made.unable == {"new": ["no_such_thing"]} and {key.method for key in made.runs} == {"plain"}
