"""Covariance functions that can be added and multiplied.

>>> from gpclass import SE, Linear, Bias, fixed
>>> SE(ard=True) + Linear() * Bias(v1=fixed(2.0))
SE(ard=True) + Linear() * Bias(v1=fixed(2.0))

A parameter that is not given starts where the data suggest and is learned. A number is where it starts; ``fixed(number)``
holds it; ``Param`` says everything, with a prior.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Optional, Sequence, Union

from ._frames import category

__all__ = [
    "Additive", "Beta", "Bias", "Kernel", "L1Product", "Linear", "LogNormal", "Matern12", "Matern32", "Matern52", "Noise", "Normal",
    "Param", "PerClass", "Product", "RationalQuadratic", "SE", "Sum", "fixed",
]


@dataclass(frozen=True)
class LogNormal:
    """A normal density of the logarithm: for positive parameters. ``sd`` is in units of the natural logarithm."""

    median: float
    sd: float

    def _json(self):
        return {"log-normal": {"median": float(self.median), "sd": float(self.sd)}}


@dataclass(frozen=True)
class Normal:
    """A normal density: for the bias ``b`` of a likelihood."""

    mean: float
    sd: float

    def _json(self):
        return {"normal": {"mean": float(self.mean), "sd": float(self.sd)}}


@dataclass(frozen=True)
class Beta:
    """A beta density of twice the label error ``eps``."""

    a: float
    b: float

    def _json(self):
        return {"beta": {"a": float(self.a), "b": float(self.b)}}


@dataclass(frozen=True)
class Param:
    """A hyperparameter: where it starts (``None``: where the data suggest), whether it stays there, and its prior
    (``None``: the estimator's)."""

    value: Optional[float] = None
    fixed: bool = False
    prior: Optional[LogNormal] = None

    def __post_init__(self):
        if self.fixed and self.value is None:
            raise ValueError("a fixed parameter needs a value: write fixed(1.0)")
        if self.value is not None and not 0.0 <= float(self.value) < float("inf"):
            raise ValueError(f"the kernel parameter is {self.value}; kernel parameters must be positive and finite")
        if self.prior is not None and not isinstance(self.prior, (LogNormal, Normal, Beta)):
            raise TypeError(f"the prior is {self.prior!r}; give LogNormal(median, sd)")

    def __repr__(self):
        if self.prior is None and self.fixed:
            return f"fixed({self.value!r})"
        if self.prior is None:
            return repr(self.value)
        parts = [repr(self.value)] + (["fixed=True"] if self.fixed else []) + [f"prior={self.prior!r}"]
        return f"Param({', '.join(parts)})"

    def _hyper(self):
        return {"value": 1.0 if self.value is None else float(self.value), "fixed": self.fixed}


def fixed(value: float) -> Param:
    """A parameter that is held at a value.

    >>> fixed(0.5)
    fixed(0.5)
    """
    return Param(float(value), fixed=True)


def _param(value) -> Param:
    if isinstance(value, Param):
        return value
    if value is None or isinstance(value, (int, float)) or hasattr(value, "__float__"):
        return Param(None if value is None else float(value))
    raise TypeError(f"a kernel parameter is {value!r}; give a number, fixed(number), Param(...) or None")


class Kernel:
    """A covariance function. Kernels are values: equal if they look equal, never changed after they are made."""

    def __add__(self, other: "Kernel") -> "Kernel":
        return Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other: "Kernel") -> "Kernel":
        return Product(self, other) if isinstance(other, Kernel) else NotImplemented

    def __eq__(self, other):
        return type(self) is type(other) and self._key() == other._key()

    def __hash__(self):
        return hash((type(self).__name__, repr(self)))

    def _key(self):
        raise NotImplementedError

    def _json(self, features: int):
        """The library's serialised form for that many features."""
        raise NotImplementedError

    def _params(self, features: int) -> list:
        """Every parameter in the library's order."""
        raise NotImplementedError

    def parameter_names(self, features: Union[int, Sequence[str]]) -> list:
        """Names of all parameters on so many features, or on features of these names.

        >>> SE(ard=True).parameter_names(["age", "dose"])
        ['v0', 'l[age]', 'l[dose]']
        """
        from ._core import kernel_parameters

        names = [f"x{i + 1}" for i in range(features)] if isinstance(features, int) else list(features)
        return kernel_parameters(json.dumps(self._json(len(names))), names)[0]


