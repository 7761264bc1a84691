"""Ranks of methods over problems, as blocks."""

from __future__ import annotations

from string import ascii_uppercase

from ..ranks import published_average, rank_table
from .blocks import Block, Grid, Text
from .markdown import plain
from .numbers import p_equals, p_value
from .tables import ORIGINS, Result


def ranking_blocks(result: Result) -> list[Block]:
    """Average ranks, tests and p-values of all pairs; a sentence if there is nothing to rank yet."""
    found = result.ranking
    if found is None:
        return [Text("Ranks need at least two rows with results in all columns; there are not that many yet.")]
    return [Text(_tests(result, found)), _pairs(result, found), *_by_origin(result)]


def _tests(result, found):
    chi, f = found.friedman, found.iman_davenport
    left_out = [row for row in result.rows if row not in found.rows]
    critical = ", ".join(f"{value:.2f} at level {level:.2f}" for level, value in found.critical_difference.items())
    return (
        f"Ranks of {len(found.columns)} methods over {len(found.rows)} data sets (mean scores over the splits that all methods "
        f"have; 1 is best). Friedman: χ²({chi.freedom[0]}) = {chi.statistic:.2f}, {p_equals(chi.p)}; Iman-Davenport: "
        f"F({f.freedom[0]}, {f.freedom[1]}) = {f.statistic:.2f}, {p_equals(f.p)}. Nemenyi's critical difference of average "
        f"ranks: {critical}. Wilcoxon's p-values are exact and not corrected for the number of pairs; Nemenyi's are."
    ) + (f" Left out, since not all methods have results there: {', '.join(map(plain, left_out))}." if left_out else "")


def _pairs(result, found):
    """Average ranks, then Wilcoxon's p-values right of the diagonal and Nemenyi's left of it."""
    letters = [_letter(i) for i in range(len(found.columns))]
    printed, follows = result.table.published_ranks, published_average(result.table)
    extra = [("published", printed), ("from published numbers", follows)]
    extra = [(head, values) for head, values in extra if values]
    rows = []
    for i, column in enumerate(found.columns):
        published = [f"{values[column]:.2f}" if column in values else "" for _, values in extra]
        pairs = [
            "·" if i == j else p_value(found.wilcoxon[i, j] if j > i else found.nemenyi[i, j]) for j in range(len(letters))
        ]
        rows.append((f"{letters[i]}: {column}", f"{found.average[i]:.2f}", *published, *pairs))
    return Grid(("p-values: Wilcoxon ↗, Nemenyi ↙", "rank", *(head for head, _ in extra), *letters), tuple(rows))


def _letter(index):
    return ascii_uppercase[index] if index < len(ascii_uppercase) else f"M{index + 1}"


def _by_origin(result):
    """Average ranks on splits of one origin, where there are several."""
    lines = []
    for source in result.sources if len(result.sources) > 1 else ():
        found = rank_table(result.table, result.compared, source)
        if found is not None:
            ranks = ", ".join(f"{plain(c)} {r:.2f}" for c, r in zip(found.columns, found.average, strict=True))
            lines.append(f"- {ORIGINS.get(source, source)} only ({len(found.rows)} data sets): {ranks}")
    return [Text("Average ranks by origin of the splits:\n\n" + "\n".join(lines))] if lines else []
