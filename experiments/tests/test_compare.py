"""Comparison and ranks, against numbers worked out by hand or printed elsewhere."""

import itertools
import math

import numpy as np
import pytest
from gpclass.compare import resampled_t_test
from scipy import stats

from experiments import compare, ranks
from experiments.compare import Estimate, Records, compare_table
from experiments.spec import Cell, Published, Table, grid

# Demsar 2006, table 6: AUC of four variants of C4.5 on 14 data sets. Printed ties of 'voting' are broken as in its ranks.
DEMSAR = np.array(
    [
        [0.763, 0.768, 0.771, 0.798],
        [0.599, 0.591, 0.590, 0.569],
        [0.954, 0.971, 0.968, 0.967],
        [0.628, 0.661, 0.654, 0.657],
        [0.882, 0.888, 0.886, 0.898],
        [0.936, 0.931, 0.916, 0.931],
        [0.661, 0.668, 0.609, 0.685],
        [0.583, 0.583, 0.563, 0.625],
        [0.775, 0.838, 0.866, 0.875],
        [1.000, 1.000, 1.000, 1.000],
        [0.940, 0.962, 0.965, 0.962],
        [0.619, 0.666, 0.614, 0.669],
        [0.972, 0.981, 0.9751, 0.975],
        [0.957, 0.978, 0.946, 0.970],
    ]
)


def record(split, value, problem="p", method="m", source="made", **others):
    return {"problem": problem, "method": method, "split": split, "source": source, "scores": {"error": value}, **others}


def one_cell(values, published, score="error", **table):
    """The comparison of a table with a single cell."""
    made = Table("t", "T", (Cell("p", "m", "p", "m", score, published),), **table)
    return compare_table(made, Records(record(i, v) for i, v in enumerate(values)))["p", "m"]


def test_means_and_standard_errors_are_in_the_tables_unit():
    # Values 10, 12, 14 %: sd 2, standard error 2/sqrt(3).
    ours = one_cell([0.10, 0.12, 0.14], None, scale=100.0).estimate()
    assert (ours.splits, ours.mean) == (3, pytest.approx(12.0))
    assert ours.sd == pytest.approx(2.0)
    assert ours.se == pytest.approx(2.0 / math.sqrt(3.0))


@pytest.mark.parametrize(
    ("spread", "printed", "expected"),
    [
        # Ours 12 with sd 2 over 5 splits, so se^2 = 4/5; published 10.
        ("se", Published(10.0, 1.0), 2.0 / math.sqrt(4.0 / 5.0 + 1.0)),
        ("sd", Published(10.0, 3.0), 2.0 / math.sqrt(4.0 / 5.0 + 9.0 / 100.0)),
        ("single", Published(10.0), 2.0 / (2.0 * math.sqrt(1.0 + 1.0 / 5.0))),
        # No spread, but known to be a mean over 100 splits: our sd stands for theirs.
        ("sd", Published(10.0), 2.0 / math.sqrt(4.0 / 5.0 + 4.0 / 100.0)),
    ],
)
def test_difference_in_standard_errors(spread, printed, expected):
    compared = one_cell([10.0, 10.0, 12.0, 14.0, 14.0], printed, spread=spread, published_splits={"p": 100})
    assert compared.z() == pytest.approx(expected)


def test_few_splits_borrow_the_published_standard_deviation():
    compared = one_cell([13.0], Published(10.0, 2.0), spread="sd", published_splits={"p": 16})
    assert compared.z() == pytest.approx(3.0 / math.sqrt(4.0 + 4.0 / 16.0))
    # A standard error of 0.5 over 16 splits is the same standard deviation.
    compared = one_cell([13.0, 13.0, 13.1, 12.9], Published(10.0, 0.5), spread="se", published_splits={"p": 16})
    assert compared.z() == pytest.approx(3.0 / math.sqrt(4.0 / 4.0 + 4.0 / 16.0))
    assert one_cell([12.0, 14.0], Published(10.0, 1.0), spread="se").z() == pytest.approx(3.0 / math.sqrt(1.0 + 1.0))
    assert one_cell([13.0], Published(10.0), spread="single").verdict() == "unclear"


