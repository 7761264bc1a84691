"""Tables and figures of single studies, written into a page that stays as it is otherwise: for records that are not all on
one machine."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from pathlib import Path

from .. import catalogue
from ..compare import Records
from ..remarks import REMARKS
from ..spec import Figure, Study, Table
from . import markdown, plots
from .page import PAGE, attachments, by_paper, headed, render, replace_files, sections
from .summary import fact_text
from .tables import Result

#: A section begins with a heading of one of the first three levels.
SECTION = re.compile(r"^(?=#{1,3} )", re.MULTILINE)
APART = "Rendered apart from the rest: "


def render_part(
    records: list[dict],
    run_facts: Mapping,
    folder: Path,
    studies: Collection[Study],
    tables: Iterable[Table] | None = None,
    figures: Iterable[Figure] | None = None,
    remarks: Mapping[str, str] = REMARKS,
) -> None:
    """Writes what rests on nothing but runs of the `studies`, whose records are given. The page as HTML is not written."""
    tables = list(catalogue.all_tables().values() if tables is None else tables)
    figures = list(catalogue.all_figures().values() if figures is None else figures)
    known = Records(records)
    own = partial(_rests_on, studies)
    own_tables = [table for table in tables if own((cell.problem, cell.method) for cell in table.cells)]
    own_figures = [figure for figure in figures if own(_asked(figure, known))]
    page = Path(folder) / PAGE
    if not page.exists():
        return render(records, run_facts, folder, own_tables, own_figures, remarks)
    results, pictures = [Result.of(table, known) for table in own_tables], {}
    made = markdown.write(sections(results, own_figures, known, pictures, remarks))
    headings = by_paper([(item.name, [headed(item)]) for item in (*tables, *figures)])
    text = spliced(page.read_text(encoding="utf-8"), made, order=[markdown.write([h]).strip() for h in headings])
    text = with_facts(text, ", ".join(f"`{study.name}`" for study in studies), run_facts)
    replace_files(folder, attachments(results, pictures) | {PAGE: text})


def _rests_on(studies, runs):
    """Whether pairs of problem and method are all covered by studies; not if there are none."""
    runs = list(runs)
    return bool(runs) and all(any(study.covers(*run) for study in studies) for run in runs)


def _asked(figure, known):
    """Pairs of problem and method whose records a figure asks for."""
    asked = []

    def records_of(problem, method):
        asked.append((problem, method))
        return known.of(problem, method)

    try:
        plots.drawn(partial(figure.draw, records_of))
    except Exception:  # noqa: BLE001, S110 - what cannot be drawn without its records has asked for some of them
        pass
    return asked


def spliced(page: str, part: str, order: list[str]) -> str:
    """A page whose sections are replaced by those of a part with the same heading; new ones come where `order`, the
    headings of a complete page, has them."""
    kept = SECTION.split(page)
    for section in filter(str.strip, SECTION.split(part)):
        heads = [_head(other) for other in kept]
        head = _head(section)
        if head in heads:
            kept[heads.index(head)] = section
        else:
            later = set(order[order.index(head) + 1 :])
            kept.insert(next((i for i, other in enumerate(heads) if other in later), len(kept)), section)
    return _joined(kept)


def with_facts(page: str, names: str, run_facts: Mapping) -> str:
    """What is known about the runs behind a part, at the end of the first section."""
    first, *others = filter(str.strip, SECTION.split(page))
    begin = f"{APART}{names} ("
    paragraphs = [paragraph for paragraph in first.strip().split("\n\n") if not paragraph.startswith(begin)]
    told = "; ".join(f"{markdown.plain(name)}: {markdown.plain(fact_text(value))}" for name, value in run_facts.items())
    return _joined(["\n\n".join([*paragraphs, f"{begin}{told})."]), *others])


def _head(section):
    return section.split("\n", 1)[0].strip()


def _joined(parts):
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"
