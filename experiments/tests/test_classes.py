"""Several classes: splits, changed labels, scores, and methods on a small generated problem."""

import numpy as np
import pandas as pd
import pytest
from experiments.catalogue import all_methods, all_problems
from experiments.methods import base
from experiments.problems import classes
from experiments.problems.multi import apportioned, stratified
from experiments.problems.wrong_labels import with_wrong_labels
from experiments.scores import LEAST_PROBABILITY, scores, suspects
from experiments.spec import Task
from experiments.specs.classes import OURS, THEIRS
from experiments.tests.peers import skip_without
from sklearn.naive_bayes import GaussianNB

CLOUDS = all_problems()["three-clouds"]


@pytest.mark.parametrize(
    ("sizes", "total", "parts"),
    [
        ([50, 30, 20], 10, [5, 3, 2]),
        # 4.8, 2.8 and 2.4: the remainders of the first two are larger.
        ([48, 28, 24], 10, [5, 3, 2]),
        # 0.2 and 0.2 become 1 each, and the largest gives.
        ([96, 2, 2], 10, [8, 1, 1]),
        ([2, 3], 5, [2, 3]),
    ],
)
def test_rows_are_shared_out_with_one_of_each_class(sizes, total, parts):
    assert apportioned(np.array(sizes), total).tolist() == parts


def test_strata_of_two_and_of_several_classes():
    y = np.repeat([True, False], [10, 30])
    rows = stratified(y, 12, np.random.default_rng(0))
    assert len(set(rows.tolist())) == 12 and y[rows].sum() == 3
    labels = np.repeat(["rare", "b", "c"], [1, 60, 39])
    rows = stratified(labels, 10, np.random.default_rng(0))
    assert dict(zip(*np.unique(labels[rows], return_counts=True))) == {"b": 6, "c": 3, "rare": 1}


@pytest.fixture
def folder(tmp_path):
    """Files of the same form as the real ones: a large set, and a small one with a class of two rows."""
    (tmp_path / "multi").mkdir()
    labels = {"letter": np.arange(2000) % 26, "ecoli": np.repeat(["cp", "im", "imS"], [60, 38, 2])}
    for name, column in labels.items():
        rows = pd.DataFrame({"row": np.arange(len(column)), "label": column})
        rows.to_csv(tmp_path / classes.FILES[name], index=False)
    return tmp_path


def test_large_sets_are_one_subset_of_which_most_rows_are_for_training(folder):
    tasks = [all_problems()["letter"].make(folder, split) for split in range(classes.SPLITS)]
    kept = [np.sort(np.concatenate([task.X[:, 0], task.X_test[:, 0]])) for task in tasks]
    assert all(len(set(rows)) == classes.MOST_ROWS and np.array_equal(rows, kept[0]) for rows in kept)
    assert {len(task.y) for task in tasks} == {round(classes.TRAINING_SHARE * classes.MOST_ROWS)}
    assert len({tuple(task.X[:, 0]) for task in tasks}) == classes.SPLITS
    assert all(np.array_equal(np.unique(task.y), np.arange(26)) for task in tasks)


def test_every_class_is_in_the_training_rows(folder):
    for split in range(classes.SPLITS):
        task = all_problems()["ecoli"].make(folder, split)
        assert np.array_equal(np.unique(task.y), [0, 1, 2]) and len(task.y) == 60
        assert set(task.y_test) <= set(task.y) and len(task.y_test) == 40


def test_changed_labels_are_other_classes_and_nested():
    y = np.arange(200) % 5
    task = Task(np.zeros((200, 1)), y, np.zeros((5, 1)), np.arange(5))
    less, more = (with_wrong_labels(task, rate, np.random.default_rng(3)) for rate in (0.1, 0.3))
    assert (less.flipped.sum(), more.flipped.sum()) == (20, 60)
    assert np.array_equal(more.original, y) and np.array_equal(task.y, y)
    assert np.array_equal(less.y[less.flipped], more.y[less.flipped])
    # Each of the other four classes takes its share.
    steps = np.bincount((more.y - y)[more.flipped] % 5, minlength=5)
    assert steps[0] == 0 and steps[1:].min() > 5


def test_scores_of_several_classes():
    p = np.array([[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.6, 0.4, 0.0], [0.1, 0.1, 0.8]])
    with np.errstate(divide="ignore"):
        found = scores(np.array([0, 1, 2, 2]), np.log(p))
    assert found["error"] == 0.25
    assert found["nlp"] == pytest.approx(-np.log([0.7, 0.5, LEAST_PROBABILITY, 0.8]).mean())
    # F-measures 2/3, 1 and 2/3.
    assert found["f"] == pytest.approx(7 / 9)
    # Of the predicted classes' probabilities 0.7, 0.5, 0.6, 0.8, each in a bin of its own, the third is wrong.
    assert found["calibration_error"] == pytest.approx(np.mean([0.3, 0.5, 0.6, 0.2]))
    # Shares 1/4, 1/4, 1/2: an entropy of 1.5 bits.
    assert found["bits"] == pytest.approx(1.5 - found["nlp"] / np.log(2.0))


