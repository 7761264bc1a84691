"""EP, Laplace's method and the sampler on the same model: a squared exponential with one lengthscale, and a probit.

The first two learn their hyperparameters by their own evidence. To tell the error of an approximation from that of the
hyperparameters it chooses, Laplace's method and the sampler, which is exact up to its standard errors, are also used at
the hyperparameters that EP chose.
"""

from __future__ import annotations

import time
from dataclasses import replace

import gpclass
import numpy as np
from gpclass import SE, GPClassifier, infer
from sklearn.preprocessing import StandardScaler

from ..spec import Method, Outcome
from .base import fitted, gp_facts, with_probabilities

EP, LAPLACE = "inference EP", "inference Laplace"
LAPLACE_AT_EP, SAMPLER = "inference Laplace at EP's", "inference sampler at EP's"
#: Work of the sampler: the evidence is then known to a few hundredths, probabilities to about one.
WORK = {"points": 2048, "samples": 1000, "thin": 30}
#: Digits of probabilities in a record.
DIGITS = 6


def standardised(task):
    """Inputs of zero mean and unit variance over the training rows."""
    scale = StandardScaler().fit(task.X)
    return replace(task, X=scale.transform(task.X), X_test=scale.transform(task.X_test))


def learned(name, inference):
    """Hyperparameters by maximising the method's own evidence."""

    def run(task, _):
        task = standardised(task)
        given = {"kernel": SE(), "likelihood": "probit", "priors": None, "standardise": False, "combine": "best"}
        model = GPClassifier(inference=inference, n_jobs=1, **given)
        outcome = fitted(model, task, with_probabilities)
        outcome.facts |= gp_facts(model, task) | {"probability": rounded(np.exp(outcome.log_proba[:, 1]))}
        return outcome

    return Method(name, run)


def at_ep(name, posterior, compared=(), version=1):
    """The posterior at the hyperparameters that EP learned. `posterior` gives probabilities of test rows and facts; the
    distances to the probabilities of the methods `compared` are kept too."""

    def run(task, records):
        task = standardised(task)
        values = records[EP]["facts"]["hyperparameters"]
        start = time.process_time()
        p, facts = posterior(task, values["v0"], values["l"])
        facts |= {"probability": rounded(p)}
        facts |= {f"gap {other}": gap(p, records[other]) for other in compared}
        with np.errstate(divide="ignore"):
            log_proba = np.log(np.column_stack([1.0 - p, p]))
        return Outcome(log_proba, facts=facts, fit_seconds=time.process_time() - start, predict_seconds=0.0)

    return Method(name, run, after=tuple(dict.fromkeys((EP, *compared))), version=version)


def laplace(task, v0, l):  # noqa: E741 - the symbol of the papers
    found = infer(task.X, task.y, SE(v0=v0, l=l), inference="laplace", X_test=task.X_test, n_jobs=1)
    return found.test_prob, {"log_evidence": found.log_z}


def sampler(task, v0, l):  # noqa: E741
    """The evidence as an orthant probability, and probabilities by chains."""
    truth = gpclass.sample(task.X, task.y, SE(v0=v0, l=l), X_test=task.X_test, random_state=task.seed, n_jobs=1, **WORK)
    return truth.test_probability, {
        "log_evidence": truth.log_evidence,
        "log_evidence_error": truth.log_evidence_error,
        "probability_error": float(np.mean(truth.test_probability_error)),
        "warnings": list(truth.warnings),
    }


def gap(p, record):
    """Mean distance between probabilities and those of a record."""
    return float(np.mean(np.abs(p - record["facts"]["probability"])))


def rounded(p):
    return np.round(p, DIGITS).tolist()


METHODS = (
    learned(EP, "ep"),
    learned(LAPLACE, "laplace"),
    at_ep(LAPLACE_AT_EP, laplace),
    at_ep(SAMPLER, sampler, compared=(EP, LAPLACE_AT_EP), version=2),
)
