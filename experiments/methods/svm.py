"""Support vector machines with the kernel of EMEP (10), tuned by cross-validation on the grids of its footnotes 9 to 11."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import SVC

#: EMEP footnotes 9 and 10: decimal logarithms of the coarse grids; the fine ones go 0.4 to both sides by 0.1.
COARSE_C = np.arange(0.0, 3.1, 0.5)
COARSE_L = np.arange(-3.0, 0.1, 0.5)
FINE = np.arange(-0.4, 0.41, 0.1)
INNER_FOLDS = 5
#: Stands for the hard margin, whose C is infinite.
HARD_LOG_C = 6.0
#: Where classes overlap a hard margin has no solution, and libsvm would go on for very long.
MAX_ITERATIONS = 100_000


class Coordinates:
    """Maps rows so that their squared distance is the sum of `d_m` of EMEP (10), categories included."""

    def __init__(self, X, categorical, standardise):
        self.discrete = np.isin(np.arange(X.shape[1]), categorical)
        self.scaler = StandardScaler(with_mean=standardise, with_std=standardise)
        self.encoder = OneHotEncoder(sparse_output=False, handle_unknown="ignore")
        if not self.discrete.all():
            self.scaler.fit(X[:, ~self.discrete])
        if self.discrete.any():
            self.encoder.fit(X[:, self.discrete])

    def __call__(self, X):
        numbers = X[:, ~self.discrete]
        if not self.discrete.all():
            numbers = self.scaler.transform(numbers)
        if not self.discrete.any():
            return numbers
        # Two different categories differ in two columns.
        return np.hstack([numbers, self.encoder.transform(X[:, self.discrete]) / np.sqrt(2.0)])


def squared_distances(a, b):
    return np.maximum((a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1)[None, :] - 2.0 * a @ b.T, 0.0)


def covariance(distances, log_l):
    """EMEP (10) without `v2`; `v0` is 1, and `v1` makes no difference to a machine with an offset."""
    return np.exp(-0.5 * 10.0**log_l * distances)


def machine(log_c):
    return SVC(kernel="precomputed", C=10.0**log_c, max_iter=MAX_ITERATIONS, cache_size=50)


class GridSVM:
    """A machine whose `l` and `C` have the fewest errors in five folds: on coarse grids, then on finer ones around the best.

    Grids hold decimal logarithms; a grid of one value holds its parameter. The first is taken where several are equal.
    """

    def __init__(self, log_ls=COARSE_L, log_cs=COARSE_C, categorical=(), standardise=True, seed=0):
        self.log_ls, self.log_cs = np.atleast_1d(log_ls), np.atleast_1d(log_cs)
        self.categorical, self.standardise, self.seed = categorical, standardise, seed

    def fit(self, X, y):
        self.map = Coordinates(X, self.categorical, self.standardise)
        self.rows, self.y = self.map(X), y
        self.distances = squared_distances(self.rows, self.rows)
        self.folds = list(StratifiedKFold(INNER_FOLDS, shuffle=True, random_state=self.seed).split(X, y))
        coarse = self._best(self.log_ls, self.log_cs)
        grids = (grid + FINE if len(given) > 1 else given for grid, given in zip(coarse, (self.log_ls, self.log_cs)))
        self.log_l, self.log_c = self._best(*grids)
        self.machine = machine(self.log_c).fit(covariance(self.distances, self.log_l), y)
        return self

    def predict(self, X):
        return self.machine.predict(covariance(squared_distances(self.map(X), self.rows), self.log_l))

    def _best(self, log_ls, log_cs):
        if len(log_ls) == len(log_cs) == 1:
            return log_ls[0], log_cs[0]
        return min(((log_l, log_c) for log_l in log_ls for log_c in log_cs), key=lambda pair: self._errors(*pair))

    def _errors(self, log_l, log_c):
        K, wrong = covariance(self.distances, log_l), 0
        for train, test in self.folds:
            found = machine(log_c).fit(K[np.ix_(train, train)], self.y[train])
            wrong += np.sum(found.predict(K[np.ix_(test, train)]) != self.y[test])
        return wrong
