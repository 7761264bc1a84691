"""The predictor as an ONNX graph of standard operators in double precision."""

from __future__ import annotations

import json
import os

import numpy as np

from ._core import write_file

_OPSET = 17
_IR_VERSION = 8
#: Terms of the Chebyshev series of the error function: rounding is all that is left.
_SERIES = 30
#: Spacing and reach of the trapezoidal rules for the logistic likelihood, whose errors are below 1e-14 for latent
#: standard deviations below and above one.
_NEAR = (0.1, 9.0)
_FAR = (0.25, 40.0)


def to_onnx(model, path=None):
    """Builds the graph of a fitted `GPClassifier`; see `GPClassifier.to_onnx`."""
    try:
        import onnx
        from onnx import TensorProto, helper
    except ImportError as error:
        raise ImportError("to_onnx needs the package onnx: pip install 'gpclass[onnx]'") from error
    exported = model._model.export()
    g = _Graph(onnx)
    rows = _encode(g, "X", json.loads(exported["encoder"])["columns"])
    parts = [_member(g, rows, exported, member) for member in exported["members"]]
    probability, mean, variance = _mixture(g, parts)
    other = g("Sub", g.number(1.0), probability)
    g.nodes.append(helper.make_node("Concat", [other, probability], ["probabilities"], axis=1))
    index = g("Squeeze", g("Cast", g("Greater", probability, g.number(0.5)), to=TensorProto.INT64), g.integers([1]))
    g.nodes.append(helper.make_node("Gather", [_classes(g, model.classes_), index], ["label"]))
    g.nodes.append(helper.make_node("Squeeze", [mean, g.integers([1])], ["latent_mean"]))
    g.nodes.append(helper.make_node("Squeeze", [variance, g.integers([1])], ["latent_variance"]))
    double, text = TensorProto.DOUBLE, TensorProto.STRING
    label = text if model.classes_.dtype.kind in "UO" else TensorProto.DOUBLE if model.classes_.dtype.kind == "f" else TensorProto.INT64
    graph = helper.make_graph(
        g.nodes,
        "gpclass",
        [helper.make_tensor_value_info("X", double, ["rows", model.n_features_in_])],
        [
            helper.make_tensor_value_info("label", label, ["rows"]),
            helper.make_tensor_value_info("probabilities", double, ["rows", 2]),
            helper.make_tensor_value_info("latent_mean", double, ["rows"]),
            helper.make_tensor_value_info("latent_variance", double, ["rows"]),
        ],
        g.constants,
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], producer_name="gpclass")
    made.ir_version = _IR_VERSION
    onnx.checker.check_model(made)
    if path is not None:
        write_file(os.fsdecode(path), made.SerializeToString())
    return made


