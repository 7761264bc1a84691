"""Covariances that look at each feature by itself, as operators of an ONNX graph."""

from __future__ import annotations

import numpy as np


def l1_product(g, inner, rows, training, features):
    """``v0 exp(-sum_m l_m |x_m - x'_m|)``, and ``v0`` of every row with itself."""
    l = _per_feature(inner["l"], features)  # noqa: E741
    terms = [g("Mul", g("Abs", difference), g.number(l[m])) for m, difference in _differences(g, rows, training, features)]
    discrete = _discrete(features)
    if discrete:
        # A level counts 1 - [equal].
        equal = _equal(g, rows, training, features, {m: -l[m] for m in discrete})
        terms.append(g("Add", equal, g.number(sum(l[m] for m in discrete))))
    decay = g("Exp", g("Neg", g("Max", _total(g, terms), g.number(0.0))))
    v0 = inner["v0"]["value"]
    return g("Mul", g.number(v0), decay), _everywhere(g, rows, v0)


def additive(g, inner, rows, training, features):
    """``sum_m w_m exp(-l (x_m - x'_m)²/2)``, and the sum of all ``w_m`` of every row with itself."""
    w = _per_feature(inner["w"], features)
    half = g.number(-0.5 * inner["l"]["value"])
    terms = [
        g("Mul", g("Exp", g("Mul", g("Mul", difference, difference), half)), g.number(w[m]))
        for m, difference in _differences(g, rows, training, features)
    ]
    discrete = _discrete(features)
    if discrete:
        terms.append(_equal(g, rows, training, features, {m: w[m] for m in discrete}))
    return _total(g, terms), _everywhere(g, rows, w.sum())


def _per_feature(weights, features):
    if "single" in weights:
        return np.full(len(features), weights["single"]["value"])
    return np.array([w["value"] for w in weights["per_feature"]])


def _discrete(features):
    """Positions of the features that are one-hot blocks."""
    return [m for m, (start, end) in enumerate(features) if end - start > 1]


def _differences(g, rows, training, features):
    """Position of every other feature, and how far rows and training rows are apart in it."""
    for m, (start, end) in enumerate(features):
        if end - start == 1:
            yield m, g("Sub", g("Gather", rows, g.integers([start]), axis=1), g.constant(training[:, [start]].T))


def _everywhere(g, rows, value):
    """The same value for every row."""
    return g("Add", g("Mul", g.row_sum(rows), g.number(0.0)), g.number(value))


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
