"""Figures as SVG text that depends on nothing but the results: no dates, no random names."""

from __future__ import annotations

import io
from collections.abc import Callable

import matplotlib
from matplotlib.figure import Figure

from ..ranks import LEVELS, Ranking
from .tables import Result

SETTINGS = {
    "svg.hashsalt": "gpclass",
    "svg.fonttype": "none",
    "font.size": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
}
#: Colours that also differ for most colour-blind readers (Okabe & Ito), then markers.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKERS = ("o", "s", "^", "D", "v")
#: Inches.
PANEL = 3.4
LABEL_STEP = 0.24


def drawn(draw: Callable[[], Figure | None]) -> str | None:
    """The SVG of what `draw` gives; `None` if it has nothing to draw."""
    matplotlib.use("Agg")
    with matplotlib.rc_context(SETTINGS):
        figure = draw()
        if figure is None:
            return None
        text = io.StringIO()
        figure.savefig(text, format="svg", dpi=150, bbox_inches="tight", metadata={"Date": None, "Creator": None})
    _forget(figure)
    # Matplotlib ends path data with blanks.
    return "\n".join(line.rstrip() for line in text.getvalue().splitlines()) + "\n"


def _forget(figure):
    """Releases a figure made by pyplot."""
    from matplotlib import pyplot

    pyplot.close(figure)


def published_against_ours(result: Result) -> Figure | None:
    """One panel per score: our means against the published numbers, with standard errors."""
    points = [c for c in result.compared.values() if c.cell.published and c.estimate().splits]
    if not points:
        return None
    scores = list(dict.fromkeys(c.cell.score for c in points))
    columns = list(dict.fromkeys(c.cell.column for c in points))
    figure = Figure(figsize=(PANEL * len(scores) + 1.6, PANEL))
    all_axes = figure.subplots(1, len(scores), squeeze=False)[0]
    for axes, score in zip(all_axes, scores, strict=True):
        for i, column in enumerate(columns):
            _scatter(axes, [c for c in points if (c.cell.score, c.cell.column) == (score, column)], column, i)
        _diagonal(axes)
        axes.set(xlabel=f"published ({score})", ylabel=f"ours ({score})")
    handles = dict(pair for axes in all_axes for pair in zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    all_axes[-1].legend(handles.values(), handles, loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False)
    figure.tight_layout()
    return figure


def _scatter(axes, points, column, index):
    if points:
        axes.errorbar(
            [c.cell.published.value for c in points],
            [c.estimate().mean for c in points],
            xerr=[c.published_se or 0.0 for c in points],
            yerr=[c.estimate().se if c.estimate().splits > 1 else 0.0 for c in points],
            fmt=MARKERS[index // len(COLOURS) % len(MARKERS)],
            color=COLOURS[index % len(COLOURS)],
            markersize=4,
            elinewidth=0.8,
            label=column,
        )


def _diagonal(axes):
    low = min(axes.get_xlim()[0], axes.get_ylim()[0])
    high = max(axes.get_xlim()[1], axes.get_ylim()[1])
    axes.plot([low, high], [low, high], color="0.6", linewidth=0.8, zorder=0)
    axes.set(xlim=(low, high), ylim=(low, high), aspect="equal")


def critical_difference(found: Ranking) -> Figure:
    """Average ranks on a line; bars join methods that Nemenyi's test does not tell apart (Demsar 2006, figure 1)."""
    k, critical = len(found.columns), found.critical_difference[LEVELS[0]]
    order = sorted(range(k), key=lambda i: (found.average[i], i))
    ranks = [float(found.average[i]) for i in order]
    groups = alike(ranks, critical)
    left = (k + 1) // 2
    below = 0.3 + 0.15 * len(groups)
    figure = Figure(figsize=(6.4, 0.9 + below + LABEL_STEP * left))
    axes = figure.add_axes((0.3, 0.05, 0.4, 0.9))
    axes.set(xlim=(1, k), ylim=(-below - LABEL_STEP * left, 0.7))
    axes.axis("off")
    _rank_line(axes, k, critical)
    for number, (first, last) in enumerate(groups):
        height = -0.15 - 0.15 * number
        axes.plot([ranks[first] - 0.03, ranks[last] + 0.03], [height, height], color="black", linewidth=3)
    for position, i in enumerate(order):
        is_left = position < left
        height = -below - LABEL_STEP * (position if is_left else k - 1 - position)
        edge = 1 - 0.03 * (k - 1) if is_left else k + 0.03 * (k - 1)
        rank = ranks[position]
        axes.plot([rank, rank, edge], [0, height, height], color="black", linewidth=0.8, clip_on=False)
        text = f"{found.columns[i]}  {rank:.2f}" if is_left else f"{rank:.2f}  {found.columns[i]}"
        axes.text(edge, height, f" {text} ", ha="right" if is_left else "left", va="center")
    return figure


def _rank_line(axes, k, critical):
    axes.plot([1, k], [0, 0], color="black", linewidth=1, clip_on=False)
    for rank in range(1, k + 1):
        axes.plot([rank, rank], [0, 0.08], color="black", linewidth=1, clip_on=False)
        axes.text(rank, 0.12, str(rank), ha="center", va="bottom")
    axes.plot([1, 1 + critical], [0.48, 0.48], color="black", linewidth=1.5, marker="|", clip_on=False)
    axes.text(1 + critical / 2, 0.53, f"critical difference {critical:.2f}", ha="center", va="bottom")


def alike(ranks: list[float], critical: float) -> list[tuple[int, int]]:
    """Longest stretches of ascending ranks that lie within the critical difference, as first and last position."""
    stretches = []
    for first, rank in enumerate(ranks):
        last = max(i for i, other in enumerate(ranks) if other - rank <= critical)
        if last > first and (not stretches or last > stretches[-1][1]):
            stretches.append((first, last))
    return stretches
