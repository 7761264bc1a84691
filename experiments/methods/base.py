"""How a scikit-learn estimator, ours or another, becomes a method."""

from __future__ import annotations

import contextlib
import time
import warnings
from pathlib import Path

import numpy as np
from gpclass import GPClassifier

from ..scores import suspects
from ..spec import Method, Outcome


def fitted(model, task, predict):
    """Fits and predicts; gives the outcome with the time each took (processor time, since runs share the machine)."""
    forget_peak()
    start = time.process_time()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(task.X, task.y)
        middle = time.process_time()
        outcome = predict(model, task.X_test)
    outcome.fit_seconds, outcome.predict_seconds = middle - start, time.process_time() - middle
    outcome.facts |= peak_of_memory()
    outcome.facts["warnings"] = sorted({str(w.message) for w in caught})[:5]
    return outcome


def forget_peak():
    """Lets the system count this process's peak of memory from here, where it can: one process does many runs."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def peak_of_memory():
    """The peak since then, with all that was loaded before; nothing where the system does not tell."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return {"peak_megabytes": int(line.split()[1]) / 1024}
    return {}


def with_probabilities(model, X):
    """Columns in the order of the labels, which is not everyone's order of classes."""
    with np.errstate(divide="ignore"):
        has_logarithms = hasattr(model, "predict_log_proba")
        log_proba = np.asarray(model.predict_log_proba(X) if has_logarithms else np.log(model.predict_proba(X)))
    return Outcome(log_proba=log_proba[:, np.argsort(model.classes_)])


def with_classes(model, X):
    return Outcome(positive=np.asarray(model.predict(X), dtype=bool))


def estimator(name, make, probabilities=True, **others):
    """A method from `make(task)`, which gives an estimator of others that is not fitted yet."""

    def run(task, _):
        return fitted(make(task), task, with_probabilities if probabilities else with_classes)

    return Method(name, run, foreign=True, **others)


def gp(name, discrete=False, version=1, **arguments):
    """A method from arguments of GPClassifier. With `discrete`, columns that are categories are declared as such."""

    def run(task, _):
        return gp_outcome(task, discrete=discrete, **arguments)

    return Method(name, run, abilities=tuple(arguments), version=version)


def gp_outcome(task, discrete=False, **arguments):
    """Fits GPClassifier with the arguments and keeps what tables and figures show."""
    model = gp_estimator(task, discrete, **arguments)
    outcome = fitted(model, task, with_probabilities)
    outcome.facts |= gp_facts(model, task)
    return outcome


def gp_estimator(task, discrete=False, **arguments):
    """Our classifier for a task, not fitted yet."""
    if discrete and task.categorical:
        arguments["categorical_features"] = list(task.categorical)
    return GPClassifier(n_jobs=1, random_state=task.seed, **arguments)


def gp_facts(model, task):
    facts = {
        "log_evidence": float(model.log_evidence_),
        "hyperparameters": model.hyperparameters_,
        "kernel": model.kernel_,
        "likelihood": model.likelihood_,
        "multiclass": model.multiclass_,
        "converged": bool(model.converged_),
        "loo_nlp": model.loo_scores_["nlp_nats"]["value"],
        "trace": [entry["log_evidence"] for entry in model.trace_],
    }
    if task.flipped is not None:
        facts |= suspects(task.flipped, model.label_error_proba_, restored=model.label_suggestion_ == task.original)
    return facts
