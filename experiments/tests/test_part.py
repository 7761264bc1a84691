"""A part of the page is rendered, and the rest stays."""

import re

from experiments.render.page import render
from experiments.render.part import render_part, spliced
from experiments.spec import Cell, Figure, Study, Table

STUDIES = {name: Study(name, (f"{name} data",), ("m",), {"default": 3}) for name in ("one", "two")}


def table(name, *studies):
    cells = tuple(Cell(study, "M", f"{study} data", "m", "error") for study in studies)
    return Table(name, f"Table {name}", cells, "data set", digits=3)


def draw(study):
    def figure(of):
        from matplotlib.figure import Figure as Drawn

        drawn = Drawn()
        drawn.subplots().plot([record["scores"]["error"] for record in of(f"{study} data", "m")])
        return drawn

    return figure


TABLES = [table("A", "one"), table("B", "two"), table("C", "one", "two"), table("D", "one")]
FIGURES = [Figure("E", "Figure E", draw("one")), Figure("F", "Figure F", draw("two"))]


def records(study, error):
    return [
        {"problem": f"{study} data", "method": "m", "split": k, "scores": {"error": error}, "facts": {}} for k in range(3)
    ]


def shown(folder):
    """Texts of sections by heading."""
    text = (folder / "RESULTS.md").read_text(encoding="utf-8")
    assert text.endswith("\n") and "\n\n\n" not in text
    parts = re.split(r"^#+ (.*)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2]))


def part(folder, error, tables=TABLES, facts=None):
    render_part(records("one", error), facts or {"runs": 3}, folder, [STUDIES["one"]], tables, FIGURES, {})


def test_only_what_rests_on_the_study_is_rendered_anew(tmp_path):
    render(records("one", 0.125) + records("two", 0.25), {"runs": 6}, tmp_path, TABLES, FIGURES, {})
    before, files = shown(tmp_path), {path: path.read_bytes() for path in tmp_path.rglob("*.*")}
    part(tmp_path, 0.375)
    after = shown(tmp_path)
    assert list(after) == list(before)
    changed = {head for head in after if after[head] != before[head]}
    assert changed == {"Results", "Table A", "Table D"}
    assert "0.375" in after["Table A"] and "0.125" in after["Table C"]
    written = {path.name for path, was in files.items() if path.read_bytes() != was}
    assert written == {"RESULTS.md", "a.csv", "d.csv", "figure-e.svg"}


def test_new_sections_come_where_a_complete_page_has_them(tmp_path):
    old = [made for made in TABLES if made.name in "BC"]
    render(records("one", 0.125) + records("two", 0.25), {"runs": 6}, tmp_path, old, FIGURES[1:], {})
    part(tmp_path, 0.125)
    render(records("one", 0.125) + records("two", 0.25), {"runs": 6}, tmp_path / "whole", TABLES, FIGURES, {})
    assert list(shown(tmp_path)) == list(shown(tmp_path / "whole"))


def test_the_first_section_tells_once_about_the_runs_behind_a_part(tmp_path):
    render(records("two", 0.25), {"runs": 3}, tmp_path, TABLES, FIGURES, {})
    for runs in (4, 5):
        part(tmp_path, 0.5, facts={"runs": runs, "builds": {"x_1": 2}})
    first = shown(tmp_path)["Results"]
    assert first.count("Rendered apart") == 1
    assert r"Rendered apart from the rest: `one` (runs: 5; builds: x\_1 (2))." in first
    assert "| runs | 3     |" in first


def test_without_a_page_the_part_is_the_page(tmp_path):
    part(tmp_path, 0.5)
    assert [head for head in shown(tmp_path) if head.startswith(("Table", "Figure"))] == ["Table A", "Table D", "Figure E"]


def test_a_heading_of_a_new_paper_comes_with_its_first_section():
    order = ["## P", "### 1", "## Q", "### 2", "## R", "### 3"]
    page = "# Results\n\nfacts\n\n## P\n\n### 1\n\nx\n\n## R\n\n### 3\n\nz\n"
    assert spliced(page, "## Q\n\n### 2\n\ny\n", order) == page.replace("## R", "## Q\n\n### 2\n\ny\n\n## R")
    assert spliced(page, "## R\n\n### 3\n\nnew\n", order) == page.replace("z\n", "new\n")
