"""The methods of EPCV table 2: one squared exponential with a single lengthscale, no priors, inputs as they come.

The paper's EP-CV moves hyperparameters by line searches with sites held fixed; the `exact` ones climb the same criteria by
their exact gradients. The bias gamma of EPCV (13) is a hyperparameter of the leave-one-out methods; EP(ML) has none, since
the paper took it from the GPML code.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from gpclass import SE, GPClassifier, infer

from ..scores import f_measure
from ..spec import Method
from .base import gp, gp_outcome

PAPER = dict(kernel=SE(), priors=None, standardise=False)
LEFT_OUT = PAPER | dict(likelihood="probit-bias")
FM = LEFT_OUT | dict(objective="loo-f", search="ep-cv")


def two_step(task, _):
    """NLP for everything, then the F-measure for the bias alone."""
    return gp_outcome(task, search="two-step", **LEFT_OUT)


METHODS = (
    gp("EP(ML)", likelihood="probit", objective="evidence", **PAPER),
    gp("EP-CV(NLP)", objective="loo-nlp", search="ep-cv", **LEFT_OUT),
    gp("LS-CV(NLP)", objective="loo-nlp", inference="ls", **LEFT_OUT),
    gp("EP-CV(FM)", **FM),
    gp("NLP-FM(bias)", search="two-step", **LEFT_OUT),
    gp("EP-CV(NLP) exact", objective="loo-nlp", **LEFT_OUT),
    gp("EP-CV(FM) exact", objective="loo-f", **LEFT_OUT),
)
