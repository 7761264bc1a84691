"""Inference at given hyperparameters, for those who want to see inside."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Optional, Union

import numpy as np

from . import _options
from ._core import infer as _infer
from ._problem import for_two, problem, rows_like
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
    #: By inducing rows: how many there are, what they leave of each row's prior variance, and posterior means and variances of
    #: the projections on them, whose sites ``tau`` and ``nu`` then are. ``prior`` is that of the projections.
    inducing: Optional[int] = None
    residual_variance: Optional[np.ndarray] = None
    projection_mean: Optional[np.ndarray] = None
    projection_var: Optional[np.ndarray] = None
    #: Latent means and variances of test rows, and their probabilities of the positive class, refined around each.
    refined_mean: Optional[np.ndarray] = None
    refined_var: Optional[np.ndarray] = None
    refined_prob: Optional[np.ndarray] = None


@dataclass(frozen=True)
class ClassInference:
    """A posterior of one function for each class at fixed hyperparameters, under the names that ``gpclass infer`` uses.

    Arrays are of training rows x classes, ``test_`` ones of test rows x classes.
    """

    #: Name of the inference method, and whether classes were inferred together ('joint') or each against the rest
    #: ('one-vs-rest').
    method: str
    multiclass: str
    #: Names of the classes, in the order of the columns.
    classes: list
    #: Whether a fixed point was reached.
    converged: bool
    #: How the search for it ended, in how many sweeps, how far from the fixed point.
    outcome: object
    sweeps: int
    residual: float
    #: Added to the diagonals of the covariances because they were not positive definite in floating point.
    jitter: float
    #: Sites of negative precision: rows that look mislabelled.
    n_negative_sites: int
    #: Log evidence; of classes against the rest the sum of theirs.
    log_z: float
    #: The site of row i is exp(-½ f' (diag(pi_i) - pi_i pi_i' / sum(pi_i)) f + nu_i' f) in the functions' values f there; of
    #: classes against the rest ``pi`` are the precisions of their own sites.
    pi: np.ndarray
    nu: np.ndarray
    #: K⁻¹ times the posterior means.
    alpha: np.ndarray
    #: Posterior means and variances of the latent values.
    post_mean: np.ndarray
    post_var: np.ndarray
    #: Probability of each class when a row is left out; for every row that of its label as a logarithm, and the sum of these.
    loo_prob: np.ndarray
    loo_logp: np.ndarray
    loo_logp_sum: float
    #: For every row the probability that its label is wrong; zero unless the likelihood has a label error.
    label_error: np.ndarray
    #: Derivatives of ``log_z``: ``log_v0``, ``log_l1``, ... in logarithms, ``log_v0[setosa]`` of a class's own kernel, ``lik_eps``
    #: as it is.
    grad: dict
    #: Value of the objective, which is ``log_z`` unless another was asked for, and its derivatives.
    objective: float
    objective_grad: dict
    #: Hyperparameters by name.
    values: dict
    #: Prior covariance matrix, one for each class where their kernels differ.
    prior: np.ndarray
    #: How the search for the fixed point went.
    report: dict
    #: Latent means and variances of test rows, and their class probabilities; under the softmax averaged over the posterior.
    test_mean: Optional[np.ndarray] = None
    test_var: Optional[np.ndarray] = None
    test_prob: Optional[np.ndarray] = None
    #: Under the softmax the class probabilities at the posterior mean, which is what a fitted GPClassifier predicts.
    test_prob_plugin: Optional[np.ndarray] = None
    #: By inducing rows: how many there are, and class probabilities of test rows refined around each.
    inducing: Optional[int] = None
    refined_prob: Optional[np.ndarray] = None


def infer(
    X,
    y,
    kernel,
    likelihood="probit",
    *,
    likelihood_values=None,
    inference=None,
    objective="evidence",
    multiclass="auto",
    classes=None,
    sample_weight=None,
    X_test=None,
    inducing=None,
    jitter=1e-8,
    refine=None,
    n_jobs=None,
) -> Union[Inference, ClassInference]:
    """The posterior of a model whose hyperparameters are given. ``X`` enters the kernel as it is, not standardised.

    Every kernel parameter needs a value; ``likelihood_values`` is a dict as ``{'eps': 0.05}``. Of two classes in ``y`` the larger
    is the positive one, and one function is inferred. Of three or more there is one function for each, inferred together, or
    each against the rest with ``multiclass='one-vs-rest'`` or ``'exactly-one'``: ``'probit'`` is then the multinomial probit, ``'robust'`` the same with
    label error, and ``'logistic'`` the softmax. The names ``'multinomial-probit'``, which takes an ``eps`` too, and ``'softmax'`` mean
    that for two classes as well. ``inference`` is ``'ep'`` by default, and ``'laplace'`` for the softmax. ``kernel`` is one for all
    classes or a ``PerClass``; ``classes`` lists the classes where some have no rows.

    With ``inducing``, rows as those of ``X``, the covariance goes by way of these few rows that stand for all (FITC, by EP), for many
    rows; ``jitter`` is added to their variances, relative to ``v0``, and ``refine`` is the number of nearest training rows with which
    the prediction of each test row is refined. Three or more classes then stand each against the rest.

    >>> import numpy as np
    >>> from gpclass import SE, infer
    >>> found = infer([[0.0], [1.0]], [-1, 1], SE(v0=1.0, l=1.0))
    >>> round(found.log_z, 4), sorted(found.grad)
    (-1.6045, ['log_l', 'log_v0'])

    The multinomial probit of two classes is the probit:

    >>> found = infer([[0.0], [1.0]], [-1, 1], SE(v0=1.0, l=1.0), "multinomial-probit")
    >>> round(found.log_z, 4), found.loo_prob.shape
    (-1.6045, (2, 2))
    """
    family, each = for_two(likelihood, likelihood_values)
    if each and _options.one_of("multiclass", multiclass) in ("one-vs-rest", "exactly-one"):
        raise ValueError(f"likelihood is {likelihood!r}, which is of all classes together; multiclass must be 'auto' or 'joint'")
    multiclass = "joint" if each else multiclass
    given = problem(X, y, kernel, family, likelihood_values, X_test, sample_weight, classes)
    if inference is None:
        together = multiclass == "joint" or len(given["classes"]) > 2 and multiclass == "auto"
        inference = "laplace" if together and family == "logistic" else "ep"
    if refine is not None and inducing is None:
        raise ValueError("refine is for inference by inducing rows; give inducing too")
    if inducing is not None:
        if not each and multiclass == "auto" and len(given["classes"]) > 2:
            multiclass = "one-vs-rest"
        neighbours = None if refine is None else int(refine)
        inducing = (rows_like(inducing, given["inputs"], "inducing"), float(jitter), neighbours)
    found = _infer(
        problem=given,
        method=_options.dumps(_options.one_of("inference", inference)),
        objective=_options.dumps(_options.objective_json(objective)),
        multiclass=_options.dumps(_options.one_of("multiclass", multiclass)),
        sparse=inducing,
        threads=threads(n_jobs),
    )
    found["values"] = dict(found["values"])
    for name in ("outcome", "report"):
        found[name] = json.loads(found[name])
    priors = found["prior"]
    found["prior"] = priors[0] if len(priors) == 1 else np.stack(priors)
    return ClassInference(**found) if "classes" in found else Inference(**found)
