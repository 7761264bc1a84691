"""Whether one method is better than another.

Over several data sets by ranks: :func:`friedman` for several methods, with Nemenyi's differences, and
:func:`signed_rank_test` for two (Demsar 2006). Over several splits of one data set: :func:`resampled_t_test` (Nadeau and
Bengio 2003).

>>> from gpclass.compare import friedman
>>> errors = [[0.10, 0.12, 0.15], [0.20, 0.18, 0.30], [0.05, 0.07, 0.11], [0.15, 0.17, 0.16]]
>>> friedman(errors).average_ranks.tolist()  # rows are data sets, columns are methods, 1 is best
[1.25, 2.0, 2.75]
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Optional

import numpy as np

from . import _core

__all__ = [
    "Friedman", "ResampledTest", "SignedRankTest", "TestResult", "friedman", "ranks", "resampled_t_test",
    "signed_rank_test",
]


@dataclass(frozen=True)
class TestResult:
    """A test statistic, and the probability of one at least as extreme if there is no difference."""

    __test__ = False

    statistic: float
    p_value: float


@dataclass(frozen=True)
class Friedman:
    """Friedman's test of several methods over several data sets."""

    #: Data sets.
    cases: int
    #: Average rank of each method; 1 is best.
    average_ranks: np.ndarray
    #: Friedman's statistic, corrected for ties.
    chi_square: TestResult
    #: Iman and Davenport's F; None where all data sets agree on the order, for which it is infinite.
    iman_davenport: Optional[TestResult]
    #: Nemenyi's p-values of all pairs of methods, ones on the diagonal.
    pairwise_p_values: np.ndarray

    def critical_difference(self, level=0.05):
        """Nemenyi's: average ranks further apart than this differ at that level."""
        return _core.critical_difference(len(self.average_ranks), self.cases, level)


@dataclass(frozen=True)
class SignedRankTest:
    """Wilcoxon's signed-rank test of pairs."""

    #: Sum of ranks where the first value is larger, and where the second is.
    rank_sum_first: float
    rank_sum_second: float
    #: Differences other than zero.
    used: int
    #: Two-sided.
    p_value: float
    #: Whether the p-value is exact rather than a normal approximation.
    exact: bool


@dataclass(frozen=True)
class ResampledTest:
    """The t-test of pairs over splits whose training sets overlap."""

    #: Mean of first minus second, and its corrected standard error.
    mean_difference: float
    standard_error: float
    t: float
    degrees_of_freedom: int
    #: Two-sided.
    p_value: float


def ranks(values):
    """Ranks from 1 for the smallest; ties share the average of theirs."""
    return _core.rank(_vector(values))


def friedman(results, better="lower"):
    """Friedman's test; rows of `results` are data sets, columns methods, and the `better` end is 'lower' or 'higher'."""
    report, pairs = _core.friedman(np.ascontiguousarray(results, dtype=float), json.dumps(better))
    found = json.loads(report)
    f = found["iman_davenport"]
    return Friedman(
        cases=found["cases"],
        average_ranks=np.array(found["average_ranks"]),
        chi_square=TestResult(**found["chi_square"]),
        iman_davenport=None if f is None else TestResult(**f),
        pairwise_p_values=np.array(pairs),
    )


def signed_rank_test(first, second=None, *, zeros="wilcoxon", exact_up_to=25):
    """Wilcoxon's test of pairs, or of differences where there is no `second`.

    Differences of zero are dropped before ranking ('wilcoxon') or after it ('pratt'). The p-value is exact for up to
    `exact_up_to` other differences, with ties too, and a normal approximation beyond.
    """
    first = _vector(first)
    second = np.zeros(len(first)) if second is None else _vector(second)
    options = {"zeros": zeros, "exact_up_to": int(exact_up_to)}
    return SignedRankTest(**json.loads(_core.signed_rank_test(first, second, json.dumps(options))))


def resampled_t_test(first, second, test_to_train):
    """The corrected t-test of paired results over splits of one data set.

    `test_to_train` is rows tested over rows trained on in one split, 1/(k - 1) for k folds; 0 gives the t-test of
    independent pairs.
    """
    return ResampledTest(**json.loads(_core.resampled_t_test(_vector(first), _vector(second), float(test_to_train))))


def _vector(values):
    return np.ascontiguousarray(values, dtype=float)
