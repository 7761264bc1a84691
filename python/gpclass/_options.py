"""From constructor arguments to the library's options, with sentences about what does not fit."""

from __future__ import annotations

import json
import numbers

from .kernels import Beta, Kernel, LogNormal, Normal

KERNELS = {
    "se": "squared_exponential",
    "matern12": "matern12",
    "matern32": "matern32",
    "matern52": "matern52",
    "rq": "rational_quadratic",
    "linear": "linear",
    "se+linear": "squared_exponential_linear",
}
LIKELIHOODS = ("step", "probit", "probit-bias", "probit-noise", "robust", "full", "logistic")
METHODS = {
    "ep": {"ep": {}},
    "adf": {"ep": {"schedule": "one_pass"}},
    "ep-sequential": {"ep": {"schedule": "sequential"}},
    "laplace": {"laplace": {}},
    "ls": {"least_squares": {}},
}
OBJECTIVES = {
    "evidence": "evidence",
    "loo-nlp": "nlp",
    "loo-f": {"f_measure": {"zeta": 0.5}},
    "loo-error": {"weighted_error": {"tau": 1.0}},
    "loo-auc": "auc",
}
SEARCHES = {
    "direct": "direct",
    "em-ep": {"em_ep": {"label_error": "count"}},
    "em-ep-posterior": {"em_ep": {"label_error": "posterior"}},
    "ep-cv": "ep_cv",
    "two-step": {"two_step": {"zeta": 0.5}},
}
INITIALS = ("heuristic", "emep-synthetic", "emep-real", "robust", "given")
PATHS = ("end", "loo-error", "loo-nlp")
LENGTHSCALES = ("auto", "single", "ard")
MISSING = {
    "error": {},
    "impute": {"continuous": "impute", "discrete": "impute"},
    "category": {"continuous": "error", "discrete": "own_category"},
    "impute+category": {"continuous": "impute", "discrete": "own_category"},
}


def one_of(name, value, known):
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
    if isinstance(objective, (tuple, list)) and len(objective) == 2:
        name, parameter = objective
        one_of("objective", name, ("loo-f", "loo-error"))
        key, inner = ("f_measure", "zeta") if name == "loo-f" else ("weighted_error", "tau")
        criterion = {key: {inner: number("the parameter of the objective", parameter, least=0.0)}}
    else:
        criterion = OBJECTIVES[one_of("objective", objective, OBJECTIVES)]
        if criterion == "evidence":
            return criterion
    return {"leave_one_out": {"criterion": criterion, "gradient": "exact"}}


def search_json(search, objective, restarts):
    """Accepts a name, or ('two-step', zeta), and refuses what that search would not heed."""
    if isinstance(search, (tuple, list)) and len(search) == 2:
        name, parameter = search
        one_of("search", name, ("two-step",))
        made = {"two_step": {"zeta": number("the parameter of the search", parameter, least=0.0)}}
    else:
        name, made = search, SEARCHES[one_of("search", search, SEARCHES)]
    if name.startswith("em-ep") and objective != "evidence":
        raise ValueError(
            f"search is {name!r}, which climbs the evidence, but objective is {objective!r}; "
            "use search='direct' or 'ep-cv' for leave-one-out objectives"
        )
    if restarts and name not in ("direct", "two-step"):
        raise ValueError(f"n_restarts is {restarts}, but search={name!r} starts once; use search='direct' for restarts")
    return made


def snake(name, value, known):
    """A name of ours as the library spells it."""
    return one_of(name, value, known).replace("-", "_")


def family(likelihood):
    return snake("likelihood", likelihood, LIKELIHOODS)


def likelihood_choice(likelihood):
    """Likelihoods to fit in serialised form, 'auto' among them as it is. A pair of a name and a dict has starts."""
    return [_one_likelihood(given) for given in ([likelihood] if _has_start(likelihood) else as_list(likelihood))]


def _has_start(likelihood):
    return isinstance(likelihood, tuple) and len(likelihood) == 2 and isinstance(likelihood[1], dict)


def _one_likelihood(given):
    if _has_start(given):
        start = [[str(name), float(value)] for name, value in given[1].items()]
        return {"family": family(given[0]), "start": start}
    return "auto" if given == "auto" else family(given)


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


def as_list(value):
    return list(value) if isinstance(value, (list, tuple)) else [value]


def kernel_choice(kernel, lengthscales, features):
    """Kernels to fit as objects, or `None` where the library's own comparison by name is meant."""
    given = as_list(kernel)
    if not given:
        raise ValueError("kernel is an empty list; give at least one kernel")
    for each in given:
        if not isinstance(each, Kernel):
            one_of("kernel", each, ("auto", *KERNELS))
    if len(given) == 1 and isinstance(given[0], str):
        return None
    if "auto" in [k for k in given if isinstance(k, str)]:
        raise ValueError("kernel is a list with 'auto' in it; give 'auto' alone or name the kernels")
    return [k if isinstance(k, Kernel) else named_kernel(k, lengthscales == "ard") for k in given]


def named_kernel(name, ard):
    """The library's family of that name as an object."""
    from . import kernels as k

    stationary = {"se": k.SE, "matern12": k.Matern12, "matern32": k.Matern32, "matern52": k.Matern52}
    if name in stationary:
        return stationary[name](ard=ard) + k.Bias()
    if name == "rq":
        return k.RationalQuadratic(ard=ard) + k.Bias()
    if name == "linear":
        return k.Linear(ard=ard) + k.Bias()
    return k.SE(ard=ard) + k.Linear() + k.Bias()


def candidates_json(kernels, likelihoods, features):
    """Every kernel with every likelihood."""
    made = []
    for kernel in kernels:
        params = kernel._params(features)
        for likelihood in likelihoods:
            start = [p.value is None for p in params]
            made.append({"kernel": kernel._json(features), "open": start, "likelihood": likelihood})
    return made


def attached_priors(kernels, names):
    """Priors that kernels bring, by the library's parameter names."""
    found = []
    for kernel in kernels or []:
        params = kernel._params(len(names))
        if any(p.prior is not None for p in params):
            pairs = zip(kernel.parameter_names(names), params)
            found += [(name, p.prior) for name, p in pairs if p.prior is not None]
    return found


def dumps(value) -> str:
    return json.dumps(value, allow_nan=False)