def test_no_spread_at_all():
    assert one_cell([0.0, 0.0], Published(0.0), spread="single").z() == 0.0
    assert one_cell([0.3, 0.3], Published(0.0), spread="single").z() == math.inf


@pytest.mark.parametrize(
    ("score", "shift", "expected"),
    [("error", 9, "worse"), ("error", -9, "better"), ("f", 9, "better"), ("f", -9, "worse"), ("noise", 9, "differs")],
)
def test_verdict_knows_the_direction_of_a_score(score, shift, expected):
    table = Table("t", "T", (Cell("p", "m", "p", "m", score, Published(0.0, 1.0)),))
    made = [{"problem": "p", "method": "m", "split": i, "scores": {score: v + shift}} for i, v in enumerate([0.0, 1.0])]
    assert compare_table(table, Records(made))["p", "m"].verdict() == expected


def test_two_standard_errors_are_the_limit():
    assert compare.verdict(Cell("p", "m", "p", "m", "error", Published(0.0)), Estimate((1.0,)), 2.0) == "within"
    assert compare.verdict(Cell("p", "m", "p", "m", "error", Published(0.0)), Estimate((1.0,)), 2.01) == "worse"


def test_origins_are_apart_and_pooled():
    table = Table("t", "T", (Cell("p", "m", "p", "m", "error", Published(0.0, 1.0)),))
    made = [record(0, 1.0, source="ida"), record(1, 3.0, source="ida"), record(2, 8.0, source="gen:1")]
    found = compare_table(table, Records(reversed(made)))["p", "m"]
    assert found.sources == ("ida", "gen")
    assert [found.estimate(s).mean for s in ("ida", "gen", None)] == [2.0, 8.0, 4.0]
    assert found.z("ida") == pytest.approx(2.0 / math.sqrt(1.0 + 1.0))


def test_failed_and_undefined_runs_are_counted_and_left_out():
    table = Table("t", "T", (Cell("p", "m", "p", "m", "error"),))
    made = [record(0, 0.5), record(1, None), record(2, math.nan), {**record(3, 0.0), "failed": "no"}]
    found = compare_table(table, Records(made))["p", "m"]
    assert (found.estimate().values, found.undefined, found.failed) == ((0.5,), 2, 1)


def test_scores_come_before_facts_before_the_record():
    made = {"scores": {"a": 1}, "facts": {"a": 2, "b": 3}, "b": 4, "fit_seconds": 5.0}
    assert [compare.value_of(made, name) for name in ("a", "b", "fit_seconds", "c")] == [1.0, 3.0, 5.0, None]


def test_incomplete_tables_are_refused_even_without_records():
    cells = (Cell("p", "m", "p", "m", "error", Published(1.0, 1.0)),)
    with pytest.raises(ValueError, match="published_splits"):
        compare_table(Table("t", "T", cells, spread="sd"), Records([]))
    with pytest.raises(ValueError, match="two cells"):
        compare_table(Table("t", "T", cells * 2), Records([]))
    with pytest.raises(ValueError, match="spread 'range'"):
        compare_table(Table("t", "T", cells, spread="range"), Records([]))


def test_friedman_as_printed_by_demsar():
    # Average ranks 3.143, 2.000, 2.893, 1.964; chi-square 9.28 and F 3.69 without correction for ties, which divides by
    # 1 - sum(t^3 - t)/(n k (k^2 - 1)) with three pairs and one quadruple of ties.
    found = ranks.rank(-DEMSAR, tuple("abcd"), tuple(map(str, range(14))))
    assert found.average.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    correction = 1.0 - (3 * 6 + 60) / (14 * 4 * 15)
    plain = found.friedman.statistic * correction
    assert round(plain, 2) == 9.28
    assert round(13 * plain / (14 * 3 - plain), 2) == 3.69
    assert (found.friedman.freedom, found.iman_davenport.freedom) == ((3,), (3, 39))
    corrected = found.friedman.statistic
    assert found.iman_davenport.statistic == pytest.approx(13 * corrected / (42 - corrected))


