"""Pictures of a fitted classifier. Each function draws into ``ax`` (or new axes) and returns it; needs matplotlib."""

from __future__ import annotations

import itertools

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ._core import calibration as _calibration

__all__ = ["calibration", "decision_surface", "relevance", "suspects", "trace"]


def _axes(ax):
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("gpclass.plot needs matplotlib: pip install 'gpclass[plot]'") from error
    return plt.subplots()[1] if ax is None else ax


def decision_surface(model, X, y=None, *, features=(0, 1), resolution=100, ax=None):
    """Probabilities over two features of an array ``X``, the others at their medians.

    Of two classes, the probability of ``classes_[1]``; of more, the most probable class, the fainter the less probable it is.

    >>> import numpy as np, matplotlib
    >>> matplotlib.use("Agg")
    >>> from gpclass import GPClassifier, plot
    >>> X = np.random.default_rng(0).normal(size=(40, 2))
    >>> model = GPClassifier(kernel="se").fit(X, X[:, 0] > 0)
    >>> plot.decision_surface(model, X, X[:, 0] > 0).get_xlabel()
    'x1'
    """
    check_is_fitted(model)
    ax = _axes(ax)
    names = list(getattr(model, "feature_names_in_", model._names))
    X = np.asarray(X, dtype=float)
    i, j = features
    low, high = X.min(axis=0), X.max(axis=0)
    margin = 0.1 * np.where(high > low, high - low, 1.0)
    u = np.linspace(low[i] - margin[i], high[i] + margin[i], resolution)
    v = np.linspace(low[j] - margin[j], high[j] + margin[j], resolution)
    grid = np.tile(np.median(X, axis=0), (resolution * resolution, 1))
    grid[:, i], grid[:, j] = (g.ravel() for g in np.meshgrid(u, v))
    p = model.predict_proba(_like_training(model, grid)).reshape(resolution, resolution, -1)
    colours = [None] * 2 if p.shape[2] == 2 else _class_colours(p.shape[2])
    (_two_class_map if p.shape[2] == 2 else _class_map)(ax, u, v, p, model.classes_, colours)
    if y is not None:
        y = np.asarray(y)
        for label, colour, marker in zip(model.classes_, colours, itertools.cycle("os^vDP*X")):
            rows = y == label
            style = {"s": 15, "marker": marker, "edgecolor": "black", "linewidth": 0.4, "color": colour}
            ax.scatter(X[rows, i], X[rows, j], label=str(label), **style)
        ax.legend()
    ax.set(xlabel=names[i], ylabel=names[j])
    return ax


def _two_class_map(ax, u, v, p, classes, _):
    image = ax.contourf(u, v, p[:, :, 1], levels=np.linspace(0, 1, 11), cmap="RdBu_r", alpha=0.8)
    ax.contour(u, v, p[:, :, 1], levels=[0.5], colors="black", linewidths=1)
    ax.figure.colorbar(image, ax=ax, label=f"probability of {classes[1]}")


def _class_map(ax, u, v, p, classes, colours):
    """One colour for each class, from white where classes are even to full where one is certain."""
    best = p.argmax(axis=2)
    certain = (p.max(axis=2) * len(classes) - 1.0) / (len(classes) - 1.0)
    image = 1.0 - 0.8 * certain[:, :, None] * (1.0 - np.asarray(colours)[best])
    ax.imshow(image, origin="lower", aspect="auto", interpolation="nearest", extent=(u[0], u[-1], v[0], v[-1]))
    for c in np.unique(best):
        ax.contour(u, v, best == c, levels=[0.5], colors="black", linewidths=0.6)


def _class_colours(count):
    import matplotlib

    colours = matplotlib.colormaps["tab10" if count <= 10 else "tab20" if count <= 20 else "turbo"]
    steps = np.arange(count) if count <= 20 else np.linspace(0.0, 1.0, count)
    return [colours(step)[:3] for step in steps]


def _like_training(model, grid):
    """A frame where the model was fitted on one, so that names are checked and not warned about."""
    if not hasattr(model, "feature_names_in_"):
        return grid
    import pandas as pd

    return pd.DataFrame(grid, columns=model.feature_names_in_)


def relevance(model, *, top=20, ax=None):
    """Bars of the features' shares, most relevant first."""
    check_is_fitted(model)
    ax = _axes(ax)
    ranked = sorted(model.relevance_.items(), key=lambda item: item[1])[-top:]
    ax.barh([name for name, _ in ranked], [share for _, share in ranked])
    ax.set(xlabel="share in the changes of the probabilities")
    return ax


def calibration(model, X=None, y=None, *, bins=10, least_rows=30, ax=None):
    """How often a class occurs where it is given a probability: left-out training rows, or ``X`` and ``y``.

    Of two classes the positive one is shown, of more each by a line of its own. Training labels are needed too: without
    ``X``, give ``y`` as in fit. Bins hold the same number of rows as nearly as equal probabilities allow,
    and ``least_rows`` at least unless there are fewer in all; bars are 95 % intervals.
    """
    check_is_fitted(model)
    if y is None:
        raise ValueError("calibration needs labels: give y as in fit, or X and y of new rows")
    ax = _axes(ax)
    p, y = model.loo_proba_ if X is None else model.predict_proba(X), np.asarray(y)
    if y.shape != p.shape[:1]:
        raise ValueError(f"there are {len(p)} probabilities but {len(y)} labels; give one label per row")
    ax.plot([0, 1], [0, 1], color="grey", linestyle=":")
    shown = [1] if p.shape[1] == 2 else range(p.shape[1])
    for c in shown:
        positive, of_class = np.ascontiguousarray(y == model.classes_[c]), np.ascontiguousarray(p[:, c])
        curve = _calibration(positive, of_class, bins, least_rows)
        share = curve["observed"]
        bars = np.maximum([share - curve["low"], curve["high"] - share], 0.0)
        ax.errorbar(curve["forecast"], share, yerr=bars, fmt="o-", label=str(model.classes_[c]))
    if len(shown) > 1:
        ax.legend()
    ax.set(xlabel="predicted probability", ylabel="observed share", xlim=(0, 1), ylim=(-0.02, 1.02))
    return ax


def trace(model, *, ax=None):
    """The log evidence over the iterations of the chosen model's search."""
    check_is_fitted(model)
    ax = _axes(ax)
    ax.plot([e["iteration"] for e in model.trace_], [e["log_evidence"] for e in model.trace_], marker=".")
    ax.set(xlabel="iteration", ylabel="log evidence")
    return ax


def suspects(model, *, top=20, ax=None):
    """Bars of the training rows whose labels are most probably wrong, by position; of several classes with what each is rather."""
    check_is_fitted(model)
    ax = _axes(ax)
    order = np.argsort(-model.label_error_proba_, kind="stable")[:top][::-1]
    rather = [f": {label}?" for label in model.label_suggestion_[order]] if len(model.classes_) > 2 else [""] * len(order)
    ax.barh([f"{i}{suggestion}" for i, suggestion in zip(order, rather)], model.label_error_proba_[order])
    ax.set(xlabel="probability that the label is wrong", ylabel="row", xlim=(0, 1))
    return ax
