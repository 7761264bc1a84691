"""The library's specification of a fit, from an estimator's arguments."""

from __future__ import annotations

import json
import numbers

import numpy as np

from . import _candidates, _frames, _options
from ._core import compared


def encoder(estimator, X, names, mask) -> dict:
    """The library's options about columns."""
    made = {"standardise": "yes" if estimator.standardise else "no", "missing": estimator.missing}
    ordered = _frames.levels_of(X, names) if _frames.by_dtype(estimator.categorical_features) else {}
    given = {} if estimator.ordered is None else estimator.ordered
    if not isinstance(given, dict):
        raise TypeError(f"ordered is {given!r}; it must be a dict from column names to lists of levels, lowest first")
    for name, levels in given.items():
        if isinstance(levels, str) or not hasattr(levels, "__iter__"):
            raise TypeError(f"the levels of the ordered column '{name}' are {levels!r}; give a list, lowest first")
        ordered[str(name)] = [_frames.category(level) or "" for level in levels]
    if not isinstance(estimator.categorical_features, (str, type(None))):
        made["discrete"] = [name for name, chosen in zip(names, mask) if chosen and name not in ordered]
    made["keep"] = [_name(item, names) for item in (() if estimator.keep is None else _options.as_list(estimator.keep))]
    # A column of an array has no name that would tell an identifier, and nobody expects it to go.
    return made | {"ordered": ordered, "leave_out_ids": _frames.is_frame(X)}


def _name(item, names):
    """A column given by name or position; the library says what is wrong with a name."""
    if isinstance(item, numbers.Integral) and not isinstance(item, bool) and -len(names) <= item < len(names):
        return names[item]
    if isinstance(item, str):
        return item
    raise ValueError(f"keep holds {item!r}; give names of columns, or positions from 0 to {len(names) - 1}")


def spec(estimator, encoder, names, classes):
    """The library's specification, and candidates where kernels are not given by one name. `names` are those of features."""
    kernels = _candidates.kernel_choice(estimator.kernel, classes)
    likelihoods = _candidates.likelihood_choice(estimator.likelihood)
    own = classes if estimator.class_kernels == "own" else None
    fit = _fit_options(estimator, _candidates.attached_priors(kernels, names, own))
    spec = {"encoder": encoder, "fit": fit} | _options.decision_json(estimator.cost, estimator.threshold, classes)
    if _continues(estimator, names, classes):
        return spec, [
            {
                "kernel": json.loads(kernel),
                "open": [],
                "likelihood": json.loads(likelihood),
                "inputs": fit["inputs"] or json.loads(inputs),
            }
            for kernel, likelihood, inputs in estimator._model.members()
        ]
    if kernels is None and len(likelihoods) == 1 and isinstance(likelihoods[0], str):
        name = _options.as_list(estimator.kernel)[0]
        fit["kernel"] = None if name == "auto" else name
        fit["likelihood"] = None if likelihoods[0] == "auto" else likelihoods[0]
        return spec, None
    # In a list of kernels a name stands for one kernel.
    ards = {"single": (False,), "ard": (True,), "auto": (False,) if kernels else (False, True)}[estimator.lengthscales]
    compared_kernels, compared_likelihoods = compared(estimator.inference)
    if "auto" in likelihoods:
        likelihoods = compared_likelihoods
    if kernels is None:
        name = _options.as_list(estimator.kernel)[0]
        kernels = compared_kernels if name == "auto" else [name]
    return spec, _candidates.candidates_json(kernels, ards, likelihoods, len(names))


def _fit_options(estimator, attached_priors):
    """Everything about learning but the models that compete."""
    limits = {
        "max_iterations": _options.number("max_iter", estimator.max_iter, least=0, integer=True),
        "gradient_tolerance": _options.number("tol", estimator.tol, least=0.0),
    }
    inputs = _options.one_of("inputs", estimator.inputs, ("auto", *_options.NAMES["inputs"]))
    return {
        "inputs": None if inputs == "auto" else inputs,
        "lengthscales": _options.one_of("lengthscales", estimator.lengthscales),
        "inference": _options.one_of("inference", estimator.inference),
        "objective": _options.objective_json(estimator.objective),
        "search": _options.search_json(estimator.search),
        "initial": _options.one_of("initial", estimator.initial),
        "path": _options.one_of("path", estimator.path),
        "priors": _options.priors_json(estimator.priors, attached_priors),
        "fixed": _options.fixed_json(estimator.fixed),
        "multiclass": _options.one_of("multiclass", estimator.multiclass),
        "class_kernels": _options.one_of("class_kernels", estimator.class_kernels),
        "restarts": _options.number("n_restarts", estimator.n_restarts, least=0, integer=True),
        "seed": _seed(estimator.random_state),
        "time_budget": _time(estimator.time_budget),
        "combine": _options.one_of("combine", estimator.combine),
        "sharpen": _options.one_of("sharpen", estimator.sharpen),
        "many_rows": _many_rows(estimator),
        "direct": {"search": limits},
    }


def _many_rows(estimator):
    """What is said about many rows."""
    counts = {
        name: None if value is None else _options.number(name, value, least=least, integer=True)
        for name, value, least in (("inducing", estimator.inducing, 1), ("neighbours", estimator.neighbours, 0))
    }
    if estimator.exact and any(value is not None for value in counts.values()):
        raise ValueError("exact inference has no inducing rows and no neighbours; leave out inducing and neighbours")
    return {"exact": bool(estimator.exact), **counts}


def _continues(estimator, names, classes):
    """Whether the last fit is the start of this one: it has the same features, and its classes if they have own kernels."""
    if not estimator.warm_start or list(getattr(estimator, "effects_", [])) != names:
        return False
    return estimator._model.classes == classes or "per_class" not in json.loads(estimator._model.members()[0][0])


def _time(seconds):
    return None if seconds is None else _options.number("time_budget", seconds, least=0.0)


def _seed(random_state):
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31))
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31 - 1))
    return _options.number("random_state", random_state, least=0, integer=True)
