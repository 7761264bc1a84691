"""From constructor arguments to the library's options, with sentences about what does not fit."""

from __future__ import annotations

import json
import numbers

from . import _frames
from ._core import options
from .kernels import Beta, LogNormal, Normal

#: For every argument that is chosen by name the library's names.
NAMES = {option: tuple(name for name, _ in choices) for option, choices in options().items()}


def one_of(name, value, known=None):
    """`value` if it is one of the library's names for that argument, or of those `known`."""
    known = NAMES[name] if known is None else known
    if not isinstance(value, str) or value not in known:
        listed = ", ".join(repr(k) for k in known)
        raise ValueError(f"{name} is {value!r}; it must be one of {listed}")
    return value


def number(name, value, *, least, integer=False):
    kind = numbers.Integral if integer else numbers.Real
    if not isinstance(value, kind) or isinstance(value, bool):
        raise TypeError(f"{name} is {value!r}; it must be {'an integer' if integer else 'a number'}")
    if not value >= least:
        raise ValueError(f"{name} is {value!r}; it must be at least {least}")
    return int(value) if integer else float(value)


def objective_json(objective):
    """Accepts a name, or ('loo-f', zeta) and ('loo-error', tau)."""
    return with_parameter("objective", objective, {"loo-f": "zeta", "loo-error": "tau"})


def search_json(search):
    """Accepts a name, or ('two-step', zeta)."""
    return with_parameter("search", search, {"two-step": "zeta"})


def with_parameter(argument, choice, parameters):
    """A name, or a pair of a name and the parameter that this choice has."""
    if not (isinstance(choice, (tuple, list)) and len(choice) == 2):
        return one_of(argument, choice)
    name, parameter = choice
    one_of(argument, name, parameters)
    return {name: {parameters[name]: number(f"the parameter of the {argument}", parameter, least=0.0)}}


def priors_json(priors, attached):
    """`attached` are (name, prior) pairs that kernels bring along."""
    if priors in (None, "none") and not attached:
        return "none"
    if priors == "weak" and not attached:
        return "weak"
    named = []
    if isinstance(priors, dict):
        named = [(str(name), prior) for name, prior in priors.items()]
    elif priors not in (None, "none", "weak"):
        raise ValueError(f"priors is {priors!r}; it must be 'weak', None or a dict from parameter names to priors")
    for name, prior in named:
        if prior is not None and not isinstance(prior, (LogNormal, Normal, Beta)):
            raise TypeError(f"the prior on '{name}' is {prior!r}; give LogNormal, Normal, Beta or None")
    given = dict(attached) | dict(named)
    return {"custom": [[name, None if prior is None else prior._json()] for name, prior in given.items()]}


def fixed_json(fixed):
    if fixed is None:
        return []
    if not isinstance(fixed, dict):
        raise TypeError(f"fixed is {fixed!r}; it must be a dict from parameter names to values")
    return [[str(name), float(value)] for name, value in fixed.items()]


def decision_json(cost, threshold, classes):
    """What rows are to be decided by, if anything. `classes` are the names of the classes."""
    if cost is not None and threshold is not None:
        raise ValueError("both cost and threshold are given; give one of them")
    if threshold is not None:
        return {"decision": {"threshold": number("threshold", threshold, least=0.0)}}
    if cost is None:
        return {}
    if isinstance(cost, dict) and set(cost) == {"fn", "fp"} and not any(isinstance(value, dict) for value in cost.values()):
        return {"decision": {"cost": {kind: number(f"the cost {kind}", value, least=0.0) for kind, value in cost.items()}}}
    return {"decision": {"errors": list(_error_costs(cost, classes))}}


def _error_costs(cost, classes):
    """What each kind of error costs, from a nested dict or a matrix."""
    if not isinstance(cost, dict):
        rows = [list(row) for row in cost] if hasattr(cost, "__iter__") and not isinstance(cost, str) else []
        if len(rows) != len(classes) or any(len(row) != len(classes) for row in rows):
            raise ValueError(f"cost is {cost!r}; give a dict, or a matrix with a row and a column for each of {len(classes)} classes")
        cost = {true: dict(zip(classes, row)) for true, row in zip(classes, rows)}
    for true, row in cost.items():
        if not isinstance(row, dict):
            raise ValueError(f"cost is {cost!r}; give both costs, as {{'fn': 5, 'fp': 1}}, or errors, as {{'flu': {{'cold': 5}}}}")
        for decided, value in row.items():
            true_name, name = _frames.category(true), _frames.category(decided)
            value = number(f"the cost of taking {true_name} for {name}", value, least=0.0)
            # A matrix has them on its diagonal.
            if true_name != name or value:
                yield {"true": true_name, "decided": name, "cost": value}


def as_list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def dumps(value) -> str:
    return json.dumps(value, allow_nan=False)
