"""Problems, machines and methods of EMEP and ROBUST on generated data."""

import numpy as np
import pandas as pd
import pytest
from experiments.catalogue import all_methods, all_problems
from experiments.methods.svm import Coordinates, GridSVM, covariance, squared_distances
from experiments.problems import kim


def test_circles_share_points_and_differ_in_two_labels():
    for split in (0, 7):
        clean, noisy = (all_problems()[name].make(None, split) for name in ("circle-clean", "circle-outliers"))
        np.testing.assert_array_equal(clean.X, noisy.X)
        np.testing.assert_array_equal(clean.y != noisy.y, noisy.flipped)
        assert noisy.flipped.sum() == 2 and not clean.flipped.any()
        np.testing.assert_array_equal(clean.y_test, np.hypot(*clean.X_test.T) >= np.sqrt(0.5))


@pytest.fixture
def folder(tmp_path):
    """Files of the same form as the real ones."""
    (tmp_path / "kim2003").mkdir()
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({"sp": rng.choice(["B", "O"], 43), "size": rng.normal(size=43)})
    rows.loc[3, "size"], rows.loc[4, "sp"] = np.nan, np.nan
    rows["label"] = np.where(rng.random(43) < 0.5, "M", "F")
    rows.to_csv(tmp_path / "kim2003" / "crabs.csv", index=False)
    pd.DataFrame({"a": rng.normal(size=215), "label": ["normal", "abnormal"] * 107 + ["normal"]}).to_csv(
        tmp_path / "kim2003" / "thyroid.csv", index=False
    )
    return tmp_path


def test_every_row_is_tested_once_and_gaps_are_filled_from_training_rows(folder):
    make = kim.folds("crabs", "M", ("sp",))
    tasks = [make(folder, split) for split in range(kim.FOLDS)]
    tested = np.concatenate([task.X_test[:, 1] for task in tasks])
    source = pd.read_csv(folder / "kim2003" / "crabs.csv")
    assert len(tested) == 43 and set(source["size"].dropna()) <= set(tested)
    assert {len(task.y_test) for task in tasks} == {4, 5}
    for task in tasks:
        (filled,) = [value for value in np.concatenate([task.X[:, 1], task.X_test[:, 1]]) if value not in set(source["size"])]
        assert filled == pytest.approx(task.X[task.X[:, 1] != filled, 1].mean())
        assert task.categorical == (0,) and set(np.unique(task.X[:, 0])) <= {-1.0, 0.0, 1.0}


def test_changed_labels_are_nested_in_the_same_halves(folder):
    tasks = [kim.flipped_halves(rate)(folder, 3) for rate in kim.FLIP_RATES]
    assert [int(task.flipped.sum()) for task in tasks] == [0, 5, 11, 16]
    for less, more in zip(tasks, tasks[1:]):
        np.testing.assert_array_equal(less.X, more.X)
        np.testing.assert_array_equal(less.y_test, more.y_test)
        assert not (less.flipped & ~more.flipped).any()
        np.testing.assert_array_equal(less.y ^ less.flipped, more.y ^ more.flipped)


def test_distances_are_those_of_the_papers_kernel():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.normal(3.0, 5.0, 12), rng.integers(0, 3, 12)])
    rows = Coordinates(X, (1,), standardise=True)(X)
    z = (X[:, 0] - X[:, 0].mean()) / X[:, 0].std()
    expected = (z[:, None] - z[None, :]) ** 2 + (X[:, 1][:, None] != X[:, 1][None, :])
    np.testing.assert_allclose(squared_distances(rows, rows), expected, atol=1e-12)
    np.testing.assert_allclose(covariance(expected, -1.0), np.exp(-0.05 * expected))


def test_the_grid_finds_what_a_circle_needs():
    task = all_problems()["circle-clean"].make(None, 2)
    wide = GridSVM(log_ls=-3.0, log_cs=2.0).fit(task.X, task.y)
    assert wide.log_l == -3.0 and wide.log_c == 2.0
    found = GridSVM(log_cs=2.0).fit(task.X, task.y)
    assert found.log_l > -1.5 and found.log_c == 2.0
    right = [np.mean(machine.predict(task.X_test) == task.y_test) for machine in (wide, found)]
    assert right[1] > 0.9 > right[0]


def test_folds_start_from_what_was_learned_before():
    """After one iteration from the end of another search, its evidence is not lost."""
    methods, problem = all_methods(), all_problems()["six-features-tiny"]
    task = problem.make(None, 0)
    soft = methods["EMEP GPC-EP(s,soft)"]
    first = soft.run(task, {})
    again = soft.run(task, {"before": {"facts": first.facts}})
    assert again.facts["trace"][0] == pytest.approx(first.facts["log_evidence"], abs=1e-3)
    many = methods["EMEP GPC-EP(m,soft)"].run(task, {soft.name: {"facts": first.facts}})
    assert many.facts["trace"][0] == pytest.approx(first.facts["log_evidence"], abs=1e-3)
    assert many.facts["log_evidence"] > first.facts["log_evidence"]
    assert first.facts["hyperparameters"]["eps"] == 0.0


def test_the_model_of_higher_evidence_is_chosen():
    methods, task = all_methods(), all_problems()["circle-outliers"].make(None, 0)
    names = ("ROBUST GPC", "ROBUST robust GPC")
    records = {name: {"facts": methods[name].run(task, {}).facts} for name in names}
    chosen = methods["ROBUST MS-robust GPC"].run(task, records)
    evidences = [records[name]["facts"]["log_evidence"] for name in names]
    assert chosen.facts["log_evidence"] == max(evidences) != min(evidences)
    assert records[names[0]]["facts"]["hyperparameters"]["eps"] == 0.0 < records[names[1]]["facts"]["hyperparameters"]["eps"]


def test_figures_draw_what_the_methods_keep():
    from experiments.catalogue import all_figures

    methods, task = all_methods(), all_problems()["circle-outliers"].make(None, 0)

    def records(problem, method):
        facts = methods[method].run(task, {}).facts
        return [{"problem": problem, "method": method, "split": 0, "scores": {"error": 0.1}, "facts": facts}]

    for name in ("EMEP Figure 2", "ROBUST Figure 1"):
        drawn = all_figures()[name].draw(records)
        assert all("not run" not in axis.get_title() for axis in drawn.axes) and len(drawn.axes) == 4
