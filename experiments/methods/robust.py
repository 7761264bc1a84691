"""The methods of ROBUST section 6: GPC with and without label error, the choice between them, and an SVM."""

from __future__ import annotations

import numpy as np
from gpclass import SE, Bias, Noise, fixed

from ..spec import Method
from .base import estimator
from .emep import em_ep, keep_drawn
from .svm import GridSVM

L_CIRCLE, L_THYROID = 0.5, 0.05
#: Where v2 starts; the paper refers to EMEP, whose footnote 7 has this value.
V2_START = 1e-3
#: One parameter is learned, so iterations are cheap.
ITERATIONS = 200


def kernel(l):  # noqa: E741 - the symbol of the papers
    """Everything is held but v2."""
    return SE(v0=fixed(1.0), l=fixed(l)) + Bias(v1=fixed(1e-8)) + Noise(v2=V2_START)


def regular(task, l=L_THYROID, **arguments):  # noqa: E741
    return em_ep(task, kernel(l), max_iter=ITERATIONS, fixed={"eps": 0.0}, **arguments)


def robust(task, l=L_THYROID, **arguments):  # noqa: E741
    """The label error by ROBUST (20)."""
    return em_ep(task, kernel(l), search="em-ep-posterior", initial="robust", max_iter=ITERATIONS, **arguments)


CHOICES = {"ROBUST GPC": regular, "ROBUST robust GPC": robust}


def chosen_by_evidence(task, records):
    """ROBUST (21). The chosen one is fitted again, since records keep no predictions."""
    best = max(CHOICES, key=lambda name: records[name]["facts"]["log_evidence"])
    outcome = CHOICES[best](task)
    outcome.facts["chosen"] = best
    return outcome


def on_circle(name, learn):
    return Method(name, lambda task, _: keep_drawn(learn(task, l=L_CIRCLE, standardise=False)), version=2)


METHODS = (
    on_circle("ROBUST circle GPC", regular),
    on_circle("ROBUST circle robust GPC", robust),
    *(Method(name, lambda task, _, learn=learn: learn(task)) for name, learn in CHOICES.items()),
    Method("ROBUST MS-robust GPC", chosen_by_evidence, after=tuple(CHOICES)),
    estimator("ROBUST SVM", lambda task: GridSVM(np.log10(L_THYROID), seed=task.seed), probabilities=False),
)
