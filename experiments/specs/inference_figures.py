"""Probabilities of approximations against those of the sampler."""

from __future__ import annotations

from matplotlib.figure import Figure

from ..methods.inference import EP, LAPLACE_AT_EP, SAMPLER

SHOWN = {"Laplace": (LAPLACE_AT_EP, "#d9822b", "x"), "EP": (EP, "#1f6fb4", "o")}


def probabilities(problems, records):
    """One panel per problem (`problems`: title to name)."""
    figure = Figure(figsize=(9.0, 6.4), layout="constrained")
    for axis, (title, problem) in zip(figure.subplots(2, 3, sharex=True, sharey=True).flat, problems.items()):
        truth = by_split(records(problem, SAMPLER))
        for label, (method, colour, marker) in SHOWN.items():
            found = by_split(records(problem, method))
            pairs = [pair for split in truth if split in found for pair in zip(truth[split], found[split])]
            if pairs:
                axis.scatter(*zip(*pairs), s=12, c=colour, marker=marker, linewidths=0.7, alpha=0.6, label=label, rasterized=True)
        axis.plot([0, 1], [0, 1], color="0.5", linewidth=0.8)
        axis.set(title=title, xlim=(0, 1), ylim=(0, 1), aspect="equal")
    handles, labels = figure.axes[0].get_legend_handles_labels()
    figure.axes[0].legend(handles, labels, loc="upper left", frameon=False)
    figure.supxlabel("probability of the positive class by the sampler")
    figure.supylabel("by the approximation")
    return figure


def by_split(records):
    return {record["split"]: record["facts"]["probability"] for record in records}
