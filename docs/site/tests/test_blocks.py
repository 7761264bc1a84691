"""A page cannot say what is not so."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from blocks import Page, PageError, Place  # noqa: E402


@pytest.fixture
def page(tmp_path):
    import matplotlib

    matplotlib.use("Agg")
    return Page("a/page", Place(tmp_path, tmp_path / "run", tmp_path / "figures", []))


def test_what_a_block_prints_follows_it(page):
    made = page.run("```python\nx = 6 * 7\nprint(x)\n```\nIt is {{ x }}.\n\n```sh\necho done\n```\n")
    assert made.index("print(x)") < made.index("\n42\n") < made.index("It is 42.") < made.index("\ndone\n")


def test_only_the_first_lines_and_no_hidden_block(page):
    made = page.run("```sh head=2\nseq 5\n```\n```python hidden\nprint('said')\n```\n```python silent\nprint('un' + 'said')\n```\n")
    assert "1\n2\n..." in made and "\n3" not in made
    assert "said" in made and "print('said')" not in made and "unsaid" not in made


@pytest.mark.parametrize("block", [
    "```python\n1 / 0\n```", "```sh\nfalse\n```", "```sh fails\ntrue\n```", "```javascript\n1\n```", "```\nno language\n```",
    "```python colour=red\n```", "```python\nimport matplotlib.pyplot as plt\nplt.figure()\n```", '```python figure="none"\n```',
])
def test_a_block_that_does_something_else_fails_the_page(page, block):
    import matplotlib.pyplot as plt

    with pytest.raises(PageError, match="a/page"):
        page.run(block + "\n")
    plt.close("all")


def test_a_figure_is_kept_with_its_description(page, tmp_path):
    made = page.run('```python figure="A line"\nimport matplotlib.pyplot as plt\nplt.plot([1, 2])\n```\n')
    assert "![A line](/figures/a-page-1.svg)" in made
    assert (tmp_path / "figures/a-page-1.svg").read_text().count("<svg") == 1


def test_a_quick_page_runs_on_less_and_shows_the_whole(page):
    page.place.quick = True
    made = page.run("<!-- quick: 1_000 -> 10 -->\n```python\nprint(len(range(1_000)))\n```\n")
    assert "range(1_000)" in made and "\n10\n" in made and page.replaced


def test_the_generators_own_fences_are_left_alone(page):
    text = "```{eval-rst}\n.. autofunction:: load\n```\n"
    assert page.run(text) == text


def test_what_is_not_run_is_shown(page):
    assert "exit 3" in page.run("```sh not-run\nexit 3\n```\n")
