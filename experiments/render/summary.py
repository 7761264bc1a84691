"""The top of the page: facts about the run, how published numbers compare, what is missing and what failed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from ..compare import FEW_SPLITS, STANDARD_ERRORS, Records
from .blocks import MARKS, Block, Grid, Heading, Text
from .markdown import plain
from .numbers import listed, signed
from .papers import in_order, paper_of, title_of
from .tables import Result, ours_text, published_text

LEGEND = f"""
Cells read *ours ± standard error (published ± what the paper prints) difference*. Ours is the mean over splits, and its
standard error is that of this mean. The difference, ours minus published, is in standard errors of both numbers together.
{MARKS["worse"]} marks numbers that are worse than published by more than {STANDARD_ERRORS:g} standard errors,
{MARKS["differs"]} those that differ as much in a score of which neither more nor less is better. The best number of ours
for a data set is **bold**. In the difference, our standard deviation stands for the paper's where it gives none, and the
paper's for ours where there are fewer than {FEW_SPLITS} splits. Splits called `ida` are the original ones of the benchmark;
those called `gen` were drawn anew, since the others could not be had. The first line of a data set pools both.

Test sets of different splits overlap, and so do training sets: splits are not independent, and all these standard errors
are too small. With many numbers compared, some lie beyond two standard errors by chance alone. With few splits, our own
standard error is a rough guess.
"""
#: Messages are cut here; records hold them whole.
MESSAGE_LENGTH = 300
HEADS = {
    "within": "within 2 s.e.",
    "better": "better",
    "worse": "worse",
    "differs": "differs",
    "unclear": "no s.e.",
    "missing": "not run",
}


def summary_blocks(results: list[Result], records: Records, run_facts: Mapping, remarks: Mapping) -> list[Block]:
    return [
        Grid(("fact", "value"), tuple((str(name), fact_text(value)) for name, value in run_facts.items())),
        Heading("How to read the tables", 2),
        Text(LEGEND),
        Heading("Published numbers and ours", 2),
        _counts(results),
        *_worse(results, remarks),
        *_missing(results, records),
        *_failures(records),
    ]


def fact_text(value) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} ({count})" for name, count in value.items())
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _counts(results):
    counts = defaultdict(Counter)
    for result in results:
        for compared in result.compared.values():
            if compared.cell.published:
                counts[paper_of(result.table.name)][compared.verdict()] += 1
    lines = [(paper, counts[paper]) for paper in in_order(counts)]
    if len(lines) > 1:
        lines.append(("all", sum(counts.values(), Counter())))
    rows = tuple((paper, str(c.total()), *(str(c[verdict]) for verdict in HEADS)) for paper, c in lines)
    return Grid(("paper", "published numbers", *HEADS.values()), rows)


def _worse(results, remarks):
    lines = []
    for result in results:
        for c in result.with_verdict("worse"):
            where = ": ".join((title_of(result.table.name, result.table.title), f"{c.cell.row}, {c.cell.column}"))
            explained = "" if result.table.name in remarks else " **not explained yet**"
            lines.append(f"- {plain(where)}: {ours_text(c)} ({published_text(c)}) {signed(c.z())}{explained}")
    if not lines:
        return [Text(f"No number is worse than published by more than {STANDARD_ERRORS:g} standard errors.")]
    return [Text(f"Worse than published by more than {STANDARD_ERRORS:g} standard errors:\n\n" + "\n".join(lines))]


def _missing(results, records):
    """Problems that tables show and nobody ran."""
    ran, wanted = records.problems(), defaultdict(dict)
    for result in results:
        for compared in result.compared.values():
            if compared.cell.problem not in ran:
                wanted[compared.cell.problem][result.table.name] = None
    if not wanted:
        return []
    lines = [f"- `{problem}` ({', '.join(map(plain, tables))})" for problem, tables in wanted.items()]
    return [Heading("Missing problems", 2), Text("No runs exist for these problems of tables:\n\n" + "\n".join(lines))]


def _failures(records):
    splits = defaultdict(list)
    for (problem, method), failed in records.failed.items():
        for record in failed:
            splits[problem, method, _shortened(record["failed"])].append(record["split"])
    if not splits:
        return []
    lines = [
        f"- `{problem}`, {plain(method)}, {'split' if len(numbers) == 1 else 'splits'} {listed(numbers)}: {plain(message)}"
        for (problem, method, message), numbers in splits.items()
    ]
    return [Heading("Failed runs", 2), Text("\n".join(lines))]


def _shortened(message):
    message = " ".join(str(message).split())
    return message if len(message) <= MESSAGE_LENGTH else message[: MESSAGE_LENGTH - 1] + "…"
