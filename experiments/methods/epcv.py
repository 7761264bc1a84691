"""The methods of EPCV table 2: one squared exponential with a single lengthscale, no priors, inputs as they come.

The paper's EP-CV moves hyperparameters by line searches with sites held fixed; the `exact` ones climb the same criteria by
their exact gradients. EP(ML) has no bias gamma, since the paper took it from the GPML code.
"""

from __future__ import annotations

import time

import numpy as np
from gpclass import SE
from scipy.optimize import minimize_scalar

from ..scores import f_measure
from ..spec import Method, Outcome
from .base import gp
from .fixed_sites import EpCv, log_probabilities, mean_nlp, negative_f, probability

PAPER = dict(kernel=SE(), priors=None, standardise=False, combine="best")
LEFT_OUT = PAPER | dict(likelihood="probit-bias")
#: How far the second of the two steps may move the bias.
BIAS_RANGE = (-5.0, 5.0)


def ep_cv(criterion, second_step=False):
    """The paper's algorithm; with a second step, the bias alone is then moved by the smoothed F-measure."""

    def run(task, _):
        start = time.process_time()
        search = EpCv(task.X, task.y, criterion)
        theta, path = search.run()
        found = search.expect(theta, task.X_test)
        bias = best_bias(found, task.y, theta[2]) if second_step else theta[2]
        log_proba = log_probabilities(found.test_mean, found.test_var, bias)
        values = {"v0": float(np.exp(theta[0])), "l": float(np.exp(theta[1])), "b": float(bias)}
        facts = {"hyperparameters": values, "iterations": len(path)}
        return Outcome(log_proba, facts=facts, fit_seconds=time.process_time() - start)

    return run


def best_bias(found, y, bias):
    def loss(shift):
        return negative_f(probability(found.cav_mean, found.cav_var, bias + shift), y)[0]

    return bias + minimize_scalar(loss, bounds=BIAS_RANGE, method="bounded").x


def f_per_iteration(task, _):
    """The smoothed and the true F-measure of left-out rows along EP-CV(FM)."""
    search = EpCv(task.X, task.y, negative_f)
    _, path = search.run()
    true_f = []
    for _, theta in path:
        found = search.expect(theta)
        true_f.append(f_measure(task.y, found.cav_mean + theta[2] > 0))
    positive = search.expect(path[-1][1], task.X_test).test_mean + path[-1][1][2] > 0
    return Outcome(positive=positive, facts={"smoothed_f": [-value for value, _ in path], "true_f": true_f})


METHODS = (
    gp("EP(ML)", likelihood="probit", objective="evidence", **PAPER),
    Method("EP-CV(NLP)", ep_cv(mean_nlp)),
    gp("LS-CV(NLP)", objective="loo-nlp", inference="ls", **LEFT_OUT),
    Method("EP-CV(FM)", ep_cv(negative_f)),
    Method("NLP-FM(bias)", ep_cv(mean_nlp, second_step=True)),
    gp("EP-CV(NLP) exact", objective="loo-nlp", **LEFT_OUT),
    gp("EP-CV(FM) exact", objective="loo-f", **LEFT_OUT),
    gp("NLP-FM(bias) exact", search="two-step", **LEFT_OUT),
    Method("EP-CV(FM) per iteration", f_per_iteration),
)
