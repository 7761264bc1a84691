"""Many data sets: means, wins over a rival, and columns that have not run."""

import pytest
from experiments.compare import Records, compare_table
from experiments.overall import duel, means
from experiments.render.markdown import write
from experiments.render.overall import overall_blocks
from experiments.render.ranking import ranking_blocks
from experiments.render.tables import Result, grid
from experiments.spec import Cell, Table

COLUMNS = {"ours": "ours", "rival": "rival", "absent": "absent"}
#: Errors by data set, method and split.
ERRORS = {
    "clear": {"ours": (0.10, 0.11, 0.12), "rival": (0.20, 0.21, 0.23)},
    "unclear": {"ours": (0.10, 0.30, 0.20), "rival": (0.20, 0.21, 0.20)},
    "behind": {"ours": (0.30, 0.31, 0.32), "rival": (0.20, 0.21, 0.23)},
    "partly": {"ours": (0.30,), "rival": ()},
}


def table(score="error"):
    cells = tuple(Cell(row, head, row, method, score) for row in ERRORS for head, method in COLUMNS.items())
    return Table("Many", "Many sets", cells, "data set", 100.0, ranked=True, rival="rival", sized=True)


def records(name="error"):
    return Records(
        {"problem": row, "method": method, "split": k, "rows": 70 + k, "scores": {name: value}}
        for row, methods in ERRORS.items()
        for method, values in methods.items()
        for k, value in enumerate(values)
    )


def test_wins_are_counted_by_means_and_by_standard_errors_of_differences():
    found = duel(compare_table(table(), records()), ERRORS, "ours", "rival")
    # On `unclear` the means are 20.0 and 20.33.
    assert (found.better, found.worse, found.rows) == (("clear", "unclear"), ("behind",), 3)
    assert (found.clearly_better, found.clearly_worse) == (("clear",), ("behind",))


def test_two_splits_make_nothing_clear():
    few = [r for runs in records().done.values() for r in runs if r["split"] < 2]
    found = duel(compare_table(table(), Records(few)), ERRORS, "ours", "rival")
    assert "behind" in found.worse and found.clearly_better == found.clearly_worse == ()


def test_more_is_better_for_some_scores():
    found = duel(compare_table(table("auc"), records("auc")), ERRORS, "ours", "rival")
    assert found.clearly_better == ("behind",) and found.clearly_worse == ("clear",)


def test_means_are_over_the_data_sets_that_all_have():
    rows, found = means(table(), compare_table(table(), records()), ("ours", "rival"))
    assert rows == ("clear", "unclear", "behind")
    assert found["ours"] == pytest.approx((11 + 20 + 31) / 3)


def test_a_split_that_one_column_lacks_counts_for_none():
    few = [r for runs in records().done.values() for r in runs if (r["problem"], r["method"], r["split"]) != ("clear", "ours", 2)]
    _, found = means(table(), compare_table(table(), Records(few)), ("ours", "rival"))
    assert found["rival"] == pytest.approx((20.5 + 61 / 3 + 64 / 3) / 3)


def test_the_page_tells_rows_wins_and_what_has_not_run():
    result = Result.of(table(), records())
    assert grid(result).head[:3] == ("data set", "rows", "splits") and grid(result).rows[0][1:3] == ("70-72", "3")
    text = write(overall_blocks(result))
    assert "| mean of 3 data sets" in text and "| 2 of 3 | –" in text.replace("     ", " ").replace("  ", " ")
    assert "ours is clearly behind\n\n- rival: behind" in text
    told = write(ranking_blocks(result))
    assert "There are no runs of absent." in told and "Ranks of 2 methods" in told


def test_tables_without_a_rival_have_nothing_below():
    plain = Table("Many", "Many sets", table().cells, "data set")
    assert overall_blocks(Result.of(plain, records())) == []
