"""Inference at given hyperparameters, for those who want to see inside."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Optional

import numpy as np

from . import _options
from ._core import infer as _infer
from ._problem import problem
from ._running import threads


@dataclass(frozen=True)
class Inference:
    """A posterior at fixed hyperparameters. Arrays have one entry per training row, ``test_`` ones per test row."""

    log_evidence: float
    #: Value of the objective: the log evidence unless another was asked for.
    objective: float
    #: Hyperparameters by name.
    values: dict
    #: Derivatives of the objective: in the LOGARITHM of kernel parameters, in likelihood parameters themselves.
    gradient: dict
    #: Site precisions, and precisions times means: t_i(f) ∝ exp(-tau_i f²/2 + nu_i f).
    tau: np.ndarray
    nu: np.ndarray
    #: K⁻¹ times the posterior mean.
    alpha: np.ndarray
    #: Posterior means and variances of the latent values.
    mean: np.ndarray
    variance: np.ndarray
    #: Prior covariance matrix.
    prior: np.ndarray
    #: Latent distributions with a row's own site taken out.
    cavity_mean: np.ndarray
    cavity_variance: np.ndarray
    #: Probability of the positive class when a row is left out, and the log-probability of its label.
    loo_probability: np.ndarray
    loo_log_probability_of_label: np.ndarray
    #: Probability that a label is wrong; zero unless the likelihood has a label error.
    label_error: np.ndarray
    converged: bool
    #: How the search for the fixed point went.
    report: dict
    test_probability: Optional[np.ndarray] = None
    test_mean: Optional[np.ndarray] = None
    test_variance: Optional[np.ndarray] = None


def infer(
    X,
    y,
    kernel,
    likelihood="probit",
    *,
    likelihood_values=None,
    inference="ep",
    objective="evidence",
    sample_weight=None,
    X_test=None,
    n_jobs=None,
) -> Inference:
    """The posterior of a model whose hyperparameters are given. ``X`` enters the kernel as it is, not standardised.

    Every kernel parameter needs a value; ``likelihood_values`` is a dict as ``{'eps': 0.05}``. ``y`` has two values at most,
    the larger being the positive class.

    >>> import numpy as np
    >>> from gpclass import SE, infer
    >>> found = infer([[0.0], [1.0]], [-1, 1], SE(v0=1.0, l=1.0))
    >>> round(found.log_evidence, 4), sorted(found.gradient)
    (-1.6045, ['l', 'v0'])
    """
    found = _infer(
        problem=problem(X, y, kernel, likelihood, likelihood_values, X_test, sample_weight),
        method=_options.dumps(_options.METHODS[_options.one_of("inference", inference, _options.METHODS)]),
        objective=_options.dumps(_options.objective_json(objective)),
        threads=threads(n_jobs),
    )
    names, kernel_parameters = found.pop("names"), found.pop("kernel_parameters")
    assert kernel_parameters <= len(names)
    found["values"] = dict(zip(names, found["values"].tolist()))
    found["gradient"] = dict(zip(names, found["gradient"].tolist()))
    found["report"] = json.loads(found["report"])
    return Inference(**found)