def test_nemenyi_as_printed_by_demsar():
    # Critical differences 1.25 (q = 2.569) and 1.12 (q = 2.291).
    found = ranks.rank(-DEMSAR, tuple("abcd"), tuple(map(str, range(14))))
    assert found.critical_difference[0.05] == pytest.approx(2.569 * math.sqrt(20 / 84), abs=5e-4)
    assert found.critical_difference[0.10] == pytest.approx(2.291 * math.sqrt(20 / 84), abs=5e-4)
    # The largest difference, 1.179, lies between the two.
    assert 0.05 < found.nemenyi[0, 3] < 0.10
    assert np.array_equal(np.diag(found.nemenyi), np.ones(4))


def test_two_methods_and_unanimous_problems():
    # Rank sums 4 and 8: 12/(4*2*3) (4^2 + 8^2) - 3*4*3 = 4.
    found = ranks.rank(np.array([[0.0, 1.0]] * 4), ("a", "b"), tuple("wxyz"))
    assert found.friedman.statistic == pytest.approx(4.0)
    assert (found.iman_davenport.statistic, found.iman_davenport.p) == (math.inf, 0.0)
    tied = ranks.rank(np.ones((4, 3)), tuple("abc"), tuple("wxyz"))
    assert (tied.friedman.p, tied.iman_davenport.p, tied.wilcoxon.min()) == (1.0, 1.0, 1.0)


def by_all_signs(differences):
    """The exact two-sided p-value, by visiting all signs; zeros have none."""
    d = np.asarray(differences)
    rank = np.array([np.sum(abs(d) < abs(v)) + (np.sum(abs(d) == abs(v)) + 1) / 2 for v in d])[d != 0]
    middle = rank.sum() / 2
    observed = abs(rank[d[d != 0] > 0].sum() - middle)
    sums = [sum(r for r, s in zip(rank, signs) if s) for signs in itertools.product((0, 1), repeat=len(rank))]
    return np.mean([abs(s - middle) >= observed - 1e-9 for s in sums])


@pytest.mark.parametrize(
    "differences",
    [
        [1.1, -0.4, 2.3, 0.7, -1.9, 3.2, 0.2, -0.6],
        [1.0, -1.0, 2.0, 2.0, -3.0, 4.0, 4.0, 5.0, 0.0, 0.0, 3.0],
        [0.0, 0.0, 1.0, 2.0],
    ],
)
def test_wilcoxon_is_exact_for_few_problems_with_ties_and_zeros(differences):
    d = np.array(differences)
    assert ranks.wilcoxon(d, np.zeros(len(d))) == pytest.approx(by_all_signs(d), abs=1e-12)


def test_the_tests_agree_with_scipy():
    found = ranks.rank(-DEMSAR, tuple("abcd"), tuple(map(str, range(14))))
    friedman = stats.friedmanchisquare(*DEMSAR.T)
    assert (found.friedman.statistic, found.friedman.p) == pytest.approx((friedman.statistic, friedman.pvalue), rel=1e-12)
    f = found.iman_davenport
    assert f.p == pytest.approx(stats.f.sf(f.statistic, *f.freedom), rel=1e-12)
    distance = abs(found.average[0] - found.average[3]) / math.sqrt(20 / 84) * math.sqrt(2)
    spread = stats.studentized_range(4, np.inf)
    assert found.nemenyi[0, 3] == pytest.approx(spread.sf(distance), rel=1e-9)
    critical = [spread.ppf(1.0 - level) * math.sqrt(20 / 84 / 2) for level in ranks.LEVELS]
    assert list(found.critical_difference.values()) == pytest.approx(critical, rel=1e-6)
    d = np.array([(i + 1) * (-1.0 if i % 3 == 0 else 1.0) for i in range(25)])
    assert ranks.wilcoxon(d, np.zeros(25)) == pytest.approx(stats.wilcoxon(d, method="exact").pvalue, rel=1e-12)
    plain = resampled_t_test(DEMSAR[:, 0], DEMSAR[:, 1], test_to_train=0.0)
    assert plain.p_value == pytest.approx(stats.ttest_rel(DEMSAR[:, 0], DEMSAR[:, 1]).pvalue, rel=1e-12)


