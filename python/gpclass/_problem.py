"""Rows, labels, kernel and likelihood as the library takes them, where hyperparameters are given."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from . import _options
from ._frames import category
from .kernels import Kernel, PerClass


#: Likelihoods of one function for each class, also of two, by the names they have for two.
OF_EACH = {"multinomial-probit": "probit", "softmax": "logistic"}


def for_two(likelihood, likelihood_values):
    """The name that a likelihood has for two classes, and whether each class has a function whatever their number."""
    _options.one_of("likelihood", likelihood, (*_options.NAMES["likelihood"], *OF_EACH))
    each = likelihood in OF_EACH
    if likelihood == "multinomial-probit" and (likelihood_values or {}).get("eps"):
        return "robust", each
    return OF_EACH.get(likelihood, likelihood), each


def problem(X, y, kernel, likelihood, likelihood_values=None, X_test=None, sample_weight=None, classes=None):
    """The arguments checked, in the form that the library reads."""
    if not isinstance(kernel, Kernel):
        raise TypeError(f"kernel is {kernel!r}; give a Kernel with its values, such as SE(v0=1.0, l=0.5)")
    X = np.ascontiguousarray(check_array(X, dtype=np.float64))
    labels, classes = _labels(y, classes)
    check_consistent_length(X, labels)
    if isinstance(kernel, PerClass):
        kernel = kernel.ordered(classes)
    names = kernel.parameter_names(X.shape[1])
    unset = [name for name, param in zip(names, kernel._params(X.shape[1])) if param.value is None]
    if unset:
        raise ValueError(f"the kernel has no value for {', '.join(unset)}; nothing is learned here, so give every value")
    if X_test is not None:
        X_test = rows_like(X_test, X, "X_test")
    if sample_weight is not None:
        sample_weight = np.ascontiguousarray(sample_weight, dtype=np.float64)
    return {
        "inputs": X,
        "labels": labels,
        "classes": classes,
        "weights": sample_weight,
        "kernel": _options.dumps(kernel._json(X.shape[1])),
        "likelihood": _options.dumps(_options.one_of("likelihood", likelihood)),
        "likelihood_values": [(str(name), float(value)) for name, value in (likelihood_values or {}).items()],
        "test": X_test,
    }


def rows_like(rows, X, name):
    """Rows with as many columns as ``X``; ``name`` is what the caller calls them."""
    rows = np.ascontiguousarray(check_array(rows, dtype=np.float64))
    if rows.shape[1] != X.shape[1]:
        raise ValueError(f"{name} has {rows.shape[1]} columns, but X has {X.shape[1]}")
    return rows


def _labels(y, classes):
    """For every row the position of its class, and the names of the classes."""
    y = column_or_1d(y)
    if classes is not None:
        classes = column_or_1d(classes)
        unknown = ~np.isin(y, classes)
        if unknown.any():
            listed = ", ".join(map(str, classes))
            raise ValueError(f"data row {unknown.argmax() + 1} has the label {y[unknown][0]!r}, but the classes are {listed}")
        codes = np.array([np.flatnonzero(classes == label)[0] for label in y])
        return _codes(codes), [category(c) for c in classes]
    classes, codes = np.unique(y, return_inverse=True)
    names = [category(c) for c in classes]
    if len(classes) == 1:
        # The one class is the positive one, unless it is a number that is not.
        positive = not np.issubdtype(y.dtype, np.number) or classes[0] > 0
        codes, names = codes + positive, [f"not {names[0]}", names[0]] if positive else [names[0], f"not {names[0]}"]
    return _codes(codes), names


def _codes(codes):
    return np.ascontiguousarray(codes, dtype=np.uint16)
