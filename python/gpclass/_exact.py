"""The truth at given hyperparameters, by simulation: what approximations are measured against."""

from __future__ import annotations

import warnings as _warnings
from dataclasses import dataclass
from typing import Optional

import numpy as np

from . import _options
from ._core import sample as _sample
from ._problem import for_two, problem
from ._running import threads
from ._warnings import ConvergenceWarning


@dataclass(frozen=True)
class Exact:
    """The true posterior up to simulation. Every estimate ``name`` has its standard error in ``name_error``.

    Arrays have one entry per training row, ``test_`` ones per test row; of one function for each class a column for each.
    """

    log_evidence: float
    log_evidence_error: float
    #: How the evidence was computed: 'orthant' (probit-type likelihoods) or 'annealed' (any other).
    method: str
    #: Posterior means and variances of the latent values.
    mean: np.ndarray
    mean_error: np.ndarray
    variance: np.ndarray
    variance_error: np.ndarray
    #: largest_r_hat and fewest_effective_samples (the worst training row), effective_runs (of an annealed evidence, else
    #: None), prior_rank, prior_unexplained (prior variance left out as rounding error), averaged_noise (variance of
    #: independent noise in the kernel that was averaged over in closed form).
    diagnostics: dict
    #: Reasons to simulate longer; each was also issued as a ConvergenceWarning.
    warnings: list
    test_probability: Optional[np.ndarray] = None
    test_probability_error: Optional[np.ndarray] = None
    test_mean: Optional[np.ndarray] = None
    test_mean_error: Optional[np.ndarray] = None
    test_variance: Optional[np.ndarray] = None
    test_variance_error: Optional[np.ndarray] = None
    #: Of one function for each class: their names in the order of the columns, and for every training row the probability that
    #: its label is wrong.
    classes: Optional[list] = None
    label_error: Optional[np.ndarray] = None
    label_error_error: Optional[np.ndarray] = None


def sample(
    X,
    y,
    kernel,
    likelihood="probit",
    *,
    likelihood_values=None,
    classes=None,
    X_test=None,
    chains=4,
    burn_in=1000,
    samples=2500,
    thin=10,
    shifts=32,
    points=8192,
    runs=100,
    temperatures=1000,
    steps=1,
    random_state=0,
    n_jobs=None,
) -> Exact:
    """The posterior of a model whose hyperparameters are given, without approximation but for simulation error.

    Arguments up to ``X_test`` are those of :func:`infer`; three or more classes have one function each, and so have two under
    ``'multinomial-probit'`` and ``'softmax'``. The result depends on ``random_state`` and not on ``n_jobs``. The work grows with the square of the number of rows; Ctrl-C ends it. Expectation
    propagation shows the samplers where the posterior is, which saves time and changes no answer beyond its error.

    Parameters
    ----------
    chains, burn_in, samples, thin : int
        Of the elliptical slice sampler, which gives latent values and test probabilities: independent chains; transitions
        thrown away at the start of each; samples kept of each; transitions from one to the next.
    shifts, points : int
        Of the evidence of likelihoods without label error ('probit', 'probit-bias', 'probit-noise', 'step' with ``eps`` 0, the multinomial probit),
        which is an orthant probability: independent shifts of a lattice, whose scatter gives the standard error, and points
        per shift.
    runs, temperatures, steps : int
        Of the evidence of the other likelihoods, by annealed importance sampling: independent runs, powers of the likelihood
        from 0 to 1, and transitions at each.
    random_state : int
        Seed of everything.
    n_jobs : int or None
        Threads; ``None`` is all cores.

    Examples
    --------
    Two rows with opposite labels under a probit: an orthant probability known in closed form.

    >>> import numpy as np
    >>> from gpclass import SE, sample
    >>> found = sample([[0.0], [1.0]], [-1, 1], SE(v0=1.0, l=1.0), samples=200)
    >>> truth = np.log(0.25 - np.arcsin(np.exp(-0.5) / 2) / (2 * np.pi))
    >>> bool(abs(found.log_evidence - truth) < 4 * found.log_evidence_error + 1e-6), found.method
    (True, 'orthant')
    """
    count = {
        name: _options.number(name, value, least=0, integer=True)
        for name, value in {
            "chains": chains, "burn_in": burn_in, "samples": samples, "thin": thin, "shifts": shifts, "points": points,
            "runs": runs, "temperatures": temperatures, "steps": steps, "seed": random_state,
        }.items()
    }
    parts = {
        "slice": ("chains", "burn_in", "samples", "thin"),
        "orthant": ("shifts", "points"),
        "annealed": ("runs", "temperatures", "steps"),
    }
    options = {part: {name: count[name] for name in (*names, "seed")} for part, names in parts.items()}
    family, each = for_two(likelihood, likelihood_values)
    found = _sample(
        problem=problem(X, y, kernel, family, likelihood_values, X_test, classes=classes),
        options=_options.dumps(options),
        each=each,
        threads=threads(n_jobs),
    )
    for sentence in found["warnings"]:
        _warnings.warn(sentence, ConvergenceWarning, stacklevel=2)
    return Exact(**found)
