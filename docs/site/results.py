"""Pieces of the measured tables."""

from __future__ import annotations

import re


def summary(results, heading):
    """Under a heading of the results: the tables over all data sets, and where we are behind."""
    _, found, rest = results.partition(f"\n### {heading}\n")
    if not found:
        raise KeyError(f"the results have no part called {heading!r}")
    part = re.split(r"\n##+ ", rest)[0]
    overall = re.search(r"(\| over all data sets .*?)\nRanks of", part, re.DOTALL)
    if not overall:
        raise KeyError(f"the results have no means under {heading!r}")
    return overall[1].strip()
