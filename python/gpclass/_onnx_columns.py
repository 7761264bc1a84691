"""Covariances that look at each feature by itself, as operators of an ONNX graph."""

from __future__ import annotations

import numpy as np


def l1_product(g, inner, rows, training, features):
    """``v0 exp(-sum_m l_m |x_m - x'_m|)``, and ``v0`` of every row with itself."""
    l = _per_feature(inner["l"], features)  # noqa: E741
    terms = [
        g("Mul", g("Abs", g("Sub", x, g.constant(training[:, [start]].T))), g.number(l[m]))
        for m, start, x in _continuous(g, rows, features)
    ]
    discrete = _discrete(features)
    if discrete:
        # A level counts 1 - [equal].
        equal = _equal(g, rows, training, features, {m: -l[m] for m in discrete})
        terms.append(g("Add", equal, g.number(sum(l[m] for m in discrete))))
    decay = g("Exp", g("Neg", g("Max", _total(g, terms), g.number(0.0))))
    v0 = g.number(inner["v0"]["value"])
    zero = g("Mul", g.row_sum(rows), g.number(0.0))
    return g("Mul", v0, decay), g("Add", zero, v0)


def _per_feature(weights, features):
    if "single" in weights:
        return np.full(len(features), weights["single"]["value"])
    return np.array([w["value"] for w in weights["per_feature"]])


def _discrete(features):
    """Positions of the features that are one-hot blocks."""
    return [m for m, (start, end) in enumerate(features) if end - start > 1]


def _continuous(g, rows, features):
    """Position, column and values of every other feature."""
    for m, (start, end) in enumerate(features):
        if end - start == 1:
            yield m, start, g("Gather", rows, g.integers([start]), axis=1)


def _equal(g, rows, training, features, factors):
    """sum_m factor_m [x_m equals x'_m] over one-hot blocks, whose ones are the root of 1/2."""
    per_column = np.zeros(training.shape[1])
    for m, factor in factors.items():
        per_column[slice(*features[m])] = 2.0 * factor
    return g("MatMul", rows, g.constant((training * per_column).T))


def _total(g, terms):
    total = terms[0]
    for term in terms[1:]:
        total = g("Add", total, term)
    return total