def test_wilcoxon_sees_decimal_ties():
    # 0.3 - 0.2 and 0.8 - 0.7 differ in binary.
    assert ranks.wilcoxon(np.array([0.3, 0.7, 1.0]), np.array([0.2, 0.8, 0.5])) == pytest.approx(by_all_signs([1, -1, 5]))


# EPCV table 7: F-measure of the NLP, FM and two-step methods; section 6 prints average ranks 2.75, 1.25 and 2.00, and
# that only the first two differ by Nemenyi's test, while all three pairs do by Wilcoxon's, at the level 0.05.
EPCV_7 = {
    "yeast7": (32.24, 42.58, 40.85),
    "yeast5": (19.79, 32.85, 28.45),
    "car3": (55.89, 64.35, 62.67),
    "ecoli5": (84.41, 83.79, 84.08),
    "yeast4": (71.35, 73.64, 73.23),
    "breastcancer": (38.42, 47.34, 46.98),
    "german": (54.15, 57.53, 56.91),
    "diabetes": (62.69, 66.23, 66.12),
}


COLUMNS = ("NLP", "FM", "two-step")


def epcv_table():
    """With a column that is not in the paper."""
    published = {row: {**dict(zip(COLUMNS, values)), "exact": None} for row, values in EPCV_7.items()}
    return Table("t", "T", grid("f", published, {c: c for c in (*COLUMNS, "exact")}), ranked=True)


def epcv_records(values=EPCV_7, splits=2):
    for problem, row in values.items():
        for method, value in zip(COLUMNS, row):
            for split in range(splits):
                yield {"problem": problem, "method": method, "split": split, "scores": {"f": value + (split - 0.5)}}


def test_ranks_as_in_the_paper():
    table = epcv_table()
    assert ranks.published_average(table) == dict(zip(COLUMNS, [2.75, 1.25, 2.0]))
    found = ranks.rank_table(table, compare_table(table, Records(epcv_records())), COLUMNS)
    assert found.average.tolist() == [2.75, 1.25, 2.0]
    assert found.iman_davenport.p < 0.05
    assert found.nemenyi[0, 1] < 0.05 < min(found.nemenyi[0, 2], found.nemenyi[1, 2])
    assert max(found.wilcoxon[0, 1], found.wilcoxon[0, 2], found.wilcoxon[1, 2]) < 0.05


def test_only_complete_rows_and_common_splits_are_ranked():
    table = epcv_table()
    made = [r for r in epcv_records() if (r["problem"], r["method"]) != ("car3", "FM")]
    # An extra split of a single method, with a score that would turn the order, must not count.
    made.append({"problem": "yeast7", "method": "NLP", "split": 2, "scores": {"f": 1e6}})
    found = ranks.rank_table(table, compare_table(table, Records(made)), COLUMNS)
    assert found.rows == tuple(row for row in EPCV_7 if row != "car3")
    # Without car3 the rank sums 22, 10, 16 lose 3, 1, 2.
    assert found.average == pytest.approx(np.array([19, 9, 14]) / 7)
    few = [r for r in made if r["problem"] == "german"]
    assert ranks.rank_table(table, compare_table(table, Records(few)), COLUMNS) is None


def test_rows_that_mix_problems_cannot_be_ranked():
    table = Table("t", "T", tuple(Cell("r", m, m, "m", "error") for m in "ab"), ranked=True)
    made = [record(0, 1.0, problem=p) for p in "ab"]
    with pytest.raises(ValueError, match="'r' cannot be ranked"):
        ranks.rank_table(table, compare_table(table, Records(made)), ("a", "b"))
