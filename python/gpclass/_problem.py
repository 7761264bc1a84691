"""Rows, labels, kernel and likelihood as the library takes them, where hyperparameters are given."""

from __future__ import annotations

import numpy as np
from sklearn.utils.validation import check_array, check_consistent_length, column_or_1d

from . import _options
from .kernels import Kernel


def problem(X, y, kernel, likelihood, likelihood_values=None, X_test=None, sample_weight=None):
    """The arguments checked, in the form that the library reads."""
    if not isinstance(kernel, Kernel):
        raise TypeError(f"kernel is {kernel!r}; give a Kernel with its values, such as SE(v0=1.0, l=0.5)")
    X = np.ascontiguousarray(check_array(X, dtype=np.float64))
    positive = _positive(y)
    check_consistent_length(X, positive)
    names = kernel.parameter_names(X.shape[1])
    unset = [name for name, param in zip(names, kernel._params(X.shape[1])) if param.value is None]
    if unset:
        raise ValueError(f"the kernel has no value for {', '.join(unset)}; nothing is learned here, so give every value")
    if X_test is not None:
        X_test = np.ascontiguousarray(check_array(X_test, dtype=np.float64))
        if X_test.shape[1] != X.shape[1]:
            raise ValueError(f"X_test has {X_test.shape[1]} columns, but X has {X.shape[1]}")
    if sample_weight is not None:
        sample_weight = np.ascontiguousarray(sample_weight, dtype=np.float64)
    return {
        "inputs": X,
        "positive": positive,
        "weights": sample_weight,
        "kernel": _options.dumps(kernel._json(X.shape[1])),
        "likelihood": _options.dumps(_options.one_of("likelihood", likelihood)),
        "likelihood_values": [(str(name), float(value)) for name, value in (likelihood_values or {}).items()],
        "test": X_test,
    }


def _positive(y):
    y = column_or_1d(y)
    classes, codes = np.unique(y, return_inverse=True)
    if len(classes) > 2:
        raise ValueError(f"the labels have {len(classes)} classes, but exactly two are needed")
    if len(classes) == 1:
        return np.full(len(y), bool(classes[0] > 0) if np.issubdtype(y.dtype, np.number) else True)
    return np.ascontiguousarray(codes == 1)
