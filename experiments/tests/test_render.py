"""The rendered page, read back."""

import csv
import io
import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import pytest

from experiments import catalogue
from experiments.render import html, markdown, numbers, plots
from experiments.render.blocks import Grid
from experiments.render.page import file_name, render
from experiments.spec import Cell, Figure, Published, Table, grid

PROBLEMS = ("alpha", "beta", "gamma")
COLUMNS = ("A", "B|C")
#: On `alpha`, method A is far worse than published; the rest is as published.
PUBLISHED = {row: {"A": (20.0, 5.0), "B|C": (30.0, 5.0)} for row in PROBLEMS}
FLAWED = "alpha"


def table(name="EMEP-1", **others):
    cells = grid("error", PUBLISHED, {c: f"method {c}" for c in COLUMNS})
    settings = {"title": "EMEP Table 1: error", "corner": "data set", "scale": 100.0, "digits": 1, "ranked": True}
    settings |= {"spread": "sd", "published_splits": dict.fromkeys(PROBLEMS, 100)}
    return Table(name, cells=cells, **{**settings, **others})


def records(problems=PROBLEMS, splits=6):
    """Scores around the published means; even splits are original."""
    for problem in problems:
        for column in COLUMNS:
            centre = PUBLISHED[problem][column][0] / 100 + (0.3 if (problem, column) == (FLAWED, "A") else 0.0)
            for split in range(splits):
                yield {
                    "problem": problem,
                    "method": f"method {column}",
                    "split": split,
                    "source": "gen" if split % 2 else "ida",
                    "scores": {"error": centre + 0.02 * (split - (splits - 1) / 2)},
                    "facts": {},
                }


def failure(problem="beta", method="method A", split=99):
    return {"problem": problem, "method": method, "split": split, "failed": "ValueError: a <b> | *c*\nsecond line"}


def rendered(folder, made, figures=(), tables=None, remarks=None, facts=None):
    render(list(made), facts or {"size": "default"}, folder, tables or [table()], figures, remarks or {})
    return (folder / "RESULTS.md").read_text(encoding="utf-8")