class _Leaf(Kernel):
    _fields: tuple = ()

    def __init__(self, ard, values):
        self.ard = bool(ard)
        for name, value in values.items():
            scale = name in ("l", "w")
            if scale and isinstance(value, (list, tuple)) or hasattr(value, "tolist") and getattr(value, "ndim", 0):
                if not ard:
                    raise ValueError(f"{name} has {len(value)} values, one per feature; that needs ard=True")
                setattr(self, name, tuple(_param(v) for v in value))
            else:
                setattr(self, name, _param(value))

    def _key(self):
        return (self.ard,) + tuple(getattr(self, name) for name in self._fields)

    def __repr__(self):
        parts = ["ard=True"] if self.ard else []
        for name in self._fields:
            value = getattr(self, name)
            if isinstance(value, tuple):
                parts.append(f"{name}=[{', '.join(map(repr, value))}]")
            elif value != Param():
                parts.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(parts)})"

    def _scales(self, value, features) -> list:
        """One parameter, or one per feature."""
        if not self.ard:
            return [value]
        if isinstance(value, tuple):
            if len(value) != features:
                raise ValueError(
                    f"{self!r} has {len(value)} feature weights, but there are {features} features; give one per feature"
                )
            return list(value)
        return [value] * features

    def _weights_json(self, value, features):
        scales = self._scales(value, features)
        if not self.ard:
            return {"single": scales[0]._hyper()}
        return {"per_feature": [{"feature": f"x{m + 1}", **p._hyper()} for m, p in enumerate(scales)]}


class _Stationary(_Leaf):
    _profile: object = None
    _fields = ("v0", "l")

    def __init__(self, *, ard=False, v0=None, l=None):  # noqa: E741 - the symbol of the papers and of the reports
        super().__init__(ard, {"v0": v0, "l": l})

    def _profile_json(self):
        return self._profile

    def _json(self, features):
        weights = self._weights_json(self.l, features)
        return {"stationary": {"profile": self._profile_json(), "v0": self.v0._hyper(), "l": weights}}

    def _params(self, features):
        return [self.v0, *self._scales(self.l, features)]


class SE(_Stationary):
    """Squared exponential: ``v0 exp(-r²/2)`` with ``r² = sum_m l_m (x_m - x'_m)²``.

    ``l`` is an inverse squared lengthscale: large means relevant. ``ard=True`` gives each feature its own.
    """

    _profile = "se"


class Matern12(_Stationary):
    """``v0 exp(-r)``: rough functions."""

    _profile = "matern12"


class Matern32(_Stationary):
    """``v0 (1 + √3 r) exp(-√3 r)``: functions with one derivative."""

    _profile = "matern32"


class Matern52(_Stationary):
    """``v0 (1 + √5 r + 5/3 r²) exp(-√5 r)``: functions with two derivatives."""

    _profile = "matern52"


class RationalQuadratic(_Stationary):
    """``v0 (1 + r²/(2 alpha))^-alpha``: a mixture of lengths."""

    _fields = ("v0", "alpha", "l")

    def __init__(self, *, ard=False, v0=None, alpha=None, l=None):  # noqa: E741
        _Leaf.__init__(self, ard, {"v0": v0, "alpha": alpha, "l": l})

    def _profile_json(self):
        return {"rq": {"alpha": self.alpha._hyper()}}

    def _params(self, features):
        return [self.v0, self.alpha, *self._scales(self.l, features)]


class L1Product(_Leaf):
    """``v0 exp(-sum_m l_m |x_m - x'_m|)``, a category counting 1 where it differs: functions with steps along each feature,
    as trees have them.

    ``l`` is an inverse lengthscale, not squared: large means relevant. ``ard=True`` gives each feature its own.
    """

    _fields = ("v0", "l")

    def __init__(self, *, ard=False, v0=None, l=None):  # noqa: E741
        super().__init__(ard, {"v0": v0, "l": l})

    def _json(self, features):
        return {"l1": {"v0": self.v0._hyper(), "l": self._weights_json(self.l, features)}}

    def _params(self, features):
        return [self.v0, *self._scales(self.l, features)]


