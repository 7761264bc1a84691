"""Rows that are moved away from the others."""

import numpy as np
import pytest
from experiments.catalogue import all_methods, all_problems
from experiments.methods.novelty import areas, moved
from experiments.scores import suspects

TASK = all_problems()["mixed-small"].make(None, 0)


def test_numbers_are_moved_and_categories_stay():
    everything, one = (moved(TASK, all_columns) for all_columns in (True, False))
    step = 3.0 * np.nanstd(TASK.X, axis=0)
    known = ~np.isnan(TASK.X_test)
    difference = np.abs(everything - TASK.X_test)
    np.testing.assert_allclose(difference[:, 0], step[0])
    np.testing.assert_array_equal(everything[:, 2], TASK.X_test[:, 2])
    changed = (one != TASK.X_test) & known
    assert changed.sum(axis=1).max() == 1 and changed[:, 0].any() and changed[:, 1].any() and not changed[:, 2].any()


def test_a_novelty_that_knows_is_right_for_all_pairs():
    originals = {tuple(row) for row in np.nan_to_num(TASK.X_test)}
    found = areas(TASK, lambda X: [float(tuple(row) not in originals) for row in np.nan_to_num(X)])
    assert found["novelty_all_columns"] == 1.0
    assert areas(TASK, lambda X: np.zeros(len(X)))["novelty_one_column"] == 0.5


@pytest.mark.parametrize("name", ["novelty isolation forest", "novelty local outlier factor"])
def test_detectors_see_moved_rows(name):
    facts = all_methods()[name].run(TASK, {}).facts
    assert facts["novelty_all_columns"] > 0.9 and facts["novelty_one_column"] > 0.7


def test_recall_is_that_of_the_longest_list_that_is_precise():
    flipped = np.array([True] * 8 + [False, True, True, False, False, True])
    found = suspects(flipped, np.linspace(1.0, 0.0, len(flipped)))
    # 10 of the first 11 are flipped, and 11 of all 14.
    assert found["recall_at_precision"] == pytest.approx(10 / 11)
    assert suspects(flipped, np.linspace(0.0, 1.0, len(flipped)))["recall_at_precision"] == pytest.approx(1 / 11)
    assert suspects(flipped, -flipped.astype(float))["recall_at_precision"] == 0.0
