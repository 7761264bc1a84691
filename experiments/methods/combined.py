"""Our default's candidates when the best of them is taken alone."""

from __future__ import annotations

from .base import gp

METHODS = (gp("gpclass best", discrete=True, combine="best"),)
