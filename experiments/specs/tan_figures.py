"""Drawings of TAN's figures from the first draw of a circle problem."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from ..problems.circle import RADIUS_SQUARED

POSITIVE, NEGATIVE, OUTLIER = "#1f6fb4", "#d9822b", "#c22222"


def first(records, problem, method):
    """The record of the first draw, or None where it was not run."""
    return next((r for r in records(problem, method) if r["split"] == 0), None)


def panels(problem, shown, records):
    """Training set, test set, and the test set as two methods classify it (`shown`: title to method)."""
    from ..catalogue import all_problems

    task = all_problems()[problem].make(None, 0)
    figure = Figure(figsize=(9.0, 9.2), layout="constrained")
    axes = figure.subplots(2, 2, sharex=True, sharey=True)
    scatter(axes[0, 0], task.X, task.y, "(a) training set", size=26)
    wrong = task.X[task.flipped]
    axes[0, 0].scatter(wrong[:, 0], wrong[:, 1], s=130, facecolors="none", edgecolors=OUTLIER, linewidths=1.6)
    scatter(axes[0, 1], task.X_test, task.y_test, "(b) test set")
    for axis, (title, method) in zip(axes[1], shown.items()):
        record = first(records, problem, method)
        if record is None:
            axis.set_title(f"{title}: not run")
            continue
        found = np.array(record["facts"]["positive"], dtype=bool)
        scatter(axis, task.X_test, found, f"{title}: error {100 * record['scores']['error']:.1f} %")
    for axis in axes.flat:
        axis.add_patch(Circle((0, 0), RADIUS_SQUARED**0.5, fill=False, color="0.35", linewidth=0.8))
        axis.set(aspect="equal", xlim=(-1, 1), ylim=(-1, 1))
    return figure


def scatter(axis, X, positive, title, size=8):
    for chosen, colour, marker in ((positive, POSITIVE, "+"), (~positive, NEGATIVE, "o")):
        axis.scatter(X[chosen, 0], X[chosen, 1], s=size, c=colour, marker=marker, linewidths=0.9, rasterized=True)
    axis.set_title(title)


def evidences(problem, shown, records):
    """Log evidence at every iteration."""
    figure = Figure(figsize=(9.0, 3.6), layout="constrained")
    for axis, (title, method) in zip(figure.subplots(1, 2, sharey=True), shown.items()):
        record = first(records, problem, method)
        trace = record["facts"]["trace"] if record else []
        axis.plot(range(1, len(trace) + 1), trace, marker=".", color=POSITIVE)
        axis.set(title=title if record else f"{title}: not run", xlabel="iteration")
        axis.grid(alpha=0.3)
    figure.axes[0].set_ylabel("log evidence")
    return figure
