"""The predictor as an ONNX graph of standard operators in double precision."""

from __future__ import annotations

import itertools
import json
import os

import numpy as np

from . import _onnx_binary, _onnx_columns, _onnx_joint, _onnx_view
from ._core import write_file

_OPSET = 17
_IR_VERSION = 8


def to_onnx(model, path=None):
    """Builds the graph of a fitted `GPClassifier`; see `GPClassifier.to_onnx`."""
    try:
        import onnx
        from onnx import TensorProto, helper
    except ImportError as error:
        raise ImportError("to_onnx needs the package onnx: pip install 'gpclass[onnx]'") from error
    exported = model._model.export()
    g = _Graph(onnx)
    rows = _encode(g, "X", json.loads(exported["encoder"])["columns"], model._names)
    views = {kind: (_onnx_view.seen(g, rows, json.loads(view)["columns"]), inputs) for kind, view, inputs in exported["views"]}
    parts = [_member(g, *views[member["view"]], exported["features"], member) for member in exported["members"]]
    classes = len(model.classes_)
    latent = ["rows"] if classes == 2 else ["rows", classes]
    index = (_two_classes if classes == 2 else _several_classes)(g, *_mixture(g, parts, exported["sharpness"], classes))
    g.named("Gather", _classes(g, model.classes_), index, name="label")
    double, text = TensorProto.DOUBLE, TensorProto.STRING
    label = text if model.classes_.dtype.kind in "UO" else TensorProto.DOUBLE if model.classes_.dtype.kind == "f" else TensorProto.INT64
    graph = helper.make_graph(
        g.nodes,
        "gpclass",
        [helper.make_tensor_value_info("X", double, ["rows", model.n_features_in_])],
        [
            helper.make_tensor_value_info("label", label, ["rows"]),
            helper.make_tensor_value_info("probabilities", double, ["rows", classes]),
            helper.make_tensor_value_info("latent_mean", double, latent),
            helper.make_tensor_value_info("latent_variance", double, latent),
        ],
        g.constants,
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", _OPSET)], producer_name="gpclass")
    made.ir_version = _IR_VERSION
    onnx.checker.check_model(made)
    if path is not None:
        write_file(os.fsdecode(path), made.SerializeToString())
    return made


def _two_classes(g, probability, mean, variance):
    """Names the outputs; the position of the more probable class."""
    other = g("Sub", g.number(1.0), probability)
    g.named("Concat", other, probability, name="probabilities", axis=1)
    g.named("Squeeze", mean, g.integers([1]), name="latent_mean")
    g.named("Squeeze", variance, g.integers([1]), name="latent_variance")
    return g("Squeeze", g("Cast", g("Greater", probability, g.number(0.5)), to=g.onnx.TensorProto.INT64), g.integers([1]))


def _several_classes(g, probability, mean, variance):
    """Names the outputs; the position of the most probable class."""
    for name, values in (("probabilities", probability), ("latent_mean", mean), ("latent_variance", variance)):
        g.named("Identity", values, name=name)
    return g("ArgMax", probability, axis=1, keepdims=0)


class _Graph:
    """Nodes and constants; calling it adds an operator and gives the name of its result."""

    def __init__(self, onnx, outer=None):
        self.onnx, self.nodes = onnx, []
        self.constants, self.names = (outer.constants, outer.names) if outer else ([], itertools.count(1))

    def _name(self, stem):
        return f"{stem}_{next(self.names)}"

    def named(self, operator, *inputs, name, **attributes):
        self.nodes.append(self.onnx.helper.make_node(operator, list(inputs), [name], **attributes))

    def __call__(self, operator, *inputs, **attributes):
        name = self._name(operator.lower())
        self.named(operator, *inputs, name=name, **attributes)
        return name

    def constant(self, array):
        name = self._name("c")
        self.constants.append(self.onnx.numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def number(self, value):
        return self.constant(np.array(value, dtype=np.float64))

    def integers(self, values):
        return self.constant(np.array(values, dtype=np.int64))

    def row_sum(self, x):
        return self("ReduceSum", x, self.integers([1]), keepdims=1)

    def loop(self, most, state, step):
        """`state` after `step(graph, iteration, state)`, which also says whether to go on, at most so many times."""
        helper, kinds = self.onnx.helper, self.onnx.TensorProto
        body = _Graph(self.onnx, outer=self)
        given = [body._name("state") for _ in state]
        iteration, going = body._name("iteration"), body._name("going")
        following, go_on = step(body, iteration, given)
        typed = lambda name, kind, shape=None: helper.make_tensor_value_info(name, kind, shape)  # noqa: E731
        inputs = [typed(iteration, kinds.INT64, []), typed(going, kinds.BOOL, []), *(typed(n, kinds.DOUBLE) for n in given)]
        outputs = [typed(go_on, kinds.BOOL), *(typed(n, kinds.DOUBLE) for n in following)]
        found = [self._name("loop") for _ in state]
        graph = helper.make_graph(body.nodes, "step", inputs, outputs)
        self.nodes.append(helper.make_node("Loop", [self.integers(most), "", *state], found, body=graph))
        return found


def _classes(g, classes):
    if classes.dtype.kind in "UO":
        name = g._name("c")
        texts = [str(c) for c in classes]
        g.constants.append(g.onnx.helper.make_tensor(name, g.onnx.TensorProto.STRING, [len(texts)], [t.encode() for t in texts]))
        return name
    return g.constant(classes.astype(np.float64 if classes.dtype.kind == "f" else np.int64))


# ------------------------------------------------------------------ encoder


def _encode(g, X, columns, names):
    """The encoded rows: standardised numbers, categories as scaled one-hot blocks."""
    made, numbers = [], {}
    for column in columns:
        kind, coding = next(iter(column["coding"].items()))
        if kind == "missing":  # of a column before it
            made.append(_missing(g, numbers[coding["of"]]))
            continue
        x = g("Gather", X, g.integers([names.index(column["name"])]), axis=1)
        if kind == "ordered":
            x, coding = _positions(g, x, column["name"], coding["names"]), coding["positions"]
        numbers[column["name"]] = x
        made.append(_one_hot(g, x, column["name"], coding) if kind == "discrete" else _standardised(g, x, coding))
    return made[0] if len(made) == 1 else g("Concat", *made, axis=1)


def _standardised(g, x, coding):
    if isinstance(coding["missing"], dict):
        x = g("Where", g("IsNaN", x), g.number(coding["missing"]["fill"]), x)
    return g("Div", g("Sub", x, g.number(coding["centre"])), g.number(coding["scale"]))


def _missing(g, x):
    """Whether the number is there, and whether it is not."""
    missing = g("Cast", g("IsNaN", x), to=g.onnx.TensorProto.DOUBLE)
    return g("Mul", g("Concat", g("Sub", g.number(1.0), missing), missing, axis=1), g.number(np.sqrt(0.5)))


def _numbers(name, levels):
    """Categories as numbers; truth values are 0 and 1."""
    truth = {"false": 0.0, "true": 1.0}
    try:
        return np.array([truth[level.lower()] if level.lower() in truth else float(level) for level in levels])
    except ValueError:
        raise ValueError(
            f"column '{name}' has categories that are not numbers, which an ONNX matrix cannot hold; number them before the fit"
        ) from None


def _positions(g, x, name, levels):
    """Positions in an order; NaN for what is none of the levels."""
    equal = g("Cast", g("Equal", x, g.constant(_numbers(name, levels).reshape(1, -1))), to=g.onnx.TensorProto.DOUBLE)
    position = g("MatMul", equal, g.constant(np.arange(len(levels), dtype=np.float64).reshape(-1, 1)))
    return g("Where", g("Greater", g.row_sum(equal), g.number(0.5)), position, g.number(np.nan))


def _one_hot(g, x, name, coding):
    levels = _numbers(name, coding["names"])
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
    if kind == "l1":
        return _onnx_columns.l1_product(g, inner, rows, training, features)
    if kind == "additive":
        return _onnx_columns.additive(g, inner, rows, training, features)
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


# ------------------------------------------------------------------- models


def _member(g, rows, training, features, member):
    """Weight, probability, latent mean and variance: of two classes those of the positive one, else a column for each."""
    kernel, likelihood = json.loads(member["kernel"]), json.loads(member["likelihood"])
    kernels = [own["kernel"] for own in kernel["per_class"]] if "per_class" in kernel else [kernel]
    covariances = [_kernel(g, each, rows, training, features) for each in kernels]
    if "joint" in member:
        return member["weight"], *_onnx_joint.predicted(g, covariances, likelihood, member["joint"])
    functions = member["functions"]
    of_function = covariances * len(functions) if len(covariances) == 1 else covariances
    found = [_onnx_binary.predicted(g, *of, likelihood, function) for of, function in zip(of_function, functions)]
    if len(found) == 1:
        return member["weight"], *found[0]
    probability, mean, variance = (g("Concat", *columns, axis=1) for columns in zip(*found))
    if member["exactly_one"]:
        probability = _odds(g, probability)
    return member["weight"], _normalised(g, probability, len(found)), mean, variance


def _odds(g, probability):
    """Of probabilities; those of certainty are the largest that still can be summed."""
    rest = g("Max", g("Sub", g.number(1.0), probability), g.number(np.finfo(float).tiny))
    return g("Min", g("Div", probability, rest), g.number(1e300))


def _normalised(g, probability, classes):
    """Probabilities of classes against the rest, made to sum to one; even where every class is ruled out."""
    total = g.row_sum(probability)
    shares = g("Div", probability, g("Max", total, g.number(np.finfo(float).tiny)))
    return g("Where", g("Greater", total, g.number(0.0)), shares, g.number(1.0 / classes))


def _mixture(g, parts, sharpness, classes):
    probability, mean, variance = parts[0][1:] if len(parts) == 1 else _together(g, parts)
    if sharpness != 1.0:
        probability = _sharpened(g, probability, sharpness, classes)
    return probability, mean, variance


def _sharpened(g, probability, sharpness, classes):
    """Probabilities raised to a power and normalised; of two classes the column is that of the positive one."""
    raised = g("Pow", probability, g.number(sharpness))
    if classes > 2:
        return g("Div", raised, g.row_sum(raised))
    other = g("Pow", g("Sub", g.number(1.0), probability), g.number(sharpness))
    return g("Div", raised, g("Add", raised, other))


def _together(g, parts):
    total = [None, None, None]
    for weight, probability, mean, variance in parts:
        moments = (probability, mean, g("Add", variance, g("Mul", mean, mean)))
        for i, moment in enumerate(moments):
            share = g("Mul", moment, g.number(weight))
            total[i] = share if total[i] is None else g("Add", total[i], share)
    probability, mean, second = total
    return probability, mean, g("Sub", second, g("Mul", mean, mean))
