"""What the workers of a cluster do: tasks that depend on their arguments alone, so that one that is lost is simply done again."""

from __future__ import annotations

import functools

import numpy as np

from . import _frames
from ._core import shard_step


def guarded(task):
    """A task whose failures all come back: a panic of the compiled library is no ``Exception``, and nobody would hear of it."""

    @functools.wraps(task)
    def run(*arguments):
        try:
            return task(*arguments)
        except BaseException as failure:
            if type(failure).__name__ != "PanicException":
                raise
            reason = str(failure)
        raise RuntimeError(f"the library failed in a worker ({reason}): please report this")

    return run


def _kind(column):
    return "dates" if _frames._is_date(column) else "categories" if _frames._is_categorical(column) else "numbers"


def _positive(weights, rows):
    """The rows that count."""
    return np.arange(rows) if weights is None else np.flatnonzero(np.asarray(weights, dtype=np.float64) > 0)


def _labels(y):
    y = np.asarray(y)
    return y[:, 0] if y.ndim == 2 and y.shape[1] == 1 else y


@guarded
def describe(X, y, weights):
    """What there is to know of a partition before anything is learned."""
    frame = _frames.is_frame(X)
    if not frame:
        X = np.asarray(X)
    y = _labels(y)
    lacking = np.array([_frames.category(label) is None for label in y.ravel().tolist()], dtype=bool)
    found = {
        "shape": tuple(X.shape),
        "columns": [(str(name), _kind(X.iloc[:, j])) for j, name in enumerate(X.columns)] if frame else None,
        "labels": y.shape,
        "without_label": int(np.sum(lacking)),
        "weights": None if weights is None else np.shape(weights),
    }
    if weights is not None:
        weights = np.asarray(weights, dtype=np.float64)
        found["bad_weights"] = int(np.sum(~(np.isfinite(weights) & (weights >= 0))))
    counted = _positive(weights, len(y)) if found["weights"] in (None, y.shape) else np.arange(len(y))
    found["counted"] = len(counted)
    found["classes"], found["of_class"] = np.unique(y[~lacking & np.isin(np.arange(len(y)), counted)], return_counts=True)
    return found


@guarded
def take(X, y, weights, which):
    """Some of the rows that count, by their positions among these; all if ``which`` is None."""
    rows = _positive(weights, len(y))
    rows = rows if which is None else rows[which]
    X = X.iloc[rows] if _frames.is_frame(X) else np.asarray(X)[rows]
    return X, _labels(y)[rows], None if weights is None else np.asarray(weights, dtype=np.float64)[rows]


@guarded
def prepare(parts, taken, names, kinds, classes, class_weight):
    """The rows of some partitions that were not taken, as the library takes them: columns, codes and weights."""
    prepared = []
    for (X, y, weights), gone in zip(parts, taken):
        rows = np.delete(_positive(weights, len(y)), gone)
        if not len(rows):
            continue
        X = X.iloc[rows] if _frames.is_frame(X) else np.asarray(X)[rows]
        y = _labels(y)[rows]
        codes = np.searchsorted(classes, y).astype(np.uint16)
        own = None if weights is None else np.asarray(weights, dtype=np.float64)[rows]
        if class_weight is not None:
            of_class = np.array([class_weight.get(c, 1.0) for c in classes.tolist()], dtype=np.float64)[codes]
            own = of_class if own is None else own * of_class
        prepared.append((_frames.columns(X, names, kinds), codes, own))
    columns = [
        (name, _joined([part[0][j][1] for part in prepared])) for j, (name, _) in enumerate(prepared[0][0])
    ]
    weights = None if prepared[0][2] is None else np.concatenate([part[2] for part in prepared])
    return columns, np.concatenate([part[1] for part in prepared]), weights


def _joined(values):
    """The values of one column, partition after partition."""
    if isinstance(values[0], dict):
        return {name: _joined([value[name] for value in values]) for name in values[0]}
    if isinstance(values[0], list):
        return [value for part in values for value in part]
    return np.concatenate(values)


@guarded
def step(shard, encoder, plan, classes, together, own, threads):
    """The answer of a shard to what all rows say together and to what it said last."""
    columns, codes, weights = shard
    columns, codes, weights = [(name, aligned(values)) for name, values in columns], aligned(codes), aligned(weights)
    return shard_step(encoder, plan, columns, codes, classes, weights, aligned(together), aligned(own), threads)


def aligned(values):
    """The same where numbers stand as the processor wants them, which those that came over the network need not."""
    if isinstance(values, dict):
        return {name: aligned(inner) for name, inner in values.items()}
    return np.require(values, requirements=["C", "A"]) if isinstance(values, np.ndarray) else values


def same(value):
    """A value that many tasks need: as the result of a task it can be made again, which what is scattered cannot."""
    return value


@guarded
def predicted(model, method, width, dtype, X):
    """What a fitted estimator's method says about a partition."""
    if not len(X):
        return np.empty((0, width) if width else 0, dtype=dtype)
    return getattr(model, method)(X)
