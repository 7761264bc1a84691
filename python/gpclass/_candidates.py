"""Models to compare: kernels and likelihoods by name or composed by hand."""

from __future__ import annotations

from . import _options
from .kernels import Kernel, PerClass


def kernel_choice(kernel, classes):
    """Kernels to fit, by name or as objects, or `None` where the library's own comparison by name is meant."""
    given = _options.as_list(kernel)
    if not given:
        raise ValueError("kernel is an empty list; give at least one kernel")
    for each in given:
        if not isinstance(each, Kernel):
            _options.one_of("kernel", each, ("auto", *_options.NAMES["kernel"]))
    if len(given) == 1 and isinstance(given[0], str):
        return None
    if "auto" in [k for k in given if isinstance(k, str)]:
        raise ValueError("kernel is a list with 'auto' in it; give 'auto' alone or name the kernels")
    return [each.ordered(classes) if isinstance(each, PerClass) else each for each in given]


def candidates_json(kernels, ards, likelihoods, features):
    """Every kernel with every likelihood; kernels given by name with each of `ards`."""
    return [
        {**kernel, "likelihood": likelihood}
        for given in kernels
        for kernel in _kernels_json(given, ards, features)
        for likelihood in likelihoods
    ]


def _kernels_json(given, ards, features):
    if isinstance(given, str):
        return [{"family": given, "ard": ard} for ard in ards]
    return [{"kernel": given._json(features), "open": [p.value is None for p in given._params(features)]}]


def likelihood_choice(likelihood):
    """Likelihoods to fit in serialised form, 'auto' among them as it is. A pair of a name and a dict has starts."""
    return [_one_likelihood(given) for given in ([likelihood] if _has_start(likelihood) else _options.as_list(likelihood))]


def _has_start(likelihood):
    return isinstance(likelihood, tuple) and len(likelihood) == 2 and isinstance(likelihood[1], dict)


def _one_likelihood(given):
    if _has_start(given):
        start = [[str(name), float(value)] for name, value in given[1].items()]
        return {"family": _options.one_of("likelihood", given[0]), "start": start}
    return _options.one_of("likelihood", given, ("auto", *_options.NAMES["likelihood"]))


def attached_priors(kernels, names, classes=None):
    """Priors that kernels bring, by the library's parameter names; those of each of `classes` if each is to have its own."""
    found = []
    for kernel in [k for k in kernels or [] if isinstance(k, Kernel)]:
        params = kernel._params(len(names))
        if any(p.prior is not None for p in params):
            pairs = zip(kernel.parameter_names(names), params)
            suffixes = [""] if classes is None or isinstance(kernel, PerClass) else [f"[{c}]" for c in classes]
            found += [(name + suffix, p.prior) for name, p in pairs if p.prior is not None for suffix in suffixes]
    return found
