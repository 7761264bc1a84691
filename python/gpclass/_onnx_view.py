"""The encoded rows as a model sees them: a monotone map per column in standard operators."""

from __future__ import annotations

import numpy as np

#: Distances beyond the ends in units of their reach, which a division may make infinite.
_FAR = np.finfo(float).max


def seen(g, rows, columns):
    """The rows through the maps of their columns; themselves where there are none."""
    if all(curve is None for curve in columns):
        return rows
    made = []
    for position, curve in enumerate(columns):
        x = g("Gather", rows, g.integers([position]), axis=1)
        made.append(x if curve is None else _curve(g, x, curve))
    return made[0] if len(made) == 1 else g("Concat", *made, axis=1)


def _curve(g, x, curve):
    low, high = curve["low"], curve["high"]
    within = g("Min", g("Max", x, g.number(low["end"])), g.number(high["end"]))
    kind, shape = next(iter(curve["shape"].items()))
    inner = {"warp": _warp, "ranks": _ranks}[kind](g, within, shape)
    above = _rise(g, g("Sub", x, g.number(high["end"])), high)
    return g("Sub", g("Add", inner, above), _rise(g, g("Sub", g.number(low["end"]), x), low))


def _rise(g, distance, tail):
    """height ln(1 + distance / reach) beyond the end, nothing before."""
    far = g("Div", g("Max", distance, g.number(0.0)), g.number(tail["reach"]))
    return g("Mul", g.number(tail["height"]), g("Log", g("Add", g.number(1.0), g("Min", far, g.number(_FAR)))))


def _warp(g, x, warp):
    z = g("Div", g("Sub", x, g.number(warp["centre"])), g.number(warp["scale"]))
    log = g("Log", g("Add", g.number(1.0), g("Abs", z)))
    below, above = g("Neg", _raised(g, log, warp["below"])), _raised(g, log, warp["above"])
    bent = g("Where", g("Less", z, g.number(0.0)), below, above)
    return g("Div", g("Sub", bent, g.number(warp["mean"])), g.number(warp["deviation"]))


def _raised(g, log, power):
    """((1 + z)^p - 1) / p from ln(1 + z)."""
    if power == 0.0:
        return log
    return g("Div", g("Sub", g("Exp", g("Mul", log, g.number(power))), g.number(1.0)), g.number(power))


def _ranks(g, x, ranks):
    """Straight lines between knots: every gap between two adds its share of the way through it."""
    at, to = np.array(ranks["at"]), np.array(ranks["to"])
    share = g("Div", g("Sub", x, g.constant(at[None, :-1])), g.constant(np.diff(at)[None, :]))
    share = g("Min", g("Max", share, g.number(0.0)), g.number(1.0))
    return g("Add", g("MatMul", share, g.constant(np.diff(to)[:, None])), g.number(to[0]))
