"""Ranks of methods over problems, as blocks."""

from __future__ import annotations

from string import ascii_uppercase

from ..ranks import published_average, published_columns, rank_table
from .blocks import Block, Grid, Text
from .markdown import plain
from .numbers import p_equals, p_value
from .tables import ORIGINS, Result


def ranking_blocks(result: Result) -> list[Block]:
    """Ranks of the paper's methods, and of all where the table has more; sentences on what has not run."""
    absent = [plain(column) for column in result.columns if column not in result.measured]
    told = [Text(f"There are no runs of {', '.join(absent)}.")] if absent and result.measured else []
    if result.ranking is None:
        return [*told, Text("Ranks need at least two rows with results in all columns; there are not that many yet.")]
    printed = published_columns(result.table)
    paper = rank_table(result.table, result.compared, printed) if 2 <= len(printed) < len(result.measured) else None
    of_paper = [] if paper is None else _ranked(result, paper, "of the paper ")
    return [*told, *of_paper, *_ranked(result, result.ranking, "")]


def _ranked(result, found, whose):
    """Average ranks, tests and p-values of all pairs."""
    return [Text(_tests(result, found, whose)), _pairs(result, found), *_by_origin(result, found.columns)]


def _tests(result, found, whose):
    chi, f = found.friedman, found.iman_davenport
    left_out = [row for row in result.rows if row not in found.rows]
    critical = ", ".join(f"{value:.2f} at level {level:.2f}" for level, value in found.critical_difference.items())
    return (
        f"Ranks of {len(found.columns)} methods {whose}over {len(found.rows)} data sets (mean scores over the splits that all "
        f"of them have; 1 is best). Friedman: χ²({chi.freedom[0]}) = {chi.statistic:.2f}, {p_equals(chi.p)}; Iman-Davenport: "
        f"F({f.freedom[0]}, {f.freedom[1]}) = {f.statistic:.2f}, {p_equals(f.p)}. Nemenyi's critical difference of average "
        f"ranks: {critical}. Wilcoxon's p-values are exact and not corrected for the number of pairs; Nemenyi's are."
    ) + (f" Left out, since not all methods have results there: {', '.join(map(plain, left_out))}." if left_out else "")


def _pairs(result, found):
    """Average ranks, then Wilcoxon's p-values right of the diagonal and Nemenyi's left of it."""
    letters = [_letter(i) for i in range(len(found.columns))]
    rows = []
    published = _published(result, found)
    for i, column in enumerate(found.columns):
        printed = [f"{values[column]:.2f}" if column in values else "" for values in published.values()]
        pairs = [
            "·" if i == j else p_value(found.wilcoxon[i, j] if j > i else found.nemenyi[i, j]) for j in range(len(letters))
        ]
        rows.append((f"{letters[i]}: {column}", f"{found.average[i]:.2f}", *printed, *pairs))
    return Grid(("p-values: Wilcoxon ↗, Nemenyi ↙", "rank", *published, *letters), tuple(rows))


def _published(result, found):
    """Average ranks in print, and those that follow from printed numbers; comparable only if the same methods are ranked."""
    if found.columns != published_columns(result.table):
        return {}
    both = {"published": result.table.published_ranks, "from published numbers": published_average(result.table)}
    return {head: values for head, values in both.items() if values}


def _letter(index):
    return ascii_uppercase[index] if index < len(ascii_uppercase) else f"M{index + 1}"


def _by_origin(result, columns):
    """Average ranks on splits of one origin, where there are several."""
    lines = []
    for source in result.sources if len(result.sources) > 1 else ():
        found = rank_table(result.table, result.compared, columns, source)
        if found is not None:
            ranks = ", ".join(f"{plain(c)} {r:.2f}" for c, r in zip(found.columns, found.average, strict=True))
            lines.append(f"- {ORIGINS.get(source, source)} only ({len(found.rows)} data sets): {ranks}")
    return [Text("Average ranks by origin of the splits:\n\n" + "\n".join(lines))] if lines else []
