"""The methods of EPCV table 2: one squared exponential with a single lengthscale, no priors, inputs as they come.

The paper's EP-CV moves hyperparameters by line searches with sites held fixed; the `exact` ones climb the same criteria by
their exact gradients. The bias gamma of EPCV (13) is a hyperparameter of the leave-one-out methods; EP(ML) has none, since
the paper took it from the GPML code.
"""

from __future__ import annotations

import numpy as np
from gpclass import SE, GPClassifier, infer
from scipy.optimize import minimize_scalar
from scipy.stats import norm

from ..scores import f_measure
from ..spec import Method
from .base import fitted, gp, gp_outcome, with_probabilities

PAPER = dict(kernel=SE(), priors=None, standardise=False)
LEFT_OUT = PAPER | dict(likelihood="probit-bias")
#: The alternation settles within so many line searches; after that it wanders along ridges without gain.
ALTERNATION = LEFT_OUT | dict(search="ep-cv", max_iter=40)
F_MEASURE = ALTERNATION | dict(objective="loo-f")
BIAS_RANGE = (-5.0, 5.0)


def two_step(task, _):
    """EP-CV(NLP), then the bias alone by the smoothed F-measure with the posterior held, as EPCV (13) has it."""
    outcome = gp_outcome(task, objective="loo-nlp", **ALTERNATION)
    values = outcome.facts["hyperparameters"]
    kernel, bias = SE(v0=values["v0"], l=values["l"]), values["b"]
    found = infer(task.X, task.y, kernel, "probit-bias", likelihood_values={"b": bias}, X_test=task.X_test, n_jobs=1)

    def loss(shift):
        p = norm.cdf((found.cavity_mean + bias + shift) / np.sqrt(1.0 + found.cavity_variance))
        return -2.0 * p[task.y].sum() / (task.y.sum() + p.sum())  # EPCV (10)

    shift = minimize_scalar(loss, bounds=BIAS_RANGE, method="bounded").x
    z = (found.test_mean + bias + shift) / np.sqrt(1.0 + found.test_variance)
    outcome.log_proba = np.column_stack([norm.logcdf(-z), norm.logcdf(z)])
    outcome.facts["shift"] = float(shift)
    return outcome


def with_f_per_iteration(task, _):
    """EP-CV(FM) that keeps the smoothed and the true F-measure of left-out rows at every iteration."""
    model = GPClassifier(n_jobs=1, **F_MEASURE)
    outcome = fitted(model, task, with_probabilities)
    outcome.facts["smoothed_f"] = [entry["objective"] for entry in model.trace_]
    outcome.facts["true_f"] = [true_f(task, **entry["values"]) for entry in model.trace_]
    return outcome


def true_f(task, v0, l, b):  # noqa: E741
    left_out = infer(task.X, task.y, SE(v0=v0, l=l), "probit-bias", likelihood_values={"b": b}, n_jobs=1)
    return f_measure(task.y, left_out.loo_probability > 0.5)


METHODS = (
    gp("EP(ML)", likelihood="probit", objective="evidence", **PAPER),
    gp("EP-CV(NLP)", objective="loo-nlp", **ALTERNATION),
    gp("LS-CV(NLP)", objective="loo-nlp", inference="ls", **LEFT_OUT),
    gp("EP-CV(FM)", **F_MEASURE),
    Method("NLP-FM(bias)", two_step),
    gp("EP-CV(NLP) exact", objective="loo-nlp", **LEFT_OUT),
    gp("EP-CV(FM) exact", objective="loo-f", **LEFT_OUT),
    gp("NLP-FM(bias) exact", search="two-step", **LEFT_OUT),
    Method("EP-CV(FM) per iteration", with_f_per_iteration),
)