def test_two_classes_keep_their_scores():
    p = np.array([0.9, 0.4, 0.5, 0.2])
    found = scores(np.array([True, True, False, False]), np.log(np.column_stack([1 - p, p])))
    assert (found["error"], found["f"]) == (0.25, pytest.approx(2 / 3))
    # Of the positive class, whichever is predicted.
    assert found["calibration_error"] == pytest.approx(np.mean([0.1, 0.6, 0.5, 0.2]))


def test_suspects_are_named_by_a_threshold_or_as_told():
    flipped = np.array([True, True, True, False, False])
    suspicion = np.array([0.9, 0.6, 0.1, 0.7, 0.2])
    found = suspects(flipped, suspicion, restored=np.array([True, False, True, False, False]))
    assert (found["named"], found["precision"], found["recall"]) == (3, pytest.approx(2 / 3), pytest.approx(2 / 3))
    assert (found["restored"], found["precision_at_count"]) == (0.5, pytest.approx(2 / 3))
    told = suspects(flipped, suspicion, named=np.array([False, False, True, False, False]))
    assert (told["precision"], told["recall"], told["restored"]) == (1.0, pytest.approx(1 / 3), None)
    nobody = suspects(flipped, np.zeros(5))
    assert (nobody["precision"], nobody["recall"], nobody["restored"]) == (None, 0.0, None)


class Reversed:
    """Has its classes in another order."""

    def fit(self, X, y):
        self.model = GaussianNB().fit(X, y)
        self.classes_ = self.model.classes_[::-1]

    def predict_log_proba(self, X):
        return self.model.predict_log_proba(X)[:, ::-1]


def test_columns_follow_the_labels_whatever_the_order_of_classes():
    task = CLOUDS.make(None, 0)
    plain, other = (base.estimator("any", lambda _, model=model: model()).run(task, {}) for model in (GaussianNB, Reversed))
    np.testing.assert_allclose(other.log_proba, plain.log_proba)
    assert scores(task.y_test, other.log_proba)["error"] < 0.2


@pytest.mark.parametrize("name", THEIRS.values())
def test_peers_know_several_classes_and_categories(name):
    method = all_methods()[name]
    skip_without(*method.packages)
    task = CLOUDS.make(None, 1)
    # A column of categories, of which a test row has a new one, and a class with one row.
    X, X_test = (np.column_stack([X, np.arange(len(X)) % 4 / 3]) for X in (task.X, task.X_test))
    y = np.concatenate([[3], task.y[1:]])
    X_test[0, 2] = 7.0
    outcome = method.run(Task(X, y, X_test, task.y_test, categorical=(2,)), {})
    assert outcome.log_proba.shape == (len(X_test), 4)
    np.testing.assert_allclose(np.exp(outcome.log_proba).sum(axis=1), 1.0, atol=1e-9)
    assert scores(task.y_test, outcome.log_proba)["error"] < 0.25


class StandIn:
    """Has what the experiments ask of our classifier, and keeps its arguments."""

    log_evidence_, hyperparameters_, kernel_, likelihood_, multiclass_, converged_ = -1.0, {}, "SE", "probit", "joint", True
    loo_scores_, trace_ = {"nlp_nats": {"value": 0.5}}, [{"log_evidence": -1.0}]

    def __init__(self, n_jobs, random_state, **arguments):
        self.arguments = arguments

    def fit(self, X, y):
        self.model = GaussianNB().fit(X, y)
        self.classes_ = self.model.classes_
        p = self.model.predict_proba(X)
        self.label_error_proba_ = 1.0 - p[np.arange(len(y)), y]
        self.label_suggestion_ = self.classes_[p.argmax(axis=1)]

    def predict_log_proba(self, X):
        return self.model.predict_log_proba(X)


@pytest.fixture
def ours(monkeypatch):
    made = []
    monkeypatch.setattr(base, "GPClassifier", lambda **arguments: made.append(StandIn(**arguments)) or made[-1])
    return made


def test_our_methods_say_how_several_classes_are_treated(ours):
    task = CLOUDS.make(None, 0)
    for name in OURS.values():
        assert all_methods()[name].run(task, {}).log_proba.shape == (len(task.y_test), 3)
    default, joint, laplace, against_rest = (model.arguments for model in ours)
    assert default == {} and against_rest == {"multiclass": "one-vs-rest", "combine": "best"}
    plain = {"multiclass": "joint", "kernel": "se", "lengthscales": "single", "combine": "best"}
    assert joint == {**plain, "likelihood": "probit"}
    assert laplace == {**plain, "likelihood": "logistic", "inference": "laplace"}


def test_suggested_labels_are_compared_with_those_before_the_change(ours):
    task = all_problems()["three-clouds-flip10"].make(None, 0)
    assert task.flipped.sum() == 6
    facts = all_methods()["gpclass"].run(task, {}).facts
    (model,) = ours
    found = (model.label_error_proba_ >= 0.5) & task.flipped
    assert facts["recall"] == pytest.approx(found.sum() / 6) and found.any()
    assert facts["restored"] == pytest.approx(np.mean(model.label_suggestion_[found] == task.original[found]))


def test_confident_learning_finds_changed_labels():
    skip_without("cleanlab")
    task = all_problems()["three-clouds-flip10"].make(None, 0)
    facts = all_methods()["classes confident learning"].run(task, {}).facts
    assert facts["recall"] > 0.5 and 0 < facts["named"] < 30
