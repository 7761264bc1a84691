"""The normal distribution in an ONNX graph, in double precision: the operator Erf is single precision."""

from __future__ import annotations

import numpy as np

#: Terms of the Chebyshev series of the error function: rounding is all that is left.
_SERIES = 30


def normal_cdf(g, z):
    """Φ."""
    x, t, value = _tail(g, z)
    tail = g("Mul", g("Mul", g.number(0.5), t), g("Exp", g("Sub", value, g("Mul", x, x))))
    return g("Where", g("Greater", z, g.number(0.0)), g("Sub", g.number(1.0), tail), tail)


def log_cdf_and_hazard(g, z):
    """log Φ and N/Φ, accurate where Φ is tiny."""
    x, t, value = _tail(g, z)
    square = g("Mul", x, x)
    tail = g("Mul", g("Mul", g.number(0.5), t), g("Exp", g("Sub", value, square)))
    rest = g("Sub", g.number(1.0), tail)
    positive = g("Greater", z, g.number(0.0))
    log_tail = g("Sub", g("Add", g("Log", g("Mul", g.number(0.5), t)), value), square)
    log_cdf = g("Where", positive, g("Log", rest), log_tail)
    density = g("Mul", g.number(np.sqrt(0.5 / np.pi)), g("Exp", g("Neg", square)))
    far = g("Div", g.number(np.sqrt(2.0 / np.pi)), g("Mul", t, g("Exp", value)))
    return log_cdf, g("Where", positive, g("Div", density, rest), far)


def _tail(g, z):
    """The parts of erfc(x) = t exp(P(t) - x²), x = |z|/√2, t = 2/(2 + x), P a Chebyshev series: x, t and P(t)."""
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
    return x, t, g("Add", g("Sub", g("Mul", y, current), ahead), g.number(series[0]))
