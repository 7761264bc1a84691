"""The best of our default's candidates alone, which was the default of version 0.1: the papers' tables show it."""

from __future__ import annotations

from .base import gp

BEST = "gpclass best"
METHODS = (gp(BEST, discrete=True, combine="best"),)
