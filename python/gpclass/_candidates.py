"""Models to compare: kernels and likelihoods by name or composed by hand."""

from __future__ import annotations

from . import _options
from .kernels import SE, Bias, Kernel, Linear, Matern12, Matern32, Matern52, Noise, RationalQuadratic


def kernel_choice(kernel):
    """Kernels to fit, by name or as objects, or `None` where the library's own comparison by name is meant."""
    given = _options.as_list(kernel)
    if not given:
        raise ValueError("kernel is an empty list; give at least one kernel")
    for each in given:
        if not isinstance(each, Kernel):
            _options.one_of("kernel", each, ("auto", *_options.KERNELS))
    if len(given) == 1 and isinstance(given[0], str):
        return None
    if "auto" in [k for k in given if isinstance(k, str)]:
        raise ValueError("kernel is a list with 'auto' in it; give 'auto' alone or name the kernels")
    return given


def named_kernel(name, ard, likelihood):
    """The library's family of that name as an object. The step's softness is noise in the covariance."""
    family = likelihood["family"] if isinstance(likelihood, dict) else likelihood
    kernel = _family(name, ard) + Bias()
    return kernel + Noise() if family == "step" else kernel


def _family(name, ard):
    stationary = {"se": SE, "matern12": Matern12, "matern32": Matern32, "matern52": Matern52, "rq": RationalQuadratic}
    if name == "linear":
        return Linear(ard=ard)
    return SE(ard=ard) + Linear() if name == "se+linear" else stationary[name](ard=ard)


def candidates_json(kernels, ards, likelihoods, features):
    """Every kernel with every likelihood; kernels given by name with each of `ards`."""
    made = []
    for given in kernels:
        for ard in (False,) if isinstance(given, Kernel) else ards:
            for likelihood in likelihoods:
                kernel = given if isinstance(given, Kernel) else named_kernel(given, ard, likelihood)
                start = [p.value is None for p in kernel._params(features)]
                made.append({"kernel": kernel._json(features), "open": start, "likelihood": likelihood})
    return made


def likelihood_choice(likelihood):
    """Likelihoods to fit in serialised form, 'auto' among them as it is. A pair of a name and a dict has starts."""
    return [_one_likelihood(given) for given in ([likelihood] if _has_start(likelihood) else _options.as_list(likelihood))]


def _has_start(likelihood):
    return isinstance(likelihood, tuple) and len(likelihood) == 2 and isinstance(likelihood[1], dict)


def _one_likelihood(given):
    if _has_start(given):
        start = [[str(name), float(value)] for name, value in given[1].items()]
        return {"family": _options.family(given[0]), "start": start}
    return "auto" if given == "auto" else _options.family(given)


def attached_priors(kernels, names):
    """Priors that kernels bring, by the library's parameter names."""
    found = []
    for kernel in [k for k in kernels or [] if isinstance(k, Kernel)]:
        params = kernel._params(len(names))
        if any(p.prior is not None for p in params):
            pairs = zip(kernel.parameter_names(names), params)
            found += [(name, p.prior) for name, p in pairs if p.prior is not None]
    return found