class _Graph:
    """Nodes and constants; calling it adds an operator and gives the name of its result."""

    def __init__(self, onnx):
        self.onnx, self.nodes, self.constants, self.count = onnx, [], [], 0

    def _name(self, stem):
        self.count += 1
        return f"{stem}_{self.count}"

    def __call__(self, operator, *inputs, **attributes):
        name = self._name(operator.lower())
        self.nodes.append(self.onnx.helper.make_node(operator, list(inputs), [name], **attributes))
        return name

    def constant(self, array):
        name = self._name("c")
        self.constants.append(self.onnx.numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def number(self, value):
        return self.constant(np.array(value, dtype=np.float64))

    def integers(self, values):
        return self.constant(np.array(values, dtype=np.int64))

    def row_sum(self, x):
        return self("ReduceSum", x, self.integers([1]), keepdims=1)


def _classes(g, classes):
    if classes.dtype.kind in "UO":
        name = g._name("c")
        texts = [str(c) for c in classes]
        g.constants.append(g.onnx.helper.make_tensor(name, g.onnx.TensorProto.STRING, [2], [t.encode() for t in texts]))
        return name
    return g.constant(classes.astype(np.float64 if classes.dtype.kind == "f" else np.int64))


# ------------------------------------------------------------------ encoder


def _encode(g, X, columns):
    """The encoded rows: standardised numbers, categories as scaled one-hot blocks."""
    made = []
    for position, column in enumerate(columns):
        x = g("Gather", X, g.integers([position]), axis=1)
        kind, coding = next(iter(column["coding"].items()))
        made.append(_standardised(g, x, coding) if kind == "continuous" else _one_hot(g, x, column["name"], coding))
    return made[0] if len(made) == 1 else g("Concat", *made, axis=1)


def _standardised(g, x, coding):
    if isinstance(coding["missing"], dict):
        x = g("Where", g("IsNaN", x), g.number(coding["missing"]["fill"]), x)
    return g("Div", g("Sub", x, g.number(coding["centre"])), g.number(coding["scale"]))


def _one_hot(g, x, name, coding):
    try:
        levels = np.array([float(level) for level in coding["names"]])
    except ValueError:
        raise ValueError(
            f"column '{name}' has categories that are not numbers, which an ONNX matrix cannot hold; number them before the fit"
        ) from None
    missing = coding["missing"]
    if isinstance(missing, dict):
        x = g("Where", g("IsNaN", x), g.number(levels[missing["fill"]]), x)
    double = g.onnx.TensorProto.DOUBLE
    parts = [g("Cast", g("Equal", x, g.constant(levels.reshape(1, -1))), to=double)]
    if missing == "own_category":
        parts.append(g("Cast", g("IsNaN", x), to=double))
    seen = g("Concat", *parts, axis=1) if len(parts) > 1 else parts[0]
    unseen = g("Sub", g.number(1.0), g.row_sum(seen))
    return g("Mul", g("Concat", seen, unseen, axis=1), g.number(np.sqrt(0.5)))


# ------------------------------------------------------------------- kernel


def _per_column(weights, features):
    """One weight for every encoded column."""
    if "single" in weights:
        return np.full(features[-1][1], weights["single"]["value"])
    per_feature = [w["value"] for w in weights["per_feature"]]
    return np.concatenate([np.full(end - start, w) for w, (start, end) in zip(per_feature, features)])


def _kernel(g, spec, rows, training, features):
    """Covariances of rows with training rows, and the prior variances of rows."""
    kind, inner = next(iter(spec.items()))
    if kind in ("sum", "product"):
        operator = "Add" if kind == "sum" else "Mul"
        cross, prior = _kernel(g, inner[0], rows, training, features)
        for part in inner[1:]:
            other = _kernel(g, part, rows, training, features)
            cross, prior = g(operator, cross, other[0]), g(operator, prior, other[1])
        return cross, prior
    if kind == "stationary":
        return _stationary(g, inner, rows, training, features)
    if kind == "linear":
        root = np.sqrt(_per_column(inner["weights"], features))
        scaled = g("Mul", rows, g.constant(root))
        return g("MatMul", scaled, g.constant((training * root).T)), g.row_sum(g("Mul", scaled, scaled))
    value = inner["v1"]["value"] if kind == "bias" else inner["v2"]["value"]
    ones = np.full((1, len(training)), value if kind == "bias" else 0.0)
    zero = g("Mul", g.row_sum(rows), g.number(0.0))
    return g("Add", zero, g.constant(ones)), g("Add", zero, g.number(value))


def _stationary(g, inner, rows, training, features):
    root = np.sqrt(_per_column(inner["l"], features))
    scaled, fixed = g("Mul", rows, g.constant(root)), training * root
    squares = g("Add", g.row_sum(g("Mul", scaled, scaled)), g.constant((fixed**2).sum(axis=1).reshape(1, -1)))
    r2 = g("Sub", squares, g("MatMul", scaled, g.constant(2.0 * fixed.T)))
    r2 = g("Max", r2, g.number(0.0))
    v0 = g.number(inner["v0"]["value"])
    zero = g("Mul", g.row_sum(rows), g.number(0.0))
    return g("Mul", v0, _profile(g, inner["profile"], r2)), g("Add", zero, v0)


def _profile(g, profile, r2):
    if profile == "se":
        return g("Exp", g("Mul", r2, g.number(-0.5)))
    if isinstance(profile, dict):
        alpha = profile["rq"]["alpha"]["value"]
        inner = g("Add", g.number(1.0), g("Mul", r2, g.number(0.5 / alpha)))
        return g("Exp", g("Mul", g("Log", inner), g.number(-alpha)))
    r = g("Sqrt", r2)
    root = {"matern12": 1.0, "matern32": np.sqrt(3.0), "matern52": np.sqrt(5.0)}[profile]
    scaled = g("Mul", r, g.number(root))
    decay = g("Exp", g("Neg", scaled))
    if profile == "matern12":
        return decay
    polynomial = g("Add", g.number(1.0), scaled)
    if profile == "matern52":
        polynomial = g("Add", polynomial, g("Mul", r2, g.number(5.0 / 3.0)))
    return g("Mul", polynomial, decay)


# -------------------------------------------------------------- probabilities


def _member(g, rows, exported, member):
    """Weight, probability, latent mean and variance, each as a column."""
    cross, prior = _kernel(g, json.loads(member["kernel"]), rows, exported["inputs"], exported["features"])
    mean = g("MatMul", cross, g.constant(member["alpha"].reshape(-1, 1)))
    explained = g.row_sum(g("Mul", g("MatMul", cross, g.constant(member["information"])), cross))
    variance = g("Max", g("Sub", prior, explained), g.number(0.0))
    observed = g("Add", variance, g.number(member["observation_variance"]))
    likelihood = json.loads(member["likelihood"])
    probability = _logistic(g, mean, observed) if likelihood == "logistic" else _probit(g, likelihood["probit"], mean, observed)
    return member["weight"], probability, mean, variance


def _mixture(g, parts):
    if len(parts) == 1:
        return parts[0][1:]
    total = [None, None, None]
    for weight, probability, mean, variance in parts:
        moments = (probability, mean, g("Add", variance, g("Mul", mean, mean)))
        for i, moment in enumerate(moments):
            share = g("Mul", moment, g.number(weight))
            total[i] = share if total[i] is None else g("Add", total[i], share)
    probability, mean, second = total
    return probability, mean, g("Sub", second, g("Mul", mean, mean))


def _probit(g, likelihood, mean, variance):
    eps, b, sigma = likelihood["eps"], likelihood["b"], likelihood["sigma"]
    tiny = g.number(np.finfo(float).tiny)
    scale = g("Sqrt", g("Max", g("Add", variance, g.number(sigma * sigma)), tiny))
    phi = _normal_cdf(g, g("Div", g("Add", mean, g.number(b)), scale))
    return g("Add", g.number(eps), g("Mul", phi, g.number(1.0 - 2.0 * eps)))


def _logistic(g, mean, variance):
    """E 1/(1 + exp(-f)): over the latent noise where it is narrow, over the logistic noise where it is wide."""
    sd = g("Sqrt", variance)
    step, reach = _NEAR
    t = np.arange(-reach, reach + step / 2, step)
    weights = np.exp(-0.5 * t * t)
    f = g("Add", mean, g("Mul", sd, g.constant(t.reshape(1, -1))))
    near = g("MatMul", g("Sigmoid", f), g.constant((weights / weights.sum()).reshape(-1, 1)))
    step, reach = _FAR
    u = np.arange(-reach, reach + step / 2, step)
    weights = step * 0.25 / np.cosh(0.5 * u) ** 2
    wide = g("Max", sd, g.number(1.0))
    z = g("Div", g("Sub", mean, g.constant(u.reshape(1, -1))), wide)
    far = g("MatMul", _normal_cdf(g, z), g.constant((weights / weights.sum()).reshape(-1, 1)))
    return g("Where", g("Greater", sd, g.number(1.0)), far, near)


def _normal_cdf(g, z):
    """Φ by erfc(x) = t exp(-x² + P(t)), t = 2/(2 + x), P a Chebyshev series: the operator Erf is single precision."""
    from scipy.special import erfcx

    def log_rest(y):  # y = 2t - 1 in (-1, 1)
        t = 0.5 * (y + 1.0)
        return np.log(erfcx(2.0 / t - 2.0) / t)

    series = np.polynomial.chebyshev.chebinterpolate(log_rest, _SERIES - 1)
    x = g("Mul", g("Abs", z), g.number(np.sqrt(0.5)))
    t = g("Div", g.number(2.0), g("Add", x, g.number(2.0)))
    y = g("Sub", g("Mul", t, g.number(2.0)), g.number(1.0))
    twice = g("Mul", y, g.number(2.0))
    # Clenshaw's recurrence.
    ahead, current = g.number(0.0), g.number(series[-1])
    for coefficient in series[-2:0:-1]:
        following = g("Add", g("Sub", g("Mul", twice, current), ahead), g.number(coefficient))
        ahead, current = current, following
    value = g("Add", g("Sub", g("Mul", y, current), ahead), g.number(series[0]))
    tail = g("Mul", g("Mul", g.number(0.5), t), g("Exp", g("Sub", value, g("Mul", x, x))))
    return g("Where", g("Greater", z, g.number(0.0)), g("Sub", g.number(1.0), tail), tail)
