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
    """A posterior at fixed hyperparameters, under the names that ``gpclass infer`` of the command line uses.

    Arrays have one entry per training row, ``test_`` ones per test row.
    """

    #: Name of the inference method.
    method: str
    #: Whether a fixed point was reached; one pass ('adf') looks for none.
    converged: bool
    #: How the search for it ended, in how many sweeps, how far from the fixed point.
    outcome: object
    sweeps: int
    residual: float
    #: Added to the diagonal of the covariance because it was not positive definite in floating point.
    jitter: float
    #: Sites of negative precision: rows that look mislabelled.
    n_negative_sites: int
    #: Log evidence.
    log_z: float
    #: Site precisions, and precisions times means: t_i(f) ∝ exp(-tau_i f²/2 + nu_i f).
    tau: np.ndarray
    nu: np.ndarray
    #: Posterior means and variances of the latent values.
    post_mean: np.ndarray
    post_var: np.ndarray
    #: Latent distributions with a row's own site taken out.
    cav_mean: np.ndarray
    cav_var: np.ndarray
    #: Probability of a row's label when the row is left out, its logarithm, and the sum of these.
    loo_prob_y: np.ndarray
    loo_logp: np.ndarray
    loo_logp_sum: float
    #: Probability that a label is wrong; zero unless the likelihood has a label error.
    label_error: np.ndarray
    #: Derivatives of ``log_z``: ``log_v0``, ``log_l1``, ..., ``lik_log_sigma`` in logarithms, ``lik_b``, ``lik_eps`` as they are.
    grad: dict
    #: Value of the objective, which is ``log_z`` unless another was asked for, and its derivatives.
    objective: float
    objective_grad: dict
    #: Hyperparameters by name.
    values: dict
    #: K⁻¹ times the posterior mean.
    alpha: np.ndarray
    #: Prior covariance matrix.
    prior: np.ndarray
    #: How the search for the fixed point went.
    report: dict
    #: Laplace's method: the mode, which is ``post_mean``, and the curvatures, which are ``tau``.
    mode: Optional[np.ndarray] = None
    W: Optional[np.ndarray] = None
    #: Latent means and variances of test rows, and their probabilities of the positive class.
    test_mean: Optional[np.ndarray] = None
    test_var: Optional[np.ndarray] = None
    test_prob: Optional[np.ndarray] = None


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
    >>> round(found.log_z, 4), sorted(found.grad)
    (-1.6045, ['log_l', 'log_v0'])
    """
    found = _infer(
        problem=problem(X, y, kernel, likelihood, likelihood_values, X_test, sample_weight),
        method=_options.dumps(_options.one_of("inference", inference)),
        objective=_options.dumps(_options.objective_json(objective)),
        threads=threads(n_jobs),
    )
    found["values"] = dict(found["values"])
    for name in ("outcome", "report"):
        found[name] = json.loads(found[name])
    return Inference(**found)
