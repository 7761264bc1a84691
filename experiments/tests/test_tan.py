"""TAN's methods see what they should: the circle's outliers, and genes chosen from the rows that are meant."""

import numpy as np
import pytest
from experiments.methods import tan
from experiments.problems.circle import circle
from experiments.problems.colon import few_relevant_genes
from experiments.scores import scores
from experiments.spec import Task
from experiments.specs import tan as spec

METHODS = {method.name: method for method in tan.METHODS}


def error(method, task):
    return scores(task.y_test, METHODS[method].run(task, {}).log_proba)["error"]


def test_probit_fails_from_the_papers_initial_values_alone():
    """The flat function is a local optimum of the evidence there; from other values the same likelihood finds the circle."""
    task = circle(outliers=False)(None, 0)
    share = min(task.y_test.mean(), 1 - task.y_test.mean())
    assert error("TAN probit", task) == pytest.approx(share)
    assert error("TAN probit, our search", task) < 0.5 * share


def test_adapted_label_error_is_the_share_of_flipped_labels():
    task = circle(outliers=True)(None, 2)
    assert METHODS["TAN step"].run(task, {}).facts["eps"] == pytest.approx(task.flipped.mean())
    assert error("TAN step", task) < error("TAN step(0)", task)


@pytest.fixture(scope="module")
def genes():
    task = few_relevant_genes()(None, 0)
    return task, {name: {"facts": METHODS[name].run(task, {}).facts} for name in tan.SELECTIONS.values()}


def test_genes_of_the_training_rows_do_not_depend_on_test_rows(genes):
    task, records = genes
    other = Task(task.X, task.y, task.X_test[::-1].copy(), ~task.y_test)
    chosen = {name: METHODS[name].run(other, {}).facts["genes"] for name in tan.SELECTIONS.values()}
    assert chosen["TAN genes(train)"] == records["TAN genes(train)"]["facts"]["genes"]
    assert chosen["TAN genes(all)"] != records["TAN genes(all)"]["facts"]["genes"]


@pytest.mark.parametrize("name", tan.CLASSIFIERS)
def test_classifiers_use_the_chosen_genes_alone(name, genes):
    task, records = genes
    chosen = records["TAN genes(train)"]["facts"]["genes"]
    assert len(set(chosen)) == tan.GENES
    noise = np.random.default_rng(0).normal(size=task.X.shape)
    left_out = np.setdiff1d(np.arange(task.X.shape[1]), chosen)
    spoilt = task.X.copy()
    spoilt[:, left_out] += noise[:, left_out]
    runs = [
        METHODS[f"TAN {name}(train)"].run(Task(X, task.y, task.X_test, task.y_test), records) for X in (task.X, spoilt)
    ]
    kept = [run.positive if run.log_proba is None else run.log_proba for run in runs]
    assert np.array_equal(*kept)


def test_figures_are_drawn_from_records_and_without_them():
    run = METHODS["TAN step"].run(circle(outliers=True)(None, 0), {})
    record = {"split": 0, "scores": {"error": 0.03}, "facts": run.facts}
    for figure in spec.FIGURES:
        assert "not run" in _titles(figure.draw(lambda problem, method: []))
        assert "not run" not in _titles(figure.draw(lambda problem, method: [record]))


def _titles(figure):
    return " ".join(axis.get_title() for axis in figure.axes)
