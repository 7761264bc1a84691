"""The default against the papers' methods, on made-up scores."""

import math

import numpy as np
from experiments.compare import Records
from experiments.default import DEFAULT, contests
from experiments.spec import Table, grid

PUBLISHED = {"here": {"A": (10.0, 1.0), "B": (11.0, 1.0), "gpclass": None}}
TABLE = Table("t", "errors", grid("error", PUBLISHED, {"A": "a", "B": "b", "gpclass": DEFAULT}), scale=100.0)


def records(gpclass=(), **others):
    scores = {DEFAULT: gpclass, **others}
    return Records(
        {"problem": "here", "method": method, "split": k, "source": "made", "scores": {"error": value}}
        for method, values in scores.items()
        for k, value in enumerate(values)
    )


def test_the_best_of_the_paper_is_the_opponent():
    noise = np.array([0.0, 0.01, -0.01, 0.02, -0.02])
    (contest,) = contests([TABLE], records(a=0.2 + noise, b=0.1 + noise, gpclass=0.15 + noise[::-1] / 10))
    assert contest.best == "b"
    assert math.isclose(contest.lead, -5.0, abs_tol=1e-9)
    assert contest.verdict == "default worse"


def test_more_is_better_for_some_scores():
    table = Table("t", "F", grid("f", PUBLISHED, {"A": "a", "B": "b", "gpclass": DEFAULT}))
    found = records(a=[0.1, 0.2, 0.15], gpclass=[0.5, 0.61, 0.56])
    for runs in found.done.values():
        for record in runs:
            record["scores"]["f"] = record["scores"].pop("error")
    (contest,) = contests([table], found)
    assert contest.best == "a" and contest.lead > 0 and contest.verdict == "default better"


def test_only_common_splits_count_and_few_decide_nothing():
    (contest,) = contests([TABLE], records(a=[0.1, 0.2, 0.3], gpclass=[0.3, 0.2]))
    assert len(contest.ours) == 2 and contest.verdict == "too few splits"
    assert contests([TABLE], records(a=[0.1])) == []


def test_equal_scores_are_no_difference():
    (contest,) = contests([TABLE], records(a=[0.1, 0.2, 0.3], gpclass=[0.1, 0.2, 0.3]))
    assert contest.p == 1.0 and contest.verdict == "no significant difference"


def test_a_difference_that_never_varies_is_certain():
    (contest,) = contests([TABLE], records(a=[0.5, 0.75, 1.0], gpclass=[0.25, 0.5, 0.75]))
    assert contest.p == 0.0 and contest.verdict == "default better"
