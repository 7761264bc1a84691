"""Drawing of EPCV Figure 1."""

from __future__ import annotations

from matplotlib.figure import Figure

PANELS = {"Car3": "car3", "Yeast7": "yeast7"}
METHOD = "EP-CV(FM) per iteration"


def f_per_iteration(records):
    """Smoothed and true leave-one-out F-measure at every iteration, one panel per data set."""
    figure = Figure(figsize=(9.0, 3.6), layout="constrained")
    for axis, (title, problem) in zip(figure.subplots(1, 2), PANELS.items()):
        axis.set(title=title, xlabel="iteration", ylabel="F-measure of left-out rows")
        axis.grid(alpha=0.3)
        for record in records(problem, METHOD)[:1]:
            for key, label, style in (("smoothed_f", "smoothed", "-"), ("true_f", "true", "--")):
                values = record["facts"][key]
                axis.plot(range(1, len(values) + 1), values, style, label=label)
            axis.legend()
    return figure