class Additive(_Leaf):
    """``sum_m w_m exp(-l (x_m - x'_m)²/2)``, a category counting ``w_m`` where it is equal: sums of smooth functions of single
    features, the Gaussian-process form of a generalised additive model.

    ``w`` is the variance of a feature's function: large means relevant. ``ard=True`` gives each feature its own. ``l`` is the
    inverse squared lengthscale of all of them.
    """

    _fields = ("w", "l")

    def __init__(self, *, ard=False, w=None, l=None):  # noqa: E741
        super().__init__(ard, {"w": w, "l": l})
        if isinstance(self.l, tuple):
            raise ValueError(
                f"l has {len(self.l)} values; all functions of an additive kernel share one lengthscale, give one value"
            )

    def _json(self, features):
        return {"additive": {"w": self._weights_json(self.w, features), "l": self.l._hyper()}}

    def _params(self, features):
        return [*self._scales(self.w, features), self.l]


class Linear(_Leaf):
    """``w <x, x'>``, or ``sum_m w_m x_m x'_m`` with ``ard=True``: functions linear in the features."""

    _fields = ("w",)

    def __init__(self, *, ard=False, w=None):
        super().__init__(ard, {"w": w})

    def _json(self, features):
        return {"linear": {"weights": self._weights_json(self.w, features)}}

    def _params(self, features):
        return self._scales(self.w, features)


class Bias(_Leaf):
    """``v1`` for every pair of rows: an offset of the whole function."""

    _fields = ("v1",)

    def __init__(self, *, v1=None):
        super().__init__(False, {"v1": v1})

    def _json(self, features):
        return {"bias": {"v1": self.v1._hyper()}}

    def _params(self, features):
        return [self.v1]


class Noise(_Leaf):
    """``v2`` for a row with itself: noise of single rows."""

    _fields = ("v2",)

    def __init__(self, *, v2=None):
        super().__init__(False, {"v2": v2})

    def _json(self, features):
        return {"noise": {"v2": self.v2._hyper()}}

    def _params(self, features):
        return [self.v2]


class _Combined(Kernel):
    def __init__(self, *parts: Kernel):
        if len(parts) < 2 or not all(isinstance(part, Kernel) for part in parts):
            raise TypeError(f"a {type(self).__name__.lower()} needs two or more kernels")
        own = [p.parts if type(p) is type(self) else (p,) for p in parts]
        self.parts = tuple(part for group in own for part in group)

    def _key(self):
        return self.parts

    def _params(self, features):
        return [p for part in self.parts for p in part._params(features)]


class Sum(_Combined):
    """The sum of kernels: of independent functions."""

    def __repr__(self):
        return " + ".join(map(repr, self.parts))

    def _json(self, features):
        return {"sum": [part._json(features) for part in self.parts]}


class Product(_Combined):
    """The product of kernels."""

    def __repr__(self):
        return " * ".join(f"({part!r})" if isinstance(part, Sum) else repr(part) for part in self.parts)

    def _json(self, features):
        return {"product": [part._json(features) for part in self.parts]}


class PerClass(Kernel):
    """A kernel for the function of each of several classes, from a dict of classes and kernels; never inside of another.

    >>> PerClass({"setosa": SE(v0=2.0), "virginica": SE() + Bias()}).parameter_names(1)
    ['v0[setosa]', 'l[setosa]', 'v0[virginica]', 'l[virginica]', 'v1[virginica]']
    """

    def __init__(self, kernels):
        if not isinstance(kernels, dict) or not kernels:
            raise TypeError(f"kernels is {kernels!r}; it must be a dict from classes to kernels")
        for kernel in kernels.values():
            if not isinstance(kernel, Kernel) or isinstance(kernel, PerClass):
                raise TypeError(f"the kernel of a class is {kernel!r}; give a Kernel such as SE()")
        self.kernels = dict(kernels)

    def ordered(self, classes: Sequence[str]) -> "PerClass":
        """The same with its classes, which are to be these, by name and in this order."""
        named = {category(given): kernel for given, kernel in self.kernels.items()}
        if set(named) != set(classes):
            raise ValueError(
                f"there are kernels for the classes {', '.join(named)}, but the labels have {', '.join(classes)}; give one "
                "kernel for each"
            )
        return PerClass({name: named[name] for name in classes})

    def _key(self):
        return tuple(self.kernels.items())

    def __repr__(self):
        return f"PerClass({self.kernels!r})"

    def _json(self, features):
        each = self.kernels.items()
        return {"per_class": [{"class": category(given), "kernel": kernel._json(features)} for given, kernel in each]}

    def _params(self, features):
        return [p for kernel in self.kernels.values() for p in kernel._params(features)]