def markdown_tables(text):
    """All tables as lists of rows of cells, with escaped bars read as bars."""
    for block in re.split(r"\n\n", text):
        lines = [line for line in block.splitlines() if line.startswith("|")]
        if lines:
            rows = [[c.strip().replace("\\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
            assert len({len(row) for row in rows}) == 1
            assert all(set(c) == {"-"} for c in rows[1])
            yield [rows[0], *rows[2:]]


def table_under(text, head):
    return next(rows for rows in markdown_tables(text) if rows[0][0] == head)


class Cells(HTMLParser):
    """Rows of cell texts with their classes, and tags that were opened and not closed."""

    def __init__(self):
        super().__init__()
        self.rows, self.open, self.images = [], [], []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append([attributes.get("class", ""), ""])
        if tag == "img":
            self.images.append(attributes["src"])
        if tag not in ("meta", "img", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "td" in self.open or "th" in self.open:
            self.rows[-1][-1][1] += data


def html_page(folder):
    page = Cells()
    page.feed((folder / "results.html").read_text(encoding="utf-8"))
    assert page.open == []
    return page


def test_cells_show_ours_published_and_difference(tmp_path):
    rows = table_under(rendered(tmp_path, records()), "data set")
    assert rows[0] == ["data set", "splits", "A", "B|C"]
    by_head = {row[0]: row for row in rows}
    # Mean 50 %, sd 2 sqrt(3.5), over 6 splits; published 20 with standard error 5/10.
    standard_error = (4 * 3.5 / 6) ** 0.5
    z = 30.0 / (standard_error**2 + 0.25) ** 0.5
    assert by_head["alpha"][1:3] == ["3 ida + 3 gen", f"50.0 ± {standard_error:.1f} (20.0 ± 5.0) +{z:.1f} ▼"]
    assert by_head["alpha"][3] == "**30.0 ± 1.5** (30.0 ± 5.0) +0.0"
    assert by_head["beta"][2] == "**20.0 ± 1.5** (20.0 ± 5.0) +0.0"


def test_original_and_generated_splits_are_apart(tmp_path):
    rows = table_under(rendered(tmp_path, records()), "data set")
    place = [row[0] for row in rows].index("beta")
    assert [row[0] for row in rows[place + 1 : place + 3]] == ["· original splits", "· generated splits"]
    # Splits 0, 2, 4 and 1, 3, 5: one step of 2 % to either side over two, so 1 % below and above the mean of 20 %.
    assert [row[2].split(" ")[0] for row in rows[place + 1 : place + 3]] == ["19.0", "21.0"]
    single = [r for r in records() if r["source"] == "ida"]
    assert [row[0] for row in table_under(rendered(tmp_path, single), "data set")[1:]] == list(PROBLEMS)


def test_flagged_cells_ask_for_a_remark(tmp_path):
    text = rendered(tmp_path, records())
    assert "**Not explained yet:** 1 of these numbers" in text
    assert re.search(r"- EMEP Table 1: error: alpha, A: 50\.0 .* \*\*not explained yet\*\*", text)
    text = rendered(tmp_path, records(), remarks={"EMEP-1": "The cause is *known*."})
    assert "xplained yet" not in text
    assert "The cause is *known*." in text
    assert "The cause is <em>known</em>." in (tmp_path / "results.html").read_text(encoding="utf-8")
    assert "xplained yet" not in rendered(tmp_path, [r for r in records() if r["problem"] != FLAWED])


def test_summary_counts_by_paper(tmp_path):
    unpublished = Table("FREE-1", "free", (Cell("r", "c", "beta", "method A", "error"),))
    tables = [table(), table("TAN Table 1", ranked=False), unpublished]
    text = rendered(tmp_path, records(("alpha", "beta")), tables=tables, facts={"size": "quick", "builds": {"x": 3}})
    counts = table_under(text, "paper")
    assert counts[0][:5] == ["paper", "published numbers", "within 2 s.e.", "better", "worse"]
    assert {row[0]: row[1:] for row in counts[1:]} == {
        "EMEP": ["6", "3", "0", "1", "0", "0", "2"],
        "TAN": ["6", "3", "0", "1", "0", "0", "2"],
        "all": ["12", "6", "0", "2", "0", "0", "4"],
    }
    assert ["builds", "x (3)"] in table_under(text, "fact")
    assert "- `gamma` (EMEP-1, TAN Table 1)" in text


def test_failed_runs_are_listed_and_marked(tmp_path):
    text = rendered(tmp_path, [*records(), failure(split=7), failure(split=9)])
    assert r"- `beta`, method A, splits 7, 9: ValueError: a \<b> \| \*c\* second line" in text
    row = next(row for row in table_under(text, "data set") if row[0] == "beta")
    assert row[2].endswith("[2 failed]")
    page = html_page(tmp_path)
    assert "a &lt;b&gt; | *c* second line" in (tmp_path / "results.html").read_text(encoding="utf-8")
    assert any("2 failed" in text for row in page.rows for _, text in row)


def test_missing_cells_are_dashes_with_the_published_number(tmp_path):
    text = rendered(tmp_path, [])
    rows = table_under(text, "data set")
    assert rows[1] == ["alpha", "–", "– (20.0 ± 5.0)", "– (30.0 ± 5.0)"]
    assert "Ranks need at least two rows" in text
    assert not list(tmp_path.glob("figures/*"))
    shown = next(row for row in html_page(tmp_path).rows if row[0][1] == "alpha")
    assert " ".join(shown[2][1].split()) == "– (20.0 ± 5.0)"


def test_html_says_the_same_as_markdown(tmp_path):
    text = rendered(tmp_path, records())
    page = html_page(tmp_path)
    plain = [[cell.replace("*", "") for cell in row] for rows in markdown_tables(text) for row in rows]
    shown = [[" ".join(cell.split()) for _, cell in row] for row in page.rows]
    # The mark stands behind our number in HTML and at the end in Markdown.
    assert [[sorted(c.split()) for c in row] for row in shown] == [[sorted(c.split()) for c in row] for row in plain]
    assert [kind for row in page.rows for kind, _ in row].count("worse") == 1
    assert len(page.images) == 2
    assert all(source.startswith("data:image/svg+xml;base64,") for source in page.images)
    source = (tmp_path / "results.html").read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in source
    assert not re.search(r'(src|href)="(?!data:|#)', source)


def test_csv_has_a_line_per_cell_and_origin(tmp_path):
    rendered(tmp_path, [*records(("alpha", "beta")), failure()])
    lines = list(csv.DictReader(io.StringIO((tmp_path / "tables/emep-1.csv").read_text(encoding="utf-8"))))
    # Two problems of two methods with three origins each, and one line for each cell that has no records.
    assert len(lines) == 2 * 2 * 3 + 2
    found = {(line["row"], line["column"], line["origin"]): line for line in lines}
    ida = found["beta", "B|C", "ida"]
    assert (ida["splits"], ida["published"], ida["published_se"]) == ("3", "30.0", "0.5")
    assert float(ida["mean"]) == pytest.approx(29.0)
    assert float(ida["sd"]) == pytest.approx(4.0)
    assert found["beta", "A", "all"]["failed"] == "1"
    assert (found["gamma", "A", "all"]["mean"], found["gamma", "A", "all"]["verdict"]) == ("", "missing")
    assert found["alpha", "A", "all"]["verdict"] == "worse"


def test_ranks_are_shown_beside_published_ones(tmp_path):
    ranks = {"A": 1.1, "B|C": 1.9}
    text = rendered(tmp_path, records(), tables=[table(published_ranks=ranks)])
    rows = next(rows for rows in markdown_tables(text) if "rank" in rows[0])
    assert rows[0][1:] == ["rank", "published", "from published numbers", "A", "B"]
    # A loses on alpha and wins on the two others; in print it wins everywhere.
    assert [row[1:4] for row in rows[1:]] == [["1.33", "1.10", "1.00"], ["1.67", "1.90", "2.00"]]
    # Differences of 20, -10 and -10 %: ranks 3, 1.5, 1.5, so any signs are as far from even: p = 1.
    assert rows[1][5] == "1.00"
    assert "Friedman: χ²(1) = 0.33" in text
    assert r"- original splits only (3 data sets): A 1.33, B\|C 1.67" in text


def test_columns_beyond_the_paper_are_ranked_apart(tmp_path):
    made = table(published_ranks={"A": 1.0, "B|C": 2.0})
    extra = tuple(Cell(row, "new", row, "method new", "error") for row in PROBLEMS)
    made = Table(**{**vars(made), "cells": made.cells + extra})
    new = [{**r, "method": "method new", "scores": {"error": 0.0}} for r in records() if r["method"] == "method A"]
    rankings = [t for t in markdown_tables(rendered(tmp_path, [*records(), *new], tables=[made])) if "rank" in t[0]]
    assert [t[0][1:-2] for t in rankings] == [["rank", "published", "from published numbers"], ["rank", "A"]]
    assert [[row[1] for row in t[1:]] for t in rankings] == [["1.33", "1.67"], ["2.33", "2.67", "1.00"]]


def test_papers_come_first_and_are_named(tmp_path):
    tables = [table("Today"), table("TAN Table 2", title="Error")]
    text = rendered(tmp_path, [], tables=tables)
    heads = re.findall(r"^##+ (.*)$", text, flags=re.MULTILINE)
    wanted = ["TAN: Tan", "TAN Table 2: Error", "Beyond the papers", "EMEP Table 1: error"]
    assert [head[: len(start)] for head, start in zip(heads[-4:], wanted, strict=True)] == wanted


def points(of):
    from matplotlib import pyplot

    figure, axes = pyplot.subplots()
    axes.plot([record["scores"]["error"] for record in of("alpha", "method A")])
    of("nobody", "method A")
    return figure


def test_figures_are_well_formed_and_repeatable(tmp_path):
    figures = [Figure("EMEP-1", "A curve", points, note="Of *one* method.")]
    text = rendered(tmp_path / "first", records(), figures)
    rendered(tmp_path / "second", reversed(list(records())), figures)
    names = sorted(path.name for path in (tmp_path / "first/figures").iterdir())
    assert names == ["figure-emep-1.svg", "table-emep-1-published.svg", "table-emep-1-ranks.svg"]
    for name in names:
        svg = (tmp_path / "first/figures" / name).read_bytes()
        assert ElementTree.fromstring(svg).tag.endswith("svg")
        assert svg == (tmp_path / "second/figures" / name).read_bytes()
        assert f"](figures/{name})" in text
    assert "Runs that are missing here: method A on nobody." in text


def test_a_figure_that_cannot_be_drawn_is_reported(tmp_path):
    text = rendered(tmp_path, records(), [Figure("X-1", "broken", lambda of: 1 / 0), Figure("X-2", "empty", lambda of: None)])
    assert "**Could not be drawn:** ZeroDivisionError: division by zero" in text
    assert "Nothing to draw yet." in text


def test_nothing_temporary_is_left(tmp_path):
    rendered(tmp_path, records())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["RESULTS.md", "figures", "results.html", "tables"]
    assert not list(tmp_path.rglob("*.part"))


def test_wide_tables_are_cut_between_columns():
    made = Grid(("head", *(f"column {i}" for i in range(40))), (("row", *("0123456789" for _ in range(40))),))
    text = markdown.write([made])
    assert max(map(len, text.splitlines())) <= markdown.LINE_WIDTH
    parts = list(markdown_tables(text))
    assert len(parts) > 1
    assert all(part[0][0] == "head" and part[1][0] == "row" for part in parts)
    assert [head for part in parts for head in part[0][1:]] == list(made.head[1:])


def test_markdown_of_remarks_as_html():
    made = html.from_markdown("A `<b>*x*` and **strong** [link](https://example.org/a).\n\n- one\n  more\n- *two* \\*\n\n1 < 2")
    assert made == (
        '<p>A <code>&lt;b&gt;*x*</code> and <strong>strong</strong> <a href="https://example.org/a">link</a>.</p>\n'
        "<ul>\n<li>one more</li>\n<li><em>two</em> *</li>\n</ul>\n<p>1 &lt; 2</p>"
    )


def test_numbers_as_text():
    assert numbers.plus_minus(1.25, 0.004, 1) == "1.2 ± 0.004"
    assert numbers.plus_minus(1.25, float("nan"), 2) == "1.25"
    assert numbers.fixed(-0.001, 2) == "0.00"
    assert (numbers.signed(-0.04), numbers.signed(-1.26), numbers.signed(None)) == ("+0.0", "-1.3", "")
    assert (numbers.p_equals(0.00001), numbers.p_equals(0.0321), numbers.p_equals(0.5)) == (
        "p < 0.0001",
        "p = 0.0321",
        "p = 0.50",
    )


def test_methods_that_are_alike_are_joined():
    assert plots.alike([1.0, 1.5, 2.4, 4.0], 1.0) == [(0, 1), (1, 2)]
    assert plots.alike([1.0, 1.2, 1.4], 1.0) == [(0, 2)]
    assert plots.alike([1.0, 3.0], 1.0) == []


def test_file_names():
    assert file_name("EPCV Table 4 (NLP)") == "epcv-table-4-nlp"


def test_the_catalogue_renders_without_any_record(tmp_path):
    """Also refuses tables that lack what the comparison needs."""
    render([], {"size": "default"}, tmp_path)
    assert len(list(tmp_path.glob("tables/*.csv"))) == len(catalogue.all_tables())
    text = (tmp_path / "RESULTS.md").read_text(encoding="utf-8")
    assert all(markdown.plain(made.title) in text for made in catalogue.all_tables().values())
    html_page(tmp_path)


def test_published_spread_is_optional(tmp_path):
    cells = (Cell("alpha", "A", "alpha", "method A", "error", Published(20.0)),)
    text = rendered(tmp_path, records(splits=1), tables=[Table("P-1", "t", cells, "data set", 100.0, 1)])
    assert table_under(text, "data set")[1] == ["alpha", "1", "50.0 (20.0)"]
