"""Tables of thousands of rows: their splits, and peers that are tuned."""

from __future__ import annotations

import numpy as np
import pytest

from experiments.methods import tuned
from experiments.problems import large
from experiments.spec import Task
from experiments.tests.peers import skip_without


def table(folder, rows, test_rows=0):
    folder.mkdir()
    lines = [f"{i},{'ab'[i % 2] if i % 9 else ''},{'yes' if i % 3 == 0 else 'no'}" for i in range(rows + test_rows)]
    (folder / "t.csv").write_text("\n".join(["x,word,label", *lines[:rows]]))
    (folder / "test.csv").write_text("\n".join(["x,word,label", *lines[rows:]]))
    return large.LargeTable("t", "t.csv", ("yes",), "test.csv" if test_rows else None)


def test_splits_are_whole_stratified_and_different(tmp_path):
    make = large.split_of(0, table(tmp_path / "a", 300))
    first, second = make(tmp_path / "a", 0), make(tmp_path / "a", 1)
    assert len(first.y) == 210 and first.y.sum() == 70 and first.categorical == (1,)
    assert sorted([*first.X[:, 0], *first.X_test[:, 0]]) == list(range(300))
    assert set(first.X[:, 0]) != set(second.X[:, 0])
    # A missing word is a category of its own.
    assert set(first.X[:, 1]) == {0.0, 1.0, 2.0}


def test_test_rows_of_a_table_are_kept(tmp_path):
    task = large.split_of(0, table(tmp_path / "b", 60, 30))(tmp_path / "b", 0)
    assert list(task.X[:, 0]) == list(range(60)) and list(task.X_test[:, 0]) == list(range(60, 90))


def test_parts_are_apart_and_of_the_size_asked_for():
    rng = np.random.default_rng(1)
    task = Task(rng.normal(size=(500, 2)), rng.random(500) < 0.3, np.zeros((1, 2)), np.array([True]))
    fit, judge = tuned.parts(task, 200)
    assert len(fit) == 160 and len(judge) == 40 and not set(fit) & set(judge)
    assert len(np.concatenate(tuned.parts(task))) == 500


@pytest.mark.parametrize("method", [method for method in tuned.METHODS])
def test_tuned_peers_beat_the_class_shares(method):
    skip_without(*method.packages)
    task = large.waves(None, 0)
    few = Task(task.X[:400], task.y[:400], task.X_test, task.y_test)
    outcome = method.run(few, {})
    nlp = -outcome.log_proba[np.arange(len(few.y_test)), few.y_test.astype(int)].mean()
    share = few.y.mean()
    of_shares = -np.where(few.y_test, np.log(share), np.log(1 - share)).mean()
    assert nlp < 0.9 * of_shares and outcome.fit_seconds > 0
