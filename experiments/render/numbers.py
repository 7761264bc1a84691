"""Numbers as text."""

from __future__ import annotations

import math

from .blocks import NOTHING

#: A standard error gets up to this many digits more than its table, until one of them is not zero.
MORE_DIGITS = 2
#: Below this, p-values are only bounded.
LEAST_P = 1e-4


def fixed(value: float | None, digits: int) -> str:
    if value is None or math.isnan(value):
        return NOTHING
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0.0 else text


def spread(value: float, digits: int) -> str:
    """With more digits where it would read zero."""
    for more in range(MORE_DIGITS + 1):
        text = f"{value:.{digits + more}f}"
        if float(text) != 0.0:
            return text
    return f"{value:.{digits}f}"


def plus_minus(value: float, error: float | None, digits: int) -> str:
    known = error is not None and not math.isnan(error)
    return fixed(value, digits) + (f" ± {spread(error, digits)}" if known else "")


def signed(z: float | None) -> str:
    return "" if z is None else f"{z:+.1f}".replace("-0.0", "+0.0")


def p_value(p: float) -> str:
    return f"< {LEAST_P:.4f}" if p < LEAST_P else f"{p:.4f}" if p < 0.1 else f"{p:.2f}"


def p_equals(p: float) -> str:
    """`p = 0.02` or `p < 0.0001`."""
    text = p_value(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def listed(numbers, most: int = 10) -> str:
    """The first few, and how many more there are."""
    shown = ", ".join(map(str, numbers[:most]))
    return shown if len(numbers) <= most else f"{shown} and {len(numbers) - most} more"


def between(counts) -> str:
    """`3`, or `3-10` where counts differ."""
    counts = sorted(set(counts))
    return "" if not counts else str(counts[0]) if len(counts) == 1 else f"{counts[0]}-{counts[-1]}"
