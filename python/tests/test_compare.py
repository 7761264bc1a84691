"""Tests of one method against others, against numbers worked out by hand or printed elsewhere."""

import math

import numpy as np
import pytest

import gpclass
from gpclass.compare import friedman, ranks, resampled_t_test, signed_rank_test


def test_ties_share_their_ranks():
    assert ranks([3.0, 1.0, 3.0, 2.0]).tolist() == [3.5, 1.0, 3.5, 2.0]
    assert gpclass.compare.ranks is ranks


def test_rank_sums_by_hand():
    # Rank sums 4 and 8: 12/(4*2*3) (4^2 + 8^2) - 3*4*3 = 4; for two methods Nemenyi's distance is the square root of that.
    found = friedman([[0.0, 1.0]] * 4)
    assert (found.cases, found.average_ranks.tolist()) == (4, [1.0, 2.0])
    assert found.chi_square.statistic == pytest.approx(4.0)
    assert found.chi_square.p_value == pytest.approx(math.erfc(math.sqrt(2.0)))
    assert found.iman_davenport is None
    assert found.pairwise_p_values[0, 1] == pytest.approx(found.chi_square.p_value)
    assert np.array_equal(friedman([[0.0, 1.0]] * 4, better="higher").average_ranks, [2.0, 1.0])


def test_critical_differences_as_printed_by_demsar():
    # Demsar 2006, table 5: q 2.343 at level 0.05 and 2.052 at 0.10 for three methods.
    found = friedman(np.arange(30.0).reshape(10, 3))
    assert found.critical_difference() == pytest.approx(2.343 * math.sqrt(12 / 60), abs=5e-4)
    assert found.critical_difference(0.10) == pytest.approx(2.052 * math.sqrt(12 / 60), abs=5e-4)


def test_signed_ranks_by_hand():
    # Ranks 1, 2, 3 of which only the first is negative: 2 of 8 patterns are as far below the middle as that.
    found = signed_rank_test([-0.1, 0.2, 0.3])
    assert (found.rank_sum_first, found.rank_sum_second, found.used, found.exact) == (5.0, 1.0, 3, True)
    assert found.p_value == pytest.approx(0.5)
    assert signed_rank_test([0.4, 1.0, 1.3], [0.5, 0.8, 1.0]).p_value == pytest.approx(0.5)
    # A zero takes rank 1 with it: ranks 2, 3, 4, the same sums of signs.
    kept = signed_rank_test([0.0, -0.1, 0.2, 0.3], zeros="pratt")
    assert (kept.rank_sum_first, kept.rank_sum_second) == (7.0, 2.0)
    assert not signed_rank_test(np.arange(1.0, 30.0)).exact


def test_the_resampled_t_test_is_wider_than_the_plain_one():
    first, second = np.array([0.3, 0.1, 0.25, 0.2]), np.zeros(4)
    plain, wide = (resampled_t_test(first, second, ratio) for ratio in (0.0, 1.0 / 3.0))
    assert plain.standard_error == pytest.approx(first.std(ddof=1) / 2.0)
    assert wide.standard_error == pytest.approx(plain.standard_error * math.sqrt(1.0 + 4.0 / 3.0))
    assert (plain.degrees_of_freedom, plain.mean_difference) == (3, pytest.approx(0.2125))
    assert plain.p_value < wide.p_value


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: friedman([[1.0, 2.0]]), "a comparison by ranks needs at least 2 data sets"),
        (lambda: friedman([[1.0, 2.0]] * 2, better="best"), "the better end cannot be read"),
        (lambda: signed_rank_test([1.0], [1.0, 2.0]), "the second list of results"),
        (lambda: signed_rank_test([1.0], zeros="drop"), "the options cannot be read"),
        (lambda: resampled_t_test([1.0, 1.0], [0.0, 0.0], 0.1), "a t-test needs differences that vary"),
        (lambda: friedman([[1.0, 2.0]] * 3).critical_difference(1.5), "alpha"),
    ],
)
def test_what_is_refused_is_named(call, message):
    with pytest.raises(ValueError, match=message):
        call()
