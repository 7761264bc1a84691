"""The EP-CV algorithm of EPCV section 4 as the paper has it, around the EP of this package.

The bias gamma shifts predictions, EPCV (13), but has no part in EP: the paper's evidence (5) and moments are without it. So
the sites do not answer to gamma, which moves the decision boundary freely. The package's own searches take the bias as a
parameter of the likelihood, and the latent function then makes up for most of what the bias does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from gpclass import SE, infer
from scipy.linalg import cholesky, solve_triangular
from scipy.optimize import minimize
from scipy.spatial.distance import pdist, squareform
from scipy.stats import norm

ITERATIONS = 60
#: "No significant change" of the objective, relative to one plus its size.
TOLERANCE = 1e-3
#: The line search of GPML's `minimize`: sufficient decrease, and how much of the slope may be left.
LINE_SEARCH = {"c1": 0.05, "c2": 0.1, "maxiter": 1}
START_VARIANCE = 4.0


def mean_nlp(p, y):
    """EPCV (6) and its derivative by the probabilities of the positive class."""
    of_label = np.maximum(np.where(y, p, 1.0 - p), 1e-300)
    return -np.log(of_label).mean(), -np.where(y, 1.0, -1.0) / of_label / len(y)


def negative_f(p, y):
    """EPCV (10) with zeta one half, and (16), with the sign changed."""
    hits, total = p[y].sum(), 0.5 * y.sum() + 0.5 * p.sum()
    return -hits / total, -(y * total - 0.5 * hits) / total**2


@dataclass
class EpCv:
    """Hyperparameters are (ln v0, ln l, gamma)."""

    X: np.ndarray
    y: np.ndarray
    criterion: object

    def __post_init__(self):
        self.distances = squareform(pdist(self.X, "sqeuclidean"))

    def start(self):
        """A few units of variance, and a lengthscale at which a typical pair of rows is two lengths apart."""
        return np.array([np.log(START_VARIANCE), np.log(2.0 / self.distances.mean()), 0.0])

    def expect(self, theta, X_test=None):
        kernel = SE(v0=float(np.exp(theta[0])), l=float(np.exp(theta[1])))
        return infer(self.X, self.y, kernel, "probit", X_test=X_test, n_jobs=1)

    def run(self):
        """Alternates EP with one line search at fixed sites; gives the best point and all points with their values."""
        theta, path = self.start(), []
        for _ in range(ITERATIONS):
            found = self.expect(theta)
            value = self.criterion(probability(found.cav_mean, found.cav_var, theta[2]), self.y)[0]
            path.append((value, theta))
            if len(path) > 2 and np.ptp([v for v, _ in path[-3:]]) <= TOLERANCE * (1.0 + abs(value)):
                break
            with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
                theta = minimize(self.at_sites, theta, (found.tau, found.nu), "CG", jac=True, options=LINE_SEARCH).x
        return min(path, key=lambda point: point[0])[1], path

    def at_sites(self, theta, tau, nu):
        """The criterion and its gradient with the sites held (EPCV appendix)."""
        K = np.exp(theta[0] - 0.5 * np.exp(theta[1]) * self.distances)
        slopes = (K, -0.5 * np.exp(theta[1]) * self.distances * K)
        root, identity = np.sqrt(np.maximum(tau, 0.0)), np.eye(len(tau))
        try:
            factor = cholesky(identity + root[:, None] * K * root, lower=True)
        except (np.linalg.LinAlgError, ValueError):  # the line search went too far
            return np.inf, np.zeros(3)
        half = solve_triangular(factor, root[:, None] * K, lower=True)
        damping = identity - root[:, None] * solve_triangular(factor, half, lower=True, trans="T")  # I - (K + Sigma)^-1 K
        C = K - half.T @ half
        c, m = C.diagonal(), C @ nu  # (3)
        variance = 1.0 / (1.0 / c - tau)  # (4)
        mean = variance * (m / c - nu)
        scale = np.sqrt(1.0 + variance)
        z = (mean + theta[2]) / scale
        value, by_p = self.criterion(norm.cdf(z), self.y)
        by_z = by_p * norm.pdf(z)
        gradient = []
        for slope in slopes:
            moved = slope @ damping
            dc, dm = (damping * moved).sum(axis=0), moved.T @ (damping @ nu)
            d_variance = (variance / c) ** 2 * dc
            d_mean = mean / variance * d_variance + variance / c**2 * (c * dm - m * dc)
            gradient.append(by_z @ (d_mean / scale - 0.5 * z / scale**2 * d_variance))
        return value, np.array([*gradient, by_z @ (1.0 / scale)])


def probability(mean, variance, bias):
    """EPCV (13)."""
    return norm.cdf((mean + bias) / np.sqrt(1.0 + variance))


def log_probabilities(mean, variance, bias):
    z = (mean + bias) / np.sqrt(1.0 + variance)
    return np.column_stack([norm.logcdf(-z), norm.logcdf(z)])
