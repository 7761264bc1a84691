"""Links that lead nowhere are found."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import links  # noqa: E402
import repository_pages  # noqa: E402


def test_pages_anchors_files_and_what_is_fetched(tmp_path):
    (tmp_path / "inner").mkdir()
    (tmp_path / "a.html").write_text(
        '<h1 id="top">A</h1><a href="inner/b.html#there">b</a><a href="inner/b.html#gone">b</a><a href="c.html">c</a>'
        '<a href="https://example.org">out</a><img src="https://example.org/x.png"><a href="#top">up</a>'
        '<link rel="stylesheet" href="site.css"><link rel="canonical" href="https://example.org/a">'
    )
    (tmp_path / "inner/b.html").write_text('<p id="there"></p><a href="../a.html#top">a</a>')
    assert links.faults(tmp_path) == [
        "a.html fetches https://example.org/x.png from elsewhere",
        "a.html leads to site.css, which is not there",
        "a.html leads to inner/b.html#gone, which has no such anchor",
        "a.html leads to c.html, which is not there",
    ]


def test_links_of_documents_lead_to_their_pages(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/OPTIONS.md").write_text("[guide](GUIDE.md#columns) [out](https://a.org) [list](../LICENSE-MIT) ![p](images/demo.svg) [here](#b)")
    made = repository_pages.page(tmp_path, "docs/OPTIONS.md")
    assert made == "[guide](../guide.md#columns) [out](https://a.org) list ![p](/images/demo.svg) [here](#b)"
