"""A page as Markdown that reads well as plain text."""

from __future__ import annotations

import re

from .blocks import Block, Grid, Heading, Number, Picture, Text

#: Tables wider than this are cut into parts.
LINE_WIDTH = 170


def write(blocks: list[Block]) -> str:
    return "\n\n".join(_written(block) for block in blocks) + "\n"


def _written(block):
    match block:
        case Heading(text, level):
            return f"{'#' * level} {plain(text)}"
        case Text(markdown):
            return markdown.strip()
        case Picture(file, title):
            return f"![{plain(title)}](figures/{file})"
        case Grid():
            return "\n\n".join(_table(part) for part in _parts(_texts(block), block.fixed))


def plain(text: str) -> str:
    """Text without meaning as Markdown."""
    return re.sub(r"([\\`*_|\[\]]|<(?=[A-Za-z/!?]))", r"\\\1", " ".join(text.split()))


def _texts(grid):
    return [[plain(head) for head in grid.head]] + [[_cell(cell) for cell in row] for row in grid.rows]


def _cell(cell):
    if not isinstance(cell, Number):
        return plain(cell)
    ours = f"**{cell.ours}**" if cell.best else cell.ours
    published = f"({cell.published})" if cell.published else ""
    footnote = f"[{cell.footnote}]" if cell.footnote else ""
    return " ".join(part for part in (ours, published, cell.z, cell.mark, footnote) if part)


def _parts(lines, fixed):
    """Columns in groups that fit into a line, each behind the fixed ones."""
    widths = [max(len(line[i]) for line in lines) + 3 for i in range(len(lines[0]))]
    groups, used = [[]], 0
    room = LINE_WIDTH - 1 - sum(widths[:fixed])
    for column in range(fixed, len(widths)):
        if groups[-1] and used + widths[column] > room:
            groups.append([])
            used = 0
        groups[-1].append(column)
        used += widths[column]
    return [[[line[i] for i in (*range(fixed), *group)] for line in lines] for group in groups]


def _table(lines):
    widths = [max(3, *(len(line[i]) for line in lines)) for i in range(len(lines[0]))]
    head, *rows = ["| " + " | ".join(text.ljust(width) for text, width in zip(line, widths)) + " |" for line in lines]
    return "\n".join((head, "|" + "|".join("-" * (width + 2) for width in widths) + "|", *rows))
