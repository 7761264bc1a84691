"""A page as one HTML file with everything inside, for light and dark screens."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from html import escape

from .blocks import Block, Grid, Heading, Number, Picture, Text

STYLE = """
:root {
  color-scheme: light dark;
  --ink: #1b1b1b; --paper: #fff; --faint: #666; --line: #d0d0d0; --bad: #b3261e; --good: #146c2e;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #16181b; --faint: #a0a0a0; --line: #3a3d42; --bad: #ff8a80; --good: #81c995; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 75em; margin: 2em auto;
  padding: 0 1em; }
p, li { max-width: 52em; }
.wide { overflow-x: auto; margin: 1em 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25em .7em; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
td { white-space: nowrap; }
td small { display: block; color: var(--faint); }
td small.beside { display: inline; }
.best { font-weight: bold; }
.worse small, .worse .mark { color: var(--bad); }
.better small { color: var(--good); }
figure { margin: 1em 0; }
img { max-width: 100%; background: #fff; border-radius: 6px; padding: .5em; }
figcaption { color: var(--faint); }
a { color: inherit; }
""".strip()

#: What a verdict means, shown when the pointer rests on a cell.
MEANINGS = {
    "worse": "worse by more than two standard errors",
    "better": "better by more than two standard errors",
    "differs": "differs by more than two standard errors",
    "within": "within two standard errors",
}


def write(blocks: list[Block], pictures: Mapping[str, str]) -> str:
    """`pictures` are SVG texts by file name."""
    title = next((block.text for block in blocks if isinstance(block, Heading)), "Results")
    body = "\n".join(_written(block, pictures) for block in blocks)
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{escape(title)}</title>\n'
        f"<style>\n{STYLE}\n</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _written(block, pictures):
    match block:
        case Heading(text, level):
            return f"<h{level}>{escape(text)}</h{level}>"
        case Text(markdown):
            return from_markdown(markdown)
        case Picture(file, title):
            data = base64.b64encode(pictures[file].encode()).decode()
            image = f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(title)}">'
            return f"<figure>{image}<figcaption>{escape(title)}</figcaption></figure>"
        case Grid():
            return _table(block)


def _table(grid):
    head = "".join(f'<th scope="col">{escape(text)}</th>' for text in grid.head)
    rows = ("".join([_head_cell(row[0]), *map(_cell, row[1:])]) for row in grid.rows)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="wide"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'


def _head_cell(text):
    return f'<th scope="row">{escape(text)}</th>'


def _cell(cell):
    if not isinstance(cell, Number):
        return f"<td>{escape(cell)}</td>"
    lower = " ".join(part for part in (f"({cell.published})" if cell.published else "", cell.z) if part)
    mark = f' <span class="mark">{cell.mark}</span>' if cell.mark else ""
    footnote = f"<small>{escape(cell.footnote)}</small>" if cell.footnote else ""
    meaning = f' title="{MEANINGS[cell.verdict]}"' if cell.verdict in MEANINGS else ""
    ours = f'<span class="best">{escape(cell.ours)}</span>' if cell.best else escape(cell.ours)
    small = f"<small{'' if cell.published else ' class=beside'}>{escape(lower)}</small>" if lower else ""
    return f'<td class="{cell.verdict}"{meaning}>{ours}{mark} {small}{footnote}</td>'


def from_markdown(markdown: str) -> str:
    """Paragraphs, lists and inline marks: what remarks and notes use of Markdown."""
    return "\n".join(_paragraph(part) for part in re.split(r"\n\s*\n", markdown.strip()) if part.strip())


def _paragraph(part):
    lines = part.splitlines()
    if not lines[0].lstrip().startswith("- "):
        return f"<p>{_inline(' '.join(line.strip() for line in lines))}</p>"
    items = []
    for line in lines:
        text = line.strip()
        if text.startswith("- "):
            items.append(text[2:])
        else:
            items[-1] += f" {text}"
    return "<ul>\n" + "\n".join(f"<li>{_inline(item)}</li>" for item in items) + "\n</ul>"


def _inline(text):
    """Code first, since nothing inside it has a meaning; then escaped characters, links and words with emphasis."""
    pieces = re.split(r"(``.+?``|`[^`]+`)", text)
    return "".join(_code(piece) if i % 2 else _marked(piece) for i, piece in enumerate(pieces))


def _code(piece):
    return f"<code>{escape(piece.strip('`').strip())}</code>"


def _marked(text):
    text = re.sub(r"\\([\\`*_|<\[\]])", lambda found: f"\0{ord(found[1])}\0", text)
    text = escape(text, quote=False)
    text = re.sub(r"\[([^\]]+)\]\((https?://[^)\s]+|[#\w./-]+)\)", r'<a href="\2">\1</a>', text)
    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
    text = re.sub(r"\*(.+?)\*", r"<em>\1</em>", text)
    return re.sub("\0(\\d+)\0", lambda found: escape(chr(int(found[1]))), text)
