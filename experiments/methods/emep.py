"""The methods of EMEP section 5: GPC by EM-EP with the step likelihood, support vector machines, and baselines."""

from __future__ import annotations

import numpy as np
from gpclass import SE, Bias, Noise, fixed
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.neighbors import KNeighborsClassifier

from ..spec import Method
from .base import estimator, fitted, gp_outcome, with_classes
from .svm import COARSE_C, COARSE_L, HARD_LOG_C, GridSVM

#: EM-EP creeps near its end; further iterations change predictions little.
ITERATIONS = 100
#: Footnote 7.
REAL_START = {"v0": 1.0, "v1": 1e-4, "v2": 1e-3, "l": 0.05}
#: The "very small number" that v2 is held at for a hard boundary.
HARD_V2 = 1e-6
SOFT = "EMEP GPC-EP(s,soft)"


def em_ep(task, kernel, search="em-ep", **arguments):
    """EM-EP as in the paper: step likelihood, no priors on hyperparameters, categories with a distance of their own."""
    given = {"likelihood": "step", "priors": None, "max_iter": ITERATIONS, **arguments}
    return gp_outcome(task, discrete=True, kernel=kernel, search=search, combine="best", **given)


def keep_drawn(outcome):
    """The predicted classes, which figures of the circle draw."""
    outcome.facts["positive"] = (outcome.log_proba[:, 1] > outcome.log_proba[:, 0]).astype(int).tolist()
    outcome.facts["eps"] = outcome.facts["hyperparameters"]["eps"]
    return outcome


def circle(name, **arguments):
    """Section 5.1, first example, from the initial values of footnote 3."""

    def run(task, _):
        kernel = SE(ard=True) + Bias() + Noise()
        return keep_drawn(em_ep(task, kernel, initial="emep-synthetic", standardise=False, **arguments))

    return Method(name, run, version=2)


def kernel_from(start, ard=False, features=0, v2=None):
    """EMEP (10) with parameters that start at the values of `start`."""
    scales = [start["l"]] * features if ard else start["l"]
    noise = Noise(v2=start["v2"] if v2 is None else v2)
    return SE(ard=ard, v0=start["v0"], l=scales) + Bias(v1=start["v1"]) + noise


def without_label_error(task, kernel, **arguments):
    """The label error starts at 0 (footnote 7), where it stays: the mean of a step's posterior is on the side of its label."""
    return em_ep(task, kernel, fixed={"eps": 0.0}, **arguments)


def six_features(name, ard):
    """Section 5.1, second example, where the first three features are relevant.

    The paper gives no initial values for it. From footnote 3 (v2 = 1e-6) EM-EP hardly moves; footnote 7 serves.
    """

    def run(task, _):
        outcome = without_label_error(task, kernel_from(REAL_START, ard, task.X.shape[1]), standardise=False)
        values = outcome.facts["hyperparameters"]
        weights = [values[f"l[x{m}]" if ard else "l"] for m in range(1, 7)]
        outcome.facts |= {"least_relevant_l": min(weights[:3]), "largest_irrelevant_l": max(weights[3:])}
        return outcome

    return Method(name, run, version=2)


def real(name, v2=None):
    """Section 5.2 with one lengthscale: starts at footnote 7, then at the result of the fold before."""

    def run(task, records):
        start = records["before"]["facts"]["hyperparameters"] if "before" in records else REAL_START
        return without_label_error(task, kernel_from(start, v2=v2))

    return Method(name, run, follows=True)


def with_many_lengthscales(task, records):
    """Starts at the result for one lengthscale on the same fold (footnote 7)."""
    start = records[SOFT]["facts"]["hyperparameters"]
    return without_label_error(task, kernel_from(start, True, task.X.shape[1]))


def machine(name, log_ls=COARSE_L, log_cs=COARSE_C):
    def make(task):
        return GridSVM(log_ls, log_cs, categorical=task.categorical, seed=task.seed)

    return estimator(name, make, probabilities=False)


def machine_with_learned_kernel(task, records):
    """The kernel of GPC-EP(s,soft) without v2; C by cross-validation."""
    log_l = np.log10(records[SOFT]["facts"]["hyperparameters"]["l"])
    return fitted(GridSVM(log_l, categorical=task.categorical, seed=task.seed), task, with_classes)


METHODS = (
    circle("EMEP circle eps=0", fixed={"eps": 0.0}),
    circle("EMEP circle eps"),
    six_features("EMEP six single", ard=False),
    six_features("EMEP six multiple", ard=True),
    Method("EMEP GPC-EP(m,soft)", with_many_lengthscales, after=(SOFT,)),
    real("EMEP GPC-EP(s,hard)", v2=fixed(HARD_V2)),
    real(SOFT),
    Method("EMEP SVM-EP(s,soft)", machine_with_learned_kernel, after=(SOFT,)),
    machine("EMEP SVM-CV(hard)", log_cs=HARD_LOG_C),
    machine("EMEP SVM-CV(soft)"),
    estimator("EMEP 1-NN", lambda _: KNeighborsClassifier(1), probabilities=False),
    estimator("EMEP LDA", lambda _: LinearDiscriminantAnalysis(), probabilities=False),
)
