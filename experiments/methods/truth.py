"""Test probabilities of the exact posterior of a probit with a squared exponential, by simulation.

Elliptical slice sampling (Murray, Adams and MacKay 2010) with EP's posterior in the place of the prior (Nishihara, Murray
and Adams 2014): what is left of the likelihood, label terms over EP's sites, is nearly flat, so that chains mix within few
steps where those that propose from the prior do not mix at all. EP decides how fast the answer comes, not what it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from gpclass import SE, infer
from scipy.linalg import cholesky, eigh, eigvalsh, solve_triangular
from scipy.spatial.distance import cdist
from scipy.special import log_ndtr, ndtr

CHAINS = 16
BURN_IN = 300
#: Steps between looks at the standard error, and their largest number.
ROUND, MOST_STEPS = 500, 10_000
#: Mean standard error of probabilities at which sampling ends.
ENOUGH = 0.001
#: Share of the smallest prior eigenvalue that is moved into the likelihood; below 1 so that the rest stays a covariance.
MOVED = 0.99


@dataclass(frozen=True)
class Base:
    """EP's posterior of the latent values of training and test rows, N(mean, factor factor'), and EP's sites.

    Independent noise within the prior is taken out and added to that of the labels, of standard deviation `noise`: the
    posterior of the labels is the same, and the likelihood smoother.
    """

    sign: np.ndarray
    mean: np.ndarray
    factor: np.ndarray
    tau: np.ndarray
    nu: np.ndarray
    noise: float

    def log_weight(self, values):
        """Logarithm of the exact over the approximate posterior, up to a constant; one column per chain."""
        f = values[: len(self.sign)]
        return np.sum(log_ndtr(self.sign * f / self.noise) + f * (0.5 * self.tau * f - self.nu), axis=0)

    def probability(self, values):
        return ndtr(values[len(self.sign) :] / self.noise)


def base(task, v0, l):  # noqa: E741 - the symbol of the papers
    ep = infer(task.X, task.y, SE(v0=v0, l=l), n_jobs=1)
    n, rows = len(task.X), np.vstack([task.X, task.X_test])
    prior = v0 * np.exp(-0.5 * l * cdist(rows, rows, "sqeuclidean"))
    moved = max(0.0, MOVED * eigvalsh(prior, subset_by_index=[0, 0])[0])
    prior[np.diag_indices_from(prior)] -= moved
    tau, nu = ep.tau[:, None], ep.nu[:, None]
    # A site of f = g + noise as a site of g.
    tau, nu = tau / (1.0 - moved * tau), nu / (1.0 - moved * tau)
    lower = cholesky(np.eye(n) + np.sqrt(tau) * prior[:n, :n] * np.sqrt(tau.T), lower=True)
    shrunk = solve_triangular(lower, np.sqrt(tau) * prior[:n], lower=True)
    values, vectors = eigh(prior - shrunk.T @ shrunk)
    factor = vectors * np.sqrt(np.maximum(values, 0.0))
    sign = np.where(task.y, 1.0, -1.0)[:, None]
    return Base(sign, prior[:, :n] @ ep.alpha[:, None], factor, tau, nu, np.sqrt(1.0 + moved))


def step(base, values, rng):
    """One transition of every chain."""
    chains = values.shape[1]
    here, draw = values - base.mean, base.factor @ rng.normal(size=(base.factor.shape[1], chains))
    level = base.log_weight(values) + np.log(rng.random(chains))
    angle = rng.uniform(0.0, 2.0 * np.pi, size=chains)
    low, high = angle - 2.0 * np.pi, angle.copy()
    found, open_ = values.copy(), np.arange(chains)
    while open_.size:
        a = angle[open_]
        proposed = base.mean + here[:, open_] * np.cos(a) + draw[:, open_] * np.sin(a)
        accepted = base.log_weight(proposed) > level[open_]
        found[:, open_[accepted]] = proposed[:, accepted]
        open_ = open_[~accepted]
        a = angle[open_]
        low[open_], high[open_] = np.where(a < 0.0, a, low[open_]), np.where(a < 0.0, high[open_], a)
        angle[open_] = rng.uniform(low[open_], high[open_])
    return found


def probabilities(task, v0, l, seed=0):  # noqa: E741
    """Probabilities of the positive class of test rows, their standard errors, and the number of steps."""
    rng = np.random.default_rng([seed, 2014])
    found = base(task, v0, l)
    values = found.mean + found.factor @ rng.normal(size=(found.factor.shape[1], CHAINS))
    for _ in range(BURN_IN):
        values = step(found, values, rng)
    total, steps = np.zeros((len(task.X_test), CHAINS)), 0
    while True:
        for _ in range(ROUND):
            values = step(found, values, rng)
            total += found.probability(values)
        steps += ROUND
        error = total.std(axis=1, ddof=1) / (steps * np.sqrt(CHAINS))
        if error.mean() <= ENOUGH or steps >= MOST_STEPS:
            return total.mean(axis=1) / steps, error, steps
