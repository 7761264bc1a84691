"""The results as files: RESULTS.md, results.html, a CSV file per table and SVG files of figures."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from .. import catalogue
from ..compare import Records
from ..remarks import REMARKS
from ..spec import Figure, Table
from . import csv, html, markdown, plots
from .blocks import Block, Heading, Picture, Text
from .contest import contest_blocks
from .overall import overall_blocks
from .papers import heading_of, in_order, paper_of, title_of
from .ranking import ranking_blocks
from .summary import summary_blocks
from .tables import Result, grid

TITLE = "Results"
PAGE = "RESULTS.md"


def render(
    records: list[dict],
    run_facts: Mapping,
    folder: Path,
    tables: Iterable[Table] | None = None,
    figures: Iterable[Figure] | None = None,
    remarks: Mapping[str, str] = REMARKS,
) -> None:
    """Writes all files into `folder`. Tables and figures are those of the catalogue if none are given."""
    tables = list(catalogue.all_tables().values() if tables is None else tables)
    figures = catalogue.all_figures().values() if figures is None else figures
    known = Records(records)
    results = [Result.of(table, known) for table in tables]
    pictures = {}
    summary = [*summary_blocks(results, known, run_facts, remarks), *contest_blocks(tables, known, remarks)]
    blocks = [Heading(TITLE, 1), *summary, *sections(results, figures, known, pictures, remarks)]
    pages = {PAGE: markdown.write(blocks), "results.html": html.write(blocks, pictures)}
    replace_files(folder, attachments(results, pictures) | pages)


def sections(
    results: list[Result], figures: Iterable[Figure], known: Records, pictures: dict[str, str], remarks: Mapping[str, str]
) -> list[Block]:
    """Tables and figures by paper; the SVG texts of plots are added to `pictures` by file name."""
    return by_paper(
        [(result.table.name, _table_section(result, pictures, remarks)) for result in results]
        + [(figure.name, _figure_section(figure, known, pictures, remarks)) for figure in figures]
    )


def attachments(results: list[Result], pictures: Mapping[str, str]) -> dict[str, str]:
    """Texts of the files beside the page, by path."""
    tables = {f"tables/{file_name(result.table.name)}.csv": csv.write(result) for result in results}
    return tables | {f"figures/{name}": svg for name, svg in pictures.items()}


def by_paper(named: list[tuple[str, list[Block]]]) -> list[Block]:
    """Sections under one heading per paper."""
    blocks = []
    for paper in in_order(paper_of(name) for name, _ in named):
        blocks.append(Heading(heading_of(paper), 2))
        for name, section in named:
            if paper_of(name) == paper:
                blocks += section
    return blocks


def headed(item: Table | Figure) -> Heading:
    return Heading(title_of(item.name, item.title), 3)


def _table_section(result: Result, pictures: dict[str, str], remarks: Mapping[str, str]) -> list[Block]:
    table, stem = result.table, f"table-{file_name(result.table.name)}"
    title = headed(table).text
    blocks = [headed(table), *_text(table.note), grid(result), *overall_blocks(result)]
    blocks += _remark(result, remarks)
    if table.ranked:
        blocks += ranking_blocks(result)
    if result.ranking is not None:
        draw = partial(plots.critical_difference, result.ranking)
        blocks += _picture(draw, f"{stem}-ranks.svg", f"{title}: average ranks", pictures)
    draw = partial(plots.published_against_ours, result)
    blocks += _picture(draw, f"{stem}-published.svg", f"{title}: published and ours, with standard errors", pictures)
    return blocks


def _remark(result, remarks):
    if result.table.name in remarks:
        return _text(remarks[result.table.name])
    worse = len(result.with_verdict("worse"))
    return [Text(f"**Not explained yet:** {worse} of these numbers are worse than published.")] if worse else []


def _figure_section(figure: Figure, known: Records, pictures: dict[str, str], remarks: Mapping[str, str]) -> list[Block]:
    """A figure that cannot be drawn, as when its runs are missing, does not keep the rest from the reader."""
    heading, absent = headed(figure), []
    blocks = [heading, *_text(figure.note)]

    def records_of(problem, method):
        found = known.of(problem, method)
        absent.extend([] if found else [f"{method} on {problem}"])
        return found

    try:
        shown = _picture(partial(figure.draw, records_of), f"figure-{file_name(figure.name)}.svg", heading.text, pictures)
    except Exception as error:  # noqa: BLE001 - any error, since specifications bring their own drawing
        shown = [Text(f"**Could not be drawn:** {markdown.plain(f'{type(error).__name__}: {error}')}")]
    blocks += shown or [Text("Nothing to draw yet.")]
    if absent:
        blocks.append(Text(f"Runs that are missing here: {markdown.plain(', '.join(dict.fromkeys(absent)))}."))
    return blocks + _text(remarks.get(f"figure {figure.name}", ""))


def _picture(draw, file, title, pictures):
    svg = plots.drawn(draw)
    if svg is None:
        return []
    if file in pictures:
        raise ValueError(f"two figures would be written to '{file}'; names must differ in more than punctuation")
    pictures[file] = svg
    return [Picture(file, title)]


def _text(markdown_text):
    return [Text(markdown_text)] if markdown_text.strip() else []


def file_name(name: str) -> str:
    """A name in small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def replace_files(folder: Path, files: Mapping[str, str]) -> None:
    """Writes every file whole or not at all."""
    for name, text in files.items():
        path = Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f".{path.name}.part")
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
